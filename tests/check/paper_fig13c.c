// Figure 13c (cluster): the rows made so far are freed after a failure, the matrix itself is not.
#include <stdlib.h>

double **distance_matrix(int n)
{
	double **matrix = malloc(n * sizeof(*matrix)); // LEAK(conditional,high) via 0 +3 +6 +8 +14
	int i, j;

	if (!matrix)
		return NULL;
	matrix[0] = NULL;
	for (i = 1; i < n; i++) {
		matrix[i] = malloc(i * sizeof(double));
		if (!matrix[i])
			break;
	}
	if (i < n) {
		for (j = 1; j < i; j++)
			free(matrix[j]);
		return NULL;
	}
	return matrix;
}
