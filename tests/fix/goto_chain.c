// Labels in reverse order of the allocations; one goto goes a label too far.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail_at;

static void *try_malloc(size_t n)
{
	if (fail_at > 0 && --fail_at == 0)
		return NULL;
	return malloc(n);
}

static int setup(int fail)
{
	int *a, *b, *c;
	int ret = -1;

	fail_at = fail;
	a = try_malloc(sizeof *a);
	if (!a)
		goto done;
	b = try_malloc(sizeof *b);
	if (!b)
		goto free_a;
	c = try_malloc(sizeof *c);
	if (!c)
		goto free_a;
	*a = 1;
	*b = 2;
	*c = 3;
	ret = *a + *b + *c;
	free(c);
	free(b);
free_a:
	free(a);
done:
	return ret;
}

int main(void)
{
	for (int fail = 0; fail < 4; fail++)
		printf("%d\n", setup(fail));
	return 0;
}
