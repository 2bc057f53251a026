// Lines of a file: `continue` passes the free by.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *read_line(FILE *f)
{
	char tmp[200];

	return fgets(tmp, sizeof(tmp), f) ? strdup(tmp) : NULL;
}

int count_ok(FILE *f)
{
	char *line;
	int n = 0;

	while ((line = read_line(f))) {
		if (line[0] != '#')
			n++;
		free(line);
	}
	return n;
}

int count_bad(FILE *f)
{
	char *line;
	int n = 0;

	while ((line = read_line(f))) { // LEAK
		if (line[0] == '#')
			continue;
		n++;
		free(line);
	}
	return n;
}

int until_end_bad(FILE *f)
{
	char *line;
	int n = 0;

	while ((line = read_line(f))) { // LEAK(conditional)
		if (strcmp(line, "END\n") == 0)
			break;
		n++;
		free(line);
	}
	return n;
}
