/* A thread that runs when it is waited for. */
#include <pthread.h>

static void *(*work)(void *);
static void *given;

int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg)
{
	(void)a;
	work = f;
	given = arg;
	*t = pthread_self();
	return 0;
}

int pthread_join(pthread_t t, void **ret)
{
	(void)t;
	(void)ret;
	work(given);
	return 0;
}
