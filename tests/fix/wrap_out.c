// The program's own function with an out-parameter and a status.
// LEAKS: 1
// ONCE: ^\+\s*free\(hex\);$
#include <stdio.h>
#include <stdlib.h>

static int to_hex(unsigned n, char **out)
{
	char *s;

	if (n > 0xffff)
		return -1;
	s = malloc(5);
	if (!s)
		return -1;
	snprintf(s, 5, "%04x", n & 0xffff);
	*out = s;
	return 0;
}

static int show(unsigned n, int brief)
{
	char *hex;

	if (to_hex(n, &hex) < 0)
		return -1;
	if (brief) {
		putchar(hex[3]);
		putchar('\n');
		return 1;
	}
	puts(hex);
	free(hex);
	return 4;
}

int main(void)
{
	printf("%d\n", show(255, 0));
	printf("%d\n", show(254, 1));
	printf("%d\n", show(70000, 0));
	return 0;
}
