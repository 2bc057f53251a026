// The idioms of realloc.
#include <stdlib.h>

int assigned_back_bad(int n)
{
	char *p = malloc(8); // LEAK(overwritten) if realloc fails

	p = realloc(p, n);	/* on success nothing is lost */
	if (!p)
		return -1;
	p[0] = 0;
	free(p);
	return 0;
}

int assigned_back_or_die_ok(int n)
{
	char *p = malloc(8);

	p = realloc(p, n);
	if (!p)
		exit(1);
	p[0] = 0;
	free(p);
	return 0;
}

int through_temporary_ok(int n)
{
	char *p = malloc(8), *q;

	q = realloc(p, n);
	if (!q) {
		free(p);
		return -1;
	}
	free(q);
	return 0;
}

int new_block_bad(int n)
{
	char *p = malloc(8);

	p = realloc(p, n); // LEAK(never-freed)
	if (!p)
		abort();
	return p[0];
}

int old_block_on_failure_bad(int n)
{
	char *p = malloc(8); // LEAK(conditional)
	char *q = realloc(p, n);

	if (!q)
		return -1;	/* p is still there */
	free(q);
	return 0;
}

int from_null_ok(int n)
{
	int *v = NULL;

	for (int i = 0; i < n; i++) {
		int *w = realloc(v, (i + 1) * sizeof(*v));

		if (!w)
			break;
		v = w;
		v[i] = i;
	}
	free(v);
	return 0;
}

int from_null_bad(int n)
{
	int *v = NULL;

	for (int i = 0; i < n; i++) {
		int *w = realloc(v, (i + 1) * sizeof(*v)); // LEAK(conditional)

		if (!w)
			return -1;
		v = w;
		if (v[i] == 7)
			return 7;
	}
	free(v);
	return 0;
}
