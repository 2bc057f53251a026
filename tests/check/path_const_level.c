// A debug level that is 1 for ever; tests above it are dead, those at it are not.
#include <stdio.h>
#include <stdlib.h>

static int debug_level = 1;

static char *label(int n)
{
	char *s = malloc(24);

	if (s)
		snprintf(s, 24, "step %d", n);
	return s;
}

static int step_ok(int n)
{
	char *s = label(n); // FP(conditional,vfg)

	if (!s)
		return -1;
	if (debug_level > 1) {
		puts(s);
		return 0;	/* never */
	}
	free(s);
	return 0;
}

static int step_bad(int n)
{
	char *s = label(n); // LEAK(conditional)

	if (!s)
		return -1;
	if (debug_level > 0) {
		puts(s);
		return 0;
	}
	free(s);
	return 0;
}

int main(void)
{
	int i, r = 0;

	for (i = 0; i < 10; i++)
		r |= step_ok(i) | step_bad(i);
	return r;
}
