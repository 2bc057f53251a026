// Two units; the allocating function and its partner are in the other one.
// LEAKS: 2
// PATCH: ^\+\s*buffer_free\(b\);$
#include <stdio.h>
#include "buffer.h"

static int fill(int n)
{
	struct buffer *b = buffer_new(n);
	int got;

	if (!b)
		return -1;
	got = buffer_put(b, "hello");
	if (got < 5) {
		printf("short: %d\n", got);
		return got;
	}
	buffer_free(b);
	return got;
}

int main(void)
{
	printf("%d\n", fill(10));
	printf("%d\n", fill(3));
	return 0;
}
