/* the callee allocates unless a constant flag says no */
#include <stdlib.h>
#include <string.h>
#define NOALLOC 1
static char *extract(const char *s, int flags)
{
	char *r;
	if (flags & NOALLOC)
		r = NULL;
	else
		r = strdup(s);
	return r;
}
int f(const char *s)
{
	char *t = extract(s, NOALLOC);
	return t != NULL;
}
int h(const char *s)
{
	char *t = extract(s, 0);
	int n = t ? (int)strlen(t) : 0;
	free(t);
	return n;
}
