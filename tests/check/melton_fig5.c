// Xu and Zhang (QSIC 2008), Figure 5: the return value tells whether memory was
// allocated.  A caller that asks it is right; one that does not free on success is not.
#include <stdlib.h>

static int get_block(int **out)
{
	int *t = malloc(8);

	if (t) {
		*out = t;
		return 1;
	} else {
		return 0;
	}
}

int asks_ok(void)
{
	int *b;

	if (get_block(&b) == 0)
		return -1;
	b[0] = 0;
	free(b);
	return 0;
}

int asks_the_wrong_way_bad(void)
{
	int *b = NULL;

	if (get_block(&b) == 1) // LEAK(high) via 0 +1
		return 0;
	free(b);
	return -1;
}
