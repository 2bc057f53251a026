// What releases such structs takes the address of the pointer, frees the array in it, and leaves null: it is called on the way that forgets.
// LEAKS: 2
// PATCH: ^\+.*reply_free\(&r\);
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
	if (!*text)
		return r;
	r->lines = malloc(4 * sizeof *r->lines);
	if (!r->lines)
		abort();
	for (const char *p = text; p && r->n < 4; p = strchr(p + 1, '\n'))
		r->lines[r->n++] = p;
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

static int reply_status(const struct reply *r)
{
	return r->lines ? atoi(r->lines[0]) : -1;
}

static int ask(const char *text)
{
	struct reply *r = reply_new(text);
	int status = reply_status(r);

	if (status <= 0) {
		printf("bad reply: %d\n", status);
		return -1;
	}
	printf("%d with %d lines\n", status, r->n);
	reply_free(&r);
	return 0;
}

int main(void)
{
	printf("%d\n", ask("200\nok"));
	printf("%d\n", ask("none\n"));
	return 0;
}
