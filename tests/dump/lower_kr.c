// RUN: plumb dump ir %s -- -std=gnu89 -w
// Old style definitions: promoted parameters keep their numbers.

struct pair {
	char *a;
	int b;
};

int old(s, p, f, c)
	char *s;
	struct pair p;
	float f;
	char c;
{
	return undeclared(s, c) + p.b + (f > 1);
}

implicit()
{
	return old("x", (struct pair){ 0, 1 }, 2.0f, 'c', 5);
}
