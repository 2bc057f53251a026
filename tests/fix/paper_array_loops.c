// Gao et al., VI: one loop allocates a set of objects, no other one releases them.
// LEAKS: 12
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int total(int n)
{
	char **lines = malloc(n * sizeof *lines);
	int sum = 0;

	if (!lines)
		return -1;
	for (int i = 0; i < n; i++) {
		lines[i] = malloc(16);
		snprintf(lines[i], 16, "line %d", i * i);
	}
	for (int i = 0; i < n; i++)
		sum += (int)strlen(lines[i]);
	free(lines);
	return sum;
}

int main(void)
{
	printf("%d %d\n", total(5), total(7));
	return 0;
}
