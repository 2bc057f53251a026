#include <stdlib.h>
void f(int fl) { char *p; if (fl & 24) p = malloc(9); if (fl & 8) free(p); else if (fl & 16) free(p); }
