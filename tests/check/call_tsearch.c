// Trees of the library: tsearch keeps what it is given, unless there is an equal one; tdestroy frees it.
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int cmp(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void *root;

int kept_ok(const char *s)
{
	char *copy = strdup(s);
	void *node;

	if (!copy)
		return -1;
	node = tsearch(copy, &root, cmp);
	if (!node || *(char **)node != copy)
		free(copy);
	return node ? 0 : -1;
}

int kept_bad(const char *s)
{
	char *copy = strdup(s); // FN: LEAK(conditional) if an equal one is there

	if (!copy)
		return -1;
	return tsearch(copy, &root, cmp) ? 0 : -1;
}

int local_tree_ok(const char *s)
{
	void *tree = NULL;
	char *copy = strdup(s);

	if (!copy)
		return -1;
	if (!tsearch(copy, &tree, cmp)) {
		free(copy);
		return -1;
	}
	tdestroy(tree, free);
	return 0;
}

int looked_up_bad(const char *s)
{
	char *copy = strdup(s); // FN(path): LEAK(never-freed)

	return tfind(copy, &root, cmp) != NULL;
}
