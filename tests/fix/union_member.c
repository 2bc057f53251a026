// What is lost is in a union: by the member that is a pointer, before a number takes its place.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

union cell { long number; char *text; };
struct value { int kind; union { long i; char *s; } u; };
struct anon { int kind; union { char *s; long i; }; };

static int alone(const char *s)
{
	union cell c;

	c.text = strdup(s);
	return c.text[0];
}

static int overwritten(const char *s)
{
	struct value v;

	v.kind = 1;
	v.u.s = strdup(s);
	v.kind = v.u.s[0];
	v.u.i = 3;
	return (int)v.u.i + v.kind;
}

static int anonymous(const char *s, int n)
{
	struct anon v;
	int r;

	v.kind = 1;
	v.s = strdup(s);
	r = v.s[0];
	if (n)
		return -1;
	free(v.s);
	return r;
}

int main(void)
{
	printf("%d %d\n", alone("a"), overwritten("b"));
	printf("%d %d\n", anonymous("c", 0), anonymous("d", 1));
	return 0;
}
