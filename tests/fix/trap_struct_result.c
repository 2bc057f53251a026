// Structs that are returned: what is in them is not new, not on all ways, or somebody else has it, too.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct blob { char *p; int n; };
struct pair { char *a, *b; };

static char *last;

static struct blob kept(const char *s)
{
	struct blob b = { strdup(s), 1 };

	free(last);
	last = b.p;
	return b;
}

static int use_kept(const char *s)
{
	struct blob b = kept(s);

	return b.p ? b.p[0] : 0;
}

static struct blob either(char *s, int n)
{
	struct blob b = { n ? strdup(s) : s, n };

	return b;
}

static int use_either(char *s, int n)
{
	struct blob b = either(s, n);

	return b.p ? b.p[0] : 0;
}

/* The same one twice, and the second is what is freed. */
static struct pair twice(const char *s)
{
	struct pair x = { strdup(s), NULL };

	x.b = x.a;
	return x;
}

static int use_twice(const char *s)
{
	struct pair x = twice(s);
	int c = x.a ? x.a[0] : 0;

	free(x.b);
	return c;
}

/* The second one is new. */
static struct pair second(char *s)
{
	struct pair x = { s, strdup(s) };

	return x;
}

static int use_second(char *s)
{
	struct pair x = second(s);

	return x.b ? x.b[0] + x.a[0] : 0;
}

int main(void)
{
	char s[] = "s";

	printf("%d\n", use_kept(s));
	printf("%d\n", use_kept("t"));
	printf("%d\n", use_either(s, 0));
	printf("%d\n", use_either(s, 1));
	printf("%d\n", use_twice(s));
	printf("%d\n", use_second(s));
	puts(s);
	puts(last);
	free(last);
	return 0;
}
