// Past the paper: an array filled by a loop, lost with its elements at one return.
// LEAKS: 5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int process(int n, int quit)
{
	char **v = calloc(n, sizeof *v);
	int sum = 0;

	if (!v)
		return -1;
	for (int i = 0; i < n; i++) {
		v[i] = malloc(8);
		snprintf(v[i], 8, "%c", 'a' + i % 26);
	}
	if (quit) {
		printf("quit\n");
		return -2;
	}
	for (int i = 0; i < n; i++)
		sum += v[i][0];
	for (int i = 0; i < n; i++)
		free(v[i]);
	free(v);
	return sum;
}

int main(void)
{
	printf("%d\n", process(3, 0));
	printf("%d\n", process(4, 1));
	return 0;
}
