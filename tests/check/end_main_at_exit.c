// RUN: plumb check --at-exit %s
// With --at-exit what main holds at its end is told as well.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	char *kept = strdup("kept"); // LEAK(never-freed)
	char *freed = strdup("freed");

	puts(kept);
	if (argc < 2) {
		free(freed);
		return 1;
	}
	puts(argv[1]);
	free(freed);
	return 0;
}
