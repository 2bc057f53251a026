#include "stock.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_LEN = 4096 };

/* One line: "name, count".  Blank lines and comments are fine. */
static int read_line(struct stock *s, char *line)
{
	char *comma, *end;
	long count;

	line[strcspn(line, "\r\n#")] = '\0';
	if (line[strspn(line, " \t")] == '\0')
		return 0;
	comma = strrchr(line, ',');
	if (!comma)
		return -1;
	*comma = '\0';
	count = strtol(comma + 1, &end, 10);
	if (end == comma + 1 || *end)
		return -1;
	return stock_add(s, line, count);
}

int list_read(struct stock *s, FILE *f, const char *path)
{
	char *line = malloc(LINE_MAX_LEN);
	int number = 0;

	if (!line)
		return -1;
	while (fgets(line, LINE_MAX_LEN, f)) {
		number++;
		if (read_line(s, line) < 0) {
			fprintf(stderr, "%s:%d: expected \"name, count\"\n", path, number);
			return -1;
		}
	}
	free(line);
	return 0;
}
