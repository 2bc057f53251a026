// Past the paper: the field of a struct on the stack.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	char *key;
	int value;
};

static int lookup(const char *k, int v)
{
	struct entry e;

	e.key = strdup(k);
	e.value = v;
	printf("%s=%d\n", e.key, e.value);
	return e.value;
}

int main(void)
{
	int n = lookup("a", 1) + lookup("b", 2);

	printf("%d\n", n);
	return 0;
}
