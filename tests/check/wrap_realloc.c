// xrealloc and growing arrays behind a wrapper.
#include <stdlib.h>

void *xrealloc(void *p, size_t n)
{
	void *q = realloc(p, n);

	if (!q && n)
		abort();
	return q;
}

int grown_ok(int n)
{
	int *v = NULL, sum = 0;

	for (int i = 0; i < n; i++) {
		v = xrealloc(v, (i + 1) * sizeof(*v));
		v[i] = i;
	}
	for (int i = 0; i < n; i++)
		sum += v[i];
	free(v);
	return sum;
}

int grown_bad(int n)
{
	int *v = NULL;

	for (int i = 0; i < n; i++) {
		v = xrealloc(v, (i + 1) * sizeof(*v)); // LEAK
		v[i] = i;
	}
	return n;
}

int shrunk_ok(int n)
{
	char *p = malloc(n);

	p = xrealloc(p, n / 2 + 1);
	free(p);
	return 0;
}

int shrunk_bad(int n)
{
	char *p = malloc(n);
	char *q = xrealloc(p, n / 2 + 1); // LEAK(conditional)

	if (n > 100)
		return 1;
	free(q);
	return 0;
}
