// Past the paper: the array itself is on the stack.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int total(const char *s)
{
	char *part[3];
	int n = 0;

	for (int i = 0; i < 3; i++)
		part[i] = strndup(s, i + 1);
	for (int i = 0; i < 3; i++)
		n += (int)strlen(part[i]);
	return n;
}

int main(void)
{
	printf("%d\n", total("abcdef"));
	return 0;
}
