/* *user is set and true returned, or neither */
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
struct u { char *user, *pw; };
static char *dupd(const char *b, const char *e)
{
	char *r = malloc(e - b + 1);
	if (!r) abort();
	memcpy(r, b, e - b);
	r[e - b] = 0;
	return r;
}
static bool creds(const char *b, const char *e, char **user, char **pw)
{
	char *c;
	const char *ue;
	if (b == e)
		return false;
	c = memchr(b, ':', e - b);
	if (c == b)
		return false;
	if (c) {
		*pw = dupd(c + 1, e);
		ue = c;
	} else {
		*pw = NULL;
		ue = e;
	}
	*user = dupd(b, ue);
	return true;
}
struct u *f(const char *b, const char *e)
{
	char *user = NULL, *pw = NULL;
	struct u *u;
	if (b != e)
		if (!creds(b, e, &user, &pw))
			return NULL;
	u = malloc(sizeof *u);
	if (!u) abort();
	u->user = user;
	u->pw = pw;
	return u;
}
void uf(struct u *u) { free(u->user); free(u->pw); free(u); }
int main(int c, char **v) { struct u *u = f(v[0], v[0] + c); if (u) uf(u); return 0; }
