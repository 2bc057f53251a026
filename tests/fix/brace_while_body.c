// LEAKS: 5
#include <stdio.h>
#include <stdlib.h>

static int *next_number(int *state)
{
	int *n;

	*state = (*state * 13 + 7) % 32;
	n = malloc(sizeof *n);
	if (n)
		*n = *state;
	return n;
}

static int steps_to(int goal)
{
	int state = 1, steps = 0;
	int *n;

	while ((n = next_number(&state)) != NULL && *n != goal)
		steps++;
	return steps;
}

int main(void)
{
	printf("%d %d\n", steps_to(20), steps_to(5));
	return 0;
}
