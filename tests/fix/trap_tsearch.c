// A tree of libc keeps the key.
// LEAKS: 1
// EXPECT: either
// CFLAGS: -D_GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *root;

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int add(const char *s)
{
	char *key = strdup(s);
	char **found;

	if (!key)
		return -1;
	found = tsearch(key, &root, compare);
	if (!found)
		return -1;
	return *found == key;
}

int main(void)
{
	printf("%d\n", add("a"));
	printf("%d\n", add("b"));
	printf("%d\n", add("a"));
	printf("%s\n", *(char **)tfind("b", &root, compare));
	tdestroy(root, free);
	return 0;
}
