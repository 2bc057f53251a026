// Xu and Zhang (QSIC 2008), Figure 6: memory for a global is allocated only while there
// is none, so that a second call loses nothing.
#include <stdlib.h>

static int *table;

static void table_need(void)
{
	if (!table)
		table = malloc(8 * sizeof(*table));
}

int lookup_ok(int i)
{
	table_need();
	table_need();
	return table ? table[i & 7] : 0;
}

static int *scratch;

static void scratch_need(int n)
{
	if (n)
		scratch = malloc(8 * sizeof(*scratch)); // LEAK@scratch
}

int lookup_bad(int i)
{
	scratch_need(i); // LEAK@scratch
	scratch_need(i); // LEAK@scratch
	return scratch ? scratch[i & 7] : 0;
}
