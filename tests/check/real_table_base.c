/*
 * Constructors behind a pointer that make structs of different types with a common begin; one of the destructors forgets a member.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape {
	const struct ops *ops;
	int id;
};

struct ops {
	struct shape *(*create)(const char *name);
	void (*destroy)(struct shape *s);
};

struct text {
	struct shape base;
	char *words;
};

struct poly {
	struct shape base;
	int n;
	double *points;
};

static struct shape *text_create(const char *name)
{
	struct text *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	t->words = strdup(name);
	if (!t->words)
		abort();
	return &t->base;
}

static void text_destroy_ok(struct shape *s)
{
	struct text *t = (struct text *)s;

	free(t->words);
	free(t);
}

static struct shape *poly_create(const char *name)
{
	struct poly *p = calloc(1, sizeof(*p));

	if (!p)
		abort();
	p->n = (int)strlen(name);
	p->points = calloc(p->n + 1, sizeof(*p->points)); // FN(path): LEAK(never-freed)
	if (!p->points)
		abort();
	return &p->base;
}

static void poly_destroy_bad(struct shape *s)
{
	struct poly *p = (struct poly *)s;

	free(p);
}

static const struct ops all[] = { { text_create, text_destroy_ok }, { poly_create, poly_destroy_bad } };

static struct shape *make(const struct ops *o, const char *name)
{
	struct shape *s = o->create(name);

	s->ops = o;
	return s;
}

static void drop(struct shape *s)
{
	s->ops->destroy(s);
}

static void use(int argc, char **argv)
{
	struct shape *s = make(&all[argc > 2], argv[0]);

	printf("%d\n", s->id);
	drop(s);
}

int main(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		use(argc, argv + i);
	return 0;
}
