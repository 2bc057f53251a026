// What is held when the program ends is not leaked.
#include <stdio.h>
#include <stdlib.h>

void exit_path_ok(int n)
{
	char *p = malloc(8);

	if (n < 0)
		exit(1);
	free(p);
}

void abort_path_ok(int n)
{
	char *p = malloc(8);

	if (n < 0) {
		fputs("bad\n", stderr);
		abort();
	}
	free(p);
}

void quick_ways_out_ok(int n)
{
	char *p = malloc(8);

	if (n == 1)
		_Exit(1);
	if (n == 2)
		quick_exit(2);
	free(p);
}

void only_exits_ok(void)
{
	char *p = malloc(8);

	p[0] = 0;
	exit(0);
}

void beside_exit_bad(int n)
{
	char *p = malloc(8); // LEAK(conditional)

	if (n < 0)
		exit(1);
	if (n == 0)
		return;
	free(p);
}
