// The pointer goes through copies; any of them may free.
#include <stdlib.h>

void last_copy_ok(void)
{
	int *a = malloc(sizeof(*a));
	int *b = a;
	int *c = b;

	free(c);
}

void never_bad(void)
{
	int *a = malloc(sizeof(*a)); // LEAK(never-freed)
	int *b = a;
	int *c = b;

	if (c)
		*c = 1;
}

void one_way_bad(int n)
{
	int *a = malloc(sizeof(*a)); // LEAK(conditional)
	int *b = NULL;

	if (n)
		b = a;
	free(b);
}

void both_ways_ok(int n)
{
	int *a = malloc(sizeof(*a));
	int *b;

	if (n)
		b = a;
	else
		b = a;
	free(b);
}

void original_overwritten_ok(void)
{
	int *a = malloc(sizeof(*a));
	int *b = a;

	a = NULL;
	free(b);
	free(a);
}

void self_copy_ok(int n)
{
	char *p = malloc(4);

	if (n)
		p = p;
	free(p);
}
