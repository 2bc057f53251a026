/*
 * forks - fork while another thread looks at the heap all the time.  Neither side may
 * wait for ever for a lock that the other one had.
 */
#include "step.inc"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FORKS 60

static void *volatile sink;
static _Atomic int stop;

static void *look(void *arg)
{
	for (int n = 0; !stop && n < 2000; n++) {
		for (int i = 0; i < 300; i++) {
			sink = malloc((size_t)(20 + i));
			if (i % 64)
				free(sink);
		}
		step(1000);	/* each sums up, too */
	}
	return arg;
}

int main(void)
{
	pthread_t t;
	int status, bad = 0;

	pthread_create(&t, NULL, look, NULL);
	for (int i = 0; i < FORKS; i++) {
		pid_t p = fork();

		if (p == 0) {
			for (int k = 0; k < 600; k++)
				sink = malloc(100);
			step(1000);
			_exit(0);
		}
		bad |= waitpid(p, &status, 0) != p || status != 0;
	}
	stop = 1;
	pthread_join(t, NULL);
	return bad;
}
