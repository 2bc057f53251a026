// static inline functions in a header, compiled into each unit.
#include "str.h"

void a_ok(const char *s)
{
	char *p = str_copy(s);

	str_drop(&p);
}

void a_bad(const char *s)
{
	char *p = str_copy(s); // LEAK(never-freed)

	if (p)
		p[0] = 0;
}
