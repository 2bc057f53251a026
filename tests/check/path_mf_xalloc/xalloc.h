#include <stddef.h>

void *xmalloc(size_t n);
char *xstrdup(const char *s);
void fatal(const char *msg);
