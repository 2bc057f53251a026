// The buffer of a struct grows to what is greater than the old size, and so not 0: if that fails the old one is still there, and the destructor may free it.
// LEAKS: 2
// PATCH: ^\+.*buf_release\(b\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buf {
	char *data;
	size_t len;
};

static struct buf *buf_new(size_t n)
{
	struct buf *b = calloc(1, sizeof *b);

	if (!b)
		abort();
	b->data = malloc(n);
	if (!b->data)
		abort();
	b->len = n;
	return b;
}

static void buf_release(struct buf *b)
{
	free(b->data);
	free(b);
}

static int fill(char *to, size_t n, const char *s)
{
	if (strlen(s) >= n)
		return -1;
	strcpy(to, s);
	return 0;
}

static void print(const char *s, size_t need)
{
	size_t n = 4;
	struct buf *b = buf_new(n);
	int failed = 0;

	if (n < need + 1) {
		char *bigger;

		n = need + 1;
		bigger = realloc(b->data, n);
		if (bigger) {
			b->data = bigger;
			if (fill(b->data, n, s) < 0) {
				puts("too long");
				failed = 1;
			}
		} else {
			puts("no memory");
			failed = 1;
		}
	} else if (fill(b->data, n, s) < 0) {
		buf_release(b);
		return;
	}
	if (!failed) {
		puts(b->data);
		buf_release(b);
	}
}

int main(void)
{
	print("abc", 0);
	print("abcdef", 8);
	print("abcdef", 5);
	print("abcdef", 0);
	return 0;
}
