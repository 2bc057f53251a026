/*
 * bloat.c - half a megabyte of tables is made at the start and never looked at again.  No
 * leak, since it does not grow, but memory that the program could do without.
 *
 * BLOAT load_tables
 * FINE hot_start
 */
#include "leaks.h"

enum { TABLES = 500 };

char *tables[TABLES];		/* not static: a compiler drops a variable that nobody reads */

NOINLINE static void load_tables(void)
{
	for (int i = 0; i < TABLES; i++)
		tables[i] = memset(checked(malloc(1000)), i, 1000);
}

int main(int argc, char **argv)
{
	double end = work_until(argc, argv);
	unsigned sum = 0;

	load_tables();
	for (hot_start(); now() < end; end_round())
		for (int i = 0; i < 20; i++) {
			free(checked(malloc(64)));
			sum += hot_use();
		}
	hot_end();
	return sum == 0;
}
