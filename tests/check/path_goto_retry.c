// A jump backwards with something in hand.
#include <stdlib.h>

int try_lock(int n);

int acquire_ok(int n)
{
	char *ticket;
	int tries = 0;

again:
	ticket = malloc(8);
	if (!ticket)
		return -1;
	if (try_lock(n) != 0 && tries++ < 3) {
		free(ticket);
		goto again;
	}
	free(ticket);
	return tries;
}

int acquire_bad(int n)
{
	char *ticket;
	int tries = 0;

again:
	ticket = malloc(8); // LEAK
	if (!ticket)
		return -1;
	if (try_lock(n) != 0 && tries++ < 3)
		goto again;
	free(ticket);
	return tries;
}
