// Gao et al., II-C3: a caller reads the global: the procedure may not free what it has
// put there.  What it overwrites, it may.
// LEAKS: 2
// HELD: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *last_error;

static int parse(const char *s)
{
	if (*s >= '0' && *s <= '9')
		return *s - '0';
	last_error = malloc(32);
	snprintf(last_error, 32, "not a digit: %c", *s);
	return -1;
}

int main(void)
{
	static const char *const inputs[] = { "1", "x", "7", "y", "z", "3" };

	for (int i = 0; i < 6; i++) {
		int v = parse(inputs[i]);

		printf("%d %s\n", v, last_error ? last_error : "-");
	}
	return 0;
}
