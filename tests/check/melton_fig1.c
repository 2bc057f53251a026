// Xu and Zhang (QSIC 2008), Figure 1: one callee's result tells whether there is memory,
// the other's does not.  The paper's verdict: nothing is lost at L1, the block of the
// second call is lost at L2.
#include <assert.h>
#include <stdlib.h>

int chance(void);

int reserve_or_fail(int **out)
{
	int *block = malloc(2 * sizeof(*block));

	if (!block)
		return 0;
	*out = block;
	return 1;
}

int reserve_always(int **out)
{
	int *block = malloc(2 * sizeof(*block));

	if (!block)
		assert(0);
	*out = block;
	if (chance())
		return 0;
	return 1;
}

void use(void)
{
	int *block, first, second;

	first = reserve_or_fail(&block);
	if (!first)
		return;				/* L1 */
	block[0] = 1;
	free(block);

	second = reserve_always(&block); // LEAK(conditional,medium) via 0 +1 +2
	if (!second)
		return;				/* L2 */
	block[0] = 2;
	free(block);
}
