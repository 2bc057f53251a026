#include <stdlib.h>
#include <string.h>

static inline char *str_copy(const char *s)
{
	size_t n = strlen(s) + 1;
	char *p = malloc(n);

	return p ? memcpy(p, s, n) : NULL;
}

static inline void str_drop(char **p)
{
	free(*p);
	*p = NULL;
}
