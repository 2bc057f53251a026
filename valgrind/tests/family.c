/* Each function of malloc's family once, all freed. */
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int aligned(const void *p, size_t align)
{
   return p != NULL && (uintptr_t)p % align == 0;
}

int main(void)
{
   char *p = malloc(10), *q = calloc(3, 7);
   void *r = NULL, *s = memalign(128, 5), *t = aligned_alloc(64, 64);

   if (posix_memalign(&r, 256, 11) != 0)
      return 1;
   for (int i = 0; i < 21; i++)
      if (q[i] != 0)
         return 1;
   if (!aligned(r, 256) || !aligned(s, 128) || !aligned(t, 64))
      return 1;
   memcpy(p, "123456789", 10);
   p = realloc(p, 1000);
   if (strcmp(p, "123456789") != 0)
      return 1;
   free(p);
   free(q);
   free(r);
   free(s);
   free(t);
   free(NULL);
   return 0;
}
