// A member of what a function makes is given to one that may find it missing, and looks at it no more.
// LEAKS: 4
// EXPECT: fixed
#include <stdio.h>
#include <stdlib.h>

struct buf {
	int size;
};

struct cert {
	struct buf *blob;
};

static struct buf *buf_new(void)
{
	return calloc(1, sizeof(struct buf));
}

static int buf_check(const struct buf *b)
{
	if (!b || b->size < 0)
		return -1;
	return 0;
}

static int buf_put(struct buf *b, int n)
{
	if (buf_check(b) != 0)
		return -1;
	b->size += n;
	return 0;
}

static struct cert *cert_new(void)
{
	struct cert *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->blob = buf_new();
	return c;
}

static int copied(int n)
{
	struct cert *c = cert_new();
	int r;

	if (!c)
		return -1;
	r = buf_put(c->blob, n);
	return r;
}

int main(void)
{
	printf("%d\n", copied(1));
	printf("%d\n", copied(-1));
	return 0;
}
