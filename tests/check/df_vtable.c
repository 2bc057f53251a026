// Destructors in a table of operations.
#include <stdlib.h>

struct shape;
struct shape_ops {
	struct shape *(*make)(int n);
	void (*destroy)(struct shape *s);
};
struct shape { const struct shape_ops *ops; int *pts; };

static void poly_destroy(struct shape *s)
{
	free(s->pts);
	free(s);
}

static struct shape *poly_make(int n);
static const struct shape_ops poly_ops = { poly_make, poly_destroy };

static struct shape *poly_make(int n)
{
	struct shape *s = malloc(sizeof(*s));

	if (!s)
		return NULL;
	s->ops = &poly_ops;
	s->pts = calloc(n, sizeof(*s->pts));
	return s;
}

void by_the_table_ok(void)
{
	struct shape *s = poly_make(3);

	if (s)
		s->ops->destroy(s);
}

void made_and_destroyed_by_the_table_ok(void)
{
	const struct shape_ops *ops = &poly_ops;
	struct shape *s = ops->make(3);

	if (!s)
		return;
	ops->destroy(s);
}

void forgotten_bad(void)
{
	struct shape *s = poly_make(3); // LEAK(never-freed)

	if (s && s->pts)
		s->pts[0] = 1;
}

void made_by_the_table_bad(int n)
{
	const struct shape_ops *ops = &poly_ops;
	struct shape *s = ops->make(n); // LEAK(conditional)

	if (!s)
		return;
	if (n > 10)
		return;
	ops->destroy(s);
}
