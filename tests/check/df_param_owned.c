// A function that owns its argument and loses it on the error path.
#include <stdlib.h>
#include <string.h>

struct list { char **v; int n, max; };

static int list_take(struct list *l, char *s)
{
	if (l->n == l->max)
		return -1;	/* s is neither kept nor freed */
	l->v[l->n++] = s;
	return 0;
}

void nobody_looks_bad(struct list *l, const char *s)
{
	list_take(l, strdup(s)); // LEAK(conditional)
}

int looked_at_ok(struct list *l, const char *s)
{
	char *copy = strdup(s);

	if (list_take(l, copy) < 0) {
		free(copy);
		return -1;
	}
	return 0;
}

int looked_at_but_lost_bad(struct list *l, const char *s)
{
	char *copy = strdup(s); // LEAK(conditional)

	if (list_take(l, copy) < 0)
		return -1;
	return 0;
}
