// Two buffers change roles; which one is which is not known.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int evolve(int n, int give_up)
{
	int *now = calloc(8, sizeof *now), *next = calloc(8, sizeof *next);
	int r;

	if (!now || !next)
		abort();
	now[0] = 1;
	for (int step = 0; step < n; step++) {
		int *t = now;

		for (int i = 0; i < 8; i++)
			next[i] = now[i] + (i > 0 ? now[i - 1] : 0);
		now = next;
		next = t;
	}
	r = now[3];
	if (give_up)
		return -r;
	free(now);
	free(next);
	return r;
}

int main(void)
{
	printf("%d\n", evolve(5, 0));
	printf("%d\n", evolve(4, 1));
	return 0;
}
