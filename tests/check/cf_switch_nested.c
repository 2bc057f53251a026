// A switch inside a switch, and a loop around a switch with its two breaks.
#include <stdlib.h>

int inner_break_bad(int a, int b)
{
	char *p = malloc(8); // LEAK(conditional)

	switch (a) {
	case 0:
		switch (b) {
		case 0:
			free(p);
			break;
		case 1:
			break;
		default:
			free(p);
			break;
		}
		break;
	default:
		free(p);
	}
	return a;
}

int inner_complete_ok(int a, int b)
{
	char *p = malloc(8);

	switch (a) {
	case 0:
		switch (b) {
		case 0:
			free(p);
			break;
		default:
			free(p);
			break;
		}
		break;
	default:
		free(p);
	}
	return a;
}

int loop_and_switch_bad(const char *s)
{
	int n = 0;

	for (; *s; s++) {
		char *tok = malloc(4); // LEAK(conditional)

		if (!tok)
			return -1;
		switch (*s) {
		case ' ':
			continue;	/* of the loop, not of the switch */
		case '\n':
			n++;
			break;
		}
		free(tok);
	}
	return n;
}
