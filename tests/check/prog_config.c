// A reader of key = value files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conf { char *key[16], *val[16]; int n; };

int conf_read_bad(struct conf *c, const char *path)
{
	FILE *f = fopen(path, "r"); // LEAK(conditional)
	char line[256];

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		char *eq = strchr(line, '=');

		if (line[0] == '#')
			continue;
		if (!eq)
			return -2;
		*eq = 0;
		if (c->n == 16) {
			fclose(f);
			return -3;
		}
		c->key[c->n] = strdup(line);
		c->val[c->n] = strdup(eq + 1);
		c->n++;
	}
	fclose(f);
	return 0;
}

int conf_read_ok(struct conf *c, const char *path)
{
	FILE *f = fopen(path, "r");
	char line[256];
	int ret = 0;

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		char *eq = strchr(line, '=');

		if (line[0] == '#')
			continue;
		if (!eq || c->n == 16) {
			ret = -2;
			break;
		}
		*eq = 0;
		c->key[c->n] = strdup(line);
		c->val[c->n] = strdup(eq + 1);
		c->n++;
	}
	fclose(f);
	return ret;
}

void conf_release_ok(struct conf *c)
{
	while (c->n > 0) {
		c->n--;
		free(c->key[c->n]);
		free(c->val[c->n]);
	}
}
