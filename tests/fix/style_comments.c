// Comments before, behind and inside of the statement stay where they are.
// LEAKS: 2
// PATCH: ^\+.*free\(p\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(const char *s)
{
	char *p = strdup(s);	/* a copy; ours */

	/* nothing to do? { */
	if (!*p)
		return 0;	// not even a character }
	/*
	 * One character: return 1 ;
	 */
	if (p[1] == 0 /* only one */ ) return /* it is */ 1 /* ) */ ; // done
	free(p);	/* "free" */
	return 2;
}

int main(void)
{
	printf("%d%d%d\n", f(""), f("a"), f("ab"));
	return 0;
}
