// A whole program with a flag that nothing ever changes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tracing;		/* never set */
static int keep_going;		/* set by -k */

static int compile_ok(const char *src)
{
	char *obj = strdup(src); // FP(conditional,vfg)
	int n;

	if (!obj)
		return -1;
	if (tracing)
		return 0;	/* never */
	n = (int)strlen(obj);
	free(obj);
	return n;
}

static int compile_bad(const char *src)
{
	char *obj = strdup(src); // LEAK(conditional,high) via 0 +5 +6
	int n;

	if (!obj)
		return -1;
	if (keep_going)
		return 0;
	n = (int)strlen(obj);
	free(obj);
	return n;
}

int main(int argc, char **argv)
{
	int i, n = 0;

	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-k") == 0)
			keep_going = 1;
		else
			n += compile_ok(argv[i]) + compile_bad(argv[i]);
	}
	printf("%d\n", n);
	return 0;
}
