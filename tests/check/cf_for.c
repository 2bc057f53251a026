// Allocation and free in and around a for loop.
#include <stdio.h>
#include <stdlib.h>

void each_round_ok(int n)
{
	for (int i = 0; i < n; i++) {
		char *p = malloc(16);

		if (!p)
			break;
		snprintf(p, 16, "%d", i);
		free(p);
	}
}

void each_round_bad(int n)
{
	for (int i = 0; i < n; i++) {
		char *p = malloc(16); // LEAK(never-freed)

		if (!p)
			break;
		snprintf(p, 16, "%d", i);
		puts(p);
	}
}

void only_the_last_bad(int n)
{
	char *p = NULL;

	for (int i = 0; i < n; i++)
		p = malloc(16); // LEAK
	free(p);
}

void free_inside_bad(int n)
{
	char *p = malloc(16); // LEAK(conditional)

	for (int i = 0; i < n; i++)
		if (i == 7) {
			free(p);
			return;
		}
}

void before_and_after_ok(int n)
{
	int *sum = calloc(1, sizeof(*sum));

	if (!sum)
		return;
	for (int i = 0; i < n; i++)
		*sum += i;
	printf("%d\n", *sum);
	free(sum);
}
