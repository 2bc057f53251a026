/*
 * Tables of implementations: what create() makes is a struct of another type in each row, and finish() of the same row takes it
 * apart (wget's progress.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dot {
	long total;
	int rows;
};

struct bar {
	char *name;
	long total;
	char *buffer;
};

struct impl {
	const char *name;
	void *(*create)(const char *name, long total);
	void (*finish)(void *progress);
};

static void *dot_create(const char *name, long total)
{
	struct dot *d = calloc(1, sizeof(*d));

	if (!d)
		abort();
	d->total = total;
	printf("%s\n", name);
	return d;
}

static void dot_finish(void *progress)
{
	struct dot *d = progress;

	printf("%ld in %d\n", d->total, d->rows);
	free(d);
}

static void *bar_create(const char *name, long total)
{
	struct bar *b = calloc(1, sizeof(*b));

	if (!b)
		abort();
	b->total = total;
	b->name = strdup(name);
	b->buffer = calloc(100, 1);
	if (!b->name || !b->buffer)
		abort();
	return b;
}

static void bar_finish(void *progress)
{
	struct bar *b = progress;

	printf("%s %ld %s\n", b->name, b->total, b->buffer);
	free(b->name);
	free(b->buffer);
	free(b);
}

struct line {
	long total;
	char *title;
	char *rest;
};

static void *line_create(const char *name, long total)
{
	struct line *l = calloc(1, sizeof(*l));

	if (!l)
		abort();
	l->total = total;
	l->title = strdup(name);
	l->rest = strdup(name); // FN(path): LEAK(never-freed)
	if (!l->title || !l->rest)
		abort();
	return l;
}

static void line_finish_bad(void *progress)
{
	struct line *l = progress;

	printf("%s %ld\n", l->title, l->total);
	free(l->title);
	free(l);
}

static struct impl impls[] = {
	{ "dot", dot_create, dot_finish },
	{ "bar", bar_create, bar_finish },
	{ "line", line_create, line_finish_bad },
};
static struct impl *current;

static void *progress_create(const char *name, long total)
{
	return current->create(name, total);
}

static void progress_finish(void *progress)
{
	current->finish(progress);
}

static int read_ok(const char *name, int show)
{
	void *progress = NULL;

	if (show)
		progress = progress_create(name, 100);
	if (progress)
		progress_finish(progress);
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		for (unsigned k = 0; k < sizeof(impls) / sizeof(impls[0]); k++)
			if (!strcmp(argv[i], impls[k].name))
				current = &impls[k];
		if (current)
			read_ok(argv[0], i);
	}
	return 0;
}
