// Two owners, counted; one forgets to give back.
// LEAKS: 1
// NEVER: ^\+.*[^_]free\(
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>

struct obj {
	int refs;
	int v;
};

static struct obj *obj_new(int v)
{
	struct obj *o = malloc(sizeof *o);

	if (!o)
		abort();
	o->refs = 1;
	o->v = v;
	return o;
}

static struct obj *obj_ref(struct obj *o)
{
	o->refs++;
	return o;
}

static void obj_unref(struct obj *o)
{
	if (--o->refs == 0)
		free(o);
}

static struct obj *current;

static int use(int v)
{
	struct obj *o = obj_new(v);

	if (current)
		obj_unref(current);
	current = obj_ref(o);
	if (o->v < 0)
		return -1;
	v = o->v;
	obj_unref(o);
	return v;
}

int main(void)
{
	int n = use(1);

	n += use(-5);
	n += use(3);
	printf("%d %d\n", n, current->v);
	obj_unref(current);
	return 0;
}
