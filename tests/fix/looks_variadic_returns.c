// One of the variable arguments comes back: the result is used after the last use of the variable.
// LEAKS: 2
// EXPECT: fixed
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *pick(int n, ...)
{
	va_list ap;
	const char *s = NULL;

	va_start(ap, n);
	while (n-- > 0)
		s = va_arg(ap, const char *);
	va_end(ap);
	return s;
}

static int show(const char *name)
{
	char *copy = strdup(name);
	const char *q;

	if (!copy)
		return -1;
	q = pick(1, copy);
	printf("%s\n", q);
	return 0;
}

int main(void)
{
	int n = show("one");

	n += show("two");
	return n;
}
