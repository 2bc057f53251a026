// Conditions on functions that return flags.
#include <stdlib.h>
#include <string.h>

static int mode;

static int is_remote(const char *s)
{
	return s[0] == '/' && s[1] == '/';
}

static int wants_copy(void)
{
	return mode & 4;
}

void pure_function_ok(const char *s)
{
	char *copy = NULL;

	if (is_remote(s))
		copy = strdup(s);
	if (is_remote(s))
		free(copy);
}

void getter_ok(const char *s)
{
	char *copy = NULL;

	if (wants_copy())
		copy = strdup(s);
	if (wants_copy())
		free(copy);
}

void remembered_ok(const char *s)
{
	int remote = is_remote(s);
	char *copy = NULL;

	if (remote)
		copy = strdup(s);
	if (remote)
		free(copy);
}

void different_functions_bad(const char *s)
{
	char *copy = NULL;

	if (is_remote(s))
		copy = strdup(s); // LEAK(conditional)
	if (wants_copy())
		free(copy);
}

void set_mode(int m)
{
	mode = m;
}
