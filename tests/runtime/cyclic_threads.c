/* Threads that allocate at the same sites, check that nobody else writes into their
 * objects, leak, resize, and hand objects to each other to be freed.
 *
 *	cyclic_threads THREADS ROUNDS
 *
 * What one thread does is the same each time.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELD 8

static _Atomic unsigned long bad, done, started;
static _Atomic(char *) handed[64];

static char *freed_object(size_t n) { return malloc(n); }
static char *zeroed_object(size_t n) { return calloc(1, n); }
static char *leaked_object(size_t n) { return malloc(n); }

static void fill(char *p, size_t n, unsigned seed)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (char)(seed + i);
}

static void verify(const char *p, size_t n, unsigned seed)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != (char)(seed + i)) {
			bad++;
			return;
		}
}

static unsigned next_random(unsigned *x)
{
	return *x = *x * 1664525u + 1013904223u;
}

static void *work(void *arg)
{
	unsigned long rounds = *(unsigned long *)arg;
	unsigned x = (unsigned)atomic_fetch_add(&started, 1), seeds[HELD] = {0};
	char *held[HELD] = {0};
	size_t sizes[HELD] = {0};

	for (unsigned long r = 0; r < rounds; r++) {
		unsigned k = next_random(&x) >> 16 & (HELD - 1);
		size_t n = 16 + (next_random(&x) >> 20) % 200;
		char *p;

		if (held[k]) {
			verify(held[k], sizes[k], seeds[k]);
			if (r % 5 == 0) {
				size_t keep = n < sizes[k] ? n : sizes[k];

				held[k] = realloc(held[k], n);
				verify(held[k], keep, seeds[k]);
			}
			if (r % 7 == 0)
				held[k] = atomic_exchange(&handed[r % 64], held[k]);
			free(held[k]);
		}
		held[k] = r % 3 ? freed_object(n) : zeroed_object(n);
		if (r % 3 == 0)
			for (size_t i = 0; i < n; i++)
				bad += held[k][i] != 0;
		sizes[k] = n;
		fill(held[k], n, seeds[k] = x);
		p = leaked_object(48);
		fill(p, 48, x);
	}
	for (int k = 0; k < HELD; k++)
		free(held[k]);
	done++;
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long threads = argc > 1 ? strtoul(argv[1], NULL, 10) : 4;
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
	pthread_t t[64];

	if (threads > 64)
		threads = 64;
	for (unsigned long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, work, &rounds);
	for (unsigned long i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 64; i++)
		free(atomic_load(&handed[i]));
	printf("%lu threads done, %lu objects damaged\n", done, bad);
	return bad != 0;
}
