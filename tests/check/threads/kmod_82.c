// kmod-project/kmod 82: what realloc() returns overwrites the only pointer to the old block, be it a
// member or what a parameter points to; if it fails, whoever frees that later frees nothing.
#include <stdlib.h>

struct reader {
	char *buf;
	size_t size;
};

int reader_grow_bad(struct reader *r)
{
	r->size += 64;
	r->buf = realloc(r->buf, r->size); // FN: LEAK: the block of the call before
	if (!r->buf)
		return -1;
	return 0;
}

int reader_grow_ok(struct reader *r)
{
	char *p = realloc(r->buf, r->size + 64);

	if (!p)
		return -1;
	r->buf = p;
	r->size += 64;
	return 0;
}

static int grow_bad(char **b, size_t n)
{
	*b = realloc(*b, n); // FN(vfg): LEAK@block
	return *b ? 0 : -1;
}

static int grow_ok(char **b, size_t n)
{
	char *p = realloc(*b, n);

	if (!p)
		return -1;
	*b = p;
	return 0;
}

int twice_bad(void)
{
	char *b = malloc(8); // FN(vfg): LEAK@block
	int ret;

	if (!b)
		return -1;
	ret = grow_bad(&b, 16); // FN(vfg): LEAK@block
	free(b);
	return ret;
}

int twice_ok(void)
{
	char *b = malloc(8);
	int ret;

	if (!b)
		return -1;
	ret = grow_ok(&b, 16);
	free(b);
	return ret;
}
