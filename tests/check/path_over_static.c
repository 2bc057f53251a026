// A static keeps the last result: freed before it is replaced, or not.
#include <stdio.h>
#include <stdlib.h>

const char *name_of_ok(int n)
{
	static char *last;

	free(last);
	last = malloc(20);
	if (last)
		snprintf(last, 20, "item %d", n);
	return last;
}

int name_of_bad(int n)
{
	static char *last;

	last = malloc(20); // FN(path): LEAK(overwritten)
	if (!last)
		return -1;
	return snprintf(last, 20, "item %d", n);
}

const char *name_once_ok(void)
{
	static char *name;

	if (!name)
		name = malloc(20);
	if (name)
		snprintf(name, 20, "the name");
	return name;
}
