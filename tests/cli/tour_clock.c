/*
 * tour_clock.c - for tour.sh: half a second of the library's clock is a hundred requests.
 *
 * Preloaded into examples/tally, together with libplumb.so.  How much of the memory is stale,
 * and so what plumb watch says, then depends on what the server was asked, not on how busy
 * the machine is (tests/runtime/step.inc).
 */
#include "step.inc"

#include <stdio.h>

__attribute__((visibility("default"))) char *fgets(char *line, int n, FILE *f)
{
	static char *(*real)(char *, int, FILE *);
	static unsigned asked;

	if (!real)
		real = (char *(*)(char *, int, FILE *))dlsym(RTLD_NEXT, "fgets");
	if (++asked % 100 == 0)
		step(500);
	return real(line, n, f);
}
