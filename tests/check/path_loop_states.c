// A loop that only sets its state to constants: states that no round sets are not there afterwards.
#include <stdlib.h>

enum { BEFORE, IN, AFTER };

int next(void);

int states_ok(void)
{
	int st = BEFORE, c;
	char *buf = NULL;

	while ((c = next()) > 0) {
		if (st == BEFORE) {
			buf = malloc(8);
			if (!buf)
				return -1;
			st = IN;
		} else {
			st = c == 'x' ? AFTER : IN;
		}
	}
	if (st != BEFORE)
		free(buf);
	return 0;
}

int states_bad(void)
{
	int st = BEFORE, c;
	char *buf = NULL;

	while ((c = next()) > 0) {
		if (st == BEFORE) {
			buf = malloc(8); // LEAK(conditional)
			if (!buf)
				return -1;
			st = IN;
		} else {
			st = c == 'x' ? AFTER : IN;
		}
	}
	if (st == AFTER)
		free(buf);
	return 0;
}
