/* Sites whose numbers are known: allocated, freed and the bound m of each function are
 * in the table of tests/cli/train.sh.

      bounds N [kill|crash|exec|fork]
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int n;
static int null_fd;

/* Only the newest is used, and all are lost. */
static void newest(void)
{
   for (int i = 0; i < n; i++) {
      char *p = malloc(129);
      p[0] = p[128] = 1;
   }
}

/* The newest three are used. */
static void last_three(void)
{
   char *ring[3] = {0};

   for (int i = 0; i < n; i++) {
      ring[i % 3] = malloc(20 + i % 50);
      for (int k = 0; k < 3; k++)
         if (ring[k])
            ring[k][0]++;
   }
}

/* All are used at the end, then freed. */
static void all_of_them(void)
{
   char **all = malloc(n * sizeof(*all));

   for (int i = 0; i < n; i++)
      (all[i] = malloc(8))[0] = 1;
   for (int i = 0; i < n; i++) {
      all[i][1]++;
      free(all[i]);
   }
   free(all);
}

/* Nobody looks at them. */
static void never(void)
{
   for (int i = 0; i < n; i++)
      free(malloc(64));
}

/* The kernel reads the one before the newest, and writes to the one before that. */
static void by_kernel(void)
{
   char *a = NULL, *b = NULL, *c;
   int zero = open("/dev/zero", O_RDONLY);

   for (int i = 0; i < n; i++) {
      c = malloc(40);
      if (b && write(null_fd, b + 4, 8) != 8)
         abort();
      if (a && read(zero, a + 8, 8) != 8)
         abort();
      a = b;
      b = c;
   }
   close(zero);
}

/* libc's string functions look at the one before the newest. */
static void by_libc(void)
{
   char *before = NULL;
   size_t sum = 0;

   for (int i = 0; i < n; i++) {
      char *p = strcpy(malloc(100), "some text that is long enough for vectors");

      if (before)
         sum += strlen(before) + (strcmp(before, p) == 0);
      free(before);
      before = p;
   }
   if (sum == 1)
      abort();
   free(before);
}

/* Each realloc is a new object, made of the one before. */
static void resized(void)
{
   char *p = NULL;

   for (int i = 0; i < n; i++) {
      p = realloc(p, 10 + i);
      p[i] = 1;
   }
   free(p);
}

/* Zeroed by calloc: that is an access. */
static void zeroed(void)
{
   for (int i = 0; i < n; i++)
      free(calloc(3, 11));
}

static void aligned(void)
{
   void *p;

   for (int i = 0; i < n; i++) {
      if (posix_memalign(&p, 256, 48) != 0 || (unsigned long)p % 256 != 0)
         abort();
      *(char *)p = 1;
      free(p);
   }
}

/* A thread uses what main allocated two objects ago. */
static char *shared[3];

static void *look(void *arg)
{
   shared[0][1]++;
   return arg;
}

static void by_thread(void)
{
   pthread_t t;

   for (int i = 0; i < 3; i++)
      shared[i] = malloc(24);
   pthread_create(&t, NULL, look, NULL);
   pthread_join(t, NULL);
}

/* The child uses what the parent allocated four objects ago, and allocates one. */
static void *for_child(void)
{
   return malloc(56);
}

static void by_child(void)
{
   char *p[4];
   int status;

   for (int i = 0; i < 4; i++)
      p[i] = for_child();
   if (fork() == 0) {
      p[0][3] = 1;
      for_child();
      _exit(0);
   }
   wait(&status);
}

int main(int argc, char **argv)
{
   const char *how = argc > 2 ? argv[2] : "";

   n = argc > 1 ? atoi(argv[1]) : 10;
   null_fd = open("/dev/null", O_WRONLY);
   newest();
   last_three();
   all_of_them();
   never();
   by_kernel();
   by_libc();
   resized();
   zeroed();
   aligned();
   by_thread();
   if (strcmp(how, "fork") == 0)
      by_child();
   if (strcmp(how, "exec") == 0)
      execl(argv[0], argv[0], argv[1], (char *)NULL);
   if (strcmp(how, "kill") == 0)
      kill(getpid(), SIGKILL);
   if (strcmp(how, "crash") == 0)
      *(volatile int *)0 = 1;
   return 5;
}
