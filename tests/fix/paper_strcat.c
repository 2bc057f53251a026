// Gao et al., VI: a library function that returns its argument is no new object.
// LEAKS: 1
// ONCE: ^\+\s*free\((buf|str)\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int greet(const char *who)
{
	char *buf = malloc(64);
	char *str;

	if (!buf)
		return -1;
	strcpy(buf, "hello, ");
	str = strcat(buf, who);
	return printf("%s\n", str);
}

int main(void)
{
	return greet("world") != 13;
}
