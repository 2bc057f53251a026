// Blocks of sixteen: a count of zero blocks means fewer than sixteen bytes.
#include <stdlib.h>
#include <string.h>

int pad_ok(const char *s, unsigned n)
{
	unsigned blocks = n / 16;
	char *copy;
	int r = 0;

	if (n < 16)
		return 0;
	copy = malloc(n);
	if (!copy)
		return -1;
	memcpy(copy, s, n);
	if (blocks == 0)
		return -2;	/* never: n is 16 or more */
	r = copy[blocks * 16 - 1];
	free(copy);
	return r;
}

int pad_bad(const char *s, unsigned n)
{
	unsigned blocks = n / 16;
	char *copy;

	if (n < 8)
		return 0;
	copy = malloc(n); // LEAK(conditional)
	if (!copy)
		return -1;
	memcpy(copy, s, n);
	if (blocks == 0)
		return -2;
	free(copy);
	return 0;
}
