// getline allocates into a variable and grows it round after round.
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

int lines_ok(FILE *f)
{
	char *line = NULL;
	size_t max = 0;
	int n = 0;

	while (getline(&line, &max, f) > 0)
		n++;
	free(line);
	return n;
}

int lines_bad(FILE *f)
{
	char *line = NULL;
	size_t max = 0;
	int n = 0;

	while (getline(&line, &max, f) > 0) // LEAK
		n++;
	return n;
}

int first_line_bad(FILE *f)
{
	char *line = NULL;
	size_t max = 0;
	ssize_t n = getline(&line, &max, f); // LEAK(conditional)

	if (n < 0)
		return -1;	/* even then there may be a buffer; and below: */
	if (line[0] == '#')
		return 0;
	free(line);
	return (int)n;
}

char *first_line_ok(FILE *f)
{
	char *line = NULL;
	size_t max = 0;

	if (getline(&line, &max, f) < 0) {
		free(line);
		return NULL;
	}
	return line;
}
