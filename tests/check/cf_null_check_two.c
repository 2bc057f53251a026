// Two allocations tested together.
#include <stdlib.h>

int both_tested_together_bad(void)
{
	char *a = malloc(4); // LEAK(conditional)
	char *b = malloc(4); // LEAK(conditional)

	if (!a || !b)
		return -1;	/* the one that succeeded is lost */
	free(a);
	free(b);
	return 0;
}

int both_tested_together_ok(void)
{
	char *a = malloc(4);
	char *b = malloc(4);

	if (!a || !b) {
		free(a);
		free(b);
		return -1;
	}
	a[0] = b[0] = 0;
	free(a);
	free(b);
	return 0;
}

int tested_with_and_ok(void)
{
	char *a = malloc(4);
	char *b = malloc(4);

	if (a && b)
		a[0] = b[0] = 0;
	free(b);
	free(a);
	return 0;
}

int inside_and_bad(void)
{
	char *a = malloc(4); // LEAK(conditional)
	char *b = malloc(4); // LEAK(conditional)

	if (a && b) {
		free(a);
		free(b);
	}
	return 0;
}
