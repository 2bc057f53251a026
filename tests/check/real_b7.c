#include <stdlib.h>
void f(char *u, int n) { int s = u && *u; char *r = u; if (s) r = malloc(9); if (s) free(r); }
