#include <stdlib.h>
#include <string.h>
struct gl { struct gl *next; };
struct w { struct w *next; char *s; };
static struct gl *rev(struct gl *l) { struct gl *n, *p; for (p = NULL; l; ) { n = l->next; l->next = p; p = l; l = n; } return p; }
int f(struct w *in) { struct w *n = 0, *x; char *t; for (; in; in = in->next) { t = strdup(in->s); x = malloc(sizeof *x); if (!x) abort(); x->s = t; x->next = n; n = x; } n = (struct w *)rev((struct gl *)n); while (n) { x = n->next; free(n->s); free(n); n = x; } return 0; }
