// Tests of the pointer itself: malloc is taken to succeed, so only one way is left.
#include <stdlib.h>

int bang_ok(void)
{
	char *p = malloc(4);

	if (!p)
		return -1;
	free(p);
	return 0;
}

int equal_null_ok(void)
{
	char *p;

	if ((p = malloc(4)) == NULL)
		return -1;
	free(p);
	return 0;
}

int not_null_ok(void)
{
	char *p = malloc(4);

	if (p != NULL) {
		p[0] = 1;
		free(p);
	}
	return 0;
}

int inverted_test_bad(void)
{
	char *p = malloc(4); // LEAK(conditional)

	if (p)
		return 0;	/* they meant !p */
	free(p);
	return 1;
}

int through_a_copy_ok(void)
{
	char *p = malloc(4);
	char *q = p;
	int failed = q == NULL;

	if (failed)
		return -1;
	free(p);
	return 0;
}

int constant_on_the_left_ok(void)
{
	char *p = malloc(4);

	if (0 == p)
		return -1;
	free(p);
	return 0;
}

int as_truth_value_ok(void)
{
	char *p = malloc(4);
	int have = p ? 1 : 0;

	if (!have)
		return -1;
	free(p);
	return 0;
}
