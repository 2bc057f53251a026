// RUN: plumb dump fix %s
// A function fills what two pointers lead to.  One caller gives it memory of a library, which may be the same for both, and
// then nobody knows what is where; the variable of another caller is apart from all that.
#include <stdio.h>
#include <string.h>

struct cursor {
	FILE *f;
	char *error;
};

int each_cursor(int (*fn)(struct cursor *c));

static void set_error(const char *name, char **error)
{
	*error = strdup(name);
}

static int open_file(const char *name, FILE **f, char **error)
{
	int ret = 0;

	*f = fopen(name, "r");
	if (!*f) {
		ret = -1;
		*f = NULL;
		set_error(name, error);
	}
	return ret;
}

static int on_cursor(struct cursor *c)
{
	return open_file("library", &c->f, &c->error);
}

int with_variable(const char *name, char **error)
{
	FILE *f = NULL;

	open_file(name, &f, error);
	if (f) {
		if (getc(f) == 'x')
			return -1;
		fclose(f);
	}
	return each_cursor(on_cursor);
}

int with_cursor(const char *name, struct cursor *c)
{
	open_file(name, &c->f, &c->error);
	if (c->f) {
		if (getc(c->f) == 'x') {
			c->f = NULL;
			return -1;
		}
		fclose(c->f);
	}
	return 0;
}
