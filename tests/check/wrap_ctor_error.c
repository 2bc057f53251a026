// A constructor that gives up half way.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct image { int w, h; unsigned char *pix; char *title; };

struct image *image_new_bad(int w, int h, const char *title)
{
	struct image *im = malloc(sizeof(*im)); // LEAK(conditional)

	if (!im)
		return NULL;
	im->w = w;
	im->h = h;
	if (w <= 0 || h <= 0)
		return NULL;	/* im */
	im->pix = malloc((size_t)w * h);
	if (!im->pix) {
		free(im);
		return NULL;
	}
	im->title = strdup(title);
	return im;
}

struct image *image_new_ok(int w, int h, const char *title)
{
	struct image *im;

	if (w <= 0 || h <= 0)
		return NULL;
	im = malloc(sizeof(*im));
	if (!im)
		return NULL;
	im->pix = malloc((size_t)w * h);
	if (!im->pix) {
		free(im);
		return NULL;
	}
	im->title = strdup(title);
	if (!im->title) {
		free(im->pix);
		free(im);
		return NULL;
	}
	return im;
}

struct image *pixels_lost_bad(int w, int h, const char *title)
{
	struct image *im = malloc(sizeof(*im));

	if (!im)
		return NULL;
	im->pix = malloc((size_t)w * h); // LEAK(conditional)
	im->title = strdup(title);
	if (!im->title) {
		free(im);	/* pix is lost */
		return NULL;
	}
	return im;
}
