/*
 * forking - a parent that allocates 1000 blocks and a child that allocates 500
 * more, in another folder, while a second thread allocates all the time.  Prints
 * "PARENT CHILD" process ids.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static _Atomic int stop;
static void *volatile sink;

static void *busy(void *arg)
{
	while (!stop) {
		sink = malloc(50);
		free(sink);
	}
	return arg;
}

static void keep(int n)
{
	for (int i = 0; i < n; i++)
		sink = malloc(100);
}

int main(void)
{
	pthread_t t;
	pid_t child;
	int status;

	pthread_create(&t, NULL, busy, NULL);
	keep(1000);
	if (chdir("/") < 0)
		return 1;
	child = fork();
	if (child == 0) {
		keep(500);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status != 0)
		return 1;
	stop = 1;
	pthread_join(t, NULL);
	printf("%d %d\n", (int)getpid(), (int)child);
	return 0;
}
