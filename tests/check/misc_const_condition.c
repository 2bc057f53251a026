// Conditions that are constants.
#include <stdlib.h>

enum { DEBUG = 0 };

void never_taken_ok(void)
{
	char *p = malloc(8);

	if (DEBUG)
		return;
	free(p);
}

void always_taken_ok(void)
{
	char *p = malloc(8);

	if (1)
		free(p);
}

void never_freed_bad(void)
{
	char *p = malloc(8); // LEAK(never-freed)

	if (DEBUG)
		free(p);
}

void sizeof_condition_ok(void)
{
	char *p = malloc(8);

	if (sizeof(long) >= 4)
		free(p);
}

static const int level = 3;

void constant_variable_ok(void)
{
	char *p = malloc(8);

	if (level > 2)
		free(p);
}
