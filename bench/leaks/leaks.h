/*
 * leaks.h - what the leak programs share.
 *
 * A program works for some seconds (its argument, 4 if there is none) in rounds of ten
 * milliseconds, by the clock and not by a number of rounds (but brief.c), so that a tool which makes it
 * slow changes how much it allocates and not how long it lives.  In each round it uses
 * its hot memory and does one thing besides.  The head of each program tells the truth
 * in lines that bench/watch.py reads:
 *
 *	LEAK function	memory allocated there is a leak: a good tool names the function
 *	BLOAT function	allocated at the start and never used again
 *	FINE function	memory allocated there is in use: a tool that reports it raises a false alarm
 */
#ifndef LEAKS_H
#define LEAKS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
#define HELPER __attribute__((unused)) static	/* not every program needs all of them */

HELPER double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* When to stop, in seconds of now(). */
HELPER double work_until(int argc, char **argv)
{
	return now() + (argc > 1 ? atof(argv[1]) : 4);
}

HELPER void end_round(void)
{
	struct timespec t = { 0, 10000000 };

	nanosleep(&t, NULL);
}

/* No wrapper of malloc: each tool shall see the function that is to be named call it. */
HELPER void *checked(void *p)
{
	if (!p)
		abort();
	return p;
}

/* Memory that every round uses, and that is freed at the end. */
enum { HOT = 200 };
static char *hot[HOT];

NOINLINE HELPER void hot_start(void)
{
	for (int i = 0; i < HOT; i++)
		hot[i] = memset(checked(malloc(100)), 1, 100);
}

HELPER unsigned hot_use(void)
{
	unsigned sum = 0;

	for (int i = 0; i < HOT; i++)
		sum += (unsigned char)hot[i][i % 100]++;
	return sum;
}

HELPER void hot_end(void)
{
	for (int i = 0; i < HOT; i++)
		free(hot[i]);
}

#endif
