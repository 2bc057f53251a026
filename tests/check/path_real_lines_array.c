// Lines are read into a growing array; on an error everything is taken back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lines_free(char **v, int n)
{
	while (n > 0)
		free(v[--n]);
	free(v);
}

char **lines_read_ok(FILE *f, int *count)
{
	char buf[100], **v = NULL, **t;
	int n = 0;

	while (fgets(buf, sizeof(buf), f)) {
		t = realloc(v, (n + 1) * sizeof(*v));
		if (!t)
			goto fail;
		v = t;
		v[n] = strdup(buf);
		if (!v[n])
			goto fail;
		n++;
	}
	*count = n;
	return v;
fail:
	lines_free(v, n);
	return NULL;
}

char **lines_read_bad(FILE *f, int *count)
{
	char buf[100], **v = NULL, **t;
	int n = 0;

	while (fgets(buf, sizeof(buf), f)) {
		t = realloc(v, (n + 1) * sizeof(*v));
		if (!t)
			goto fail;
		v = t;
		v[n] = strdup(buf); // LEAK(conditional)
		if (!v[n])
			goto fail;
		n++;
	}
	*count = n;
	return v;
fail:
	free(v);
	return NULL;
}
