// Several names for one object, or one name for several.
#include <stdlib.h>

struct pair { char *x, *y; };

void two_fields_one_object_ok(void)
{
	struct pair p;

	p.x = malloc(8);
	p.y = p.x;
	free(p.y);
}

void second_name_frees_ok(int n)
{
	char *a = malloc(8);
	char *b = a;

	if (n)
		free(a);
	else
		free(b);
}

void one_name_for_two_bad(int n)
{
	char *a = malloc(8); // LEAK(conditional)
	char *b = malloc(8); // LEAK(conditional)
	char *c;

	if (n)
		c = a;
	else
		c = b;
	free(c);
}

void array_alias_ok(void)
{
	char *v[2];
	char *first;

	v[0] = malloc(8);
	v[1] = NULL;
	first = v[0];
	free(first);
}

void freed_by_alias_only_if_equal_bad(char *given)
{
	char *p = malloc(8); // LEAK(conditional)

	if (given == p)
		free(p);
}
