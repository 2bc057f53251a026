#include <stdlib.h>
void f(int a) { char *p = 0; int own = 0; if (a) { p = malloc(9); own = 1; } if (own) free(p); }
