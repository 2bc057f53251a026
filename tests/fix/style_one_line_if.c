// A line with more on it stays one line, and a switch on one line gets its default there.
// LEAKS: 5
// PATCH: ^\+.*\{ if \(n == 3\) \{ free\(p\); return 3; \} n--; \}
// PATCH: ^\+.*case 2: free\(p\); break; default: free\(p\); break; \}
#include <stdio.h>
#include <stdlib.h>

static int loop(int n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	while (n > 0) { if (n == 3) return 3; n--; }
	free(p);
	return n;
}

static int cases(int n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	switch (n) { case 1: free(p); return 1; case 2: free(p); }
	return 2;
}

int main(void)
{
	for (int n = 0; n < 5; n++)
		printf("%d %d\n", loop(n), cases(n));
	return 0;
}
