// llvm/llvm-project 221587: an object whose only pointer lies in another object is lost when that is
// freed; nothing was reported, since it counted as given away.  Where the holder is returned nothing
// is lost.
#include <stdlib.h>

struct holder {
	int *inside;
};

void freed_alone_bad(void)
{
	struct holder *h = malloc(sizeof(*h));

	if (!h)
		return;
	h->inside = malloc(sizeof(int)); // LEAK(never-freed)
	free(h);
}

struct holder *returned_ok(void)
{
	struct holder *h = malloc(sizeof(*h));

	if (!h)
		return NULL;
	h->inside = malloc(sizeof(int));
	return h;
}

void freed_inside_first_ok(void)
{
	struct holder *h = malloc(sizeof(*h));

	if (!h)
		return;
	h->inside = malloc(sizeof(int));
	free(h->inside);
	free(h);
}
