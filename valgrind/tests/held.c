/* 100 blocks of 24 bytes, a third of them kept; one huge request fails. */
#include <stdlib.h>

static void *kept[100];

int main(void)
{
   volatile size_t huge = (size_t)-1 / 2 + 10;

   for (int i = 0; i < 100; i++)
      kept[i] = malloc(24);
   for (int i = 0; i < 100; i++)
      if (i % 3 != 0)
         free(kept[i]);
   return malloc(huge) != NULL;
}
