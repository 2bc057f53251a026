/* the function returns its argument: nothing differs from it */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
static int use(const char *s) { return s ? puts(s) : 0; }
static char *same(char *s) { return s; }
static char *hook(char *n) { char *c = same(n); if (c != n) c = strdup(c); return c; }
int f(char *n)
{
	char *c = hook(n);
	return use(c);
}
