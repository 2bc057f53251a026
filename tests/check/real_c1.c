#include <stdlib.h>
enum m { A, B, C };
void f(enum m m) { char *p = 0; if (m != A && m != B) p = malloc(9); if (m == C) free(p); }
