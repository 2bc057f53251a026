// Recursion across units.
#include "expr.h"

#include <stdlib.h>

int expr_eval(const struct expr *e)
{
	return e->op ? expr_eval(e->l) + expr_eval(e->r) : e->val;
}

int calc_ok(int a, int b)
{
	struct expr *e = expr_new('+', expr_new(0, NULL, NULL), expr_new(0, NULL, NULL));
	int v;

	e->l->val = a;
	e->r->val = b;
	v = expr_eval(e);
	expr_free(e);
	return v;
}
