/* found is written by the callee; the second test sees the same value when the call between was not made */
#include <stdlib.h>
#include <string.h>
static char *gen(const char *s, int *found)
{
	if (*s == 'x')
		return NULL;
	*found = 1;
	return strdup(s);
}
int f(const char *c)
{
	char *r, *t;
	int found = 0, n;
	r = gen(c, &found);
	if (found == 0) {
		t = strrchr(c, '/');
		if (t && *(++t))
			r = gen(t, &found);
	}
	if (found == 0)
		r = gen("_DEF", &found);
	n = r != NULL;
	free(r);
	return n;
}
