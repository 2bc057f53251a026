/*
 * thread.c - a thread of several loses what it allocates; it has ended when the program does.
 *
 * LEAK request_copy
 * FINE hot_start
 */
#include "leaks.h"

#include <pthread.h>

static double end;

NOINLINE static size_t request_copy(const char *text)
{
	char *copy = strcpy(checked(malloc(150)), text);

	return strlen(copy);
}

static void *serve(void *sum)
{
	for (; now() < end; end_round())
		for (int i = 0; i < 20; i++)
			*(size_t *)sum += request_copy("a request");
	return NULL;
}

static void *work(void *sum)
{
	for (; now() < end; end_round())
		*(size_t *)sum += hot_use();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	size_t sums[2] = { 0 };

	end = work_until(argc, argv);
	hot_start();
	if (pthread_create(&threads[0], NULL, serve, &sums[0]) || pthread_create(&threads[1], NULL, work, &sums[1]))
		return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	hot_end();
	return sums[0] == 0;
}
