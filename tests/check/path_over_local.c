// The last pointer is overwritten by a second result.
#include <stdlib.h>
#include <string.h>

int normalise_ok(const char *in)
{
	char *s = strdup(in), *t;
	int n;

	if (!s)
		return -1;
	if (s[0] == '~') {
		t = malloc(100);
		if (t)
			strncpy(t, s + 1, 99);
		free(s);
		s = t;
	}
	n = s ? s[0] : 0;
	free(s);
	return n;
}

int normalise_bad(const char *in)
{
	char *s = strdup(in); // LEAK(overwritten)
	int n;

	if (!s)
		return -1;
	if (s[0] == '~')
		s = strdup(in + 1);
	n = s ? s[0] : 0;
	free(s);
	return n;
}
