// A unit whose static helpers return error codes to its only external function.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cfg { char *name; char *dir; int depth; };

static int set_string(char **field, const char *v)
{
	char *s = strdup(v);

	if (!s)
		return -1;
	free(*field);
	*field = s;
	return 0;
}

static int apply(struct cfg *c, const char *key, const char *val)
{
	if (strcmp(key, "name") == 0)
		return set_string(&c->name, val);
	if (strcmp(key, "dir") == 0)
		return set_string(&c->dir, val);
	if (strcmp(key, "depth") == 0) {
		c->depth = atoi(val);
		return 0;
	}
	return 1;
}

int cfg_load(struct cfg *c, FILE *f)
{
	char *line = NULL, *key = NULL, *eq;
	size_t cap = 0;
	int err = 0;

	while (!err && getline(&line, &cap, f) > 0) {
		eq = strchr(line, '=');
		if (!eq)
			continue;
		key = strndup(line, eq - line); // LEAK(conditional)
		if (!key) {
			err = -1;
			break;
		}
		err = apply(c, key, eq + 1);
		if (err > 0) {
			fprintf(stderr, "unknown key %s\n", key);
			break;
		}
		free(key);
	}
	free(line);
	return err;
}
