// A reference count done right: every owner drops his own reference.
#include <stdlib.h>
#include <string.h>

struct image { int refs; char *pixels; };

static struct image *image_new(int n)
{
	struct image *m = malloc(sizeof(*m));

	if (!m)
		return NULL;
	m->refs = 1;
	m->pixels = calloc(n, 4);
	if (!m->pixels) {
		free(m);
		return NULL;
	}
	return m;
}

static struct image *image_ref(struct image *m)
{
	m->refs++;
	return m;
}

static void image_unref(struct image *m)
{
	if (!m || --m->refs > 0)
		return;
	free(m->pixels);
	free(m);
}

struct sprite { struct image *img; };

static void sprite_show(struct sprite *s, struct image *m)
{
	image_unref(s->img);
	s->img = image_ref(m);
}

int draw_ok(int n)
{
	struct sprite a = { NULL }, b = { NULL };
	struct image *m = image_new(n);

	if (!m)
		return -1;
	sprite_show(&a, m);
	sprite_show(&b, m);
	image_unref(m);
	image_unref(a.img);
	image_unref(b.img);
	return 0;
}

int size_ok(int n)
{
	struct image *m = image_new(n);
	int r;

	if (!m)
		return -1;
	r = m->pixels[0];
	image_unref(m);
	return r;
}
