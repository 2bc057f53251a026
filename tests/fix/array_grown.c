// An array that realloc() makes larger for each element; what is in it is lost when a line
// is too long.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_all(const char *const *lines, int limit)
{
	char **v = NULL, **t;
	int n = 0, sum = 0;

	for (; *lines; lines++) {
		t = realloc(v, (n + 1) * sizeof *v);
		if (!t)
			goto fail;
		v = t;
		if ((int)strlen(*lines) > limit)
			goto fail;
		v[n] = strdup(*lines);
		if (!v[n])
			goto fail;
		n++;
	}
	while (n > 0) {
		sum += v[--n][0];
		free(v[n]);
	}
	free(v);
	return sum;
fail:
	free(v);
	return -1;
}

int main(void)
{
	static const char *const a[] = { "one", "two", NULL }, *const b[] = { "one", "two", "three", NULL };

	printf("%d\n", read_all(a, 4));
	printf("%d\n", read_all(b, 4));
	return 0;
}
