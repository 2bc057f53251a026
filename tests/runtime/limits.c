/*
 * limits SIZE [mappings LEFT [thread]] - how much memory is there, in blocks of this size?
 *
 * Prints the kilobytes until malloc has no more (at most 48 MB), then, after that has been
 * given back and some time has passed, those of a second time; the smaller of the two.
 * mappings: first all mappings that the kernel allows are used up, but for LEFT; thread: by a
 * process with two threads.
 */
#include "step.inc"

#include <pthread.h>
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

static size_t use_up(size_t size, struct block **all)
{
	size_t sum = 0;
	struct block *b;

	while (sum < MOST && (b = malloc(size)) != NULL) {
		memset(b, 1, size);
		b->next = *all;
		*all = b;
		sum += size;
	}
	return sum / 1024;
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
	size_t size = argc > 1 ? (size_t)atol(argv[1]) : 0, first, second;
	struct block *all = NULL;
	char text[32];
	pthread_t t;
	int n;

	if (size < sizeof(struct block))
		return 1;
	if (argc > 4 && pthread_create(&t, NULL, wait_for_ever, NULL) != 0)
		return 2;
	free(malloc(100));
	if (argc > 3)
		use_up_mappings((size_t)atol(argv[3]));
	first = use_up(size, &all);
	for (int i = 0; i < 5; i++)
		step(500);
	give_back(all);
	all = NULL;
	second = use_up(size, &all);
	n = snprintf(text, sizeof(text), "%zu\n", first < second ? first : second);
	return write(1, text, (size_t)n) != n;
}
