// Whom a function calls, and what a flag makes it do, is known at each call.
// LEAKS: 6
// PATCH: ^\+.*file_close\(st\);
// NEVER: ^\+.*\bfree\(st\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(void *p) { puts(p); }
static void drop(void *p) { puts(p); free(p); }
static void run(void (*f)(void *), void *arg) { f(arg); }

static void shown(void)
{
	char *p = strdup("shown");

	if (p)
		run(show, p);
}

static void dropped(void)
{
	char *p = strdup("dropped");

	if (p)
		run(drop, p);
}

static void done(char *p, int keep)
{
	puts(p);
	if (!keep)
		free(p);
}

static void flagged(int n)
{
	char *p = strdup("flagged");

	if (!p)
		return;
	if (n)
		done(p, 1);
	else
		done(p, 0);
}

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
	return st;
}

static int file_step(void *state)
{
	struct file_state *st = state;

	return st->name && st->name[st->pos] ? ++st->pos : -1;
}

static void file_close(void *state)
{
	struct file_state *st = state;

	free(st->name);
	free(st);
}

static const struct ops file_ops = { file_open, file_step, file_close };

static int drive(const char *arg, int max)
{
	const struct ops *o = &file_ops;
	void *st = o->open(arg);
	int n = 0;

	if (!st)
		return -1;
	while (o->step(st) > 0)
		if (++n > max)
			return -1;
	o->close(st);
	return n;
}

/* One of two makes it. */
static char *make_a(const char *s) { return strdup(s); }

static char *make_b(const char *s)
{
	char *p = malloc(strlen(s) + 2);

	if (p)
		sprintf(p, "%sb", s);
	return p;
}

static char *(*const makers[])(const char *) = { make_a, make_b };

static int made(unsigned n)
{
	char *p = makers[n % 2]("made");

	if (!p)
		return -1;
	if (n > 3)
		return 0;
	puts(p);
	free(p);
	return 1;
}

int main(void)
{
	shown();
	dropped();
	flagged(0);
	flagged(1);
	for (unsigned i = 0; i < 6; i++)
		printf("%d\n", made(i));
	printf("%d %d\n", drive("abc", 5), drive("abc", 0));
	return 0;
}
