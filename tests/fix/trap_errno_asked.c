// What comes next tells of errno: a release before it may have changed that.
// LEAKS: 6
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets errno, as closing a file may. */
struct box { int n; };

static struct box *box_new(int n)
{
	struct box *b = malloc(sizeof(*b));

	if (!b)
		exit(1);
	b->n = n;
	return b;
}

static void box_free(struct box *b)
{
	free(b);
	errno = EBADF;
}

static void complain(const char *name)
{
	printf("%s: %s\n", name, strerror(errno));
}

static int told(const char *name)
{
	struct box *b = box_new(1);
	FILE *f = fopen(name, "r");

	if (!f) {
		complain(name);
		return -1;
	}
	fclose(f);
	box_free(b);
	return 0;
}

static int kept(const char *name)
{
	struct box *b = box_new(2);
	FILE *f = fopen(name, "r");

	if (!f) {
		int saved = errno;

		puts(name);
		errno = saved;
		return -1;
	}
	fclose(f);
	box_free(b);
	return 0;
}

static int formatted(const char *name)
{
	struct box *b = box_new(3);
	FILE *f = fopen(name, "r");

	if (!f) {
		printf("%s: %m\n", name);
		return -1;
	}
	fclose(f);
	box_free(b);
	return 0;
}

static int on_the_way(const char *name, int n)
{
	struct box *b = box_new(n);
	FILE *f = fopen(name, "r");

	if (!f || n > 3) {
		if (n > 3)
			printf("%d\n", b->n);
		if (!f)
			complain(name);
		return -1;
	}
	fclose(f);
	box_free(b);
	return 0;
}

/* Nobody asks whether the call in between failed. */
static int signalled(const char *name)
{
	struct box *b = box_new(4);
	FILE *f = fopen(name, "r");

	if (!f) {
		signal(SIGPIPE, SIG_DFL);
		complain(name);
		return -1;
	}
	fclose(f);
	box_free(b);
	return 0;
}

static int loud = 1;

static int is_loud(void)
{
	return loud;
}

static void report(const char *where)
{
	if (is_loud())
		printf("%s failed\n", where);
}

/* What is asked, and told, before the message leaves errno as it is. */
static int asked_first(const char *name)
{
	struct box *b = box_new(5);
	FILE *f = fopen(name, "r");

	if (!f) {
		report("asked_first");
		if (is_loud())
			complain(name);
		return -1;
	}
	fclose(f);
	box_free(b);
	return 0;
}

int main(int argc, char **argv)
{
	int n = told("/nonexistent") + formatted("/nonexistent") + on_the_way("/nonexistent", 4);

	loud = argc > 0 && argv[0];
	n += signalled("/nonexistent");
	n += asked_first("/nonexistent");
	n += kept("/nonexistent");
	printf("%s %d\n", strerror(errno), n);
	return 0;
}
