#include <stdio.h>
#include <stdlib.h>

char *make_name(int i)
{
	char *s = malloc(24);

	if (!s)
		abort();
	snprintf(s, 24, "name%d", i);
	return s;
}
