// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int grid_find(const char *const *rows, int n, char c)
{
	char *row = NULL;
	int at = -1;

	for (int i = 0; i < n && at < 0; i++) {
		row = strdup(rows[i]);
		for (int j = 0; row[j]; j++) {
			if (row[j] == c) {
				at = 10 * i + j;
				break;
			}
		}
		if (at >= 0)
			break;
		free(row);
	}
	return at;
}

int main(void)
{
	static const char *const rows[] = { "abc", "def", "ghi" };

	printf("%d %d %d\n", grid_find(rows, 3, 'e'), grid_find(rows, 3, 'z'), grid_find(rows, 3, 'a'));
	return 0;
}
