#include <stdlib.h>

void helper(int n)
{
	char *p = malloc(8); // LEAK(conditional)

	if (n > 3)
		return;
	free(p);
}
