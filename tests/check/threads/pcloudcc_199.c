// lneely/pcloudcc-lneely 199: what a new thread is given is lost if the thread could not be made.
#include <pthread.h>
#include <stdlib.h>

struct start {
	void (*run)(void *);
	void *with;
};

static void *run(void *arg)
{
	struct start s = *(struct start *)arg;

	free(arg);
	s.run(s.with);
	return NULL;
}

void unchecked_bad(void (*f)(void *), void *with)
{
	struct start *s = malloc(sizeof(*s)); // FN(vfg): LEAK(conditional)
	pthread_t t;

	if (!s)
		return;
	s->run = f;
	s->with = with;
	pthread_create(&t, NULL, run, s);
}

int checked_ok(void (*f)(void *), void *with)
{
	struct start *s = malloc(sizeof(*s));
	pthread_t t;

	if (!s)
		return -1;
	s->run = f;
	s->with = with;
	if (pthread_create(&t, NULL, run, s) != 0) {
		free(s);
		return -1;
	}
	pthread_detach(t);
	return 0;
}
