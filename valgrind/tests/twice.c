/* Frees of what is no block are ignored and counted; the program goes on. */
#include <stdlib.h>

int main(void)
{
   char *volatile p = malloc(8);
   char *volatile q = p;

   free(p);
   free(q);
   free((void *)&p);
   return realloc(q, 10) != NULL;
}
