#include "lib.h"

#include <stddef.h>

int size_ok(const char *key)
{
	struct item *it = NULL;
	int n;

	if (item_load(&it, key) < 0)
		return -1;
	n = it->n;
	item_free(it);
	return n;
}

int size_bad(const char *key)
{
	struct item *it = NULL;

	if (item_load(&it, key) < 0) // LEAK(never-freed)
		return -1;
	return it->n;
}

int size_limited_bad(const char *key, int max)
{
	struct item *it = NULL;
	int n;

	if (item_load(&it, key) < 0) // LEAK(conditional)
		return -1;
	if (it->n > max)
		return -2;
	n = it->n;
	item_free(it);
	return n;
}
