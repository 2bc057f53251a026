#include <stdlib.h>
static char *g;
void f(int n) { char *p = n ? g : malloc(9); if (g != p) { free(g); g = p; } }
