// Gao et al., II-C2: p is used by a procedure that is called by the one it is passed to.
// LEAKS: 1
// ONCE: ^\+\s*free\(v\);$
#include <stdio.h>
#include <stdlib.h>

static int sum_of(const int *v, int n)
{
	int s = 0;

	while (n-- > 0)
		s += v[n];
	return s;
}

static int mean_of(const int *v, int n)
{
	return sum_of(v, n) / n;
}

static int mean_of_squares(int n)
{
	int *v = calloc(n + 1, sizeof *v);
	int m;

	if (!v)
		return -1;
	for (int i = 0; i < n; i++)
		v[i] = i * i;
	m = mean_of(v, n);
	printf("over %d\n", n);
	return m;
}

int main(void)
{
	printf("%d\n", mean_of_squares(7));
	return 0;
}
