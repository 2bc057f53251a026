/*
 * grown.c - an array that is grown by realloc for every job, and lost with the last one of
 * its size: the allocation that leaks is a realloc.
 *
 * LEAK job_run
 * FINE hot_start
 */
#include "leaks.h"

NOINLINE static int job_run(int steps)
{
	int *trace = NULL;

	for (int i = 0; i < steps; i++) {
		int *more = realloc(trace, (size_t)(i + 1) * 64);

		if (!more)
			break;
		trace = more;
		trace[i * 16] = i;
	}
	return trace ? trace[0] : -1;	/* and trace is lost */
}

int main(int argc, char **argv)
{
	double end = work_until(argc, argv);
	int sum = 0;

	for (hot_start(); now() < end; end_round())
		for (int i = 0; i < 10; i++)
			sum += job_run(4) + (int)(hot_use() & 1);
	hot_end();
	return sum < 0;
}
