#include <stdlib.h>
#include <string.h>

int b_length(const char *s)
{
  char *p = strdup(s);
  int n = (int)strlen(p);

  if (n == 0)
    return -1;
  free(p);
  return n;
}
