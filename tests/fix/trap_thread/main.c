// A thread looks at the object, and nobody knows until when: it is not released as soon as the thread runs.
// LEAKS: 1
// UNITS: main.c
// EXPECT: refused
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *arg)
{
	puts(arg);
	return NULL;
}

static int run(const char *s)
{
	pthread_t t;
	char *copy = strdup(s);

	if (!copy)
		return -1;
	if (pthread_create(&t, NULL, work, copy)) {
		free(copy);
		return -1;
	}
	puts("started");
	return pthread_join(t, NULL);
}

int main(void)
{
	printf("%d\n", run("hello"));
	return 0;
}
