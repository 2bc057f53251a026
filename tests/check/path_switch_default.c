// The default of the second switch ends the program: no way goes through it.
#include <stdlib.h>

enum unit { PIXEL, INCH, POINT };

int convert_ok(enum unit u, int n)
{
	int *t = malloc(3 * sizeof(*t)), r;

	if (!t)
		return -1;
	t[0] = n;
	switch (u) {
	case PIXEL: r = t[0]; break;
	case INCH:  r = t[0] * 96; break;
	case POINT: r = t[0] * 4 / 3; break;
	default:    abort();
	}
	free(t);
	return r;
}

int convert_bad(enum unit u, int n)
{
	int *t = malloc(3 * sizeof(*t)), r; // LEAK(conditional)

	if (!t)
		return -1;
	t[0] = n;
	switch (u) {
	case PIXEL: r = t[0]; break;
	case INCH:  r = t[0] * 96; break;
	case POINT: r = t[0] * 4 / 3; break;
	default:    return -2;
	}
	free(t);
	return r;
}
