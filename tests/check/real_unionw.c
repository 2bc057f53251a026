/* a generic constructor takes the object under another type */
#include <stdlib.h>
struct simple { int flags; int line; };
struct forc { int flags; int line; void *list; };
struct grp { int flags; struct cmd *c; };
struct cmd { int type; int flags; union { struct simple *S; struct forc *F; struct grp *G; } v; };
static struct cmd *make(int type, struct simple *p)
{
	struct cmd *t = malloc(sizeof *t);
	if (!t) abort();
	t->type = type;
	t->v.S = p;
	t->v.S->flags = t->flags = 0;
	return t;
}
struct cmd *make_for(void *l)
{
	struct forc *t = malloc(sizeof *t);
	if (!t) abort();
	t->list = l;
	return make(1, (struct simple *)t);
}
struct cmd *make_grp(struct cmd *c)
{
	struct grp *t = malloc(sizeof *t);
	if (!t) abort();
	t->c = c;
	return make(2, (struct simple *)t);
}
void dispose(struct cmd *c)
{
	if (!c)
		return;
	switch (c->type) {
	case 1: { struct forc *f = c->v.F; free(f); break; }
	case 2: { struct grp *g = c->v.G; dispose(g->c); free(g); break; }
	}
	free(c);
}
int main(int argc, char **argv)
{
	struct cmd *c = NULL;
	for (int i = 0; i < argc; i++)
		c = argv[i][0] == 'f' ? make_for(argv) : make_grp(c); // LEAK(overwritten)
	dispose(c);
	return 0;
}
