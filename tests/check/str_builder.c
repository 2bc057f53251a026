// Strings put together step by step.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	char *r = malloc(n + m + 1);

	if (!r)
		exit(1);
	memcpy(r, a, n);
	memcpy(r + n, b, m + 1);
	return r;
}

char *path_of_ok(const char *dir, const char *file)
{
	char *d = join(dir, "/");
	char *p = join(d, file);

	free(d);
	return p;
}

char *path_of_bad(const char *dir, const char *file)
{
	char *d = join(dir, "/"); // LEAK(never-freed)

	return join(d, file);
}

char *nested_bad(const char *dir, const char *file)
{
	return join(join(dir, "/"), file); // LEAK(never-freed) the inner one
}

char *reused_variable_bad(const char *a, const char *b, const char *c)
{
	char *s = join(a, b); // LEAK(overwritten)

	s = join(s, c);
	return s;
}

char *reused_variable_ok(const char *a, const char *b, const char *c)
{
	char *s = join(a, b), *t = s;

	s = join(t, c);
	free(t);
	return s;
}

char *loop_ok(char **v, int n)
{
	char *s = strdup("");

	for (int i = 0; i < n && s; i++) {
		char *t = join(s, v[i]);

		free(s);
		s = t;
	}
	return s;
}

char *loop_bad(char **v, int n)
{
	char *s = strdup(""); // LEAK(overwritten)

	for (int i = 0; i < n && s; i++)
		s = join(s, v[i]); // LEAK(overwritten)
	return s;
}
