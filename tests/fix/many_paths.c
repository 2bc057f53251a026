// A function with too many paths to be followed from its start: what comes behind one call is followed alone.
// LEAKS: 3
// PATCH: ^\+.*free\(t\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *s)
{
	char *p = strdup(s);

	if (!p)
		exit(1);
	return p;
}

static const char *or_dash(const char *s)
{
	return s ? s : "-";
}

static int many(const char *s, int n)
{
	char *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL, *g = NULL, *h = NULL, *t;
	int len = 0;

	if (n & 1)
		a = copy("a");
	if (n & 2)
		b = copy("b");
	if (n & 4)
		c = copy("c");
	if (n & 8)
		d = copy("d");
	if (n & 16)
		e = copy("e");
	if (n & 32)
		f = copy("f");
	if (n & 64)
		g = copy("g");
	if (n & 128)
		h = copy("h");
	for (t = a; len < 8; t = len == 1 ? b : len == 2 ? c : len == 3 ? d : len == 4 ? e : len == 5 ? f : len == 6 ? g : h, len++)
		printf("%s", or_dash(t));
	free(a);
	free(b);
	free(c);
	free(d);
	free(e);
	free(f);
	free(g);
	free(h);
	t = copy(s);
	if (strlen(t) > 3) {
		puts(t);
		return 1;
	}
	puts("short");
	free(t);
	return 0;
}

int main(void)
{
	int sum = 0;

	for (int n = 0; n < 256; n += 51)
		sum += many(n & 1 ? "a long one" : "abc", n);
	printf("%d\n", sum);
	return 0;
}
