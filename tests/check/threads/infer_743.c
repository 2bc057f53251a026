// facebook/infer 743: memory held by a struct that is returned by value.
#include <stdlib.h>

struct series {
	int n;
	double *at;
};

static struct series series_make(int n)
{
	double *at = calloc(n, sizeof(*at));
	struct series s = { n, at };

	return s;
}

int series_ok(int n)
{
	struct series s = series_make(n);

	if (!s.at)
		return -1;
	n = s.at[0] > 1;
	free(s.at);
	return n;
}

static struct series series_make_bad(int n)
{
	double *at = calloc(n, sizeof(*at)); // LEAK@series
	struct series s = { n, at };

	return s;
}

int series_bad(int n)
{
	struct series s = series_make_bad(n); // LEAK@series

	return s.n;
}

// Passed on by value to somebody who frees it.
static void series_drop(struct series s)
{
	free(s.at);
}

void series_passed_ok(int n)
{
	series_drop(series_make(n));
}
