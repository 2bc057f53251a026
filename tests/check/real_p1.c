/* pe is set to 0 where e is allocated */
#include <stdlib.h>
#include <string.h>
void f(const char *u, int enc, int pe) { char *e = 0; if (enc) { e = strdup(u); pe = 0; } if (pe) e = strdup("x"); free(e); }
