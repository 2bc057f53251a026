// Returned objects belong to the caller, however they got there.
#include <stdlib.h>
#include <string.h>

char *to_nobody_known_ok(void)
{
	return malloc(8);
}

static char *make(int n)
{
	return n > 0 ? malloc(n) : NULL;
}

static char *second_level(int n)
{
	char *p = make(n + 1);

	if (p)
		p[0] = 0;
	return p;
}

void used_ok(void)
{
	char *p = second_level(4);

	free(p);
}

void used_bad(void)
{
	char *p = second_level(4); // LEAK(never-freed)

	if (p)
		p[1] = 0;
}

char *passed_on_ok(int n)
{
	char *p = second_level(n);

	return p;
}

char *passed_on_sometimes_bad(int n)
{
	char *p = second_level(n); // LEAK(conditional)

	if (p && p[0] == n)
		return NULL;
	return p;
}

static char *same(char *p)
{
	return p;
}

void through_identity_ok(void)
{
	char *p = same(malloc(8));

	free(p);
}

void through_identity_bad(void)
{
	char *p = same(malloc(8)); // LEAK(never-freed)

	if (p)
		p[0] = 1;
}
