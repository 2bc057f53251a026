// A static variable of the function holds it for the next call.
// LEAKS: 0
// HELD: 1
#include <stdio.h>
#include <stdlib.h>

static int fact(int n)
{
	static int *cache;
	int *t;

	if (!cache) {
		t = malloc(13 * sizeof *t);
		if (!t)
			return -1;
		t[0] = 1;
		for (int i = 1; i < 13; i++)
			t[i] = t[i - 1] * i;
		cache = t;
	}
	return cache[n];
}

int main(void)
{
	printf("%d %d %d\n", fact(3), fact(12), fact(0));
	return 0;
}
