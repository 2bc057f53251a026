// The same with a callee that leaves something else there, and a variable that has no value where a jump gets.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char none[] = "none";

static int lookup(int n, char **out)
{
	if (n < 0)
		return 0;
	if (n == 0) {
		*out = none;
		return 2;
	}
	*out = strdup("some");
	return *out ? 1 : -1;
}

static int has(int n)
{
	char *v;
	int r = lookup(n, &v);

	if (r < 0)
		return -1;
	if (r == 2)
		puts(v);
	return r;
}

static int fill(int n, char **out)
{
	if (n > 5)
		return -1;
	*out = strdup("x");
	return *out ? 0 : -1;
}

static int jumped(int n)
{
	int r = -3;

	if (n < 0)
		goto out;
	{
		char *p;

		r = fill(n, &p);
		if (r < 0)
			return r;
		if (n == 1)
			return 1;
		free(p);
	}
out:
	return r;
}

int main(void)
{
	printf("%d %d %d\n", has(-1), has(0), has(1));
	printf("%d %d %d %d\n", jumped(-1), jumped(1), jumped(2), jumped(9));
	return 0;
}
