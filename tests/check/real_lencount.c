/* the counter grows with every allocation: where it is 0 there is nothing to free */
#include <stdlib.h>
struct cell { int width; };
int next(struct cell *c);
char *text(const struct cell *c);

char *word(int found)
{
	struct cell c, *v = NULL;
	size_t n = 0;
	char *s = NULL;

	for (;;) {
		if (found && next(&c) == 0)
			break;
		found = 1;
		v = realloc(v, (n + 2) * sizeof(*v));
		if (!v)
			abort();
		v[n++] = c;
	}
	if (n != 0) {
		v[n].width = 0;
		s = text(v);
		free(v);
	}
	return s;
}

struct item { struct item *next; int shown; };
void add(struct item *i);

int shown(struct item *list)
{
	struct item *i, **v = NULL;
	unsigned n = 0, k;

	for (i = list; i; i = i->next) {
		if (!i->shown)
			continue;
		v = realloc(v, (n + 1) * sizeof(*v));
		if (!v)
			abort();
		v[n++] = i;
	}
	if (n == 0)
		goto empty;
	for (k = 0; k < n; k++)
		add(v[k]);
	free(v);
	return 1;
empty:
	add(NULL);
	return 0;
}
