/* with a buffer getcwd and realpath allocate nothing */
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <limits.h>
int f(void)
{
	char t[PATH_MAX];
	if (getcwd(t, sizeof t) == 0)
		t[0] = 0;
	return t[0];
}
char *g(void)
{
	static char d[PATH_MAX];
	char *dir = getcwd(d, sizeof d);
	if (dir)
		dir = d;
	return dir == 0 ? "<unknown>" : dir;
}
int h(const char *in)
{
	char out[PATH_MAX + 1];
	char *rp = realpath(in, out);
	if (rp)
		puts(out);
	return 0;
}
