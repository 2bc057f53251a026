// Values of a small data language: arrays of values, freed by mutual recursion.
#include <stdlib.h>
#include <string.h>

enum kind { NUL, STR, ARR };

struct value {
	enum kind kind;
	union {
		char *str;
		struct { struct value **v; unsigned n; } arr;
	} u;
};

static void value_free(struct value *v);

static void array_free(struct value **v, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		value_free(v[i]);
	free(v);
}

static void value_free(struct value *v)
{
	if (!v)
		return;
	switch (v->kind) {
	case STR:
		free(v->u.str);
		break;
	case ARR:
		array_free(v->u.arr.v, v->u.arr.n);
		break;
	case NUL:
		break;
	}
	free(v);
}

static struct value *value_str(const char *s)
{
	struct value *v = malloc(sizeof(*v));

	if (!v)
		return NULL;
	v->kind = STR;
	v->u.str = strdup(s);
	if (!v->u.str) {
		free(v);
		return NULL;
	}
	return v;
}

static struct value *value_arr(void)
{
	struct value *v = calloc(1, sizeof(*v));

	if (v)
		v->kind = ARR;
	return v;
}

static int value_add(struct value *a, struct value *item)
{
	struct value **v = realloc(a->u.arr.v, (a->u.arr.n + 1) * sizeof(*v));

	if (!v)
		return -1;
	a->u.arr.v = v;
	v[a->u.arr.n++] = item;
	return 0;
}

int pair_ok(const char *s, const char *t)
{
	struct value *a = value_arr(), *x = value_str(s), *y = value_str(t);
	int r = -1;

	if (!a || !x || !y)
		goto out;
	if (value_add(a, x) < 0)
		goto out;
	x = NULL;
	if (value_add(a, y) < 0)
		goto out;
	y = NULL;
	r = (int)a->u.arr.n;
out:
	value_free(x);
	value_free(y);
	value_free(a);
	return r;
}

int pair_bad(const char *s)
{
	struct value *a = value_arr(), *x = value_str(s); // LEAK(conditional)
	int r = -1;

	if (!a || !x)
		goto out;
	if (value_add(a, x) < 0)
		goto out;
	r = (int)a->u.arr.n;
out:
	value_free(a);
	return r;
}
