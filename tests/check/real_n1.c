/* gzbuf, smallest */
#include <stdlib.h>
#include <stdio.h>
void f(int a) { FILE *h = 0; char *b = 0; if (a) { b = malloc(9); if (!b) goto out; h = fopen("x", "r"); if (!h) { free(b); b = 0; goto out; } } out: if (b) { fclose(h); free(b); } }
