// RUN: plumb dump pta %s
// Table 3, Store and Load: *p = q fills the cells that p points to, r = *p takes out what they hold.
// p may be x or y, so both cells get the object; z is not touched.
#include <stdlib.h>

void load_store(int n)
{
	char *x = NULL, *y = NULL, *z = NULL;
	char **p = n ? &x : &y, **other = &z;

	*p = malloc(1);
	*other = malloc(2);
	free(*p);
	free(*other);
}
