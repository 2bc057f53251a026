// Two parameters that must agree: checked at the top, relied upon below.
#include <stdlib.h>

int work(int n);

int process_ok(int compress, int level)
{
	char *dict = NULL;
	int r;

	if (compress != (level > 0))
		return -1;
	if (compress) {
		dict = malloc(256); // FP(conditional,vfg)
		if (!dict)
			return -1;
	}
	r = work(level);
	if (level > 0)
		free(dict);
	return r;
}

int process_bad(int compress, int level)
{
	char *dict = NULL;
	int r;

	if (compress) {
		dict = malloc(256); // LEAK(conditional)
		if (!dict)
			return -1;
	}
	r = work(level);
	if (level > 0)
		free(dict);
	return r;
}
