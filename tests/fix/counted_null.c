// An unsigned number that only counts up is 0 as long as nothing was made: nothing is freed where it is.
// LEAKS: 1
// ONCE: ^\+.*free\(p\);
// NEVER: ^\+.*n == 0
#include <stdio.h>
#include <stdlib.h>

static int collect(const char *s, char stop)
{
	char *p = NULL, *t;
	unsigned n = 0;
	int sum = 0;

	for (; *s != 0; s++) {
		if (*s == stop)
			return -3;
		t = realloc(p, n + 1);
		if (!t) {
			free(p);
			return -1;
		}
		p = t;
		p[n] = *s;
		n++;
	}
	if (n == 0)
		return -2;
	for (unsigned i = 0; i < n; i++)
		sum += p[i] - 'a';
	free(p);
	return sum;
}

int main(void)
{
	printf("%d %d %d %d\n", collect("", 'x'), collect("abc", 'x'), collect("axc", 'x'), collect("xbc", 'x'));
	return 0;
}
