// RUN: plumb dump guards %s
// Loops are gone through once, and leaving one that was entered costs no condition.
#include <stdlib.h>

void after(int n)
{
	char *p = malloc(1);

	while (n-- > 0)
		*p = 0;
	free(p);
}

void inside(int n)
{
	char *p = malloc(1);

	while (n-- > 0)
		if (n == 5) {
			free(p);
			break;
		}
}
