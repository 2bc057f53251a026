// The new table is built first and put in place when it is complete.
#include <stdlib.h>

static int *table;
static int table_size;

int scan(int i);

int rebuild_ok(int n)
{
	int *fresh = calloc(n, sizeof(*fresh)), *old, i;

	if (!fresh)
		return -1;
	for (i = 0; i < n; i++) {
		fresh[i] = scan(i);
		if (fresh[i] < 0) {
			free(fresh);
			return -1;
		}
	}
	old = table;
	table = fresh;
	table_size = n;
	free(old);
	return 0;
}

int rebuild_bad(int n)
{
	int *fresh = calloc(n, sizeof(*fresh)), i; // LEAK(conditional)

	if (!fresh)
		return -1;
	for (i = 0; i < n; i++) {
		fresh[i] = scan(i);
		if (fresh[i] < 0)
			return -1;
	}
	free(table);
	table = fresh;
	table_size = n;
	return 0;
}

int sum(void)
{
	int i, s = 0;

	for (i = 0; i < table_size; i++)
		s += table[i];
	return s;
}
