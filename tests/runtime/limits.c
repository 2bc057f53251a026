/*
 * limits SIZE [LEFT [thread]] - how much memory is there, in blocks of this size?
 *
 * Prints the kilobytes until malloc has no more (at most 48 MB).  All of that is given back, time
 * passes, and it is done again, some times; the least of these counts.  A negative SIZE: of
 * sizes up to that one.  LEFT: first all mappings that the kernel allows are used up, but for
 * so many; -1: they are not.  thread: by a process with two threads.
 */
#include "step.inc"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST ((size_t)48 << 20)

struct block {
	struct block *next;
};

static void *wait_for_ever(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* Every second page of a range gets another protection until that is refused. */
static void use_up_mappings(size_t left)
{
	enum { PAGES = 200000 };
	char *p = mmap(NULL, (size_t)PAGES * 4096, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t i = 0;

	if (p == MAP_FAILED)
		return;
	while (i < PAGES && mprotect(p + i * 4096, 4096, PROT_READ) == 0)
		i += 2;
	for (size_t k = 0; k < (left + 1) / 2 && i >= 2; k++, i -= 2)
		mprotect(p + (i - 2) * 4096, 4096, PROT_NONE);
}

static size_t use_up(long sizes, struct block **all)
{
	size_t sum = 0, size = (size_t)sizes;
	unsigned seed = 1;
	struct block *b;

	for (;;) {
		if (sizes < 0) {
			seed = seed * 1103515245u + 12345u;
			size = sizeof(*b) + (seed >> 16) % (size_t)-sizes;
		}
		if (sum >= MOST || (b = malloc(size)) == NULL)
			return sum / 1024;
		memset(b, 1, size);
		b->next = *all;
		*all = b;
		sum += size;
	}
}

static void give_back(struct block *b)
{
	while (b != NULL) {
		struct block *next = b->next;

		free(b);
		b = next;
	}
}

int main(int argc, char **argv)
{
	long size = argc > 1 ? atol(argv[1]) : 0, left = argc > 2 ? atol(argv[2]) : -1;
	struct block *all = NULL;
	size_t least = SIZE_MAX;
	pthread_attr_t small;
	char text[32];
	pthread_t t;
	int n;

	if (size >= 0 && size < (long)sizeof(struct block))
		return 1;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	if (argc > 3 && pthread_create(&t, &small, wait_for_ever, NULL) != 0)
		return 2;
	free(malloc(100));
	if (left >= 0)
		use_up_mappings((size_t)left);
	for (int round = 0; round < 4; round++) {
		size_t sum = use_up(size, &all);

		least = sum < least ? sum : least;
		for (int i = 0; i < 5; i++)
			step(500);
		give_back(all);
		all = NULL;
	}
	n = snprintf(text, sizeof(text), "%zu\n", least);
	return write(1, text, (size_t)n) != n;
}
