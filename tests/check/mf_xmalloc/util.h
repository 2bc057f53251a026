#include <stddef.h>

void *xmalloc(size_t n);
char *xstrdup(const char *s);
void xfree(void *p);
