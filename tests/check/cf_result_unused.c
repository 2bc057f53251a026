// A result that nobody looks at.
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static char *greeting(const char *name)
{
	char *s = malloc(strlen(name) + 8);

	if (s)
		sprintf(s, "Hello, %s", name);
	return s;
}

void dropped_bad(void)
{
	malloc(100); // LEAK(never-freed)
}

void dropped_strdup_bad(const char *s)
{
	(void)strdup(s); // LEAK(never-freed)
}

void dropped_wrapper_bad(const char *name)
{
	greeting(name); // LEAK(never-freed)
}

void temporary_bad(const char *name)
{
	puts(greeting(name)); // LEAK(never-freed)
}

void temporary_ok(const char *name)
{
	char *s = greeting(name);

	puts(s);
	free(s);
}

int measured_bad(const char *name)
{
	return (int)strlen(strdup(name)); // LEAK(never-freed)
}
