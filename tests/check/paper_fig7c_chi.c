// Figure 7, [V-CHI]: p points to one concrete place, so the second store is a strong update.
#include <stdlib.h>

void strong_bad(void)
{
	char *x;
	char **p = &x;

	*p = malloc(1); // LEAK
	*p = malloc(2);
	free(x);
}

void weak_bad(int n)
{
	char *x = NULL, *y = NULL;
	char **p = n ? &x : &y;

	x = malloc(1); // FN(path): LEAK(conditional) // FP(overwritten,path)
	*p = malloc(2);
	free(x);
	free(y);
}

void strong_ok(void)
{
	char *x;
	char **p = &x;

	*p = malloc(1);
	free(x);
	*p = malloc(2);
	free(x);
}
