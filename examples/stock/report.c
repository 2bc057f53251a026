#include "stock.h"

#include <stdlib.h>
#include <string.h>

static long widest(const struct stock *s)
{
	size_t w = 0;

	for (const struct item *i = s->items; i; i = i->next)
		if (strlen(i->name) > w)
			w = strlen(i->name);
	return (long)w;
}

void report_print(const struct stock *s, FILE *out)
{
	long w = widest(s);
	char *rule = malloc((size_t)w + 12);

	memset(rule, '-', (size_t)w + 11);
	rule[w + 11] = '\0';
	fprintf(out, "%s\n", rule);
	for (const struct item *i = s->items; i; i = i->next)
		fprintf(out, "%-*s %10ld\n", (int)w, i->name, i->count);
	fprintf(out, "%s\n", rule);
}

int report_save(const struct stock *s, const char *base, const char *suffix)
{
	size_t n = strlen(base) + strlen(suffix) + 1;
	char *path = malloc(n);
	FILE *f;

	if (!path)
		return -1;
	snprintf(path, n, "%s%s", base, suffix);
	f = fopen(path, "w");
	free(path);
	if (!f)
		return -1;
	report_print(s, f);
	if (ferror(f))
		return -1;
	return fclose(f);
}
