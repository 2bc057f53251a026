// Past the paper: a literal on two of three paths.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int show(int kind, const char *arg)
{
	const char *name;
	int n;

	if (kind == 0) {
		name = "zero";
	} else if (kind == 1) {
		name = "one";
	} else {
		char *made = malloc(strlen(arg) + 8);

		sprintf(made, "other:%s", arg);
		name = made;
	}
	n = printf("%s\n", name);
	return n;
}

int main(void)
{
	int n = 0;

	for (int kind = 0; kind < 4; kind++)
		n += show(kind, "x");
	printf("%d\n", n);
	return 0;
}
