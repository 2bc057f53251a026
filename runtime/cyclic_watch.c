/*
 * cyclic_watch.c - is somebody still using what is about to be overlaid?
 *
 * A cyclic buffer has room behind its bound m: objects there are older than any
 * that training saw in use, but their memory is not reused yet.  We want to know
 * whether such an object is touched all the same, for then the bound is too small.
 * And we want to know it without disturbing the program: a protected page would
 * make its system calls fail.
 *
 * The way: buffers are shared mappings of a memory file.  When all objects that
 * have a byte on a page are older than m, MADV_DONTNEED drops the page's entry in
 * the page table, not its contents.  Whoever touches it then, the program or the
 * kernel for it, maps it again and notices nothing.  When the round comes to the
 * page again, before anything is overlaid, /proc/self/pagemap tells whether the
 * entry is back.
 *
 * To look at a page costs a few system calls and a fault, some 15 us.  So it is done
 * in the first rounds of each buffer, for the first 4,000 pages of a process; after
 * that for one page in 3 ms of CPU time, half a percent.  Under CYCLIC_STRICT it is
 * done for every page in every round.  What goes unnoticed so long harms nothing as
 * long as the object is not older than the room behind the bound.
 *
 * Shared mappings stay shared after fork.  So before a process forks for the first
 * time all its buffers become private mappings of the same file, which nobody
 * writes from then on; it and its children are not watched any further.  (A child
 * made by a bare clone system call shares the buffers with its parent.)
 */
#include "cyclic.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FIRST_ROUNDS 64		/* of a buffer, in which all pages are looked at */
#define FIRST_PAGES 4000	/* of a process */
#define PAGE_NS 3000000		/* then one page in so many nanoseconds */
#define MOST_PAGES 65536	/* of a watched buffer */

struct page {
	uint64_t drop_at;	/* position at which all its objects are too old */
	bool sampled;		/* in this round */
	bool dropped;
};

struct cyclic_watch {
	struct cyclic_watch *next;	/* of all there ever were */
	char *p;
	size_t size, offset;		/* in the memory file too */
	uint32_t pages, entered;	/* the round has come to the first so many */
	uint32_t rounds;
	bool sampling;			/* this round */
	uint32_t dropped;		/* pages */
	uint32_t head, waiting;		/* of queue */
	uint32_t *queue;		/* pages with drop_at, in that order; a ring */
	struct page page[];
};

static int fd = -1;
static dev_t fd_dev;
static ino_t fd_ino;
static bool over;		/* the process has forked */
static struct cyclic_watch *all;

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t = { 0, 0 };

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void cyclic_watch_init(size_t size)
{
	struct rlimit l;
	struct stat st;
	int low;

	/* a memfd is a file: to make it larger than allowed would be a signal */
	if (getrlimit(RLIMIT_FSIZE, &l) != 0 || l.rlim_cur < size)
		return;
	low = memfd_create("plumb", MFD_CLOEXEC);
	if (low < 0)
		return;
	/* Have the code for it mapped now: memory should not grow later. */
	now_ns(CLOCK_MONOTONIC);
	now_ns(CLOCK_PROCESS_CPUTIME_ID);
	fd = fcntl(low, F_DUPFD_CLOEXEC, 512);	/* out of the program's way */
	if (fd < 0)
		fd = fcntl(low, F_DUPFD_CLOEXEC, 100);
	if (fd >= 0)
		close(low);
	else
		fd = low;
	if (ftruncate(fd, (off_t)size) != 0 || fstat(fd, &st) != 0) {
		close(fd);
		fd = -1;
		return;
	}
	fd_dev = st.st_dev;
	fd_ino = st.st_ino;
}

/* Is the descriptor still ours?  Programs close what they do not know. */
static bool have_file(void)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == fd_dev && st.st_ino == fd_ino;
}

struct cyclic_watch *cyclic_watch_new(char *p, size_t size, size_t offset)
{
	size_t pages = size / CYCLIC_PAGE;
	struct cyclic_watch *w;
	size_t own = sizeof(*w) + pages * (sizeof(w->page[0]) + sizeof(*w->queue));

	if (over || pages > MOST_PAGES || !have_file())
		return NULL;
	w = cyclic_own_memory(own);
	if (w == NULL)
		return NULL;
	if (mmap(p, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)offset) == MAP_FAILED) {
		munmap(w, own);
		return NULL;
	}
	w->p = p;
	w->size = size;
	w->offset = offset;
	w->pages = (uint32_t)pages;
	w->queue = (uint32_t *)&w->page[pages];
	w->sampling = true;
	w->next = all;
	all = w;
	return w;
}

/* Is a round that begins now to be looked at? */
static bool want_sample(const struct cyclic_watch *w)
{
	static uint64_t next, next_cpu;	/* when the time for that has been earned again */
	static unsigned first;		/* pages */
	uint64_t now, cpu;

	if (cyclic_plan->flags & CYCLIC_STRICT)
		return true;
	if (w->rounds < FIRST_ROUNDS && first < FIRST_PAGES) {
		first += w->pages;
		return true;
	}
	now = now_ns(CLOCK_MONOTONIC);		/* costs less than the other */
	if (now < next)
		return false;
	next = now + PAGE_NS;
	cpu = now_ns(CLOCK_PROCESS_CPUTIME_ID);
	if (cpu < next_cpu)
		return false;
	next_cpu = cpu + (uint64_t)w->pages * PAGE_NS;
	return true;
}

/* Has a dropped page come back?  If that cannot be told: no. */
static bool is_back(const char *page)
{
	int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;
	bool known;

	known = map >= 0 && pread(map, &entry, sizeof(entry),
				  (off_t)((uintptr_t)page / CYCLIC_PAGE * sizeof(entry))) ==
				    (ssize_t)sizeof(entry);
	if (map >= 0)
		close(map);
	atomic_fetch_add_explicit(known ? &cyclic_plan->watched : &cyclic_plan->unwatched, 1,
				  memory_order_relaxed);
	return entry >> 62 != 0;	/* present, or swapped */
}

/* Page i, which the round has left, is to be dropped once m blocks have followed
 * the one that ended at `end`. */
static void leave_page(struct cyclic_site *s, uint32_t i, uint64_t end)
{
	struct cyclic_watch *w = s->watch;

	if (!w->page[i].sampled || w->waiting == w->pages)
		return;
	w->page[i].sampled = false;
	w->page[i].drop_at = end + s->m * s->slot;
	w->queue[(w->head + w->waiting++) % w->pages] = i;
}

bool cyclic_watch_enter(struct cyclic_site *s, uint64_t pos, size_t need)
{
	struct cyclic_watch *w = s->watch;
	uint64_t off = pos - s->start;

	while (w->entered < w->pages && (uint64_t)w->entered * CYCLIC_PAGE < off + need) {
		uint32_t i = w->entered;
		struct page *page = &w->page[i];

		if (page->dropped) {
			page->dropped = false;
			w->dropped--;
			if (is_back(w->p + (size_t)i * CYCLIC_PAGE))
				return false;
		}
		if (i > 0)	/* the block may begin on the page before */
			leave_page(s, i - 1, off < (uint64_t)i * CYCLIC_PAGE ? pos + need : pos);
		page->sampled = w->sampling;
		w->entered++;
	}
	return true;
}

static void drop(struct cyclic_watch *w, uint32_t i)
{
	if (madvise(w->p + (size_t)i * CYCLIC_PAGE, CYCLIC_PAGE, MADV_DONTNEED) != 0)
		return;
	w->page[i].dropped = true;
	w->dropped++;
}

void cyclic_watch_passed(struct cyclic_site *s)
{
	struct cyclic_watch *w = s->watch;
	uint64_t pos = atomic_load(&s->pos), limit = s->start + s->size, next;

	while (w->waiting > 0 && w->page[w->queue[w->head]].drop_at <= pos) {
		drop(w, w->queue[w->head]);
		w->head = (w->head + 1) % w->pages;
		w->waiting--;
	}
	if (w->waiting > 0) {
		next = w->page[w->queue[w->head]].drop_at - 1;
		limit = next < limit ? next : limit;
	}
	if (w->entered < w->pages && (w->sampling || w->dropped > 0)) {
		next = s->start + (uint64_t)w->entered * CYCLIC_PAGE;
		limit = next < limit ? next : limit;
	}
	cyclic_set_limit(s, limit);
}

void cyclic_watch_round(struct cyclic_site *s, size_t skipped)
{
	struct cyclic_watch *w = s->watch;

	for (uint32_t i = 0; i < w->waiting; i++)
		w->page[w->queue[(w->head + i) % w->pages]].drop_at += skipped;
	if (w->entered > 0)
		leave_page(s, w->entered - 1, s->start + s->size);
	w->entered = 0;
	w->rounds++;
	w->sampling = want_sample(w);
}

/* Makes a buffer private without the file: the contents are copied.  What another
 * thread writes meanwhile may be lost. */
static void copy_private(struct cyclic_watch *w)
{
	char *copy = cyclic_own_memory(w->size);

	if (copy == NULL)
		return;
	memcpy(copy, w->p, w->size);
	if (mremap(copy, w->size, w->size, MREMAP_MAYMOVE | MREMAP_FIXED, w->p) == MAP_FAILED)
		munmap(copy, w->size);
}

void cyclic_watch_before_fork(void)
{
	bool file = have_file();

	if (over)
		return;
	over = true;
	for (struct cyclic_watch *w = all; w != NULL; w = w->next)
		if (!file || mmap(w->p, w->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd,
				  (off_t)w->offset) == MAP_FAILED)
			copy_private(w);
	all = NULL;
	for (uint32_t i = 0; i < cyclic_plan->nsites; i++) {
		struct cyclic_site *s = &cyclic_sites[i];

		if (s->watch == NULL)
			continue;
		s->watch = NULL;
		cyclic_set_limit(s, s->start + s->size);
	}
	if (file)
		close(fd);
	fd = -1;
}
