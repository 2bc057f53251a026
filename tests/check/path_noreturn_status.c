// fail(0, ...) returns, fail(1, ...) does not.
#include <stdio.h>
#include <stdlib.h>

static void fail(int status, const char *msg)
{
	fputs(msg, stderr);
	if (status)
		exit(status);
}

int convert_ok(const char *s)
{
	char *t = malloc(10); // FP(conditional,vfg)

	if (!t)
		fail(2, "no memory\n");
	if (!s[0]) {
		fail(1, "empty\n");
		return -1;	/* never */
	}
	free(t);
	return 0;
}

int convert_bad(const char *s)
{
	char *t = malloc(10); // LEAK(conditional)

	if (!t)
		fail(2, "no memory\n");
	if (!s[0]) {
		fail(0, "empty\n");
		return -1;
	}
	free(t);
	return 0;
}
