// Out-parameters across units, which no rival follows.
#include "lib.h"

#include <stdlib.h>
#include <string.h>

int item_load(struct item **out, const char *key)
{
	struct item *it = malloc(sizeof(*it));

	if (!it)
		return -1;
	it->n = (int)strlen(key);
	*out = it;
	return 0;
}

void item_free(struct item *it)
{
	free(it);
}
