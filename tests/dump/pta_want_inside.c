// RUN: plumb dump pta %s
// A pointer to a struct is to its begin, and what a function returns is of the type that it is declared with, though
// pointers to anything go through the same variable.
struct inner { int n; };
struct outer { int n; struct inner in; char *text; };
static struct outer o;
static struct inner i;

static void *any(int n)
{
	void *p = &o;

	if (n == 1)
		p = &o.text;
	if (n == 2)
		p = &i;
	return p;
}

struct outer *outer(int n)
{
	struct outer *q = any(n);

	return n ? q : 0;
}

struct inner *inner(int n)
{
	if (n)
		return any(n);
	return 0;
}
