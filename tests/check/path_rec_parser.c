// A recursive-descent parser: an error on the right side loses the left.
#include <ctype.h>
#include <stdlib.h>

struct expr { char op; int num; struct expr *l, *r; };
struct parser { const char *p; };

static void expr_free(struct expr *e)
{
	if (!e)
		return;
	expr_free(e->l);
	expr_free(e->r);
	free(e);
}

static struct expr *expr_new(char op, struct expr *l, struct expr *r)
{
	struct expr *e = calloc(1, sizeof(*e));

	if (!e)
		abort();
	e->op = op;
	e->l = l;
	e->r = r;
	return e;
}

static struct expr *number(struct parser *ps)
{
	struct expr *e;

	if (!isdigit((unsigned char)*ps->p))
		return NULL;
	e = expr_new('n', NULL, NULL);
	while (isdigit((unsigned char)*ps->p))
		e->num = e->num * 10 + *ps->p++ - '0';
	return e;
}

static struct expr *sum_ok(struct parser *ps)
{
	struct expr *l = number(ps), *r;

	while (l && *ps->p == '+') {
		ps->p++;
		r = number(ps);
		if (!r) {
			expr_free(l);
			return NULL;
		}
		l = expr_new('+', l, r);
	}
	return l;
}

static struct expr *sum_bad(struct parser *ps)
{
	struct expr *l = number(ps), *r; // LEAK(conditional)

	while (l && *ps->p == '+') {
		ps->p++;
		r = number(ps);
		if (!r)
			return NULL;
		l = expr_new('+', l, r); // LEAK(conditional): 1+2+
	}
	return l;
}

int valid(const char *s)
{
	struct parser a = { s }, b = { s };
	struct expr *x = sum_ok(&a), *y = sum_bad(&b);
	int ok = x && y;

	expr_free(x);
	expr_free(y);
	return ok;
}
