// realloc(p, 0) frees with glibc; reallocarray; growing a string.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

void to_zero_ok(void)
{
	char *p = malloc(8);

	p = realloc(p, 0);
	if (p)
		free(p);
}

int reallocarray_ok(int n)
{
	int *v = calloc(4, sizeof(*v));
	int *w = reallocarray(v, n, sizeof(*v));

	if (!w) {
		free(v);
		return -1;
	}
	free(w);
	return 0;
}

char *append_ok(char *s, const char *more)
{
	size_t n = s ? strlen(s) : 0;
	char *r = realloc(s, n + strlen(more) + 1);

	if (!r) {
		free(s);
		return NULL;
	}
	strcpy(r + n, more);
	return r;
}

int joined_ok(char **v, int n)
{
	char *all = NULL;
	int len;

	for (int i = 0; i < n; i++) {
		all = append_ok(all, v[i]);
		if (!all)
			return -1;
	}
	len = all ? (int)strlen(all) : 0;
	free(all);
	return len;
}

int joined_bad(char **v, int n)
{
	char *all = NULL;

	for (int i = 0; i < n; i++) {
		all = append_ok(all, v[i]); // FN(vfg): LEAK
		if (!all)
			return -1;
	}
	return all ? (int)strlen(all) : 0;
}
