// A first pass counts, a second allocates and fills; with nothing to fill there is
// nothing to free.
#include <stdlib.h>
#include <string.h>

static int count(const char *s, char c)
{
	int n = 0;

	for (; *s; s++)
		n += *s == c;
	return n;
}

int positions_ok(const char *s, char c)
{
	int n = count(s, c), i, k = 0, r, *pos;

	if (n == 0)
		return -1;
	pos = malloc(n * sizeof(*pos));
	if (!pos)
		return -1;
	for (i = 0; s[i]; i++)
		if (s[i] == c)
			pos[k++] = i;
	r = pos[n - 1];
	free(pos);
	return r;
}

int positions_bad(const char *s, char c)
{
	int n = count(s, c), i, k = 0, r, *pos = NULL;

	if (n > 0) {
		pos = malloc(n * sizeof(*pos)); // LEAK(conditional)
		if (!pos)
			return -1;
	}
	for (i = 0; n > 0 && s[i]; i++)
		if (s[i] == c)
			pos[k++] = i;
	if (n <= 1)
		return -1;
	r = pos[n - 1];
	free(pos);
	return r;
}
