// The conditional operator, as a value and as a choice.
#include <stdlib.h>
#include <string.h>

void chosen_ok(int n)
{
	char *p = n ? malloc(8) : malloc(16);

	free(p);
}

void chosen_bad(int n)
{
	char *p = n ? malloc(8) : malloc(16); // LEAK(never-freed)

	if (p)
		p[0] = 0;
}

void or_null_ok(const char *s)
{
	char *copy = s ? strdup(s) : NULL;

	free(copy);
}

void or_literal_bad(const char *s)
{
	const char *name = s ? strdup(s) : "none"; // LEAK(never-freed)

	if (strlen(name) > 3)
		return;
}

void or_literal_ok(const char *s)
{
	const char *name = s ? strdup(s) : "none";

	if (s)
		free((char *)name);
}

void one_of_two_bad(int n)
{
	char *a = malloc(8); // LEAK(conditional)
	char *b = malloc(8); // LEAK(conditional)

	free(n ? a : b);
}

void both_by_turns_ok(int n)
{
	char *a = malloc(8);
	char *b = malloc(8);

	free(n ? a : b);
	free(n ? b : a);
}
