// A default that the constructor's caller replaces without freeing it.
#include <stdlib.h>
#include <string.h>

struct opts { char *sep; int width; };

static struct opts *opts_new(void)
{
	struct opts *o = malloc(sizeof(*o));

	if (!o)
		return NULL;
	o->sep = strdup(","); // FN(vfg,all): LEAK
	o->width = 80;
	return o;
}

static void opts_free(struct opts *o)
{
	free(o->sep);
	free(o);
}

int default_replaced_bad(const char *sep)
{
	struct opts *o = opts_new();

	if (!o)
		return -1;
	o->sep = strdup(sep);
	opts_free(o);
	return 0;
}
