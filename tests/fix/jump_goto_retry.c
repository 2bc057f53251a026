// A goto backwards: the object of the last try is lost.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>

static int tries;

static int attempt(int *slot)
{
	*slot = ++tries * 7;
	return *slot % 5 == 1;
}

static int until_lucky(void)
{
	int *slot, v;

again:
	slot = malloc(sizeof *slot);
	if (!slot)
		return -1;
	if (!attempt(slot))
		goto again;
	v = *slot;
	free(slot);
	return v;
}

int main(void)
{
	printf("%d\n", until_lucky());
	tries = 1;
	printf("%d\n", until_lucky());
	return 0;
}
