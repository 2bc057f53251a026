// A struct on the stack is released where a message tells of errno, which the release may change: behind the message.
// LEAKS: 4
// PATCH: ^\+.*dir_release\(&d\)
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dir { char *name; int fd; };

static int dir_save(struct dir *d, const char *name)
{
	d->fd = -1;
	d->name = strdup(name);
	return d->name ? 0 : -1;
}

/* Sets errno, as close() may. */
static void dir_release(struct dir *d)
{
	free(d->name);
	errno = EBADF;
}

static void complain(int err, const char *name)
{
	printf("%s: %s\n", name, strerror(err));
}

static int enter(const char *name)
{
	FILE *f = fopen(name, "r");

	if (!f)
		return -1;
	fclose(f);
	return 0;
}

static char *top(const char *name, const char *other, int quiet)
{
	struct dir d;
	char *found = NULL;

	if (dir_save(&d, ".") != 0) {
		complain(errno, ".");
		return NULL;
	}
	if (enter(name) < 0) {
		complain(errno, name);
		return NULL;
	}
	if (enter(other) < 0) {
		if (quiet)
			puts("no");
		else
			complain(errno, other);
		return NULL;
	}
	if (enter("/") < 0) {
		complain(errno, "/");
		goto done;
	}
	found = strdup(d.name);
done:
	dir_release(&d);
	return found;
}

static void tell(const char *name, const char *other, int quiet)
{
	char *s = top(name, other, quiet);

	puts(s ? s : "?");
	free(s);
}

int main(void)
{
	static const char none[] = "/nonexistent";

	tell(none, "/", 0);
	tell("/", none, 0);
	tell("/", none, 1);
	tell(none, none, 1);
	tell("/", "/", 0);
	return 0;
}
