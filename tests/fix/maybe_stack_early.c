// Past the paper: as before, freed at the end with a test, forgotten at an early return.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int weight(const char *s)
{
	char small[8], *buf = small;
	size_t n = strlen(s);
	int sum = 0;

	if (n >= sizeof small && !(buf = malloc(n + 1)))
		return -1;
	memcpy(buf, s, n + 1);
	if (buf[0] == '#') {
		printf("comment\n");
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		sum += buf[i] & 15;
	if (buf != small)
		free(buf);
	return sum;
}

int main(void)
{
	printf("%d\n", weight("abc"));
	printf("%d\n", weight("#bc"));
	printf("%d\n", weight("#bcdefgh"));
	printf("%d\n", weight("a much longer one"));
	return 0;
}
