// A program counts what it has: what comes from its allocator goes back by its own releaser, also where a destructor
// would free too much, or where nobody frees such objects.
// LEAKS: 9
// PATCH: ^\+.*give_back\(b\);
// PATCH: ^\+.*mark_free\(m\);
// PATCH: ^\+.*give_back\(t\);
// PATCH: ^\+.*give_back\(o\);
// PATCH: ^\+.*give_back\(p\);
// PATCH: ^\+.*give_back\(a\[plumb_i\]\);
// NEVER: ^\+.*[^_]free\(
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t used;

static void *take(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	used += malloc_usable_size(p);
	return p;
}

static void give_back(void *p)
{
	if (!p)
		return;
	used -= malloc_usable_size(p);
	free(p);
}

/* its destructor frees what is in it, too */
struct box {
	char *value;
	int n;
};

static struct box *box_new(void)
{
	struct box *b = take(sizeof(*b));

	b->value = NULL;
	b->n = 0;
	return b;
}

static void box_put(struct box *b, char *value)
{
	b->value = value;
	b->n++;
}

static void box_free(struct box *b)
{
	give_back(b->value);
	give_back(b);
}

static int full(const char *s)
{
	struct box *b = box_new();
	int n;

	box_put(b, strcpy(take(strlen(s) + 1), s));
	n = b->n;
	box_free(b);
	return n;
}

static int lent(char *s)
{
	struct box *b = box_new();

	box_put(b, s);
	if (*s == '#')
		return -1;
	puts(b->value);
	give_back(b);
	return 0;
}

/* its destructor only gives it back */
struct mark {
	long at, n;
};

static struct mark *mark_new(long at)
{
	struct mark *m = take(sizeof(*m));

	m->at = at;
	m->n = 0;
	return m;
}

static void mark_free(struct mark *m)
{
	give_back(m);
}

static long mark(long at)
{
	struct mark *m = mark_new(at);

	if (at < 0)
		return -1;
	at += m->n;
	mark_free(m);
	return at;
}

/* nobody frees one */
struct thing {
	int a, b;
};

static struct thing *thing_new(int a)
{
	struct thing *t = take(sizeof(*t));

	t->a = a;
	t->b = a + 1;
	return t;
}

static int thing(int a)
{
	struct thing *t = thing_new(a);

	return t->a + t->b;
}

static int other_make(struct thing **out, int a)
{
	if (a < 0)
		return -1;
	*out = take(sizeof(**out));
	(*out)->a = a;
	return 0;
}

static int other(int a)
{
	struct thing *o;

	if (other_make(&o, a))
		return -1;
	return o->a;
}

/* nor what comes from the allocator itself */
static int first(const char *s)
{
	char *p = take(strlen(s) + 1);

	strcpy(p, s);
	return p[0] == 'a';
}

static int many(int n)
{
	char **a = take(n * sizeof(*a));
	int r = 0;

	for (int i = 0; i < n; i++)
		a[i] = take(10);
	for (int i = 0; i < n; i++)
		r += a[i] != NULL;
	return r;
}

int main(void)
{
	char text[] = "#a", more[] = "b";

	printf("%d %d %d\n", full("x"), lent(text), lent(more));
	printf("%ld %ld\n", mark(-1), mark(4));
	printf("%d %d %d %d\n", thing(3), other(4), first("a"), many(3));
	return used == 1;
}
