// A copy of the struct, made elsewhere, lasts, and has the same text: reply_free() would free what it leads to.
// LEAKS: 1
// EXPECT: either
// NEVER: ^\+.*reply_free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reply {
	char *text;
	int n;
};

static struct reply *last;

static void *nonnull(void *p)
{
	if (!p)
		abort();
	return p;
}

static void *xcalloc(size_t n)
{
	return nonnull(calloc(1, n));
}

static void *xmalloc(size_t n)
{
	return nonnull(malloc(n));
}

static struct reply *reply_new(char c)
{
	struct reply *r = xcalloc(sizeof *r);

	r->text = xcalloc(2);
	r->text[0] = c;
	return r;
}

static void remember(const struct reply *r)
{
	struct reply *k = xmalloc(sizeof *k);

	memcpy(k, r, sizeof *k);
	free(last);
	last = k;
}

static void reply_free(struct reply **ref)
{
	struct reply *r = *ref;

	if (!r)
		return;
	free(r->text);
	free(r);
	*ref = NULL;
}

static int ask(char c)
{
	struct reply *r = reply_new(c);

	if (r->text[0] == '-') {
		remember(r);
		return -1;
	}
	reply_free(&r);
	return 0;
}

int main(void)
{
	printf("%d\n", ask('+'));
	printf("%d\n", ask('-'));
	puts(last->text);
	free(last->text);
	free(last);
	return 0;
}
