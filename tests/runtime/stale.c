/*
 * stale SCENARIO [return|SIGTERM|SIGKILL|real] - a program with a leak of some kind.
 *
 * It runs for 10 s by the library's clock, which it moves itself; `real` is 2.5 s by the
 * kernel's, and returns.
 *
 * All scenarios do the same work beside: a table that is read and written all the time
 * and short-lived objects.  What leaks is allocated by a function whose name begins with
 * leak_ (or, for the last two, bloat_ and table_).
 */
#include "step.inc"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define KEEP(p) __asm__ volatile("" : : "r"(p) : "memory")

struct node {
	struct node *next;
	char data[56];
};

static struct node *stale, *hot[2000];
static void *volatile sink;
static char **cache;
static size_t ncache, cache_cap;
static long sum;
static int real;

enum { ROUNDS = 50, ROUND = 25, ROUND_MS = 200 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static NOINLINE struct node *node_new(struct node *next)
{
	struct node *n = malloc(sizeof(*n));

	n->next = next;
	KEEP(n);
	return n;
}

static void work(void)
{
	for (int i = 0; i < 2000; i++) {
		if (hot[i] == NULL)
			hot[i] = node_new(NULL);
		sum += hot[i]->data[0]++;
	}
	for (int i = 0; i < 300; i++) {
		char *p = malloc((size_t)(20 + i));

		p[0] = 1;
		sink = p;
		free(p);
	}
}

static NOINLINE void leak_list(void)
{
	for (int i = 0; i < 20; i++) {
		stale = node_new(stale);
		KEEP(stale);
	}
}

static NOINLINE void leak_cache(void)
{
	char name[64];

	for (int i = 0; i < 20; i++) {
		if (ncache == cache_cap) {
			cache_cap = cache_cap ? 2 * cache_cap : 1024;
			cache = realloc(cache, cache_cap * sizeof(*cache));
		}
		snprintf(name, sizeof(name), "entry number %zu of the cache", ncache);
		cache[ncache++] = strdup(name);
	}
}

static NOINLINE void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (p == NULL)
		abort();
	KEEP(p);
	return p;
}

static NOINLINE void leak_wrapper(void)
{
	for (int i = 0; i < 20; i++) {
		sink = xmalloc(48);
		memset(sink, 1, 48);
	}
}

static NOINLINE void leak_realloc(void)
{
	for (int i = 0; i < 5; i++) {
		char *p = malloc(10);

		p[0] = 1;
		p = realloc(p, 500);
		sink = p;
	}
}

/* The same call stack makes many objects that are used and freed, and one in a hundred
 * that is not. */
static NOINLINE void leak_few(void)
{
	static struct node *ring[3000];
	static unsigned at, n;

	for (int i = 0; i < 400; i++) {
		struct node *p = node_new(NULL);

		KEEP(p);
		if (++n % 100 == 0)
			continue;
		free(ring[at]);
		ring[at] = p;
		at = (at + 1) % 3000;
	}
	for (int i = 0; i < 3000; i++)
		if (ring[i] != NULL)
			sum += ring[i]->data[1]++;
}

static pthread_barrier_t turn;	/* the thread has a round of its own in each round */

static void *thread_main(void *arg)
{
	for (int r = 0; r < ROUNDS; r++) {
		pthread_barrier_wait(&turn);
		for (int i = 0; i < ROUND; i++)
			leak_list();
		pthread_barrier_wait(&turn);
	}
	return arg;
}

static void *library;
static void (*leak_library)(void);

static void open_library(void)
{
	char name[4096];
	ssize_t n = readlink("/proc/self/exe", name, sizeof(name) - 1);

	if (getenv("STALE_LIBRARY"))
		library = dlopen(getenv("STALE_LIBRARY"), RTLD_NOW);
	if (library == NULL)
		_exit(3 + (n < 0));
	leak_library = (void (*)(void))dlsym(library, "leak_in_library");
}

static NOINLINE void bloat_startup(void)
{
	for (int i = 0; i < 20000; i++) {
		char *p = malloc(100);

		memset(p, 1, 100);
		sink = p;
	}
}

static NOINLINE void table_grows(void)
{
	static struct node *all;

	for (int i = 0; i < 20; i++) {
		all = node_new(all);
		KEEP(all);
	}
	for (struct node *p = all; p; p = p->next)
		sum += p->data[2]++;
}

static void leak(const char *what)
{
	if (strcmp(what, "list") == 0 || strcmp(what, "child") == 0)
		leak_list();
	else if (strcmp(what, "cache") == 0)
		leak_cache();
	else if (strcmp(what, "wrapper") == 0)
		leak_wrapper();
	else if (strcmp(what, "realloc") == 0)
		leak_realloc();
	else if (strcmp(what, "few") == 0)
		leak_few();
	else if (strcmp(what, "table") == 0)
		table_grows();
	else if (strncmp(what, "library", 7) == 0 && library != NULL)
		leak_library();
}

static void run(const char *what)
{
	int threaded = strcmp(what, "thread") == 0;
	double end = now() + 2.5;
	pthread_t t;

	if (threaded) {
		pthread_barrier_init(&turn, NULL, 2);
		pthread_create(&t, NULL, thread_main, NULL);
	}
	if (strcmp(what, "bloat") == 0)
		bloat_startup();
	if (strncmp(what, "library", 7) == 0)
		open_library();
	for (int r = 0; real ? now() < end : r < ROUNDS; r++) {
		if (threaded)
			pthread_barrier_wait(&turn);
		for (int i = 0; i < ROUND; i++) {
			leak(what);
			work();
		}
		if (strcmp(what, "library-closed") == 0 && r == ROUNDS * 2 / 5) {
			dlclose(library);
			library = NULL;
		}
		if (threaded)
			pthread_barrier_wait(&turn);
		if (real)
			usleep(30000);
		else
			step(ROUND_MS);
	}
	if (threaded)
		pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "list", *how = argc > 2 ? argv[2] : "return";
	int status;

	if (strcmp(what, "child") == 0 && fork() != 0) {
		wait(&status);
		return 0;
	}
	real = strcmp(how, "real") == 0;
	run(what);
	if (strcmp(how, "SIGTERM") == 0)
		kill(getpid(), SIGTERM);
	if (strcmp(how, "SIGKILL") == 0)
		kill(getpid(), SIGKILL);
	return sum == 42;
}
