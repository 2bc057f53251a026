/* the copy of a string that is not empty is not empty */
#include <stdlib.h>
#include <string.h>
char *user(void);
static char *envname(void)
{
	char *env = getenv("X");
	if (env && *env)
		return strdup(env);
	return NULL;
}
char *name(void)
{
	char *f = envname(); // FP(overwritten,path)
	if (f && *f)
		return f;
	f = user();
	return f;
}
