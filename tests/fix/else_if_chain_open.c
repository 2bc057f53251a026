// The chain has no last else.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int level(const char *name)
{
	char *l = strdup(name);
	int r = 0;

	if (l[0] == 'd') {
		free(l);
		r = 1;
	} else if (l[0] == 'i') {
		free(l);
		r = 2;
	}
	return r;
}

int main(void)
{
	printf("%d %d %d %d\n", level("debug"), level("info"), level("warn"), level(""));
	return 0;
}
