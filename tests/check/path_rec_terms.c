// No leak.  A function that calls itself by way of another compares something that was never set with what
// it reads from memory: at its end there are no words for a condition of a path that was walked before.
struct dict;
struct value {
	int kind;
};
struct partial {
	struct value argv;
	struct dict *dict;
};

struct partial *now;
int kind;
int equal(struct value *a, struct value *b);

static int func_equal(struct value *b)
{
	struct dict *d1, *d2;
	int n, i;

	d2 = kind == 0 ? 0 : now->dict;
	if (d1 == 0 || d2 == 0)
		kind++;
	if (d1 != d2)
		return 0;
	for (i = 0; 0 < n; i++)
		equal(&now->argv, b);
	return 1;
}

int equal(struct value *a, struct value *b)
{
	return a->kind == b->kind && func_equal(b);
}
