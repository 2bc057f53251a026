/*
 * client.c - asks libplumb.so what it knows, and the tool whether that is true.
 *
 * Preloaded before libplumb.so, into a program that runs under tool.c.  Stands before
 * malloc and its kin, to tell the tool of new blocks; so contexts have one frame more
 * (PLUMB_DEPTH=5 makes up for it).  From time to time, and after a snapshot as `plumb watch
 * --snapshot` asks for it, all that the library says is judged:
 *
 *	objects		no live object may be said to be untouched for longer than it is,
 *			where a new object counts as touched
 *	claims		no site of the run file may have a larger maximum of staleness than
 *			its stalest object truly has, in seconds and in allocations
 *	recall		of the bytes in objects that are stale for TRUTH_THRESHOLD at least,
 *			the share in objects that the library knows to be so
 *	weighted	Hound's weighted recall (section 8.4 of the paper): of the sites with
 *			such objects, each weighed by the true drag of all its objects, the
 *			share of those of which the library knows at least one
 *
 * Shares are taken of sums over all judgements of a run.
 */
#include "truth.h"

#include "objects.h"
#include "runfile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <valgrind/valgrind.h>

#define SITES 65536
#define TIMES (1u << 20)
#define EVERY 256		/* allocations between two entries of times */

static struct site {
	uint64_t oldest;	/* of its live objects: when was the stalest touched last? */
	double drag;
	bool stale, known;
} sites[SITES];
static uint64_t times[TIMES];	/* when was allocation EVERY * i made? */
static _Atomic uint64_t allocations;
static _Atomic bool judging;
static struct truth_sums sums;
static struct run_header *run;
static pid_t pid;
static uint64_t scanned;

static uint64_t ask(uint64_t what, uint64_t a, uint64_t b)
{
	return VALGRIND_DO_CLIENT_REQUEST_EXPR(0, what, a, b, 0, 0, 0);
}

/* Looks whether the run file is there. */
static bool run_open(void)
{
	const char *name = getenv("PLUMB_RUN_FILE");
	int fd = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
	off_t n = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
	void *p = MAP_FAILED;

	if (n >= RUN_PAGE)
		p = mmap(NULL, (size_t)n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	if (p == MAP_FAILED)
		return false;
	run = p;
	pid = getpid();
	return true;
}

static void look_at(void *p, size_t n, uint32_t number, uint64_t since, void *arg)
{
	uint64_t last = ask(TRUTH_LAST, (uint64_t)p, n), age;
	struct site *s = &sites[number % SITES];

	(void)arg;
	if (last == 0)
		return;		/* from before the tool was told of blocks */
	sums.objects++;
	sums.wrong_objects += since != 0 && since < last;
	age = scanned > last ? scanned - last : 0;
	s->drag += (double)n * (double)age;
	if (s->oldest == 0 || last < s->oldest)
		s->oldest = last;
	if (age < TRUTH_THRESHOLD)
		return;
	s->stale = true;
	sums.stale += (double)n;
	if (since != 0 && since + TRUTH_THRESHOLD <= scanned) {
		s->known = true;
		sums.known += (double)n;
	}
}

/* How many allocations have been made since a time, at most? */
static uint64_t allocations_since(uint64_t when)
{
	uint64_t low = 0, high = allocations / EVERY + 1;

	if (high > TIMES)
		return UINT64_MAX;
	while (high - low > 1) {
		uint64_t mid = low + (high - low) / 2;

		if (times[mid] <= when)
			low = mid;
		else
			high = mid;
	}
	return allocations - low * EVERY;
}

static void look_at_site(uint32_t i, const struct run_site *r)
{
	struct site *s = &sites[i % SITES];

	if (r->stale_bytes > 0 && s->oldest != 0) {
		sums.claims++;
		sums.wrong_claims += s->oldest + r->max_staleness > scanned ||
				     r->max_staleness_allocations > allocations_since(s->oldest);
	}
	if (s->stale) {
		sums.drag += s->drag;
		if (s->known)
			sums.known_drag += s->drag;
	}
}

static void judge(void)
{
	uint64_t stale = 0;
	int saved = errno;

	if (run == NULL && !run_open())
		goto done;
	if (pid != getpid())
		goto done;	/* a forked child: its run file is another */
	run->request++;
	poll(NULL, 0, 0);	/* the library looks at the heap here */
	if (run->answered != run->request)
		goto done;
	scanned = run->start + run->now;
	memset(sites, 0, sizeof(sites));
	plumb_objects(look_at, NULL);
	for (uint32_t i = 1; i < run->sections[RUN_SITES].count; i++) {
		look_at_site(i, (const struct run_site *)((const char *)run +
							  run->sections[RUN_SITES].offset +
							  i * run->sections[RUN_SITES].stride));
		stale += sites[i % SITES].stale;
	}
	sums.judgements++;
	if (stale > sums.sites)
		sums.sites = stale;
done:
	ask(TRUTH_SUMS, (uint64_t)&sums, 0);
	errno = saved;
}

/* A block was allocated. */
static void *born(void *p, size_t n)
{
	uint64_t k;

	if (p == NULL)
		return p;
	k = atomic_fetch_add(&allocations, 1) + 1;
	if (k % EVERY == 0 && k / EVERY < TIMES)
		times[k / EVERY] = ask(TRUTH_NOW, 0, 0);
	if (ask(TRUTH_BORN, (uint64_t)p, n) && !atomic_exchange(&judging, true)) {
		judge();
		judging = false;
	}
	return p;
}

#define NEXT(name) \
	static __typeof__(&name) next; \
	if (next == NULL) \
		next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);

void *malloc(size_t n)
{
	NEXT(malloc)
	return born(next(n), n);
}

void *calloc(size_t n, size_t size)
{
	NEXT(calloc)
	return born(next(n, size), n * size);
}

void *realloc(void *p, size_t n)
{
	uintptr_t was = (uintptr_t)p;
	void *q;

	NEXT(realloc)
	q = next(p, n);
	return (uintptr_t)q != was ? born(q, n) : q;
}

void *memalign(size_t align, size_t n);

void *memalign(size_t align, size_t n)
{
	NEXT(memalign)
	return born(next(align, n), n);
}

void *aligned_alloc(size_t align, size_t n)
{
	NEXT(aligned_alloc)
	return born(next(align, n), n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
	int ret;

	NEXT(posix_memalign)
	ret = next(p, align, n);
	if (ret == 0)
		born(*p, n);
	return ret;
}
