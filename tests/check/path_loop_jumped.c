// A loop that a goto enters in the middle, with a status that says whether there is a buffer.
#include <stdlib.h>

static int tries;

int attempt(int n);

int entered_ok(int resume)
{
	int st = 0;
	char *buf = NULL;

	if (resume)
		goto middle;
again:
	if (++tries > 3)
		return -1;
middle:
	if (!attempt(tries))
		goto again;
	if (attempt(0)) {
		buf = malloc(8);
		if (!buf)
			return -1;
		st = 1;
	}
	if (st)
		free(buf);
	return 0;
}

int entered_bad(int resume)
{
	int st = 0;
	char *buf = NULL;

	if (resume)
		goto middle;
again:
	if (++tries > 3)
		return -1;
middle:
	if (!attempt(tries))
		goto again;
	if (attempt(0)) {
		buf = malloc(8); // LEAK(conditional)
		if (!buf)
			return -1;
		st = attempt(1);
	}
	if (st)
		free(buf);
	return 0;
}
