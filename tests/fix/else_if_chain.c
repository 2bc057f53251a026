// One link of an else-if chain forgets.
// LEAKS: 2
// ONCE: ^\+\s*free\(op\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int apply(const char *name, int a, int b)
{
	char *op = strdup(name);
	int r;

	if (strcmp(op, "add") == 0) {
		r = a + b;
		free(op);
	} else if (strcmp(op, "sub") == 0) {
		r = a - b;
		free(op);
	} else if (strcmp(op, "mul") == 0) {
		r = a * b;
	} else {
		r = 0;
		free(op);
	}
	return r;
}

int main(void)
{
	printf("%d %d", apply("add", 7, 2), apply("sub", 7, 2));
	printf(" %d %d %d\n", apply("mul", 7, 2), apply("mul", 3, 3), apply("div", 7, 2));
	return 0;
}
