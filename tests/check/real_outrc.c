/* out-parameter and return code: no object where the code says failure */
#include <stdlib.h>
#include <string.h>
static int status(const char *p, char **msg)
{
	int st;
	if (!p[0])
		return -1;
	st = 100 * (p[0] - '0');
	if (msg)
		*msg = strdup(p);
	return st < 0 ? 0 : st;
}
int g(const char *p)
{
	char *m = NULL;
	int s = status(p, &m);
	if (s < 0)
		return -1;
	free(m);
	return 0;
}
