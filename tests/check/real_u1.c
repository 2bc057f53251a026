/* constructor wrapper holds the object */
#include <stdlib.h>
struct s { int *p; };
static struct s *mk(int *p) { struct s *t = malloc(sizeof *t); if (!t) abort(); t->p = p; return t; }
struct s *a(void) { int *i = malloc(4); if (!i) abort(); return mk(i); }
void d(struct s *s) { free(s->p); free(s); }
int main(void) { struct s *s = a(); d(s); return 0; }
