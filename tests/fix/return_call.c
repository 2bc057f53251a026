// The returned expression is a call that gets the object.
// LEAKS: 2
// PATCH: ^\+.*free\(buf\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int score(const char *s, int base)
{
	int n = base;

	for (; *s; s++)
		n = 3 * n + *s % 7;
	return n;
}

static int score_of(int i)
{
	char *buf = malloc(20);

	if (!buf)
		return 0;
	snprintf(buf, 20, "item-%d", i);
	return score(buf, i);
}

int main(void)
{
	printf("%d %d\n", score_of(1), score_of(42));
	return 0;
}
