#ifndef TEXT_H
#define TEXT_H

#include <stdlib.h>
#include <string.h>

static inline int count_char(const char *s, char c)
{
	char *copy = strdup(s);
	int n = 0;

	if (copy[0] == 0)
		return 0;
	for (char *p = copy; *p; p++)
		n += *p == c;
	if (n > 2)
		return n;
	free(copy);
	return n;
}

#endif
