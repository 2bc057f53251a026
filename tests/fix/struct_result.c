// A struct that is returned has the object in it.
// LEAKS: 3
// PATCH: ^\+.*free\(a\.p\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct blob { char *p; int n; };
struct sized { long n; char *p; };

static struct blob blob_of(const char *s)
{
	struct blob b;

	b.n = (int)strlen(s);
	b.p = strdup(s);
	return b;
}

static struct sized sized_of(const char *s)
{
	struct sized b = { (long)strlen(s), NULL };

	if (b.n > 2)
		b.p = strdup(s);
	return b;
}

static int measured(const char *s, int deep)
{
	struct blob a = blob_of(s), b = a;

	if (deep)
		free(b.p);
	return a.n;
}

static struct blob upper_of(const char *s)
{
	struct blob b = { strdup(s), (int)strlen(s) };

	if (b.p)
		b.p[0] = 'A';
	return b;
}

static int early(const char *s)
{
	struct blob a = upper_of(s);

	if (a.n > 3)
		return -1;
	puts(a.p ? a.p : "-");
	free(a.p);
	return a.n;
}

static long counted(const char *s)
{
	struct sized b = sized_of(s);

	puts(b.p ? b.p : "-");
	return b.n;
}

int main(void)
{
	printf("%d\n", measured("a", 0));
	printf("%d\n", measured("a", 1));
	printf("%d\n", early("abc"));
	printf("%d\n", early("abcd"));
	printf("%ld\n", counted("ab"));
	printf("%ld\n", counted("abc"));
	return 0;
}
