// Freed when the program ends, by a handler.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *banner;

static void at_end(void)
{
	printf("bye, %s\n", banner);
	free(banner);
}

static int start(const char *name)
{
	char *b = strdup(name);

	if (!b)
		return -1;
	b[0] = 'B';
	banner = b;
	return atexit(at_end);
}

int main(void)
{
	int r = start("bob");

	printf("%d\n", r);
	return 0;
}
