// What an unknown function writes through a pointer is not ours to judge.
#include <stdlib.h>

int fetch(char **out);
void *make_thing(void);
void drop_thing(void *t);

int fetched_ok(void)
{
	char *p = NULL;

	if (fetch(&p) < 0)
		return -1;
	return p ? p[0] : 0;
}

int thing_ok(void)
{
	void *t = make_thing();

	if (!t)
		return -1;
	drop_thing(t);
	return 0;
}

/* The address of the variable was given away: it may be freed or replaced. */
int address_given_ok(void)
{
	char *p = malloc(8);

	fetch(&p);
	return 0;
}

int own_before_bad(int n)
{
	char *p = malloc(8); // FN(vfg): LEAK(conditional)

	if (n < 0)
		return -1;
	return fetch(&p);
}
