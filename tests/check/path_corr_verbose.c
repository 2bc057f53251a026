// One option decides three times: allocate, use, free.
#include <stdio.h>
#include <stdlib.h>

int count_ok(const char *text, int verbose)
{
	char *line;
	int i, n = 0;

	if (verbose)
		line = malloc(128);
	for (i = 0; text[i]; i++)
		n += text[i] == '\n';
	if (verbose && line)
		snprintf(line, 128, "%d lines\n", n);
	if (verbose) {
		if (line)
			fputs(line, stderr);
		free(line);
	}
	return n;
}

int count_bad(const char *text, int verbose)
{
	char *line = NULL;
	int i, n = 0;

	if (verbose)
		line = malloc(128); // LEAK(conditional)
	for (i = 0; text[i]; i++)
		n += text[i] == '\n';
	if (verbose > 1) {
		if (line)
			snprintf(line, 128, "%d lines\n", n);
		free(line);
	}
	return n;
}
