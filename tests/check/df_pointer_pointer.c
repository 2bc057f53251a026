// Pointers to pointers.
#include <stdlib.h>

void by_address_ok(void)
{
	char *p = malloc(8);
	char **pp = &p;

	free(*pp);
}

void stored_through_ok(void)
{
	char *p;
	char **pp = &p;

	*pp = malloc(8);
	free(p);
}

void stored_through_bad(void)
{
	char *p;
	char **pp = &p;

	*pp = malloc(8); // LEAK(never-freed)
}

void three_levels_ok(void)
{
	char *p, **pp = &p, ***ppp = &pp;

	**ppp = malloc(8);
	free(*pp);
}

static void free_and_null(char **p)
{
	free(*p);
	*p = NULL;
}

void freed_by_helper_ok(void)
{
	char *p = malloc(8);

	free_and_null(&p);
	free_and_null(&p);
}

void one_of_two_targets_bad(int n)
{
	char *a = NULL, *b = NULL;
	char **pp = n ? &a : &b;

	*pp = malloc(8); // FN(vfg,all): LEAK(conditional)
	free(a);
}

void one_of_two_targets_ok(int n)
{
	char *a = NULL, *b = NULL;
	char **pp = n ? &a : &b;

	*pp = malloc(8);
	free(a);
	free(b);
}
