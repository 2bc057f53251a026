// What a thread is given, it owns.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct work { int n; char *text; };

static void *worker(void *arg)
{
	struct work *w = arg;

	w->n++;
	free(w->text);
	free(w);
	return NULL;
}

int start_ok(pthread_t *t, const char *s)
{
	struct work *w = malloc(sizeof(*w));

	if (!w)
		return -1;
	w->n = 0;
	w->text = strdup(s);
	if (pthread_create(t, NULL, worker, w) != 0) {
		free(w->text);
		free(w);
		return -1;
	}
	return 0;
}

int start_bad(pthread_t *t, const char *s)
{
	struct work *w = malloc(sizeof(*w)); // LEAK(conditional)

	if (!w)
		return -1;
	w->n = 0;
	w->text = NULL;
	if (!*s)
		return -2;
	return pthread_create(t, NULL, worker, w);
}
