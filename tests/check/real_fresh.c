/* a fresh object cannot equal an older pointer */
#include <stdlib.h>
static int **jobs;
static int slots;
void f(int n)
{
	int **nl = slots == n ? jobs : malloc(n * sizeof *nl);
	if (!nl)
		abort();
	nl[0] = NULL;
	slots = n;
	if (jobs != nl) {
		free(jobs);
		jobs = nl;
	}
}
