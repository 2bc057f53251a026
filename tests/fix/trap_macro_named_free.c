// free is a macro here, and memory is counted.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long balance;

static void *counted_malloc(size_t n)
{
	balance++;
	return malloc(n);
}

static void counted_free(void *p)
{
	balance -= p != NULL;
	free(p);
}

#define malloc(n) counted_malloc(n)
#define free(p) counted_free(p)

static int f(int n)
{
	int *p = malloc(n * sizeof *p);

	if (!p)
		return -1;
	p[0] = n;
	if (p[0] > 5)
		return 5;
	free(p);
	return n;
}

int main(void)
{
	printf("%d %d\n", f(3), f(9));
	return balance < 0;
}
