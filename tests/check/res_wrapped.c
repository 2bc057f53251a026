// The project's own layer over files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader { FILE *f; char *line; size_t max; };

static struct reader *reader_open(const char *path)
{
	struct reader *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->f = fopen(path, "r");
	if (!r->f) {
		free(r);
		return NULL;
	}
	return r;
}

static void reader_close(struct reader *r)
{
	fclose(r->f);
	free(r->line);
	free(r);
}

int lines_ok(const char *path)
{
	struct reader *r = reader_open(path);
	int n = 0;

	if (!r)
		return -1;
	while (getc(r->f) != EOF)
		n++;
	reader_close(r);
	return n;
}

int lines_bad(const char *path)
{
	struct reader *r = reader_open(path); // LEAK(conditional)

	if (!r)
		return -1;
	if (getc(r->f) == EOF)
		return 0;
	reader_close(r);
	return 1;
}

static FILE *xfopen(const char *path)
{
	FILE *f = fopen(path, "r");

	if (!f)
		exit(1);
	return f;
}

int wrapped_bad(const char *path)
{
	FILE *f = xfopen(path); // LEAK(never-freed)

	return getc(f);
}

int wrapped_ok(const char *path)
{
	FILE *f = xfopen(path);
	int c = getc(f);

	return fclose(f) == 0 ? c : -1;
}
