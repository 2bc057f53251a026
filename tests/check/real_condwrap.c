/* allocates only when asked to: the caller's own object is given */
#include <stdlib.h>
struct st { int a; };
extern int g;
static struct st *save(struct st *p)
{
	if (!p)
		p = malloc(sizeof *p);
	if (!p)
		return NULL;
	p->a = g;
	return p;
}
int f(void)
{
	struct st s;
	save(&s);
	return s.a;
}
