// Gao et al., V-C, the pattern of gcc they could not fix: a literal or a heap string.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int show(const char *name)
{
	char *p = "(none)";

	if (name) {
		p = malloc(strlen(name) + 3);
		sprintf(p, "<%s>", name);
	}
	return printf("%s\n", p);
}

int main(void)
{
	int n = show(NULL);

	n += show("a");
	n += show("bcd");
	printf("%d\n", n);
	return 0;
}
