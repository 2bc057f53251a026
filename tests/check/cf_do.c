// do ... while runs at least once: what the body frees is freed.
#include <stdlib.h>

int more(void);

void freed_in_the_body_ok(void)
{
	char *p;

	do {
		p = malloc(16);
		p[0] = 0;
		free(p);
	} while (more());
}

void lost_on_the_way_round_bad(void)
{
	char *p;

	do {
		p = malloc(16); // LEAK(conditional)
	} while (more());
	free(p);
}

void do_while_zero_ok(int n)
{
	char *p = malloc(16);

	do {
		if (n < 0)
			break;
		p[0] = (char)n;
	} while (0);
	free(p);
}

void break_out_bad(int n)
{
	char *p = malloc(16); // LEAK(conditional)

	do {
		if (n < 0)
			break;
		free(p);
		return;
	} while (0);
}
