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

void expr_free(struct expr *e)
{
	if (!e)
		return;
	expr_free(e->l);
	expr_free(e->r);
	free(e);
}
