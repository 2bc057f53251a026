struct expr { int op, val; struct expr *l, *r; };

struct expr *expr_new(int op, struct expr *l, struct expr *r);
