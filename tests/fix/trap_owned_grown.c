// The struct is copied, and what was made for the copy is grown: both have the array, and the copy must not be released with it.
// LEAKS: 1
// EXPECT: either
// NEVER: ^\+.*reply_free
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

static struct reply *reply_new(const struct reply *of)
{
	struct reply *r;

	if (of) {
		void *k = xmalloc(sizeof *r);

		memcpy(k, of, sizeof *r);
		r = realloc(k, 2 * sizeof *r);
		if (!r)
			abort();
		return r;
	}
	r = xmalloc(sizeof *r);
	r->text = "text";
	r->lines = xmalloc(4 * sizeof *r->lines);
	r->lines[0] = r->text;
	r->n = 1;
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

static struct reply *all[4];

int main(void)
{
	for (int i = 0; i < 4; i++)
		all[i] = reply_new(NULL);
	for (int i = 0; i < 4; i++)
		printf("%d\n", ask(all[i], i < 3 ? 1 : -1));
	for (int i = 0; i < 4; i++) {
		puts(all[i]->lines[0]);
		reply_free(&all[i]);
	}
	return 0;
}
