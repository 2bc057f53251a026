// A thread that only looks at its argument.
#include <pthread.h>
#include <stdlib.h>

static void *looks(void *arg)
{
	int *n = arg;

	++*n;
	return NULL;
}

int joined_ok(void)
{
	pthread_t t;
	int *n = calloc(1, sizeof(*n));

	if (!n)
		return -1;
	if (pthread_create(&t, NULL, looks, n) == 0)
		pthread_join(t, NULL);
	free(n);
	return 0;
}

int joined_bad(void)
{
	pthread_t t;
	int *n = calloc(1, sizeof(*n)); // FN(path): LEAK(never-freed)
	int r = 0;

	if (!n)
		return -1;
	if (pthread_create(&t, NULL, looks, n) == 0) {
		pthread_join(t, NULL);
		r = *n;
	}
	return r;
}
