// A pointer that nobody asks for does not tell whether the object was kept, or the macro around the call makes more of its argument than a call.
// LEAKS: 2
// EXPECT: either
// NEVER: first_result|keep\(l, copy\) ==
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADD(l, s) (strlen(#s) > 8 ? puts(#s) : 0, add(l, s))
#define PUT(l, s) add_told(l, s, #s)

struct list {
	char *item[3];
	int n;
};

static char **add(struct list *l, char *s)
{
	if (l->n == 3)
		return NULL;
	l->item[l->n] = s;
	return &l->item[l->n++];
}

static char **add_told(struct list *l, char *s, const char *what)
{
	puts(what);
	return add(l, s);
}

static char **keep(struct list *l, char *s)	/* null: it is full now */
{
	char **at = add(l, s);

	if (!at) {
		free(s);
		return NULL;
	}
	return l->n < 2 ? at : NULL;
}

static char *first(const char *s)
{
	char *p = malloc(2);

	if (p)
		snprintf(p, 2, "%s", s);
	return p;
}

static void fill(struct list *l, const char *s)
{
	ADD(l, first(s));
}

static void put(struct list *l, const char *s)
{
	PUT(l, first(s));
}

static void fill_copy(struct list *l, const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		return;
	keep(l, copy);
}

int main(void)
{
	struct list l = { { NULL }, 0 };

	fill_copy(&l, "one");
	fill_copy(&l, "two");
	fill(&l, "three");
	fill(&l, "four");
	put(&l, "five");
	fill_copy(&l, "six");
	for (int i = 0; i < l.n; i++) {
		puts(l.item[i]);
		free(l.item[i]);
	}
	return 0;
}
