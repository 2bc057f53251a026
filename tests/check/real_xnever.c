/* the result of a wrapper that ends the program without memory is not NULL, also where that decides about another object */
#include <stdlib.h>
#include <string.h>

static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		exit(2);
	return p;
}

static void *xrealloc(void *old, size_t n)
{
	void *p = realloc(old, n);

	if (!p)
		exit(2);
	return p;
}

static int *make(void)
{
	int *t = xmalloc(sizeof(*t));

	*t = 0;
	return t;
}

int direct(const char *s)
{
	char *k = strdup(s);
	int *t = xmalloc(sizeof(*t));

	if (!t)
		return -1;
	free(t);
	free(k);
	return 0;
}

int grown(const char *s, void *old)
{
	char *k = strdup(s);
	int *t = xrealloc(old, 100);

	if (!t)
		return -1;
	free(t);
	free(k);
	return 0;
}

int made(const char *s)
{
	char *k = strdup(s);
	int *t = make();

	if (!t)
		return -1;
	free(t);
	free(k);
	return 0;
}
