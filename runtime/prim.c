/*
 * prim.c - watching pages without a fault handler.
 *
 * Hound protects pages with mprotect and takes SIGSEGV.  That breaks every system
 * call on a watched page (EFAULT), needs the program's signal handlers to be wrapped
 * and costs 5.5 us a touch.  Here a watched page is one of a memfd, mapped shared.
 * MADV_DONTNEED drops only the page-table entry of such a page, the data stay in the
 * memfd.  Whoever touches it next, program or kernel, has it mapped again by an
 * ordinary minor fault, and /proc/self/pagemap tells that it is mapped.  Nobody gets a
 * signal, system calls work, and the price is a minor fault, which is measured at
 * start (prim_touch_cost()).
 *
 * The offset of a page in the memfd is its address: neighbours in memory are
 * neighbours in the file, whose mappings the kernel merges, and no table is needed.
 *
 * Private memory becomes shared by being copied to the memfd and mapped from there.  A
 * thread that writes in between would lose its write; so this is only done while the
 * process has one thread, and memory of processes with more is born shared.
 *
 * fork: shared memory must not be shared with the child.  Right before, all of it is
 * mapped privately from the same memfd, which nobody writes to after that: parent and
 * child both see what there was, and copy what they write.  The kernel replaces a
 * mapping in one step, so that writes of other threads go either into the memfd before
 * or into a copy after it.  Page-table entries that were dropped stay dropped: a page
 * that was stale stays so, on both sides.  But a page touched after that cannot be
 * watched again, as dropping its entry would drop its private copy.
 *
 * A read fault maps up to 16 pages around ("fault-around"), which makes neighbours
 * look touched: staleness is under-estimated.  The kernel does not do that where a
 * userfaultfd is registered for write-protection; we register and never protect.  If
 * that is not allowed, the under-estimation stays.
 *
 * Where it does not work, memory stays private and nothing is watched: no memfd, no
 * /proc, a file size limit (the memfd is a file), strict overcommit (a page of a memfd
 * that cannot be had is SIGBUS), locked memory (the program wants its pages mapped).
 * mprotect as a second way is not offered: it cannot keep system calls intact.
 */
#include "prim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

static _Atomic bool usable;		/* prim_start() found everything that is needed */
static uint64_t touch_cost = 1000;

/* A descriptor of ours, at a high number, where programs do not look; the program may
 * close it behind our back all the same. */
struct held {
	_Atomic int fd;		/* -1: none */
	dev_t dev;
	ino_t ino;
};

static struct held memfd = { -1, 0, 0 }, pagemap = { -1, 0, 0 }, uffd = { -1, 0, 0 };

static bool held_valid(const struct held *h)
{
	struct stat st;

	return h->fd >= 0 && fstat(h->fd, &st) == 0 && st.st_dev == h->dev && st.st_ino == h->ino;
}

/* Moves a new descriptor to where it is held; false if it is not valid. */
static bool hold(struct held *h, int fd)
{
	struct rlimit l;
	struct stat st;
	int high, from = 512;

	h->fd = -1;
	if (fd < 0)
		return false;
	if (getrlimit(RLIMIT_NOFILE, &l) == 0 && l.rlim_cur != RLIM_INFINITY)
		from = l.rlim_cur > 2048 ? 1000 : (int)l.rlim_cur / 2;
	high = fcntl(fd, F_DUPFD_CLOEXEC, from);
	close(fd);
	if (high < 0)
		return false;
	if (fstat(high, &st) < 0) {
		close(high);
		return false;
	}
	h->dev = st.st_dev;
	h->ino = st.st_ino;
	h->fd = high;
	return true;
}

static void let_go(struct held *h)
{
	if (held_valid(h))
		syscall(SYS_close, h->fd);
	h->fd = -1;
}

bool prim_owns(int fd)
{
	if (likely(fd < 0 || (fd != memfd.fd && fd != pagemap.fd && fd != uffd.fd)))
		return false;
	return held_valid(fd == memfd.fd ? &memfd : fd == pagemap.fd ? &pagemap : &uffd);
}

unsigned prim_first_owned(unsigned first, unsigned last)
{
	int fds[3] = { memfd.fd, pagemap.fd, uffd.fd };
	unsigned low = last == ~0u ? last : last + 1;

	for (int i = 0; i < 3; i++)
		if (fds[i] >= 0 && (unsigned)fds[i] >= first && (unsigned)fds[i] <= last &&
		    (unsigned)fds[i] < low)
			low = (unsigned)fds[i];
	return low;
}

void prim_let_go(int fd)
{
	struct held *h = fd == memfd.fd ? &memfd : fd == pagemap.fd ? &pagemap : &uffd;
	int saved = errno, high = fcntl(fd, F_DUPFD_CLOEXEC, fd + 1);

	h->fd = high;
	errno = saved;
}

/*
 * Set-up
 */

static bool file_size_limited(void)
{
	struct rlimit l;

	return getrlimit(RLIMIT_FSIZE, &l) != 0 || l.rlim_cur != RLIM_INFINITY;
}

static bool memfd_open(void)
{
	int fd;

	if (held_valid(&memfd))
		return true;
	if (file_size_limited())
		return false;
	fd = memfd_create("plumb", MFD_CLOEXEC);
	/* twice the address space: offsets are addresses, or beyond (merge.c) */
	if (fd >= 0 && ftruncate(fd, (off_t)1 << 48) < 0) {
		close(fd);
		fd = -1;
	}
	return hold(&memfd, fd);
}

static bool pagemap_open(void)
{
	if (held_valid(&pagemap))
		return true;
	return hold(&pagemap, open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
}

static bool no_uffd;	/* it was refused */

static bool uffd_open(void)
{
	struct uffdio_api api = { .api = UFFD_API, .features = UFFD_FEATURE_WP_HUGETLBFS_SHMEM };
	int fd;

	if (held_valid(&uffd))
		return true;
	if (no_uffd)
		return false;
	fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
	if (fd >= 0 && ioctl(fd, UFFDIO_API, &api) < 0) {
		close(fd);
		fd = -1;
	}
	no_uffd = !hold(&uffd, fd);
	return !no_uffd;
}

/* No fault-around here.  It does not matter if that fails. */
static void map_exactly(uintptr_t base, size_t npages)
{
	struct uffdio_register r = { .range = { base, npages * PAGE },
				     .mode = UFFDIO_REGISTER_MODE_WP };

	if (uffd_open())
		ioctl(uffd.fd, UFFDIO_REGISTER, &r);
}

static bool strict_overcommit(void)
{
	char c = '2';
	int fd = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		if (read(fd, &c, 1) != 1)
			c = '2';
		close(fd);
	}
	return c == '2';
}

static bool map_shared(uintptr_t base, size_t npages)
{
	if (mmap((void *)base, npages * PAGE, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED | MAP_NORESERVE, memfd.fd, (off_t)base) == MAP_FAILED)
		return false;
	map_exactly(base, npages);
	return true;
}

/* Does it work here as it should, and what does a touch cost? */
static bool try_out(void)
{
	char *p = os_map(16 * PAGE);
	uint64_t bits[PRIM_PAGES / 64], before;
	bool ok = false;

	if (p == NULL)
		return false;
	if (!map_shared((uintptr_t)p, 16))
		goto done;
	memset(p, 1, 16 * PAGE);
	if (!prim_watch((uintptr_t)p, 16) || !prim_touched((uintptr_t)p, 16, bits) ||
	    bits[0] != 0 || *(volatile char *)p != 1)
		goto done;
	before = os_cpu();
	for (int i = 1; i < 16; i++)
		if (*(volatile char *)(p + i * (ptrdiff_t)PAGE) != 1)
			goto done;
	touch_cost = (os_cpu() - before) / 15;
	ok = prim_touched((uintptr_t)p, 16, bits) && bits[0] == 0xffff;
	madvise(p, 16 * PAGE, MADV_REMOVE);
done:
	os_unmap(p, 16 * PAGE);
	return ok;
}

enum run_primitive prim_start(void)
{
	int saved = errno;

	if (strict_overcommit() || !memfd_open() || !pagemap_open())
		goto none;
	if (!try_out())
		goto none;
	usable = true;
	errno = saved;
	return RUN_PRIM_MEMFD;
none:
	let_go(&memfd);
	let_go(&pagemap);
	let_go(&uffd);
	errno = saved;
	return RUN_PRIM_NONE;
}

uint64_t prim_touch_cost(void)
{
	return touch_cost;
}

/*
 * Memory
 */

enum span_mem prim_birth(void)
{
	return usable && !__libc_single_threaded ? MEM_SHARED : MEM_PRIVATE;
}

bool prim_alone(void)
{
	char text[512], *p;
	int fd, n, saved = errno;

	if (!__libc_single_threaded)
		return false;
	fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		errno = saved;
		return false;
	}
	n = (int)read(fd, text, sizeof(text) - 1);
	close(fd);
	errno = saved;
	text[n > 0 ? n : 0] = 0;
	p = strrchr(text, ')');
	/* after the name: state is field 3, the number of threads field 20 */
	for (int field = 2; p != NULL && field < 20; field++)
		if ((p = strchr(p, ' ')) != NULL)
			p++;
	return p != NULL && p[0] == '1' && p[1] == ' ';
}

void *prim_map(size_t npages, enum span_mem *mem)
{
	void *p = os_map(npages * PAGE);

	if (p == NULL)
		return NULL;
	if (*mem == MEM_SHARED && !(memfd_open() && map_shared((uintptr_t)p, npages)))
		*mem = MEM_PRIVATE;
	return p;
}

void prim_discard(uintptr_t base, size_t npages, enum span_mem mem)
{
	int saved = errno;

	check(mem != MEM_FROZEN);
	if (madvise((void *)base, npages * PAGE,
		    mem == MEM_SHARED ? MADV_REMOVE : MADV_DONTNEED) < 0)
		memset((void *)base, 0, npages * PAGE);	/* locked memory */
	errno = saved;
}

bool prim_replace(uintptr_t base, size_t npages, enum span_mem mem)
{
	int saved = errno;
	bool ok;

	if (mem == MEM_SHARED) {
		ok = memfd_open() && map_shared(base, npages);
		if (ok)		/* what an earlier attempt may have left there */
			madvise((void *)base, npages * PAGE, MADV_REMOVE);
	} else {
		ok = mmap((void *)base, npages * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
	}
	errno = saved;
	return ok;
}

/* Copies what is there into the memfd: private pages never touched stay holes.  Frozen
 * ones have contents, mapped or not. */
static bool copy_to_memfd(uintptr_t base, size_t npages, enum span_mem mem)
{
	uint64_t bits[PRIM_PAGES / 64];

	for (size_t at = 0, n; at < npages; at += n) {
		n = npages - at < PRIM_PAGES ? npages - at : PRIM_PAGES;
		if (mem == MEM_FROZEN)
			memset(bits, 0xff, sizeof(bits));
		else if (!prim_touched(base + at * PAGE, n, bits))
			return false;
		for (size_t i = 0, k; i < n; i += k) {
			uintptr_t p = base + (at + i) * PAGE;

			for (k = 0; i + k < n && (bits[(i + k) / 64] >> (i + k) % 64 & 1); k++)
				;
			if (k > 0 && pwrite(memfd.fd, (void *)p, k * PAGE, (off_t)p) !=
					     (ssize_t)(k * PAGE))
				return false;
			k += k == 0;
		}
	}
	return true;
}

bool prim_share(uintptr_t base, size_t npages, enum span_mem mem)
{
	int saved = errno;
	bool ok = usable && !file_size_limited() && memfd_open() &&
		  copy_to_memfd(base, npages, mem) && map_shared(base, npages);

	errno = saved;
	return ok;
}

/*
 * Merging
 */

static void punch(uint64_t offset)
{
	fallocate(memfd.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, PAGE);
}

bool prim_merge(uintptr_t page, uint64_t offset, size_t slot, unsigned nslots,
		const uint64_t *used)
{
	char from[PAGE], to[PAGE];
	int saved = errno;
	bool ok = false;

	if (file_size_limited() || !held_valid(&memfd) ||
	    pread(memfd.fd, from, PAGE, (off_t)page) != (ssize_t)PAGE ||
	    pread(memfd.fd, to, PAGE, (off_t)offset) != (ssize_t)PAGE)
		goto done;
	for (unsigned i = 0; i < nslots; i++)
		if (used[i / 64] >> i % 64 & 1)
			memcpy(to + i * slot, from + i * slot, slot);
	if (pwrite(memfd.fd, to, PAGE, (off_t)offset) != (ssize_t)PAGE ||
	    mmap((void *)page, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
		 memfd.fd, (off_t)offset) == MAP_FAILED)
		goto done;
	map_exactly(page, 1);
	punch(page);
	ok = true;
done:
	errno = saved;
	return ok;
}

void prim_unmerge(uintptr_t page, uint64_t offset, bool last)
{
	int saved = errno;

	prim_replace(page, 1, MEM_PRIVATE);
	if (last && held_valid(&memfd))
		punch(offset);
	errno = saved;
}

/*
 * Watching
 */

bool prim_watch(uintptr_t base, size_t npages)
{
	int saved = errno;
	bool ok = madvise((void *)base, npages * PAGE, MADV_DONTNEED) == 0;

	errno = saved;
	return ok;
}

bool prim_touched(uintptr_t base, size_t npages, uint64_t bits[PRIM_PAGES / 64])
{
	uint64_t entries[PRIM_PAGES];
	int saved = errno;
	ssize_t want = (ssize_t)(npages * sizeof(entries[0])), n;

	check(npages <= PRIM_PAGES);
	if (!pagemap_open()) {
		errno = saved;
		return false;
	}
	n = pread(pagemap.fd, entries, (size_t)want, (off_t)(base / PAGE * sizeof(entries[0])));
	errno = saved;
	if (n != want)
		return false;
	memset(bits, 0, PRIM_PAGES / 8);
	for (size_t i = 0; i < npages; i++)	/* present, or in swap space */
		bits[i / 64] |= (uint64_t)(entries[i] >> 62 != 0) << i % 64;
	return true;
}

/*
 * fork
 */

bool prim_freeze(uintptr_t base, size_t npages, uint64_t offset)
{
	return held_valid(&memfd) &&
	       mmap((void *)base, npages * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, memfd.fd, (off_t)offset) != MAP_FAILED;
}

void prim_frozen(void)
{
	let_go(&memfd);
}

void prim_fork_child(void)
{
	/* These are the parent's: its memory, not ours, would be read and, with the
	 * memfd, shared. */
	let_go(&memfd);
	let_go(&pagemap);
	let_go(&uffd);		/* all three are opened again when they are needed */
}
