// Handed to functions with variable arguments, which only print it; one hands the list on, one reads it itself.
// LEAKS: 3
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lines;

static void vsay(const char *fmt, va_list ap)
{
	char line[64];

	vsnprintf(line, sizeof(line), fmt, ap);
	puts(line);
	lines++;
}

static void say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsay(fmt, ap);
	va_end(ap);
}

static int longest(int n, ...)
{
	va_list ap, again;
	int most = 0;

	va_start(ap, n);
	va_copy(again, ap);
	while (n-- > 0) {
		const char *s = va_arg(again, const char *);

		if ((int)strlen(s) > most)
			most = (int)strlen(s);
	}
	va_end(again);
	va_end(ap);
	return most;
}

static int report(const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		return -1;
	say("%s, %d", copy, lines);
	if (longest(2, "four", copy) > 4) {
		say("%s is long", copy);
		return 1;
	}
	return 0;
}

int main(void)
{
	int n = report("a") + report("abcde") + report("abcdef");

	printf("%d %d\n", n, lines);
	return 0;
}
