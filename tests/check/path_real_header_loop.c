// A header parser: the value is kept for some names, freed for others, and the error
// path must know which.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct resp { char *type, *location; long length; };

static int parse_line(const char *line, char **name, char **value)
{
	const char *c = strchr(line, ':');

	if (!c)
		return 0;
	*name = strndup(line, c - line); // LEAK@name: by headers_bad()
	if (!*name)
		return 0;
	*value = strdup(c + 1); // LEAK@value
	if (!*value) {
		free(*name);
		return 0;
	}
	return 1;
}

int headers_ok(FILE *f, struct resp *r)
{
	char line[200], *name, *value;

	while (fgets(line, sizeof(line), f)) {
		if (!parse_line(line, &name, &value))
			return -1;
		if (strcmp(name, "Content-Type") == 0) {
			free(r->type);
			r->type = value;
		} else if (strcmp(name, "Location") == 0) {
			free(r->location);
			r->location = value;
		} else {
			if (strcmp(name, "Content-Length") == 0)
				r->length = atol(value);
			free(value);
		}
		free(name);
	}
	return 0;
}

int headers_bad(FILE *f, struct resp *r)
{
	char line[200], *name, *value;

	while (fgets(line, sizeof(line), f)) {
		if (!parse_line(line, &name, &value)) // LEAK@name // LEAK@value
			return -1;
		if (strcmp(name, "Content-Type") == 0) {
			free(r->type);
			r->type = value;
		} else if (strcmp(name, "Content-Length") == 0) {
			r->length = atol(value);
			if (r->length < 0)
				return -1;
			free(value);
		} else {
			free(value);
		}
		free(name);
	}
	return 0;
}
