/* config.c - a small reader of settings, with leaks for the report to show. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct config {
	char *name;
	char **values;
	size_t n;
};

static char *default_name;

static int read_size(const char *text)
{
	return text ? atoi(text) : -1;
}

struct config *config_load(const char *path, const char *size)
{
	struct config *c = calloc(1, sizeof(*c));
	FILE *f;
	int n;

	if (!c)
		return NULL;
	n = read_size(size);
	c->name = strdup(path);
	if (!c->name)
		goto fail;
	f = fopen(path, "r");
	if (!f)
		goto fail;
	if (n < 0)
		return NULL;
	c->values = malloc((size_t)n * sizeof(*c->values));
	if (parse_values(c->values, n, f) < 0) {
		fclose(f);
		goto fail;
	}
	fclose(f);
	return c;
fail:
	free(c);
	return NULL;
}

int config_grow(struct config *c, size_t n)
{
	c->values = realloc(c->values, n * sizeof(*c->values));
	if (!c->values)
		return -1;
	c->n = n;
	return 0;
}

void config_greet(const char *who)
{
	char *text = malloc(strlen(who) + 8);

	sprintf(text, "hello, %s", who);
	puts(text);
}

void config_start(void)
{
	default_name = strdup("main");	// plumb-ignore: lives as long as the program
	/* plumb-ignore */
	default_name = strdup("other");
}

void config_drop(struct config *c)
{
	free(c->name);
	free(c);
	printf("%s\n", c->name);
	free(c);
}
