#include <stdlib.h>
void f(int n, int m) { char *c = malloc(200); int a, b, rej = 0; if (!c) abort(); for (a = n; a; a--) { for (b = n; b; b--) { if (b == m) { rej = 1; break; } } if (rej) break; } free(c); }
