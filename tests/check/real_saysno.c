/* a wrapper of vasprintf() that ends the program on -1 always gives a text */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int vasprintf(char **out, const char *format, va_list ap);

static int xvprint(char **out, const char *format, va_list ap)
{
	int n = vasprintf(out, format, ap);

	if (n == -1) {
		fprintf(stderr, "no memory\n");
		exit(1);
	}
	return n;
}

static int xprint(char **out, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = xvprint(out, format, ap);
	va_end(ap);
	return n;
}

long link_of_ok(int group, int session, char *buf, size_t size)
{
	char *path;
	long n;

	xprint(&path, "/proc/%d/cwd", group);
	n = readlink(path, buf, size);
	free(path);
	if (n == -1) {
		xprint(&path, "/proc/%d/cwd", session);
		n = readlink(path, buf, size);
		free(path);
	}
	return n;
}

long link_of_bad(int group, int session, char *buf, size_t size)
{
	char *path;
	long n;

	xprint(&path, "/proc/%d/cwd", group);
	n = readlink(path, buf, size);
	free(path);
	if (n == -1) {
		xprint(&path, "/proc/%d/cwd", session); // LEAK(never-freed)
		n = readlink(path, buf, size);
	}
	return n;
}
