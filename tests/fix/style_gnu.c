// GNU indentation; the whole patch is compared.
// LEAKS: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
measure (const char *text, int mode)
{
  char *copy = strdup (text);
  int n = (int) strlen (copy);

  if (mode == 1)
    {
      copy[0] = 'X';
      puts (copy);
      return n + 1;
    }
  else if (mode == 2)
    return n + 2;
  while (n > 3)
    {
      n--;
      if (copy[n] == '!')
        return n;
    }
  free (copy);
  return n;
}

/* no statement of it begins with a call */
static int
first (const char *text)
{
  char *copy = strdup (text);

  if (copy[0] == '-')
    {
      copy[0] = '+';
      return 1;
    }
  return 2;
}

int
main (void)
{
  printf ("%d\n", measure ("abc", 0));
  printf ("%d\n", measure ("abc", 1));
  printf ("%d\n", measure ("abc", 2));
  printf ("%d\n", measure ("abcd!f", 0));
  printf ("%d\n", first ("-"));
  return 0;
}
