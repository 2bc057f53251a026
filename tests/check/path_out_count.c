/* A function hands out a list, and, to those who ask, how long it is: no list without a count. */
#include <stdlib.h>

struct item { struct item *next; char *name; };

char **names_of(const char *pattern);

static struct item *find(const char *pattern, struct item **last, int *n)
{
	struct item *list = NULL, *e = NULL, *p;
	char **v = names_of(pattern);
	int i;

	if (!v || !v[0]) {
		if (n)
			*n = 0;
		if (last)
			*last = NULL;
		free(v);
		return NULL;
	}
	for (i = 0; v[i]; i++) {
		p = malloc(sizeof(*p));
		if (!p)
			abort();
		if (!e)
			e = p;
		p->next = list;
		p->name = v[i];
		list = p;
	}
	free(v);
	if (last)
		*last = e;
	if (n)
		*n = i;
	return list;
}

static struct item *find_some(const char *name, int *n) // the last of which has no count
{
	struct item *p = malloc(sizeof(*p));

	if (!p)
		return NULL;
	p->name = NULL;
	p->next = NULL;
	if (n)
		*n = name[0] != '.';
	return p;
}

static void drop(struct item *l)
{
	while (l) {
		struct item *p = l;

		l = l->next;
		free(p->name);
		free(p);
	}
}

int count_ok(const char *pattern)
{
	struct item *e = NULL, *l, *all = NULL;
	int n = 0, count = 0;

	l = find(pattern, &e, &n);
	if (n) {
		e->next = all;
		all = l;
		count += n;
	}
	drop(all);
	return count;
}

int count_bad(const char *pattern)
{
	struct item *l, *all = NULL;
	int n = 0, count = 0;

	l = find_some(pattern, &n); // LEAK(conditional)
	if (n) {
		all = l;
		count += n;
	}
	drop(all);
	return count;
}

void find_all(const char *a, const char *b)
{
	drop(find(a, NULL, NULL));
	drop(find_some(b, NULL));
}
