// As release_by_address.c, but the array is shared: the function would free what another struct still has.
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

static struct reply *reply_new(const char *text)
{
	struct reply *r = calloc(1, sizeof *r);

	if (!r)
		abort();
	r->text = text;
	r->lines = malloc(4 * sizeof *r->lines);
	if (!r->lines)
		abort();
	r->lines[r->n++] = text;
	return r;
}

static struct reply *reply_again(const struct reply *of)
{
	struct reply *r = calloc(1, sizeof *r);

	if (!r)
		abort();
	*r = *of;
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
	struct reply *r = reply_again(of);

	if (n < 0)
		return -1;
	puts(r->lines[0]);
	free(r);
	return 0;
}

int main(void)
{
	struct reply *r = reply_new("text");

	printf("%d\n", ask(r, 1));
	printf("%d\n", ask(r, -1));
	puts(r->lines[0]);
	reply_free(&r);
	return 0;
}
