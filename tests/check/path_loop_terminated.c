/* A vector that ends with a null: who goes through it to that end has freed all of it. */
#include <stdlib.h>
#include <string.h>

struct items { struct items *next; const char *text; int count; };

static char *copy(const char *s)
{
	char *p = malloc(strlen(s) + 1);
	if (!p)
		abort();
	return strcpy(p, s);
}

static void flush(char **v)
{
	int i;

	if (!v)
		return;
	for (i = 0; v[i]; i++)
		free(v[i]);
}

static void dispose(char **v)
{
	if (!v)
		return;
	flush(v);
	free(v);
}

static char **vector_of(const struct items *l, int *n)
{
	const struct items *e;
	char **v;
	int i = 0;

	if (!l || !l->count) {
		*n = 0;
		return NULL;
	}
	v = malloc(((size_t)l->count + 1) * sizeof(*v));
	if (!v)
		abort();
	for (e = l->next; e != l; e = e->next)
		if (e->text)
			v[i++] = copy(e->text);
	v[i] = NULL;
	*n = i;
	return v;
}

int run_all_ok(const struct items *l)
{
	int n = 0, sum = 0;
	char **v = vector_of(l, &n);

	for (int i = 0; i < n; i++)
		if (v[i] && v[i][0])
			sum++;
	dispose(v);
	return sum;
}

int run_all_bad(const char *a, int n)
{
	char **v = calloc((size_t)n + 2, sizeof(*v));
	int ret;

	if (!v)
		return -1;
	v[0] = copy(a); // LEAK(never-freed)
	ret = v[0][0];
	free(v);
	return ret;
}
