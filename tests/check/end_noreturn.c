// The project's own die(): found, or declared.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	exit(1);
}

_Noreturn void fatal(const char *why);
void panic(int code) __attribute__((noreturn));

static void usage(int code)
{
	puts("usage: prog file");
	if (code)
		die("bad usage\n");
	exit(0);
}

void die_ok(int n)
{
	char *p = malloc(8);

	if (n < 0)
		die("negative: %d\n", n);
	free(p);
}

void declared_ok(int n)
{
	char *p = malloc(8);

	if (n < 0)
		fatal("negative");
	if (n > 9)
		panic(n);
	free(p);
}

void two_levels_ok(int n)
{
	char *p = malloc(8);

	if (n < 0)
		usage(n);
	free(p);
}

static void warn(const char *s)
{
	fputs(s, stderr);
}

void only_warns_bad(int n)
{
	char *p = malloc(8); // LEAK(conditional)

	if (n < 0) {
		warn("negative");
		return;
	}
	free(p);
}
