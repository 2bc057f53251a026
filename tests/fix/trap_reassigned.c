// The variable means another object by the time of the return.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char fixed[16];

static int f(const char *s)
{
	char *p = strdup(s);
	int n = (int)strlen(p);

	p = fixed;
	snprintf(p, sizeof fixed, "%d", n);
	puts(p);
	return n;
}

int main(void)
{
	int n = f("abc") + f("");

	printf("%d\n", n);
	return 0;
}
