// Two-dimensional tables and arrays in structs.
#include <stdlib.h>

struct grid { int w, h; int **cell; char *names[4]; };

struct grid *grid_new(int w, int h)
{
	struct grid *g = malloc(sizeof(*g));

	if (!g)
		return NULL;
	g->w = w;
	g->h = h;
	g->cell = malloc(h * sizeof(*g->cell));
	for (int y = 0; y < h; y++)
		g->cell[y] = calloc(w, sizeof(**g->cell));
	for (int i = 0; i < 4; i++)
		g->names[i] = malloc(8);
	return g;
}

void grid_free(struct grid *g)
{
	if (!g)
		return;
	for (int y = 0; y < g->h; y++)
		free(g->cell[y]);
	free(g->cell);
	for (int i = 0; i < 4; i++)
		free(g->names[i]);
	free(g);
}

void round_trip_ok(void)
{
	struct grid *g = grid_new(3, 3);

	if (g)
		g->cell[1][1] = 4;
	grid_free(g);
}

void round_trip_bad(int n)
{
	struct grid *g = grid_new(3, 3); // LEAK(conditional)

	if (!g)
		return;
	if (g->cell[0][0] > n)
		return;
	grid_free(g);
}
