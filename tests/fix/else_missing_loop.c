// The if is the last statement of a loop's body.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>

static int keep_even(int n, int **best)
{
	int kept = 0;

	for (int i = 0; i < n; i++) {
		int *v = malloc(sizeof *v);

		if (!v)
			return -1;
		*v = i * 3;
		if (*v % 2 == 0) {
			free(*best);
			*best = v;
			kept++;
		}
	}
	return kept;
}

int main(void)
{
	int *best = NULL;
	int n = keep_even(6, &best);

	printf("%d %d\n", n, *best);
	free(best);
	return 0;
}
