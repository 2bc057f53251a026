/*
 * guard_loop.c - loops that go round far more often than ever before are left.
 *
 * Nguyen and Rinard, section 3.5: a loop is left after 1000 times the largest number of
 * rounds that it was seen to make when it ended by itself; one that never ended by itself
 * has no bound.  Compiled code asks for the bound when it enters a loop, counts, and
 * tells the count when it leaves.
 *
 * What was seen is kept in a table, by a key that is the same in each run of the same
 * program.  If PLUMB_GUARD_LOOPS names a file, the table is in it (mapped, so that
 * whatever ends a process takes nothing away), and what training runs have seen holds
 * in later ones: plumb train and plumb run set that variable.
 *
 * PLUMB_GUARD_ROUNDS may say how many rounds any loop may make, seen or not: a loop that made
 * one round in all of training is otherwise left after 1000.
 *
 * Should the table be full, or two loops have the same key (64 bits), a loop has no bound,
 * or that of both.
 */
#include "guard.h"
#include "guardfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FACTOR 1000
#define SLOTS 32768
#define PROBES 64
#define MAGIC "plumblps"

/* A loop in compiled code. */
struct loop {
	uint64_t key;
	_Atomic uint64_t *_Atomic largest;	/* NULL: not looked up yet */
};

struct slot {
	_Atomic uint64_t key;			/* 0: free */
	_Atomic uint64_t largest;
};

struct file {
	char magic[8];
	uint64_t unused;
	struct slot slots[SLOTS];
};

static struct file *_Atomic file;
static struct file own;			/* if there is no file */
static uint64_t least;			/* rounds that any loop may make */
static _Atomic uint64_t none;		/* of loops that find no room: always 0 */

static bool is_table(int fd, bool *fresh)
{
	struct stat st;
	char magic[8];

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	*fresh = st.st_size == 0;
	if (*fresh)
		return ftruncate(fd, sizeof(struct file)) == 0;
	return st.st_size == sizeof(struct file) &&
	       pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
	       (memcmp(magic, MAGIC, sizeof(magic)) == 0 || memcmp(magic, "\0\0\0\0\0\0\0", 8) == 0);
}

static struct file *map_file(void)
{
	const char *name = secure_getenv(GUARD_LOOPS_ENV);
	struct file *f = NULL;
	bool fresh = false;
	int fd;

	if (name == NULL || *name == 0)
		return NULL;
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return NULL;
	if (is_table(fd, &fresh)) {
		f = mmap(NULL, sizeof(*f), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		f = f == MAP_FAILED ? NULL : f;
	}
	close(fd);
	if (f != NULL)
		memcpy(f->magic, MAGIC, sizeof(f->magic));
	return f;
}

static struct file *get_file(void)
{
	struct file *f = atomic_load_explicit(&file, memory_order_acquire), *old = NULL;
	const char *text;
	int saved = errno;

	if (f != NULL)
		return f;
	f = map_file();
	text = secure_getenv("PLUMB_GUARD_ROUNDS");
	least = text != NULL ? strtoull(text, NULL, 10) : 0;
	if (f == NULL)
		f = &own;
	if (!atomic_compare_exchange_strong(&file, &old, f)) {
		if (f != &own)
			munmap(f, sizeof(*f));
		f = old;
	}
	errno = saved;
	return f;
}

/* Where the count of the loop is kept. */
static _Atomic uint64_t *look_up(struct loop *l)
{
	_Atomic uint64_t *at = &none;
	struct file *f = get_file();

	for (uint64_t i = 0; i < PROBES && at == &none; i++) {
		struct slot *s = &f->slots[(l->key + i) % SLOTS];
		uint64_t key = 0;

		if (atomic_compare_exchange_strong(&s->key, &key, l->key) || key == l->key)
			at = &s->largest;
	}
	atomic_store_explicit(&l->largest, at, memory_order_release);
	return at;
}

static inline _Atomic uint64_t *largest_of(struct loop *l)
{
	_Atomic uint64_t *at = atomic_load_explicit(&l->largest, memory_order_acquire);

	return likely(at != NULL) ? at : look_up(l);
}

/* A loop is entered.  Gives how many rounds it may make. */
EXPORT uint64_t plumb_guard_enter(struct loop *l)
{
	uint64_t largest = atomic_load_explicit(largest_of(l), memory_order_relaxed), limit;

	if (largest == 0 || __builtin_mul_overflow(largest, FACTOR, &limit))
		return UINT64_MAX;
	return limit > least ? limit : least;
}

/* It is left after so many rounds: by itself, if they are no more than it may make. */
EXPORT void plumb_guard_leave(struct loop *l, uint64_t rounds, uint64_t limit)
{
	_Atomic uint64_t *at = largest_of(l);
	uint64_t was = atomic_load_explicit(at, memory_order_relaxed);

	if (unlikely(rounds > limit)) {
		guard_event(GUARD_LOOP, __builtin_return_address(0));
		return;
	}
	while (was < rounds && at != &none &&
	       !atomic_compare_exchange_weak_explicit(at, &was, rounds, memory_order_relaxed,
						      memory_order_relaxed))
		;
}
