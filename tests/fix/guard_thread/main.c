// The thread frees the object, if there is one.
// LEAKS: 1
// UNITS: main.c
// PATCH: ^\+.*free\(j\);
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct job { int n; };

static void *work(void *arg)
{
	struct job *j = arg;

	j->n++;
	free(j);
	return NULL;
}

static int start(pthread_t *t, const pthread_attr_t *a, int n)
{
	struct job *j = malloc(sizeof(*j));

	if (!j)
		return -1;
	j->n = n;
	if (pthread_create(t, a, work, j) != 0)
		return -2;
	return 0;
}

int main(void)
{
	pthread_t t;

	printf("%d\n", start(&t, NULL, 1));
	printf("%d\n", start(&t, NULL, -1));
	return 0;
}
