// The function that makes the struct also makes a record, which lasts, and holds the struct's text: the record is no mere stand-in for
// what callers get of the function, and reply_free() would free what it leads to.
// LEAKS: 1
// EXPECT: either
// NEVER: ^\+.*reply_free
#include <stdio.h>
#include <stdlib.h>

struct reply {
	char *text;
};

struct record {
	char *text;
};

static struct record *last;

static void record_set(struct record *k, char *text)
{
	k->text = text;
}

static struct reply *reply_new(char c)
{
	struct reply *r = calloc(1, sizeof *r);

	if (!r)
		abort();
	r->text = calloc(1, 2);
	if (!r->text)
		abort();
	r->text[0] = c;
	free(last);
	last = malloc(sizeof *last);
	if (!last)
		abort();
	record_set(last, r->text);
	return r;
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

	if (r->text[0] == '-')
		return -1;
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
