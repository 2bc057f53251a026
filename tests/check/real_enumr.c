/* three enumerators, two excluded: the third */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
static int use(const char *s) { return s ? puts(s) : 0; }
enum mode { SHOW, HIDE_PASSWD, HIDE };
static char *esc(const char *s)
{
	const char *p;
	for (p = s; *p; p++)
		if (*p == '%')
			return strdup(s);
	return (char *)s;
}
int f(const char *pw, enum mode m)
{
	char *q = NULL;
	if (m != HIDE) {
		if (m == HIDE_PASSWD)
			q = "***";
		else
			q = esc(pw);
	}
	use(q);
	if (q && m == SHOW && q != pw)
		free(q);
	return 0;
}
