/* Another struct of the same tag, of this unit alone. */
#include <stdlib.h>
#include <stdio.h>

struct table {
	int (*compare)(int, int);
	int *cells;
	int n;
};

void cells_show(int n);

void cells_show(int n)
{
	struct table t = { NULL, calloc(n + 1, sizeof(int)), n };

	for (int i = 0; t.cells && i < t.n; i++)
		printf("%d\n", t.cells[i]);
	free(t.cells);
}
