// A failed assertion ends the program; one that only logs does not.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPECT(c) do { if (!(c)) { fprintf(stderr, "%s?\n", #c); return -1; } } while (0)

int kind(int n);

int classify_ok(int n)
{
	int *v = calloc(4, sizeof(*v));
	int k = kind(n);

	if (!v)
		return -1;
	assert(k >= 0 && k < 4);
	if (k < 0)
		return -1;	/* never */
	v[k]++;
	free(v);
	return k;
}

int classify_bad(int n)
{
	int *v = calloc(4, sizeof(*v)); // LEAK(conditional)
	int k = kind(n);

	if (!v)
		return -1;
	EXPECT(k >= 0 && k < 4);
	v[k]++;
	free(v);
	return k;
}
