// RUN: plumb dump ir %s
// Structs by value: in registers as leaves, in memory as copies, results in the caller's memory.

struct small {
	char *p;
	int n;
};

struct big {
	char *p;
	long a[5];
};

struct tiny {
	char c[3];
};

struct wrap {
	struct small s;
};

extern void *malloc(unsigned long);

struct small make_small(int n)
{
	struct small s;

	s.p = malloc(n);
	s.n = n;
	return s;
}

struct big make_big(int n)
{
	struct big b;

	b.p = malloc(n);
	return b;
}

struct big pick_big(int n, struct big *x)
{
	if (n)
		return *x;
	return make_big(n);
}

struct tiny make_tiny(struct tiny t)
{
	t.c[1] = 0;
	return t;
}

long take(struct small s, struct big b, int n, struct tiny t)
{
	return s.n + b.a[1] + n + t.c[2] + (s.p == b.p);
}

long call(struct big *x)
{
	struct small s = make_small(3);
	struct big b = make_big(4), c;
	struct wrap w = { s }, v = w;
	struct tiny t = { { 1, 2, 3 } };

	c = b;
	*x = c;
	make_small(5);
	return take(s, b, 6, make_tiny(t)) + take(make_small(7), *x, v.s.n, t);
}
