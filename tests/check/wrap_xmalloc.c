// The project's own xmalloc: the leak is where it is called.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p) {
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		abort();
	return p;
}

char *xstrdup(const char *s)
{
	char *p = xmalloc(strlen(s) + 1);

	return strcpy(p, s);
}

void called_ok(void)
{
	char *p = xmalloc(8);

	p[0] = 0;
	free(p);
}

void called_bad(void)
{
	char *p = xmalloc(8); // LEAK(never-freed)

	p[0] = 0;
}

void strdup_ok(const char *s)
{
	char *p = xstrdup(s);

	free(p);
}

void strdup_bad(const char *s, int n)
{
	char *p = xstrdup(s); // LEAK(conditional)

	if (n)
		return;
	free(p);
}

void two_callers_one_bad(void)
{
	int *a = xcalloc(4, sizeof(*a));
	int *b = xcalloc(4, sizeof(*b)); // LEAK(never-freed)

	a[0] = b[0];
	free(a);
}
