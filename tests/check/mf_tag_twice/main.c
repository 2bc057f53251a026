/*
 * Two units define a struct table each, and not the same one; this one only declares it.
 */
#include <stdio.h>
#include <stdlib.h>
#include "table.h"

void cells_show(int n);
void names_bad(const char *name, unsigned n);

static void fill(struct table **t, const char *name)
{
	if (!*t)
		*t = table_new(7);
	if (!*t)
		abort();
	if (!table_put(*t, name))
		puts("full");
}

static void names_ok(int n, char **names)
{
	struct table *t = NULL;

	for (int i = 0; i < n; i++)
		fill(&t, names[i]);
	if (t)
		table_free(t);
}

int main(int argc, char **argv)
{
	cells_show(argc);
	for (int i = 0; i < argc; i++)
		names_ok(i, argv);
	names_bad(argv[0], argc - 1);
	return 0;
}
