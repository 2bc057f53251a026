/*
 * threads - 40 threads, more than there are shards, each with a random mixture of
 * malloc, realloc and free whose blocks carry a pattern; some blocks are freed by
 * another thread than the one that allocated them.  At the end the sums of the run
 * file must be exactly what the threads did.  Exit code 0: all is right.
 */
#include "runfile.inc"

#include <pthread.h>

#define THREADS 40
#define STEPS 20000
#define SLOTS 64

struct block {
	size_t n;
	unsigned char data[];
};

static struct block *_Atomic shared[SLOTS];
static _Atomic uint64_t allocations, frees, resizes, moves;

static void fill(struct block *b, size_t n)
{
	b->n = n;
	memset(b->data, (int)(n & 0xff), n);
}

static void verify(const struct block *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (b->data[i] != (unsigned char)(b->n & 0xff)) {
			dprintf(1, "a block of %zu bytes is damaged at %zu\n", b->n, i);
			_exit(1);
		}
}

static void drop(struct block *b)
{
	if (b == NULL)
		return;
	verify(b, b->n);
	free(b);
	frees++;
}

static void *work(void *arg)
{
	uint64_t x = (uint64_t)(uintptr_t)arg * 0x9e3779b97f4a7c15u + 1;

	for (int i = 0; i < STEPS; i++) {
		struct block *b;
		size_t n, old;

		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		n = x % 500;
		b = atomic_exchange(&shared[(x >> 20) % SLOTS], NULL);
		if (b != NULL && (x >> 40) % 2) {
			uintptr_t was = (uintptr_t)b;

			old = b->n;
			b = realloc(b, sizeof(*b) + n);
			resizes++;
			moves += (uintptr_t)b != was;
			verify(b, old < n ? old : n);
		} else {
			drop(b);
			b = malloc(sizeof(*b) + n);
			allocations++;
		}
		fill(b, n);
		drop(atomic_exchange(&shared[(x >> 30) % SLOTS], b));
	}
	return NULL;
}

int main(void)
{
	const struct run_header *page = run_map(getenv("PLUMB_RUN_FILE"));
	pthread_t t[THREADS];
	struct sums before, after;

	/* The threads' own stacks and tables come from calloc: make them once, so
	 * that they are cached when we count. */
	for (int round = 0; round < 2; round++) {
		before = run_sums(page);
		allocations = frees = resizes = moves = 0;
		for (uintptr_t i = 0; i < THREADS; i++)
			pthread_create(&t[i], NULL, work, (void *)(i + 1));
		for (int i = 0; i < THREADS; i++)
			pthread_join(t[i], NULL);
		for (int i = 0; i < SLOTS; i++)
			drop(atomic_exchange(&shared[i], NULL));
		after = run_sums(page);
	}
	after.allocations -= before.allocations;
	after.frees -= before.frees;
	after.resizes -= before.resizes;
	after.allocations -= moves;	/* a moved block is a new one */
	after.frees -= moves;
	/* What libc allocates for itself in a thread may differ by a block each. */
	if (after.resizes == resizes && after.allocations - allocations <= THREADS &&
	    after.frees - frees <= THREADS)
		return 0;
	dprintf(1, "did %lu allocations, %lu frees, %lu resizes, counted %lu, %lu, %lu\n",
		allocations, frees, resizes, after.allocations, after.frees, after.resizes);
	return 1;
}
