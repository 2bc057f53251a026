#include "config.h"

#include <stdlib.h>
#include <string.h>

static char *read_line(FILE *f)
{
	char *line = malloc(256);

	if (line && !fgets(line, 256, f)) {
		free(line);
		line = NULL;
	}
	return line;
}

int parse_values(char **values, int n, FILE *f)
{
	for (int i = 0; i < n; i++) {
		char *line = read_line(f);

		if (!line)
			return -1;
		if (line[0] == '#')
			continue;
		values[i] = line;
	}
	return 0;
}
