// LEAKS: 2
// PATCH: ^\+.*free\(p\);
#include <stdio.h>
#include <stdlib.h>

static int grade(int points)
{
	int *p = malloc(sizeof *p);

	if (!p)
		abort();
	*p = points;
	if (*p > 90)
		free(p);
	else if (*p > 50)
		return 2;
	else if (*p > 10)
		free(p);
	else
		return 4;
	return 0;
}

int main(void)
{
	printf("%d %d %d %d\n", grade(95), grade(60), grade(20), grade(5));
	return 0;
}
