// Every element is the same object, or belongs to somebody else: a loop of frees would free
// one twice, or what is still needed.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int same(int n)
{
	char *v[8], *one = strdup("one");
	int sum = 0;

	for (int i = 0; i < 8; i++)
		v[i] = one;
	for (int i = 0; i < n; i++)
		sum += v[i][0];
	free(v[0]);
	return sum;
}

static char *kept[8];

static int also_kept(void)
{
	char *v[8];
	int sum = 0;

	for (int i = 0; i < 8; i++) {
		v[i] = strdup("two");
		kept[i] = v[i];
	}
	for (int i = 0; i < 8; i++)
		sum += v[i][1];
	return sum;
}

int main(void)
{
	printf("%d\n", same(3));
	printf("%d\n", also_kept());
	for (int i = 0; i < 8; i++) {
		printf("%s\n", kept[i]);
		free(kept[i]);
	}
	return 0;
}
