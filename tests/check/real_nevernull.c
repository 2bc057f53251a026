/* false: what the function makes and keeps in a list as well is never NULL */
#include <stdlib.h>
#include <string.h>

struct option { const char *name; char *string; struct option *next; };
struct options { struct option *list; };

static void *must(size_t n)
{
	void *p = calloc(1, n);
	if (!p)
		abort();
	return p;
}

static struct option *add(struct options *oo, const char *name)
{
	struct option *o = must(sizeof(*o));

	o->name = name;
	o->next = oo->list;
	oo->list = o;
	return o;
}

void set_string(struct options *oo, const char *name, const char *text)
{
	char *s = strdup(text);
	struct option *o = oo->list;

	if (o == NULL) {
		o = add(oo, name);
		if (o == NULL)
			return;
	}
	free(o->string);
	o->string = s;
}
