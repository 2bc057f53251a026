// The constructor fills a table of rows: the program's own destructor frees all of it, and is
// called; here and there.
// LEAKS: 12
// PATCH: \+.*grid_free\(g\)
#include <stdio.h>
#include <stdlib.h>

struct grid { int **row; int n; };

static void grid_free(struct grid *g)
{
	if (!g)
		return;
	for (int i = 0; i < g->n; i++)
		free(g->row[i]);
	free(g->row);
	free(g);
}

static struct grid *grid_new(int n)
{
	struct grid *g = malloc(sizeof *g);

	if (!g)
		return NULL;
	g->n = n;
	g->row = calloc(n, sizeof *g->row);
	if (!g->row) {
		free(g);
		return NULL;
	}
	for (int i = 0; i < n; i++)
		g->row[i] = calloc(n, sizeof **g->row);
	return g;
}

static int work(int n)
{
	struct grid *g = grid_new(4);
	int r;

	if (!g)
		return -1;
	g->row[0][0] = n;
	if (n > 5)
		return 5;
	r = g->row[0][0];
	grid_free(g);
	return r;
}

static int size(int n)
{
	struct grid *g = grid_new(n);

	if (!g)
		return -1;
	return g->n;
}

int main(void)
{
	printf("%d\n", work(3));
	printf("%d\n", work(7));
	printf("%d\n", size(4));
	return 0;
}
