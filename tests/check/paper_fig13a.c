// Figure 13a (mesa): a texture image with its data, lost where no case of the format fits.
#include <stdlib.h>

struct teximage { int format, width; unsigned char *data; };

static struct teximage *alloc_image(void)
{
	return calloc(1, sizeof(struct teximage));
}

struct teximage *make_image(int format, int width, const unsigned char *pix)
{
	struct teximage *im = alloc_image(); // LEAK(conditional,high) via 0 +7 +21

	if (!im)
		return NULL;
	im->format = format;
	im->width = width;
	im->data = malloc(width);
	if (!im->data) {
		free(im);
		return NULL;
	}
	switch (im->format) {
	case 1:
		for (int i = 0; i < width; i++)
			im->data[i] = pix[i];
		break;
	case 2:
		for (int i = 0; i < width; i++)
			im->data[i] = 255 - pix[i];
		break;
	default:
		return NULL;
	}
	return im;
}
