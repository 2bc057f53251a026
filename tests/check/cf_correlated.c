// Two tests of one condition: what the first decides, the second knows.
#include <stdlib.h>
#include <string.h>

void same_flag_ok(int verbose)
{
	char *line = NULL;

	if (verbose)
		line = malloc(80);
	if (verbose && line)
		line[0] = 0;
	if (verbose)
		free(line);
}

void complement_ok(int n)
{
	char *line = malloc(80);

	if (n > 3)
		free(line);
	if (n <= 3)
		free(line);
}

void other_flag_bad(int verbose, int debug)
{
	char *line = NULL;

	if (verbose)
		line = malloc(80); // LEAK(conditional)
	if (debug)
		free(line);
}

void by_the_pointer_ok(int verbose)
{
	char *line = NULL;

	if (verbose)
		line = strdup("start");
	if (line)
		free(line);
}

void flag_variable_ok(const char *s)
{
	int owned = 0;
	char *copy = NULL;

	if (s[0] == '/') {
		copy = strdup(s);
		owned = 1;
	}
	if (owned)
		free(copy);
}

void changed_in_between_bad(int n)
{
	char *line = malloc(80); // LEAK(conditional)

	if (n > 0)
		n = 0;
	if (n > 0)
		free(line);
}
