// The return value is a length or -1; an empty result is a result.
#include <stdlib.h>
#include <string.h>

static int trim(const char *s, char **out)
{
	char *p;

	while (*s == ' ')
		s++;
	p = strdup(s);
	if (!p)
		return -1;
	*out = p;
	return (int)(strlen(p) & 0x7fff);
}

int width_ok(const char *s)
{
	char *t;
	int n = trim(s, &t);

	if (n < 0)
		return 0;
	free(t);
	return n;
}

int width_bad(const char *s)
{
	char *t;
	int n = trim(s, &t); // LEAK(conditional): of length zero

	if (n <= 0)
		return 0;
	free(t);
	return n;
}
