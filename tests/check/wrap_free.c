// Wrappers around free.
#include <stdlib.h>

static void xfree(void *p)
{
	if (p)
		free(p);
}

static void safe_free(void **p)
{
	if (p && *p) {
		free(*p);
		*p = NULL;
	}
}

static int counted_free(void *p, int *count)
{
	free(p);
	return --*count;
}

void xfree_ok(void)
{
	xfree(malloc(8));
}

void safe_free_ok(void)
{
	void *p = malloc(8);

	safe_free(&p);
}

void counted_free_ok(void)
{
	int n = 1;

	counted_free(malloc(8), &n);
}

void one_way_bad(int k)
{
	char *p = malloc(8); // LEAK(conditional)

	if (k)
		xfree(p);
}

void null_to_xfree_bad(void)
{
	char *p = malloc(8); // LEAK(overwritten)

	p[0] = 0;
	p = NULL;
	xfree(p);
}
