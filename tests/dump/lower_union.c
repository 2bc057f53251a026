// RUN: plumb dump ir %s
// Unions: the member is told where only one fits the access.

struct pair {
	int first;
	char *second;
};

union value {
	long n;
	char *s;
	double d;
	struct pair in;
	short list[4];
};

union two {			/* two pointers: which one is meant stays open */
	char *s;
	void *p;
};

struct object {
	int kind;
	union value v;
	union {
		int *ip;
		float f;
	};
	union two t;
};

char *get(struct object *o, union two *t, char *s)
{
	o->v.n = 1;
	o->v.d = 2;
	o->v.in.second = s;
	o->v.list[2] = 3;
	o->ip = 0;
	o->f = 4;
	o->t.p = t->s;
	return o->v.s;
}

void *pun(long x)
{
	union { long n; void *p; } u = { .n = x };

	return u.p;
}

struct table {			/* nameless structs laid out alike are still told apart */
	int kind;
	union {
		struct {
			int offset;
			char **keys;
		} tab;
		struct {
			int n;
			char **args;
		} view;
	} u;
};

char **alike(struct table *t)
{
	return t->kind ? t->u.tab.keys : t->u.view.args;
}
