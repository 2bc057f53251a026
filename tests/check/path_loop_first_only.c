// The buffer is made in the first round and used in all.
#include <stdio.h>
#include <stdlib.h>

int emit_ok(const int *v, int n)
{
	char *buf = NULL;
	int i;

	for (i = 0; i < n; i++) {
		if (i == 0) {
			buf = malloc(32);
			if (!buf)
				return -1;
		}
		snprintf(buf, 32, "%d\n", v[i]);
		fputs(buf, stdout);
	}
	if (n > 0)
		free(buf);
	return 0;
}

int emit_bad(const int *v, int n)
{
	char *buf = NULL;
	int i;

	for (i = 0; i < n; i++) {
		if (!buf)
			buf = malloc(32); // LEAK(conditional)
		if (!buf)
			return -1;
		if (v[i] < 0)
			return -2;
		snprintf(buf, 32, "%d\n", v[i]);
		fputs(buf, stdout);
	}
	free(buf);
	return 0;
}
