// Figure 8: a loop that is left from within and at its head; together the two frees cover all.
#include <stdlib.h>

int c1(void);
int c2(void);

void both_exits_ok(void)
{
	char *v = malloc(1);

	while (c1()) {
		if (c2()) {
			free(v);
			return;
		}
	}
	free(v);
}

void inner_exit_only_bad(void)
{
	char *v = malloc(1); // LEAK(conditional,high) via 0 +2

	while (c1()) {
		if (c2()) {
			free(v);
			return;
		}
	}
}

void head_exit_only_bad(void)
{
	char *v = malloc(1); // LEAK(conditional,high) via 0 +3 +4

	while (c1()) {
		if (c2())
			return;
	}
	free(v);
}
