// Chains of else if: the branch without a free is easy to overlook.
#include <stdlib.h>
#include <stdio.h>

int classify_bad(int n)
{
	int *work = malloc(sizeof(int) * 16); // LEAK(conditional)

	if (!work)
		return -1;
	work[0] = n;
	if (n < 0) {
		free(work);
		return 0;
	} else if (n == 0) {
		return 1;	/* forgotten */
	} else if (n < 10) {
		free(work);
		return 2;
	}
	free(work);
	return 3;
}

int classify_ok(int n)
{
	int *work = malloc(sizeof(int) * 16);
	int kind;

	if (!work)
		return -1;
	if (n < 0)
		kind = 0;
	else if (n == 0)
		kind = 1;
	else if (n < 10)
		kind = 2;
	else
		kind = 3;
	printf("%d\n", work[0] = kind);
	free(work);
	return kind;
}

int last_else_missing_bad(int n)
{
	int *work = malloc(sizeof(int)); // LEAK(conditional)

	if (n == 1) {
		free(work);
	} else if (n == 2) {
		free(work);
	} else if (n == 3) {
		free(work);
	}
	return n;
}
