// Allocated on some paths only, null on the others: a plain free does.
// LEAKS: 1
// ONCE: ^\+\s*free\(extra\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run(const char *opt)
{
	char *extra = NULL;
	int n = 1;

	if (opt)
		extra = strdup(opt);
	if (extra)
		n += (int)strlen(extra);
	printf("ran\n");
	return n;
}

int main(void)
{
	printf("%d\n", run(NULL));
	printf("%d\n", run("fast"));
	return 0;
}
