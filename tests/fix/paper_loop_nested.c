// Gao et al., II-C5: an inner loop is left with an object of the outer one.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rows_with(const char *const *rows, int n, char what)
{
	int found = 0;

	for (int i = 0; i < n; i++) {
		char *row = strdup(rows[i]);
		int j;

		for (j = 0; row[j]; j++)
			if (row[j] == what)
				break;
		if (row[j]) {
			found++;
			continue;
		}
		free(row);
	}
	return found;
}

int main(void)
{
	static const char *const rows[] = { "..x", "...", "x..", "" };

	printf("%d\n", rows_with(rows, 4, 'x'));
	printf("%d\n", rows_with(rows, 3, 'y'));
	printf("%d\n", rows_with(rows + 1, 3, 'x'));
	return 0;
}
