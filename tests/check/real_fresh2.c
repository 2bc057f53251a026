#include <stdlib.h>
#include <string.h>
struct u { char *url; };
extern int opt;
static char *reenc(const char *s)
{
	const char *p;
	int n = 0;
	for (p = s; *p; p++)
		if (*p == '%')
			n++;
	if (!n)
		return (char *)s;
	return strdup(s);
}
struct u *parse(const char *url, int enc, char *nu, int pe)
{
	const char *e = url;
	struct u *u;
	if (enc) {
		e = reenc(nu);
		if (e != nu)
			free(nu);
		pe = 0;
	}
	if (pe)
		e = reenc(url);
	if (*e == '[')
		goto error;
	u = malloc(sizeof *u);
	if (!u) abort();
	if (opt) {
		u->url = strdup(url);
		if (e != url)
			free((char *)e);
	} else if (e == url)
		u->url = strdup(url);
	else
		u->url = (char *)e;
	return u;
error:
	if (e && e != url)
		free((char *)e);
	return NULL;
}
void fin(const char *s, int a, char *b, int c) { struct u *u = parse(s,a,b,c); if (u) { free(u->url); free(u);} }
