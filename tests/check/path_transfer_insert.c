// list_add() takes the item only if it returns 0.
#include <stdlib.h>
#include <string.h>

struct list { char *item[16]; unsigned n; };

static int list_add(struct list *l, char *item)
{
	if (l->n == 16)
		return -1;
	l->item[l->n++] = item;
	return 0;
}

int remember_ok(struct list *l, const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		return -1;
	if (list_add(l, copy) < 0) {
		free(copy);
		return -1;
	}
	return 0;
}

int remember_bad(struct list *l, const char *s)
{
	char *copy = strdup(s); // LEAK(conditional)

	if (!copy)
		return -1;
	if (list_add(l, copy) < 0)
		return -1;
	return 0;
}
