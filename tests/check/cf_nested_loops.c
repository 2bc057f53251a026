// Loops in loops.
#include <stdlib.h>

void inner_and_outer_ok(int n, int m)
{
	for (int i = 0; i < n; i++) {
		int *row = calloc(m, sizeof(*row));

		if (!row)
			return;
		for (int k = 0; k < m; k++) {
			int *cell = malloc(sizeof(*cell));

			*cell = i * k;
			row[k] = *cell;
			free(cell);
		}
		free(row);
	}
}

void inner_return_bad(int n, int m)
{
	for (int i = 0; i < n; i++) {
		int *row = calloc(m, sizeof(*row)); // FN(path): LEAK(conditional)

		if (!row)
			return;
		for (int k = 0; k < m; k++) {
			if (i * k > 1000)
				return;
			row[k] = i * k;
		}
		free(row);
	}
}

void inner_break_ok(int n, int m)
{
	for (int i = 0; i < n; i++) {
		int *row = calloc(m, sizeof(*row));

		if (!row)
			return;
		for (int k = 0; k < m; k++) {
			if (i * k > 1000)
				break;
			row[k] = i * k;
		}
		free(row);
	}
}

void freed_in_the_inner_loop_bad(int n, int m)
{
	for (int i = 0; i < n; i++) {
		int *row = calloc(m, sizeof(*row)); // LEAK(conditional)

		for (int k = 0; k < m; k++)
			if (k == i) {
				free(row);
				break;
			}
	}
}
