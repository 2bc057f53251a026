// Gao et al., II-C1: behind the test p is null, a free there would be useless.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digits_of(size_t n)
{
	char *p = malloc(n);
	int sum = 0;

	if (p != NULL) {
		memset(p, 3, 8);
		for (int i = 0; i < 8; i++)
			sum += p[i];
		free(p);
	}
	return sum;
}

int main(void)
{
	volatile size_t huge = (size_t)-1 / 4;

	printf("%d %d\n", digits_of(8), digits_of(huge));
	return 0;
}
