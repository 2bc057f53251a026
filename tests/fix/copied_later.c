// A pointer that is only copied, or moved, behind the last look at the object: released before that it would be no value any more,
// and compilers warn.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int moved(int n)
{
	char *line = strdup("text");

	if (!line)
		return -1;
	printf("%s\n", line);
	if (n > 1) {
		const char *rest = line + 1;

		(void)rest;
	}
	return n;
}

static int copied(int n)
{
	char *line = strdup("text");

	if (!line)
		return -1;
	printf("%s\n", line);
	for (int i = 0; i < n; i++) {
		const char *same = line;

		(void)same;
	}
	return n;
}

int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", moved(argc) + moved(argc + 1) + copied(argc));
	return 0;
}
