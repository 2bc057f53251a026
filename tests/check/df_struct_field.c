// The pointer lives in a field of a local struct.
#include <stdlib.h>

struct buf {
	char *data;
	size_t len;
};

void in_a_field_ok(void)
{
	struct buf b;

	b.data = malloc(64);
	b.len = 64;
	free(b.data);
}

void in_a_field_bad(void)
{
	struct buf b;

	b.data = malloc(64); // LEAK(never-freed)
	b.len = 64;
}

void one_way_bad(int n)
{
	struct buf b = {0};

	b.data = malloc(64); // LEAK(conditional)
	if (n > 3)
		return;
	free(b.data);
}

void tested_through_the_field_ok(void)
{
	struct buf b;

	b.data = malloc(64);
	if (!b.data)
		return;
	b.data[0] = 0;
	free(b.data);
}

void field_overwritten_bad(void)
{
	struct buf b;

	b.data = malloc(64); // LEAK
	b.data = malloc(128);
	free(b.data);
}

void other_field_bad(void)
{
	struct { char *a, *b; } two;

	two.a = malloc(8);
	two.b = malloc(8); // LEAK(never-freed)
	free(two.a);
}
