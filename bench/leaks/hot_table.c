/*
 * hot_table.c - no leak: a table that grows as long as the program runs, and whose entries are
 * all looked at again and again.  It is not freed at the end, as is usual.
 *
 * FINE table_add
 * FINE hot_start
 */
#include "leaks.h"

enum { MOST = 200000 };

static char *table[MOST];
static int used;

NOINLINE static void table_add(int n)
{
	char *entry = checked(malloc(120));

	snprintf(entry, 120, "entry %d", n);
	table[used++] = entry;
}

int main(int argc, char **argv)
{
	double end = work_until(argc, argv);
	unsigned sum = 0;

	for (hot_start(); now() < end && used < MOST; end_round()) {
		for (int i = 0; i < 10; i++)
			table_add(used);
		for (int i = 0; i < used; i++)
			sum += (unsigned char)table[i][6];
		sum += hot_use();
	}
	hot_end();
	return sum == 0;
}
