/* constant and never-NULL arguments decide inside the callee */
#include <stdlib.h>
#include <string.h>
enum rp { none, name, value, both };
struct h { char *n, *v; enum rp rp; };
struct r { int cnt; struct h h[10]; };
static void set(struct r *r, const char *n, const char *v, enum rp rp)
{
	struct h *h;
	if (!v) {
		if (rp == name || rp == both)
			free((char *)n);
		return;
	}
	h = &r->h[r->cnt++];
	h->n = (char *)n;
	h->v = (char *)v;
	h->rp = rp;
}
void user(struct r *r, const char *s)
{
	const char *p = strchr(s, ':');
	char *n;
	if (!p)
		return;
	n = strndup(s, p - s);
	if (!n) abort();
	set(r, n, p + 1, name);
}
void other(struct r *r, const char *v) { set(r, "A", v, none); }
