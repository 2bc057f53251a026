// Rows of a matrix: the rows and the table of rows go back together.
#include <stdlib.h>

static void matrix_free(double **m, int rows)
{
	int i;

	for (i = 0; i < rows; i++)
		free(m[i]);
	free(m);
}

double **matrix_new_ok(int rows, int cols)
{
	double **m = malloc(rows * sizeof(*m));
	int i;

	if (!m)
		return NULL;
	for (i = 0; i < rows; i++) {
		m[i] = calloc(cols, sizeof(**m));
		if (!m[i]) {
			matrix_free(m, i);
			return NULL;
		}
	}
	return m;
}

double **matrix_new_bad(int rows, int cols)
{
	double **m = malloc(rows * sizeof(*m)); // LEAK(conditional)
	int i;

	if (!m)
		return NULL;
	for (i = 0; i < rows; i++) {
		m[i] = calloc(cols, sizeof(**m));
		if (!m[i])
			return NULL;
	}
	return m;
}
