#include "expr.h"

#include <stdlib.h>

struct expr *expr_new(int op, struct expr *l, struct expr *r)
{
	struct expr *e = malloc(sizeof(*e));

	if (!e)
		abort();
	e->op = op;
	e->l = l;
	e->r = r;
	e->val = 0;
	return e;
}
