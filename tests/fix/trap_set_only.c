// getline() looks at what its argument points to: no object that is there may be released before.
// LEAKS: 0
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lines(FILE *f)
{
	size_t n = 4;
	char *line = malloc(n), *all = NULL;

	while (getline(&line, &n, f) > 0) {
		free(all);
		all = strdup(line);
	}
	puts(all ? all : "-");
	free(all);
	free(line);
}

int main(void)
{
	char text[] = "a rather long line\nanother one\n";
	FILE *f = fmemopen(text, strlen(text), "r");

	if (!f)
		return 1;
	lines(f);
	fclose(f);
	return 0;
}
