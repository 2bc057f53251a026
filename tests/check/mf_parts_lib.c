#include <stdio.h>
#include <stdlib.h>

char *lib_name(int n)
{
	char *s = malloc(16);

	if (s)
		snprintf(s, 16, "%d", n);
	return s;
}

void lib_drop(char *s)
{
	free(s);
}
