// Past the paper: overwritten on one path only.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void title(const char *s, int shout)
{
	char *t = strdup(s);

	if (shout) {
		t = malloc(strlen(s) + 2);
		sprintf(t, "%s!", s);
	}
	puts(t);
	free(t);
}

int main(void)
{
	title("hello", 0);
	title("hello", 1);
	return 0;
}
