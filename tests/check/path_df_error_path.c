// Freed where the error is seen, and again at the common label.
#include <stdlib.h>

int step(int n);

int run_ok(int n)
{
	char *p = malloc(10);
	int ret = -1;

	if (!p)
		goto out;
	if (step(n) < 0) {
		free(p);
		p = NULL;
		goto out;
	}
	ret = 0;
out:
	free(p);
	return ret;
}

int run_bad(int n)
{
	char *p = malloc(10);
	int ret = -1;

	if (!p)
		goto out;
	if (step(n) < 0) {
		free(p);
		goto out;
	}
	ret = 0;
out:
	free(p); // FN(vfg): DOUBLE-FREE(high) via -11 -8 -6 -5 0
	return ret;
}
