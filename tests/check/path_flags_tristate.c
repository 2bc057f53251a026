// -1 unknown, 0 no, 1 yes: two tests of the three values.
#include <stdlib.h>

int ask(void);

int answer_ok(void)
{
	int state = ask();
	char *memo = NULL;

	if (state < -1 || state > 1)
		return -1;
	if (state != 0) {
		memo = malloc(10);
		if (!memo)
			return -1;
	}
	if (state == -1)
		free(memo);
	else if (state == 1)
		free(memo);
	return state;
}

int answer_bad(void)
{
	int state = ask();
	char *memo = NULL;

	if (state < -1 || state > 1)
		return -1;
	if (state != 0) {
		memo = malloc(10); // LEAK(conditional)
		if (!memo)
			return -1;
	}
	if (state == 1)
		free(memo);
	return state;
}
