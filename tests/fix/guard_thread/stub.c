/* A thread that has ended when it is made, or cannot be made: every second time. */
#include <errno.h>
#include <pthread.h>

int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg)
{
	static int n;

	if (n++ % 2)
		return EAGAIN;
	f(arg);
	*t = pthread_self();
	return 0;
}
