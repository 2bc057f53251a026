// RUN: plumb dump vfg %s
// [V-CHI]: the stored value flows to the new version.  Line 12 is a strong update, so the object of line 11
// goes nowhere else; line 14 is a weak one, so the object of line 12 goes on to the version of line 14 too.
#include <stdlib.h>

void store(int n)
{
	char *x, *y = NULL;
	char **p = &x, **w = n ? &x : &y;

	*p = malloc(1);
	*p = malloc(2);
	free(y);
	*w = malloc(3);
	free(x);
	free(y);
}
