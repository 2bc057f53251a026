// Signed numbers do not overflow in a program that means something; unsigned ones wrap around.
#include <stdlib.h>

int signed_ok(int n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	if (n + 1 <= n)
		return -2;	/* never */
	free(p);
	return 0;
}

int unsigned_bad(unsigned n)
{
	char *p = malloc(8); // LEAK(conditional)

	if (!p)
		return -1;
	if (n + 1 <= n)
		return -2;
	free(p);
	return 0;
}

int room_ok(int used, int size)
{
	char *p;

	if (used >= size)
		return -1;
	p = malloc(8);
	if (!p)
		return -1;
	if (used > size - 1)
		return -2;	/* never */
	free(p);
	return 0;
}

int room_bad(int used, int size)
{
	char *p;

	if (used >= size)
		return -1;
	p = malloc(8); // LEAK(conditional)
	if (!p)
		return -1;
	if (used > size - 2)
		return -2;
	free(p);
	return 0;
}
