// The earliest place that all ways pass is within `for (i = 0; ...)`, where no statement can be: a later one is taken.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count(const char *s, int n)
{
	char *p = strdup(s);
	int i, k;

	if (!p)
		return -1;
	if (n & 1)
		k = (int)strlen(p);
	else
		k = p[0];
	for (i = 0; i < n; i++)
		k += i;
	printf("%d\n", k);
	return k;
}

int main(void)
{
	return count("one", 2) + count("two", 3) < 0;
}
