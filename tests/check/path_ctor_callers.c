// A constructor of the project; its callers' error paths.
#include <stdlib.h>
#include <string.h>

struct buf { char *data; size_t len, cap; };

struct buf *buf_new(size_t cap)
{
	struct buf *b = malloc(sizeof(*b));

	if (!b)
		return NULL;
	b->data = malloc(cap);
	if (!b->data) {
		free(b);
		return NULL;
	}
	b->len = 0;
	b->cap = cap;
	return b;
}

void buf_free(struct buf *b)
{
	if (b) {
		free(b->data);
		free(b);
	}
}

int buf_put(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	if (b->len + n > b->cap)
		return -1;
	memcpy(b->data + b->len, s, n);
	b->len += n;
	return 0;
}

struct buf *join_ok(const char *a, const char *c)
{
	struct buf *b = buf_new(100);

	if (!b)
		return NULL;
	if (buf_put(b, a) < 0 || buf_put(b, c) < 0) {
		buf_free(b);
		return NULL;
	}
	return b;
}

struct buf *join_bad(const char *a, const char *c)
{
	struct buf *b = buf_new(100); // LEAK(conditional,medium) via 0 +2 +4 +5

	if (!b)
		return NULL;
	if (buf_put(b, a) < 0 || buf_put(b, c) < 0)
		return NULL;
	return b;
}
