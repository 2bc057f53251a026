#include <stdlib.h>
char *f(int n) { char *p = 0; int size = 0; for (; n; n--) { if (size == 0) p = malloc(size = 64); } return p; }
