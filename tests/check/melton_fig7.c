// Xu and Zhang (QSIC 2008), Figure 7: the return value has nothing to do with the
// allocation; who takes it for the outcome loses the block.
#include <stdlib.h>

static int size_class(int **out, int n)
{
	*out = malloc(8);
	if (n > 3)
		return 1;
	else
		return 0;
}

int small_bad(int n)
{
	int *b;

	if (!size_class(&b, n)) // LEAK(conditional,high) via 0 +1
		return -1;
	free(b);
	return 0;
}

int small_ok(int n)
{
	int *b, r;

	r = size_class(&b, n);
	free(b);
	return r;
}

int known_class_ok(void)
{
	int *b;

	if (!size_class(&b, 4))
		return -1;	/* never: 4 is above 3 */
	free(b);
	return 0;
}
