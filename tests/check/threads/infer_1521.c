// facebook/infer 1521: allocated and freed under the same comparison of two parameters.
#include <stdlib.h>

int same_test_ok(int a, int b)
{
	char *p = NULL;

	if (a > b)
		p = malloc(100);
	if (a > b)
		free(p);
	return 0;
}

int other_test_bad(int a, int b)
{
	char *p = NULL;

	if (a > b)
		p = malloc(100); // LEAK(conditional)
	b++;
	if (a > b)
		free(p);
	return 0;
}

int turned_test_ok(int a, int b)
{
	char *p = NULL;

	if (a > b)
		p = malloc(100);
	if (!(b >= a))
		free(p);
	return 0;
}
