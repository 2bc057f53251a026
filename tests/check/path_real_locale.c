// A getter that returns a static string or a fresh one, and says which by an argument.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *month(int n, int *must_free)
{
	static const char *const names[] = { "jan", "feb", "mar" };
	char *s;

	*must_free = 0;
	if (n >= 0 && n < 3)
		return names[n];
	s = malloc(16); // LEAK@m: by print_bad()
	if (!s)
		return "?";
	snprintf(s, 16, "month %d", n);
	*must_free = 1;
	return s;
}

int print_ok(int n)
{
	int must_free, len;
	const char *m = month(n, &must_free);

	len = (int)strlen(m);
	if (must_free)
		free((char *)m);
	return len;
}

int print_bad(int n)
{
	int must_free, len;
	const char *m = month(n, &must_free); // LEAK@m

	len = (int)strlen(m);
	if (must_free && len > 8)
		free((char *)m);
	return len;
}
