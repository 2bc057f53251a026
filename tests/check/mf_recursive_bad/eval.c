// The expression is evaluated and dropped.
#include "expr.h"

#include <stddef.h>

int calc_bad(int a)
{
	struct expr *e = expr_new(0, NULL, NULL); // LEAK(never-freed)

	e->val = a;
	return e->val;
}

int twice_bad(int a)
{
	struct expr *e = expr_new('+', expr_new(0, NULL, NULL), NULL); // LEAK(never-freed) one finding: the inner is held by the outer

	return e->op + a;
}
