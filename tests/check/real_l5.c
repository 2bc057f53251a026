#include <stdlib.h>
#include <string.h>
struct wd { char *s; };
struct w { struct w *next; struct wd *d; };
int f(struct w *in) { struct w *n = 0, *x; struct wd *d; char *t; for (; in; in = in->next) { t = strdup(in->d->s); d = malloc(sizeof *d); x = malloc(sizeof *x); if (!d || !x) abort(); d->s = t; x->d = d; x->next = n; n = x; } while (n) { x = n->next; free(n->d->s); free(n->d); free(n); n = x; } return 0; }
