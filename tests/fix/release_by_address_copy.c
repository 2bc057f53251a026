// As release_by_address.c, but all memory of the program comes through one function, and text is copied into some of it: that is
// not what the structs are in.  One allocator may also return what a function returns that is always null.
// LEAKS: 2
// PATCH: ^\+.*reply_free\(&r\);
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reply {
	const char *text;
	const char **lines;
	int n;
};

static void *no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

static void *limited(size_t n)
{
	return n < 100000 ? malloc(n) : no_memory();
}

static void *nonnull(void *p)
{
	if (!p)
		abort();
	return p;
}

static void *xlimited(size_t n)
{
	return nonnull(limited(n));
}

static void *xcalloc(size_t n)
{
	return nonnull(calloc(1, n));
}

static void *xmalloc(size_t n)
{
	return nonnull(malloc(n));
}

static char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t n = strlen(base) + 1;
	char *p = xlimited(n);

	memcpy(p, base, n);
	return p;
}

static struct reply *reply_new(const char *text)
{
	struct reply *r = xcalloc(sizeof *r);

	r->text = text;
	if (!*text)
		return r;
	r->lines = xmalloc(4 * sizeof *r->lines);
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
	char *name = base_name("/usr/share/replies");

	puts(name);
	free(name);
	printf("%d\n", ask("200\nok"));
	printf("%d\n", ask("none\n"));
	return 0;
}
