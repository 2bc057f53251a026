// Figure 13f (wine): a GIF with its private part, not closed if reading it fails.
#include <stdlib.h>

struct gif_private { int state; unsigned char buf[256]; };
struct gif { int width, height; void *private; };

static struct gif *gif_open(int w, int h)
{
	struct gif *g = malloc(sizeof(*g));
	struct gif_private *p;

	if (!g)
		return NULL;
	g->width = w;
	g->height = h;
	p = malloc(sizeof(*p));
	if (!p) {
		free(g);
		return NULL;
	}
	p->state = 0;
	g->private = p;
	return g;
}

static int gif_slurp(struct gif *g)
{
	struct gif_private *p = g->private;

	return p->state++ < g->width;
}

static void gif_close(struct gif *g)
{
	free(g->private);
	free(g);
}

int picture_load(int w, int h)
{
	struct gif *g = gif_open(w, h); // LEAK(conditional,medium) via 0 +2 +4 +5

	if (!g)
		return -1;
	if (!gif_slurp(g))
		return -2;
	gif_close(g);
	return 0;
}
