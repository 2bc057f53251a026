// buf_clear empties the object, buf_free also frees it.
// LEAKS: 2
// PATCH: ^\+.*buf_free\(b\);
// NEVER: ^\+.*buf_clear\(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buf {
	char *p;
	size_t n;
};

static struct buf *buf_new(const char *s)
{
	struct buf *b = malloc(sizeof *b);

	if (!b)
		abort();
	b->p = strdup(s);
	b->n = strlen(s);
	return b;
}

static void buf_clear(struct buf *b)
{
	free(b->p);
	b->p = NULL;
	b->n = 0;
}

static void buf_free(struct buf *b)
{
	buf_clear(b);
	free(b);
}

static int size(const char *s, int reset)
{
	struct buf *b = buf_new(s);
	int n = (int)b->n;

	if (reset)
		buf_clear(b);
	n += (int)b->n;
	if (n > 4)
		return n;
	buf_free(b);
	return n;
}

int main(void)
{
	printf("%d %d %d\n", size("a", 0), size("a", 1), size("abc", 0));
	return 0;
}
