// One index fills two arrays in turn; both are lost with their elements at one return.
// LEAKS: 7
#include <stdio.h>
#include <stdlib.h>

static int table(int rows, int cols)
{
	char **u = malloc(rows * sizeof *u), **v = malloc(cols * sizeof *v);
	int i, sum = 0;

	if (!u || !v) {
		free(u);
		free(v);
		return -1;
	}
	for (i = 0; i < rows; i++) {
		u[i] = malloc(16);
		snprintf(u[i], 16, "%d", i);
	}
	for (i = 0; i < cols; i++) {
		v[i] = malloc(16);
		snprintf(v[i], 16, "%d", i);
	}
	if (rows < cols) {
		free(u);
		free(v);
		return -2;
	}
	for (i = 0; i < cols; i++)
		sum += u[i][0] + v[i][0];
	for (i = 0; i < rows; i++)
		free(u[i]);
	for (i = 0; i < cols; i++)
		free(v[i]);
	free(u);
	free(v);
	return sum;
}

int main(void)
{
	printf("%d\n", table(3, 2));
	printf("%d\n", table(3, 4));
	return 0;
}
