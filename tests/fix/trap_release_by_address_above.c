// As release_by_address_copy.c, but what makes the struct lets a function copy into it that has got memory there.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reply {
	const char *text;
	const char **lines;
	int n;
};

static void *nonnull(void *p)
{
	if (!p)
		abort();
	return p;
}

static void *xmalloc(size_t n)
{
	return nonnull(malloc(n));
}

static void *duplicate(const void *from, size_t n)
{
	void *p = xmalloc(n);

	memcpy(p, from, n);
	return p;
}

static struct reply *reply_new(const struct reply *of)
{
	struct reply *r = duplicate(of ? of : &(struct reply){ "text", NULL, 0 }, sizeof *r);

	if (of)
		return r;
	r->lines = xmalloc(4 * sizeof *r->lines);
	r->lines[r->n++] = r->text;
	return r;
}

static void reply_free(struct reply **ref)
{
	struct reply *r = *ref;

	if (!r)
		return;
	free(r->lines);
	free(r);
	*ref = NULL;
}

static int ask(const struct reply *of, int n)
{
	struct reply *r = reply_new(of);

	if (n < 0) {
		puts("no reply");
		return -1;
	}
	puts(r->lines[0]);
	r->lines = NULL;
	reply_free(&r);
	return 0;
}

int main(void)
{
	struct reply *r = reply_new(NULL);

	printf("%d\n", ask(r, 1));
	printf("%d\n", ask(r, -1));
	puts(r->lines[0]);
	reply_free(&r);
	return 0;
}
