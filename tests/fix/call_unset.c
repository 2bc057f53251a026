// A pointer that is never set is called: that path goes on behind the call, where the copy is used.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void (*hook)(int);

static int show(const char *name, int twice)
{
	char *copy = strdup(name);

	if (!copy)
		return -1;
	puts(copy);
	if (twice) {
		hook(1);
		puts(copy);
	}
	return 0;
}

int main(int argc, char **argv)
{
	(void)argv;
	return show("one", argc > 5);
}
