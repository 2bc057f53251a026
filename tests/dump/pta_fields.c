// RUN: plumb dump pta %s
// Fields are told apart by their offset, also in nested structures and through pointers to fields.
#include <stdlib.h>

struct in { long n; char *s; };
struct out { char *a; struct in in; };

void fields(void)
{
	struct out o;
	struct in *i = &o.in;
	char **a = &o.a;

	*a = malloc(1);
	i->s = malloc(2);
	free(o.a);
	free(o.in.s);
}
