// continue in a do loop goes to its condition.
// LEAKS: 5
// PATCH: ^\+.*free\(d\);
#include <stdio.h>
#include <stdlib.h>

static int digit_sum(int n)
{
	int sum = 0;

	do {
		int *d = malloc(sizeof *d);

		if (!d)
			abort();
		*d = n % 10;
		n /= 10;
		if (*d % 2 == 0)
			continue;
		sum += *d;
		free(d);
	} while (n > 0);
	return sum;
}

int main(void)
{
	printf("%d %d %d\n", digit_sum(12345), digit_sum(0), digit_sum(22));
	return 0;
}
