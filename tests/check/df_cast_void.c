// Through void pointers and casts between unrelated types.
#include <stdlib.h>

struct a { int x; };
struct b { long y; void *p; };

void as_void_ok(void)
{
	void *v = malloc(sizeof(struct a));
	struct a *a = v;

	a->x = 1;
	free(a);
}

void as_other_type_ok(void)
{
	struct b *b = malloc(sizeof(*b));
	char *raw = (char *)b;

	free(raw);
}

void as_void_bad(void)
{
	void *v = malloc(sizeof(struct a)); // LEAK(never-freed)
	struct a *a = v;

	a->x = 1;
}

static void run(void (*f)(void *), void *arg)
{
	f(arg);
}

static void release_a(void *p)
{
	free((struct a *)p);
}

static void use_a(void *p)
{
	((struct a *)p)->x++;
}

void callback_argument_ok(void)
{
	run(release_a, malloc(sizeof(struct a)));
}

void callback_argument_bad(void)
{
	void *p = malloc(sizeof(struct a)); // FN: LEAK(never-freed)

	if (p)
		run(use_a, p);
}
