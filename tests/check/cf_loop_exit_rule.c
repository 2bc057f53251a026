// Figure 8's rule: having been through a loop, leaving it costs no condition.
#include <stdlib.h>

void through_or_not_ok(int n)
{
	char *p = malloc(n);

	while (n-- > 0)
		p[n] = 0;
	free(p);
}

void two_loops_ok(int n)
{
	char *p = malloc(n);
	int i;

	for (i = 0; i < n; i++)
		p[i] = 0;
	for (i = 0; i < n; i++)
		p[i]++;
	free(p);
}

void condition_inside_ok(int n)
{
	char *p = malloc(n);
	int sum = 0;

	for (int i = 0; i < n; i++) {
		if (i % 2)
			sum += i;
		else
			p[i] = 0;
	}
	if (sum)
		p[0] = 1;
	free(p);
}

void freed_only_after_entering_bad(int n)
{
	char *p = malloc(8); // LEAK(conditional)
	int entered = 0;

	while (n-- > 0)
		entered = 1;
	if (entered)
		free(p);
}
