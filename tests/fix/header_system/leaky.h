#include <stdlib.h>
#include <string.h>

static inline int leaky_length(const char *t)
{
	char *s = strdup(t);
	int n = (int)strlen(s);

	if (n == 0)
		return -1;
	free(s);
	return n;
}
