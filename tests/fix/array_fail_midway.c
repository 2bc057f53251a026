// Past the paper: when an element cannot be made, those before it are lost.
// LEAKS: 4
// KNOWN: with it there would be a new finding, conditional
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail_at;

static char *try_strdup(const char *s)
{
	if (fail_at > 0 && --fail_at == 0)
		return NULL;
	return strdup(s);
}

static char **copies(const char *s, int n)
{
	char **v = malloc(n * sizeof *v);

	if (!v)
		return NULL;
	for (int i = 0; i < n; i++) {
		v[i] = try_strdup(s);
		if (!v[i])
			return NULL;
	}
	return v;
}

static int run(int n, int fail)
{
	char **v;

	fail_at = fail;
	v = copies("x", n);
	if (!v)
		return -1;
	for (int i = 0; i < n; i++)
		free(v[i]);
	free(v);
	return n;
}

int main(void)
{
	printf("%d\n", run(3, 0));
	printf("%d\n", run(5, 1));
	printf("%d\n", run(3, 3));
	return 0;
}
