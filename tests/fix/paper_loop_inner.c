// Gao et al., II-C5: two loops, each with an allocation of its own.
// LEAKS: 8
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int pairs(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		int *a = malloc(sizeof *a);

		if (!a)
			return -1;
		*a = i;
		for (int j = 0; j < n; j++) {
			int *b = malloc(sizeof *b);

			if (!b) {
				free(a);
				return -1;
			}
			*b = *a * j;
			if (*b % 2) {
				sum += *b;
				continue;
			}
			sum -= *b;
			free(b);
		}
		if (i % 2 == 0)
			free(a);
	}
	return sum;
}

int main(void)
{
	printf("%d\n", pairs(3));
	printf("%d\n", pairs(5));
	return 0;
}
