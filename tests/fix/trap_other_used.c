// Text that was not compiled uses the object behind the place, and releases it in its own words.
// LEAKS: 2
// LEFT: 1
// EXPECT: partial
// REFUSED: under other settings `list` is still used
// NEVER: ^\+.*free\(list\);
// PATCH: ^\+.*free\(name\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HISTORY
static void take(int *list, int n)
{
	for (int i = 0; i < n; i++)
		printf("%d\n", list[i]);
	free(list);
}
#endif

static int matches(int n)
{
	int *list = NULL;

	if (n > 2)
		list = calloc((size_t)n, sizeof(*list));
	if (list)
		list[0] = n;
#ifdef HISTORY
	if (list)
		take(list, n);
#endif
	puts("matches");
	return n;
}

/* This one ends before. */
static int before(const char *s, int n)
{
	char *name = strdup(s);

	if (!name)
		return -1;
	if (n > 2)
		return -2;
	puts(name);
#ifdef HISTORY
	puts(name + 1);
#endif
	n += (int)strlen(name);
	free(name);
	return n;
}

int main(int argc, char **argv)
{
	printf("%d %d\n", matches(argc > 0 ? 3 : 0), before(argv[0], 3));
	return 0;
}
