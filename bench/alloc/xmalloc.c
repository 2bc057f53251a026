/*
 * xmalloc [PAIRS [OBJECTS]] - threads that allocate for other threads, which free.
 *
 * Like xmalloc-test: batches of blocks of mixed sizes go through a queue from a
 * producer to a consumer.  Prints a checksum.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BATCH 200
#define QUEUE 32

struct pair {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	void **batch[QUEUE];
	int head, n, total;
	uint64_t sum;
};

static void *produce(void *arg)
{
	struct pair *p = arg;
	uint64_t x = 88172645463325252u;

	for (int i = 0; i < p->total; i++) {
		void **b = malloc(BATCH * sizeof(*b));

		for (int k = 0; k < BATCH; k++) {
			size_t n;

			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			n = 16 + x % 240;
			b[k] = malloc(n);
			*(unsigned char *)b[k] = (unsigned char)n;
		}
		pthread_mutex_lock(&p->lock);
		while (p->n == QUEUE)
			pthread_cond_wait(&p->changed, &p->lock);
		p->batch[(p->head + p->n++) % QUEUE] = b;
		pthread_cond_signal(&p->changed);
		pthread_mutex_unlock(&p->lock);
	}
	return NULL;
}

static void *consume(void *arg)
{
	struct pair *p = arg;

	for (int i = 0; i < p->total; i++) {
		void **b;

		pthread_mutex_lock(&p->lock);
		while (p->n == 0)
			pthread_cond_wait(&p->changed, &p->lock);
		b = p->batch[p->head];
		p->head = (p->head + 1) % QUEUE;
		p->n--;
		pthread_cond_signal(&p->changed);
		pthread_mutex_unlock(&p->lock);
		for (int k = 0; k < BATCH; k++) {
			p->sum += *(unsigned char *)b[k];
			free(b[k]);
		}
		free(b);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int pairs = argc > 1 ? atoi(argv[1]) : 1, total = argc > 2 ? atoi(argv[2]) : 30000;
	struct pair *p = calloc((size_t)pairs, sizeof(*p));
	pthread_t id[2 * 32];
	uint64_t sum = 0;

	for (int i = 0; i < pairs; i++) {
		pthread_mutex_init(&p[i].lock, NULL);
		pthread_cond_init(&p[i].changed, NULL);
		p[i].total = total;
		pthread_create(&id[2 * i], NULL, produce, &p[i]);
		pthread_create(&id[2 * i + 1], NULL, consume, &p[i]);
	}
	for (int i = 0; i < 2 * pairs; i++)
		pthread_join(id[i], NULL);
	for (int i = 0; i < pairs; i++)
		sum += p[i].sum;
	free(p);
	printf("%lu\n", sum);
	return 0;
}
