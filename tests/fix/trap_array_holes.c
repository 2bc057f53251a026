// Only some elements of the array are ever set, and some were handed on: no loop may run over
// all of them.
// LEAKS: 3
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *first;

static int odd(int n)
{
	char *v[8];
	int sum = 0;

	for (int i = 0; i < n; i++)
		if (i % 2)
			v[i] = strdup("odd");
	for (int i = 0; i < n; i++)
		if (i % 2)
			sum += v[i][0];
	return sum;
}

static int hand_on(void)
{
	char *v[2];
	int r;

	for (int i = 0; i < 2; i++)
		v[i] = strdup("on");
	first = v[0];
	r = v[1][0];
	return r;
}

int main(void)
{
	printf("%d\n", odd(5));
	printf("%d\n", hand_on());
	puts(first);
	free(first);
	return 0;
}
