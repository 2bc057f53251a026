// RUN: plumb dump summaries %s
// Xu and Zhang (QSIC 2008), Table 1: what is inferred for the functions of Figure 1,
// MallocArg with the result 1, MallocArg with an unknown result, None.  Unlike the paper
// we keep the case in which malloc() fails.
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

	second = reserve_always(&block);
	if (!second)
		return;				/* L2 */
	block[0] = 2;
	free(block);
}
