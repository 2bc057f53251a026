// RUN: plumb check --engine vfg %s
// Branches on relations between two unknowns: ranges of single values do not tell
// that they exclude each other, a solver does.
#include <stdlib.h>

void asked_the_other_way_ok(int a, int b)
{
	char *p = NULL;

	if (a < b)
		p = malloc(10);
	if (b > a)
		free(p);
}

void asked_otherwise_bad(int a, int b)
{
	char *p = NULL;

	if (a <= b)
		p = malloc(10); // LEAK(conditional)
	if (b > a)
		free(p);
}

void three_in_a_ring_ok(int a, int b, int c)
{
	char *p;

	if (a >= b)
		return;
	p = malloc(10);
	if (b < c && c < a)
		return;		/* cannot be */
	free(p);
}

void sum_ok(unsigned char a, unsigned char b)
{
	char *p = malloc(10);

	if (a > 200 && b > 200 && a + b < 400)
		return;		/* cannot be */
	free(p);
}

void sum_bad(unsigned char a, unsigned char b)
{
	char *p = malloc(10); // LEAK(conditional)

	if (a > 200 && b > 200 && a + b < 410)
		return;
	free(p);
}

void bits_ok(unsigned flags, unsigned mask)
{
	char *p = NULL;

	if (flags & mask)
		p = malloc(10);
	if (!(flags & mask & 7) && !((flags & mask) >> 3))
		return;
	free(p);
}

/* Of two ways to the same place, one is impossible: the other is found. */
void other_way_bad(int a, int b, int c)
{
	char *p = malloc(10); // LEAK(conditional)

	if (c)
		if (a >= b)
			b = a + 1;
	if (b < a)
		return;
	free(p);
}

void divided_ok(unsigned n)
{
	char *p = malloc(10);

	if (n / 10 > 5 && n < 50)
		return;		/* cannot be */
	free(p);
}
