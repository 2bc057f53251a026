#include <stdio.h>
#include <stdlib.h>
#include "table.h"

void names_bad(const char *name, unsigned n);

void names_bad(const char *name, unsigned n)
{
	struct table *t = table_new(n); // LEAK(conditional)

	if (!t)
		return;
	if (!table_put(t, name)) {
		puts("none");
		return;
	}
	table_free(t);
}
