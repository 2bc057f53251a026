// Two spaces; the whole patch is compared.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
first_upper(const char *text)
{
  char *copy = strdup(text);
  int i;

  for (i = 0; copy[i]; i++)
    if (copy[i] >= 'A' && copy[i] <= 'Z')
      return i;
  if (i == 0) {
    puts("empty");
    return -2;
  }
  free(copy);
  return -1;
}

int main(void)
{
  printf("%d\n", first_upper("abC"));
  printf("%d\n", first_upper(""));
  printf("%d\n", first_upper("abc"));
  return 0;
}
