// Figure 13b (cluster): the tables are freed after a failure, their rows are not.
#include <stdlib.h>

int factor(double **u, double **v, double *w, int n);

int pca(int nrows, int ncols)
{
	double **u = malloc(nrows * sizeof(*u));
	double **v = malloc(ncols * sizeof(*v));
	double *w = malloc(ncols * sizeof(*w));
	double *m = malloc(ncols * sizeof(*m));
	int i;

	if (!u || !v || !w || !m) {
		free(u);
		free(v);
		free(w);
		free(m);
		return -1;
	}
	for (i = 0; i < nrows; i++)
		u[i] = malloc(ncols * sizeof(double)); // LEAK(conditional)
	for (i = 0; i < ncols; i++)
		v[i] = malloc(ncols * sizeof(double)); // LEAK(conditional)
	if (nrows < ncols) {
		free(u);
		free(v);
		free(w);
		free(m);
		return -2;
	}
	for (i = 0; i < nrows; i++)
		free(u[i]);
	for (i = 0; i < ncols; i++)
		free(v[i]);
	free(u);
	free(v);
	free(w);
	free(m);
	return 0;
}
