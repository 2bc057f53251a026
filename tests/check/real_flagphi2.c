#include <stdlib.h>
#include <string.h>
char *wd(void) { char *p = malloc(10); if (!p) abort(); p[0] = 0; return p; }
static char tdir[100];
static char *polite(char *n)
{
	if (n[0] == '/') {
		strncpy(tdir, n, 99);
		return tdir;
	}
	return n;
}
#include <stdio.h>
static int use(const char *s) { return s ? puts(s) : 0; }
int f(int flags)
{
	int i;
	char *d, *t;
	d = wd();
	i = 0;
	if (d == 0)
		d = ".";
	else {
		t = (flags & 1) ? polite(d) : d;
		if (t != d) {
			free(d);
			d = t;
		} else
			i = 1;
	}
	use(d);
	if (i)
		free(d);
	return 0;
}
