// GNU statement expressions and min/max macros around allocations.
#include <stdlib.h>
#include <string.h>

#define COPY(s) ({ char *c_ = malloc(strlen(s) + 1); if (c_) strcpy(c_, s); c_; })
#define FREE(p) do { free(p); (p) = NULL; } while (0)

void macro_ok(const char *s)
{
	char *p = COPY(s);

	FREE(p);
}

void macro_bad(const char *s)
{
	char *p = COPY(s); // LEAK(never-freed)

	if (!p)
		return;
	p[0] = 0;
}

void macro_free_twice_ok(const char *s, int n)
{
	char *p = COPY(s);

	if (n > 0)
		FREE(p);
	FREE(p);
}
