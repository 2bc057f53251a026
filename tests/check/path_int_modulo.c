// Odd and even: a remainder tested twice.
#include <stdlib.h>

int pairs_ok(const int *v, unsigned n)
{
	int *extra = NULL, sum = 0;
	unsigned i;

	if (n % 2) {
		extra = calloc(1, sizeof(*extra));
		if (!extra)
			return -1;
	}
	for (i = 0; i + 1 < n; i += 2)
		sum += v[i] * v[i + 1];
	if (n % 2 == 1) {
		sum += *extra;
		free(extra);
	}
	return sum;
}

int pairs_bad(const int *v, unsigned n)
{
	int *extra = NULL, sum = 0;
	unsigned i;

	if (n % 2) {
		extra = calloc(1, sizeof(*extra)); // LEAK(conditional)
		if (!extra)
			return -1;
	}
	for (i = 0; i + 1 < n; i += 2)
		sum += v[i] * v[i + 1];
	if (n % 4 == 1) {
		sum += *extra;
		free(extra);
	}
	return sum;
}
