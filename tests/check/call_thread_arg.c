// What a thread is given: it may free it, hold it for ever, or park it; where it was not started, it has nothing.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct job { int fd; };

static struct job *last;

static void *serves(void *arg)
{
	struct job *j = arg;

	for (;;)
		read(j->fd, &j->fd, 1);
	return NULL;
}

static void *frees(void *arg)
{
	free(arg);
	return NULL;
}

static void *parks(void *arg)
{
	last = arg;
	return NULL;
}

int served_ok(void)
{
	pthread_t t;
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return -1;
	if (pthread_create(&t, NULL, serves, j) != 0) {
		free(j);
		return -1;
	}
	return 0;
}

int freed_ok(void)
{
	pthread_t t;
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return -1;
	if (pthread_create(&t, NULL, frees, j) != 0) {
		free(j);
		return -1;
	}
	return 0;
}

int freed_bad(void)
{
	pthread_t t;
	struct job *j = calloc(1, sizeof(*j)); // FN(vfg): LEAK(conditional)

	if (!j)
		return -1;
	if (pthread_create(&t, NULL, frees, j) != 0)
		return -1;
	return 0;
}

int parked_ok(void)
{
	pthread_t t;
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return -1;
	if (pthread_create(&t, NULL, parks, j) != 0)
		free(j);
	else
		pthread_join(t, NULL);	/* what is returned does not depend on who is faster */
	return last != NULL;
}

int unknown_ok(void *(*fn)(void *))
{
	pthread_t t;
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return -1;
	if (pthread_create(&t, NULL, fn, j) != 0)
		free(j);
	return 0;
}
