#include <stdlib.h>
char *f(int n) { char *p = 0; int first = 1; for (; n; n--) { if (first) { p = malloc(9); first = 0; } } return p; }
