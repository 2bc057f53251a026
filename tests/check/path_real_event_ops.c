// A table of operations: the one that opens allocates, the one that closes frees.
#include <stdlib.h>
#include <string.h>

struct ops {
	void *(*open)(const char *arg);
	int (*step)(void *state);
	void (*close)(void *state);
};

struct file_state { char *name; int pos; };

static void *file_open(const char *arg)
{
	struct file_state *st = malloc(sizeof(*st));

	if (!st)
		return NULL;
	st->name = strdup(arg);
	st->pos = 0;
	if (!st->name) {
		free(st);
		return NULL;
	}
	return st;
}

static int file_step(void *state)
{
	struct file_state *st = state;

	return st->name[st->pos] ? ++st->pos : -1;
}

static void file_close(void *state)
{
	struct file_state *st = state;

	free(st->name);
	free(st);
}

static const struct ops file_ops = { file_open, file_step, file_close };

int drive_ok(const char *arg)
{
	const struct ops *o = &file_ops;
	void *st = o->open(arg);
	int n = 0;

	if (!st)
		return -1;
	while (o->step(st) > 0)
		n++;
	o->close(st);
	return n;
}

int drive_bad(const char *arg, int max)
{
	const struct ops *o = &file_ops;
	void *st = o->open(arg); // LEAK(conditional)
	int n = 0;

	if (!st)
		return -1;
	while (o->step(st) > 0)
		if (++n > max)
			return -1;
	o->close(st);
	return n;
}
