/*
 * larson [THREADS [ROUNDS]] - a server's threads that replace objects at random.
 *
 * Like larson: each thread owns an array of objects, frees a random one and puts a new
 * one of random size in its place.  From time to time a thread ends and hands its array
 * to a new one, which then frees what another thread allocated.  Prints a checksum.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define OBJECTS 5000
#define STEPS 400000

struct work {
	unsigned char *v[OBJECTS];
	uint64_t seed, sum;
};

static void *run(void *arg)
{
	struct work *w = arg;
	uint64_t x = w->seed;

	for (int i = 0; i < STEPS; i++) {
		size_t k, n;

		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		k = x % OBJECTS;
		n = 10 + (x >> 32) % 490;
		if (w->v[k] != NULL) {
			w->sum += w->v[k][0];
			free(w->v[k]);
		}
		w->v[k] = malloc(n);
		w->v[k][0] = (unsigned char)n;
		w->v[k][n - 1] = 1;
	}
	w->seed = x;
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 2, rounds = argc > 2 ? atoi(argv[2]) : 10;
	struct work *w = calloc((size_t)threads, sizeof(*w));
	uint64_t sum = 0;

	for (int t = 0; t < threads; t++)
		w[t].seed = 88172645463325252u + (unsigned)t * 7919u;
	for (int r = 0; r < rounds; r++) {
		pthread_t id[64];

		for (int t = 0; t < threads; t++)
			pthread_create(&id[t], NULL, run, &w[t]);
		for (int t = 0; t < threads; t++)
			pthread_join(id[t], NULL);
	}
	for (int t = 0; t < threads; t++) {
		sum += w[t].sum;
		for (int i = 0; i < OBJECTS; i++)
			free(w[t].v[i]);
	}
	free(w);
	printf("%lu\n", sum);
	return 0;
}
