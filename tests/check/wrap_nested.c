// Wrappers around wrappers, three deep and more.
#include <stdlib.h>
#include <string.h>

static void *level1(size_t n)
{
	return malloc(n ? n : 1);
}

static void *level2(size_t n)
{
	void *p = level1(n);

	if (!p)
		exit(1);
	return p;
}

static void *level3(size_t count, size_t size)
{
	void *p;

	if (size && count > (size_t)-1 / size)
		abort();
	p = level2(count * size);
	memset(p, 0, count * size);
	return p;
}

static char *level4(const char *s)
{
	char *p = level3(strlen(s) + 1, 1);

	strcpy(p, s);
	return p;
}

void deep_ok(const char *s)
{
	char *p = level4(s);

	free(p);
}

void deep_bad(const char *s)
{
	char *p = level4(s); // LEAK(never-freed)

	p[0] = 'X';
}

void middle_bad(int n)
{
	int *v = level3(n, sizeof(*v)); // LEAK(conditional)

	if (v[0] == n)
		return;
	free(v);
}

void middle_ok(int n)
{
	int *v = level3(n, sizeof(*v));

	v[0] = n;
	free(v);
}
