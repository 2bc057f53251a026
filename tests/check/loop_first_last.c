// One iteration in many: the first, the last, every second.
#include <stdlib.h>
#include <string.h>

int every_second_bad(int n)
{
	for (int i = 0; i < n; i++) {
		char *p = malloc(8); // LEAK(conditional)

		if (i % 2)
			free(p);
	}
	return 0;
}

int one_for_all_ok(int n)
{
	char *p = malloc(8);

	for (int i = 0; i < n; i++)
		p[i % 8] = (char)i;
	free(p);
	return 0;
}

int freed_in_last_round_bad(int n)
{
	char *p = malloc(8); // LEAK(conditional)

	for (int i = 0; i < n; i++)
		if (i == n - 1)
			free(p);	/* not if n is 0 */
	return 0;
}

int do_once_ok(int n)
{
	char *p = malloc(8);
	int done = 0;

	while (!done) {
		free(p);
		done = 1;
	}
	return n;
}
