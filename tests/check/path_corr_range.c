// What an early test excludes cannot happen later.
#include <stdlib.h>

int average_ok(const int *v, int n)
{
	int *copy, i, sum = 0;

	if (n <= 0 || n > 1000)
		return 0;
	copy = malloc(n * sizeof(*copy));
	if (!copy)
		return 0;
	for (i = 0; i < n; i++)
		copy[i] = v[i];
	for (i = 0; i < n; i++)
		sum += copy[i];
	if (n < 1)
		return -1;	/* never: see above */
	free(copy);
	return sum / n;
}

int average_bad(const int *v, int n)
{
	int *copy, i, sum = 0;

	if (n <= 0 || n > 1000)
		return 0;
	copy = malloc(n * sizeof(*copy)); // LEAK(conditional,high) via 0 +1 +7 +8
	if (!copy)
		return 0;
	for (i = 0; i < n; i++)
		copy[i] = v[i];
	for (i = 0; i < n; i++)
		sum += copy[i];
	if (n < 2)
		return -1;
	free(copy);
	return sum / n;
}
