// RUN: plumb dump vfg %s
// Sinks other than free: a global, unknown code, the caller of an entry, a library function that keeps.
#include <stdlib.h>

char *global;
void unknown(char *p);

char *sinks(int n)
{
	char *a = malloc(1), *b = malloc(2), *c = malloc(3), *d = malloc(4);

	global = a;
	unknown(b);
	putenv(c);
	return d;
}
