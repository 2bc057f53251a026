/* Four threads allocate and free; nothing is lost between them. */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
   for (int i = 1; i <= 1000; i++)
      free(malloc(i));
   return arg;
}

int main(void)
{
   pthread_t t[4];

   for (int i = 0; i < 4; i++)
      if (pthread_create(&t[i], NULL, work, NULL) != 0)
         return 1;
   for (int i = 0; i < 4; i++)
      pthread_join(t[i], NULL);
   return 0;
}
