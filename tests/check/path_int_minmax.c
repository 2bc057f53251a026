// A size clamped to a range lies in it.
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

int window_ok(int want)
{
	int n = MAX(16, MIN(want, 512));
	char *win = malloc(n);

	if (!win)
		return -1;
	win[0] = 0;
	if (n < 16 || n > 512)
		return -2;	/* never */
	free(win);
	return n;
}

int window_bad(int want)
{
	int n = MAX(16, MIN(want, 512));
	char *win = malloc(n); // LEAK(conditional)

	if (!win)
		return -1;
	win[0] = 0;
	if (n < 17)
		return -2;
	free(win);
	return n;
}
