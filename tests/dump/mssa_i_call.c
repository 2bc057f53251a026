// RUN: plumb dump mssa %s
// [I-CALL]: a call does what its callees do.  middle() only calls, and has load()'s ref and put()'s mod;
// through the pointer it may call either.
#include <stdlib.h>

static void load(char **q)
{
	free(*q);
}

static void put(char **q)
{
	*q = malloc(1);
}

static void middle(char **q)
{
	put(q);
	load(q);
}

static void either(char **q, int n)
{
	void (*f)(char **) = n ? load : put;

	f(q);
}

void user(int n)
{
	char *x = NULL;

	middle(&x);
	either(&x, n);
}
