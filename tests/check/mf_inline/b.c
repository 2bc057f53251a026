#include "str.h"

int b_bad(const char *s)
{
	char *p = str_copy(s); // LEAK(conditional)

	if (!p)
		return -1;
	if (!*p)
		return 0;
	str_drop(&p);
	return 1;
}

char *b_ok(const char *s)
{
	return str_copy(s);
}
