// A macro only in the condition of the if, its body is text.
// LEAKS: 1
// ONCE: ^\+.*free\(p\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREQ(a, b) (strcmp((a), (b)) == 0)
#define FAILED (-1)

static int f(const char *s)
{
	char *p = strdup(s);

	if (STREQ(p, "stop")) {
		puts("stopped");
		return FAILED;
	}
	free(p);
	return 0;
}

int main(void)
{
	printf("%d\n", f("stop"));
	printf("%d\n", f("go"));
	return 0;
}
