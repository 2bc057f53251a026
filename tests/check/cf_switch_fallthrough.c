// Cases that fall through into the one that frees.
#include <stdlib.h>

void falls_to_free_ok(int level)
{
	char *msg = malloc(32);

	switch (level) {
	case 3:
		msg[0] = '3';
		/* fall through */
	case 2:
		msg[1] = '2';
		/* fall through */
	default:
		free(msg);
	}
}

void break_before_free_bad(int level)
{
	char *msg = malloc(32); // LEAK(conditional)

	switch (level) {
	case 3:
		msg[0] = '3';
		break;
	case 2:
		msg[1] = '2';
		/* fall through */
	default:
		free(msg);
	}
}

void falls_over_free_ok(int level)
{
	char *msg = malloc(32);

	switch (level) {
	case 1:
		free(msg);
		msg = NULL;
		/* fall through */
	case 0:
		level++;
		break;
	}
	free(msg);
}
