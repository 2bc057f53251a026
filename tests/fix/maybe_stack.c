// Past the paper: a small buffer on the stack, a large one on the heap.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int weight(const char *s)
{
	char small[8], *buf = small;
	size_t n = strlen(s);
	int sum = 0;

	if (n >= sizeof small) {
		buf = malloc(n + 1);
		if (!buf)
			return -1;
	}
	memcpy(buf, s, n + 1);
	for (size_t i = 0; i < n; i++)
		sum += buf[i] & 15;
	return sum;
}

int main(void)
{
	printf("%d %d %d\n", weight("abc"), weight("abcdefgh"), weight("a much longer one"));
	return 0;
}
