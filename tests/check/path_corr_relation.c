// Two variables: i < n before, so i == n is not possible in between.
#include <stdlib.h>

char *slot_ok(char **table, int i, int n)
{
	char *p;

	if (i < 0 || i >= n)
		return NULL;
	p = malloc(16);
	if (!p)
		return NULL;
	if (i == n)
		return NULL;	/* never */
	table[i] = p;
	return p;
}

int reserve_bad(int used, int size)
{
	char *p;

	if (used > size)
		return -1;
	p = malloc(16); // LEAK(conditional,high) via 0 +1 +3 +4
	if (!p)
		return -1;
	if (used == size)
		return -2;
	free(p);
	return 0;
}

int reserve_ok(int used, int size, int want)
{
	char *p;

	if (used + want > size)
		return -1;
	p = malloc(16);
	if (!p)
		return -1;
	if (used + want == size + 1)
		return -2;	/* never */
	free(p);
	return 0;
}
