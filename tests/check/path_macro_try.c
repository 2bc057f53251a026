// A TRY() that returns the callee's code, with and without something in hand.
#include <stdlib.h>

#define TRY(expr) do { int e_ = (expr); if (e_) return e_; } while (0)
#define TRY_FREE(expr, p) do { int e_ = (expr); if (e_) { free(p); return e_; } } while (0)

int open_db(int n);
int begin(int n);

int query_ok(int n)
{
	char *row;

	TRY(open_db(n));
	row = malloc(100);
	if (!row)
		return -1;
	TRY_FREE(begin(n), row);
	free(row);
	return 0;
}

int query_bad(int n)
{
	char *row;

	TRY(open_db(n));
	row = malloc(100); // LEAK(conditional)
	if (!row)
		return -1;
	TRY(begin(n));
	free(row);
	return 0;
}
