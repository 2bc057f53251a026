// Two pointers change places: nothing is lost.
#include <stdlib.h>
#include <string.h>

int merge_ok(int n)
{
	int *a = calloc(n, sizeof(int)), *b = calloc(n, sizeof(int)), *t;
	int i;

	if (!a || !b || n < 1) {
		free(a);
		free(b);
		return -1;
	}
	for (i = 1; i < n; i *= 2) {
		b[0] = a[0] + 1;
		t = a;
		a = b;
		b = t;
	}
	i = a[0];
	free(a);
	free(b);
	return i;
}

int merge_bad(int n)
{
	int *a = calloc(n, sizeof(int)), *b = calloc(n, sizeof(int)); // LEAK(overwritten)
	int i;

	if (!a || !b || n < 1) {
		free(a);
		free(b);
		return -1;
	}
	for (i = 1; i < n; i *= 2) {
		b[0] = a[0] + 1;
		a = b;
	}
	i = a[0];
	if (a != b)
		free(a);
	free(b);
	return i;
}
