/*
 * prim.c - watching pages without a fault handler.
 *
 * Hound protects pages with mprotect and takes SIGSEGV.  We do not, not even where the
 * ways below fail: every system call on a protected page fails with EFAULT or transfers
 * less than it should, those made inside libc included, where nobody can stand before
 * them (a futex, a large fwrite, a signal frame on an alternate stack); and while libc
 * blocks all signals, as it does in pthread_create, a touch would end the process.
 *
 * Instead a watched page is one that the kernel keeps in a file of memory, mapped shared.
 * MADV_DONTNEED drops only the page-table entry of such a page, the data stay.  Whoever
 * touches it next, program or kernel, has it mapped again by an ordinary minor fault, and
 * the kernel tells which pages are mapped.  Nobody gets a signal, system calls work, and
 * the price is a minor fault, which is measured at start (prim_touch_cost()).
 *
 * Two ways, chosen at start by what works here:
 *
 *	memfd		The offset of a page in the memfd is its address: neighbours in
 *			memory are neighbours in the file, whose mappings the kernel
 *			merges, and no table is needed.
 *	anonymous	Shared anonymous memory, which needs no descriptor: where there is
 *			no memfd, a file size limit (a memfd is a file), or strict
 *			overcommit (a page of a memfd that cannot be had is SIGBUS; here
 *			it is accounted for beforehand).  Only for processes with one
 *			thread, as long as they have one; nothing is merged, and fork
 *			copies what is shared.
 *
 * Locked memory is never watched: the program wants its pages mapped.
 *
 * Private memory becomes shared by being copied and mapped.  A thread that writes in
 * between would lose its write; so this is only done while the process has one thread,
 * and memory of processes with more is born shared.
 *
 * Mapped pages are read from /proc/self/pagemap; where that cannot be opened (no /proc,
 * no right to it any more), move_pages tells the same at five times the cost.  A process
 * with one thread opens pagemap for each look and closes it: no descriptor is left to be
 * seen.  One with threads keeps it: an open() could take the number that another thread
 * has just closed and counts on.
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
 * userfaultfd is registered for write-protection; we register and never protect, each
 * mapping anew, and all of them once more in a forked child, where a registration is
 * gone.  If that is not allowed, the under-estimation stays.  Under a filter of system calls
 * (seccomp) neither userfaultfd nor move_pages is tried: it might kill.
 */
#include "prim.h"

#include "fds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

/* Faults one after another, as in the trial, find all that they need in the cache.  In the
 * midst of work (redis: 4.6 us where the trial took 1.0) a touch costs so many times that. */
#define COLD 4

#define MAX_STRETCHES 4000	/* anonymous: each is a mapping that merges with no other */

static _Atomic enum run_primitive way;	/* as prim_start() has found */
static uint64_t touch_cost = 1000;
static unsigned stretches;

/*
 * Which pages are mapped
 */

static bool looking;	/* between prim_look_begin() and _end() */
static int transient = -1;

static int open_quietly(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC);
}

static int pagemap_fd(void)
{
	if (transient >= 0)
		return transient;
	if (held_valid(&fds_pagemap))
		return fds_pagemap.fd;
	if (!__libc_single_threaded) {
		held_take(&fds_pagemap, open_quietly("/proc/self/pagemap"));
		return fds_pagemap.fd;
	}
	return transient = open_quietly("/proc/self/pagemap");
}

static void pagemap_close(void)
{
	if (transient >= 0 && !looking) {
		os_close(transient);
		transient = -1;
	}
}

void prim_look_begin(void)
{
	looking = true;
}

void prim_look_end(void)
{
	int saved = errno;

	looking = false;
	pagemap_close();
	errno = saved;
}

void prim_keep(void)
{
	int saved = errno;

	if (way != RUN_PRIM_NONE && !held_valid(&fds_pagemap))
		held_take(&fds_pagemap, open_quietly("/proc/self/pagemap"));
	errno = saved;
}

static bool by_pagemap(uintptr_t base, size_t npages, uint64_t *bits)
{
	uint64_t entries[PRIM_PAGES];
	size_t want = npages * sizeof(entries[0]);
	int fd = pagemap_fd();
	ssize_t n;

	if (fd < 0)
		return false;
	n = pread(fd, entries, want, (off_t)(base / PAGE * sizeof(entries[0])));
	pagemap_close();
	if (n != (ssize_t)want)
		return false;
	for (size_t i = 0; i < npages; i++)	/* present, or in swap space */
		bits[i / 64] |= (uint64_t)(entries[i] >> 62 != 0) << i % 64;
	return true;
}

static bool by_move_pages(uintptr_t base, size_t npages, uint64_t *bits)
{
	enum { PART = 128 };
	void *pages[PART];
	int status[PART];

	if (os_filtered)
		return false;
	for (size_t at = 0, n; at < npages; at += n) {
		n = npages - at < PART ? npages - at : PART;
		for (size_t i = 0; i < n; i++)
			pages[i] = (void *)(base + (at + i) * PAGE);
		if (os_syscall(SYS_move_pages, 0, (long)n, (long)pages, 0, (long)status, 0) < 0)
			return false;
		for (size_t i = 0; i < n; i++)	/* anything but "not there" may be mapped */
			bits[(at + i) / 64] |= (uint64_t)(status[i] != -ENOENT) << (at + i) % 64;
	}
	return true;
}

bool prim_touched(uintptr_t base, size_t npages, uint64_t bits[PRIM_PAGES / 64])
{
	int saved = errno;
	bool ok;

	check(npages <= PRIM_PAGES);
	memset(bits, 0, PRIM_PAGES / 8);
	ok = by_pagemap(base, npages, bits) || by_move_pages(base, npages, bits);
	errno = saved;
	return ok;
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

	if (held_valid(&fds_memfd))
		return true;
	if (file_size_limited())
		return false;
	fd = memfd_create("plumb", MFD_CLOEXEC);
	/* twice the address space: offsets are addresses, or beyond (merge.c) */
	if (fd >= 0 && ftruncate(fd, (off_t)1 << 48) < 0) {
		os_close(fd);
		fd = -1;
	}
	return held_take(&fds_memfd, fd);
}

static bool no_uffd;	/* it was refused */
static bool uffd_lost;	/* the parent had one when it forked */
static bool uffd_holds;	/* it can hold back whoever touches a page, the kernel included */

static int uffd_try(int flags, uint64_t features)
{
	struct uffdio_api api = { .api = UFFD_API, .features = features };
	int fd = (int)os_syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | flags, 0, 0, 0, 0, 0);

	if (fd >= 0 && ioctl(fd, UFFDIO_API, &api) < 0) {
		os_close(fd);
		fd = -1;
	}
	return fd;
}

static bool uffd_open(void)
{
	int fd;

	if (held_valid(&fds_uffd))
		return true;
	if (no_uffd || os_filtered)
		return false;
	fd = uffd_try(0, UFFD_FEATURE_WP_HUGETLBFS_SHMEM | UFFD_FEATURE_MISSING_SHMEM |
				 UFFD_FEATURE_MINOR_SHMEM);
	uffd_holds = fd >= 0;
	if (fd < 0)
		fd = uffd_try(UFFD_USER_MODE_ONLY, UFFD_FEATURE_WP_HUGETLBFS_SHMEM);
	no_uffd = !held_take(&fds_uffd, fd);
	return !no_uffd;
}

/* No fault-around here.  It does not matter if that fails. */
static void map_exactly(uintptr_t base, size_t npages)
{
	struct uffdio_register r = { .range = { base, npages * PAGE },
				     .mode = UFFDIO_REGISTER_MODE_WP };

	if (uffd_open())
		ioctl(fds_uffd.fd, UFFDIO_REGISTER, &r);
}

/* The first n bytes of a file; its text, or "". */
static const char *read_text(const char *path, char *text, size_t n)
{
	int fd = open_quietly(path);
	ssize_t got = fd >= 0 ? read(fd, text, n - 1) : 0;

	if (fd >= 0)
		os_close(fd);
	text[got > 0 ? got : 0] = 0;
	return text;
}

static bool strict_overcommit(void)
{
	char text[8];

	return read_text("/proc/sys/vm/overcommit_memory", text, sizeof(text))[0] == '2' ||
	       text[0] == 0;
}

static bool is_filtered(void)
{
	char text[4096];
	const char *p = strstr(read_text("/proc/self/status", text, sizeof(text)), "Seccomp:\t");

	/* without /proc nothing is known; a sandbox is what hides it most often, but one
	 * by chroot alone does not filter */
	return p != NULL && p[9] != '0';
}

/* Shared memory, zeroed, in the place of what is there. */
static bool map_shared(uintptr_t base, size_t npages)
{
	bool memfd = way == RUN_PRIM_MEMFD;

	if (memfd ? !memfd_open() : stretches >= MAX_STRETCHES)
		return false;
	/* plumb-ignore: the place is the caller's, MAP_FIXED is set either way */
	if (mmap((void *)base, npages * PAGE, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED | (memfd ? MAP_NORESERVE : MAP_ANONYMOUS),
		 memfd ? fds_memfd.fd : -1, memfd ? (off_t)base : 0) == MAP_FAILED)
		return false;
	stretches += !memfd;
	map_exactly(base, npages);
	return true;
}

/* Does it work here as it should, and what does a touch cost? */
static bool try_out(enum run_primitive w)
{
	char *p = os_map(16 * PAGE);
	uint64_t bits[PRIM_PAGES / 64], before, least;
	bool ok = false;

	if (p == NULL)
		return false;
	way = w;
	if (!map_shared((uintptr_t)p, 16))
		goto done;
	memset(p, 1, 16 * PAGE);
	if (!prim_watch((uintptr_t)p, 16) || !prim_touched((uintptr_t)p, 16, bits) ||
	    bits[0] != 0 || *(volatile char *)p != 1)
		goto done;
	touch_cost = UINT64_MAX;
	for (int i = 1; i < 16; i++) {
		before = os_cpu();
		if (*(volatile char *)(p + i * (ptrdiff_t)PAGE) != 1)
			goto done;
		least = os_cpu() - before;
		touch_cost = least < touch_cost ? least : touch_cost;
	}
	touch_cost *= COLD;
	ok = prim_touched((uintptr_t)p, 16, bits) && bits[0] == 0xffff;
	os_madvise(p, 16 * PAGE, MADV_REMOVE);
done:
	os_unmap(p, 16 * PAGE);
	if (!ok)
		way = RUN_PRIM_NONE;
	return ok;
}

/* Is this way wanted?  Tests ask for one by its name. */
static bool wanted(const char *name)
{
	const char *want = secure_getenv("PLUMB_PRIMITIVE");

	return want == NULL || strcmp(want, name) == 0;
}

enum run_primitive prim_start(void)
{
	int saved = errno;

	os_filtered |= is_filtered();
	if (!(wanted("memfd") && !strict_overcommit() && try_out(RUN_PRIM_MEMFD)) &&
	    !(wanted("anonymous") && __libc_single_threaded && try_out(RUN_PRIM_ANONYMOUS)))
		way = RUN_PRIM_NONE;
	if (way == RUN_PRIM_NONE) {
		held_release(&fds_pagemap);
		held_release(&fds_uffd);
	}
	if (way != RUN_PRIM_MEMFD)
		held_release(&fds_memfd);
	errno = saved;
	return way;
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
	return way == RUN_PRIM_MEMFD && !__libc_single_threaded ? MEM_SHARED : MEM_PRIVATE;
}

/* unshare(CLONE_VM) changes nothing, and is refused as invalid if somebody else, thread or
 * process, has our memory.  Where a sandbox refuses it, /proc knows of threads. */
bool prim_alone(void)
{
	char text[512];
	const char *p;
	int saved = errno;
	long ret = os_filtered ? -1 : os_syscall(SYS_unshare, CLONE_VM, 0, 0, 0, 0, 0);
	bool invalid = !os_filtered && ret < 0 && errno == EINVAL;

	errno = saved;
	if (ret == 0 || invalid || !__libc_single_threaded)
		return ret == 0;
	p = strrchr(read_text("/proc/self/stat", text, sizeof(text)), ')');
	errno = saved;
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
	if (*mem == MEM_SHARED && (os_few_mappings || !map_shared((uintptr_t)p, npages)))
		*mem = MEM_PRIVATE;
	return p;
}

void prim_discard(uintptr_t base, size_t npages, enum span_mem mem)
{
	int saved = errno;

	check(mem != MEM_FROZEN);
	if (os_madvise((void *)base, npages * PAGE,
		    mem == MEM_SHARED ? MADV_REMOVE : MADV_DONTNEED) < 0)
		memset((void *)base, 0, npages * PAGE);	/* locked memory */
	errno = saved;
}

bool prim_replace(uintptr_t base, size_t npages, enum span_mem mem)
{
	int saved = errno;
	bool ok;

	if (mem == MEM_SHARED) {
		ok = map_shared(base, npages);
		if (ok)		/* what an earlier attempt may have left there */
			os_madvise((void *)base, npages * PAGE, MADV_REMOVE);
	} else {
		ok = mmap((void *)base, npages * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
	}
	errno = saved;
	return ok;
}

/* Puts what is there at `to` (anonymous), or into the memfd: private pages never touched
 * stay holes.  Frozen ones have contents, mapped or not. */
static bool copy(uintptr_t to, uintptr_t base, size_t npages, enum span_mem mem)
{
	uint64_t bits[PRIM_PAGES / 64];

	for (size_t at = 0, n; at < npages; at += n) {
		n = npages - at < PRIM_PAGES ? npages - at : PRIM_PAGES;
		if (mem != MEM_PRIVATE)
			memset(bits, 0xff, sizeof(bits));
		else if (!prim_touched(base + at * PAGE, n, bits))
			return false;
		for (size_t i = 0, k; i < n; i += k) {
			uintptr_t p = base + (at + i) * PAGE;

			for (k = 0; i + k < n && (bits[(i + k) / 64] >> (i + k) % 64 & 1); k++)
				;
			if (k > 0 && to != 0)
				memcpy((char *)to + (p - base), (void *)p, k * PAGE);
			else if (k > 0 && pwrite(fds_memfd.fd, (void *)p, k * PAGE, (off_t)p) !=
						  (ssize_t)(k * PAGE))
				return false;
			k += k == 0;
		}
	}
	return true;
}

/* Puts memory of n pages, mapped as `flags` say, in the place of what is there, with the
 * same contents. */
static bool exchange(uintptr_t base, size_t npages, enum span_mem mem, int flags)
{
	void *p = mmap(NULL, npages * PAGE, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	if (!copy((uintptr_t)p, base, npages, mem) ||
	    mremap(p, npages * PAGE, npages * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, base) ==
		    MAP_FAILED) {
		munmap(p, npages * PAGE);
		return false;
	}
	return true;
}

bool prim_share(uintptr_t base, size_t npages, enum span_mem mem)
{
	int saved = errno;
	bool ok = false;

	if (way == RUN_PRIM_MEMFD && !file_size_limited() && memfd_open()) {
		ok = copy(0, base, npages, mem) && map_shared(base, npages);
	} else if (way == RUN_PRIM_ANONYMOUS && stretches < MAX_STRETCHES) {
		ok = exchange(base, npages, mem, MAP_SHARED);
		stretches += ok;
		if (ok)
			map_exactly(base, npages);
	}
	errno = saved;
	return ok;
}

bool prim_unshare(uintptr_t base, size_t npages)
{
	int saved = errno;
	bool ok = exchange(base, npages, MEM_SHARED, MAP_PRIVATE);

	errno = saved;
	return ok;
}

/*
 * Merging.  Between the copy and the new mapping nobody may touch the page: a write would be
 * lost, a read would not be noticed.  In a process with one thread that means signal
 * handlers.  Other threads are held back by the kernel: the page, whose entry in the page
 * table is dropped, is registered with a userfaultfd for faults of every kind, so that
 * whoever touches it, program or kernel, waits until we wake him; he then goes on with the
 * new mapping.  The order:
 *
 *	1. register.  From here on nobody can have the page mapped who has not already.
 *	2. is it mapped?  Then somebody has touched it since it was watched: leave it.
 *	3. copy, map anew.  The kernel waits, in mmap, for faults that are under way: they
 *	   are all asleep in the userfaultfd's queue, or done, when it returns.
 *	4. wake.
 *
 * This takes a userfaultfd that holds the kernel's own accesses back, too, which is for
 * privileged processes (CAP_SYS_PTRACE, or vm.unprivileged_userfaultfd).  One for user mode
 * alone would make them fail, and so would every protection: without it threaded processes
 * are not compacted.  A call that pins pages with a lock in its hands (registering buffers
 * with a device) cannot wait and would fail on such a page, for the some 20 us that it is
 * held; it would have to come upon memory that has not been used for seconds.
 */

static void punch(uint64_t offset)
{
	fallocate(fds_memfd.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, PAGE);
}

bool prim_can_hold(void)
{
	return way == RUN_PRIM_MEMFD && !os_filtered && held_valid(&fds_uffd) && uffd_holds;
}

static bool hold(uintptr_t page)
{
	struct uffdio_register r = { .range = { page, PAGE },
				     .mode = UFFDIO_REGISTER_MODE_MISSING |
					     UFFDIO_REGISTER_MODE_MINOR |
					     UFFDIO_REGISTER_MODE_WP };

	return ioctl(fds_uffd.fd, UFFDIO_REGISTER, &r) == 0;
}

/* The page is mapped anew, or (merged is false) as it was. */
static void let_go(uintptr_t page, bool merged)
{
	struct uffdio_range r = { page, PAGE };

	if (!merged)
		ioctl(fds_uffd.fd, UFFDIO_UNREGISTER, &r);
	ioctl(fds_uffd.fd, UFFDIO_WAKE, &r);
}

/* Copies slots within the memfd, and nothing between them: others may be writing there. */
static bool copy_slots(uint64_t to, uint64_t from, size_t slot, unsigned nslots,
		       const uint64_t *used)
{
	char data[PAGE];

	if (pread(fds_memfd.fd, data, PAGE, (off_t)from) != (ssize_t)PAGE)
		return false;
	for (unsigned i = 0, k; i < nslots; i = k) {
		for (k = i; k < nslots && (used[k / 64] >> k % 64 & 1); k++)
			;
		if (k > i && pwrite(fds_memfd.fd, data + i * slot, (k - i) * slot,
				    (off_t)(to + i * slot)) != (ssize_t)((k - i) * slot))
			return false;
		k += k == i;
	}
	return true;
}

bool prim_merge(uintptr_t page, uint64_t offset, size_t slot, unsigned nslots,
		const uint64_t *used, bool alone)
{
	uint64_t all = ~(uint64_t)0, mask = 0, bits[PRIM_PAGES / 64];
	int saved = errno;
	bool ok = false, held;

	if (way != RUN_PRIM_MEMFD || file_size_limited() || !held_valid(&fds_memfd) ||
	    (!alone && !prim_can_hold()))
		goto done;
	os_syscall(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, (long)&mask, sizeof(mask), 0, 0);
	held = !alone && hold(page);
	if (held || alone)
		ok = prim_touched(page, 1, bits) && (bits[0] & 1) == 0 &&
		     copy_slots(offset, page, slot, nslots, used) &&
		     mmap((void *)page, PAGE, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fds_memfd.fd,
			  (off_t)offset) != MAP_FAILED;
	if (held)
		let_go(page, ok);
	if (held || ok)
		map_exactly(page, 1);
	os_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, sizeof(mask), 0, 0);
	if (ok)
		punch(page);
done:
	errno = saved;
	return ok;
}

bool prim_unmerge(uintptr_t page, uint64_t offset, bool last, enum span_mem mem)
{
	int saved = errno;
	bool ok = prim_replace(page, 1, mem);

	if (ok && last && held_valid(&fds_memfd))
		punch(offset);
	errno = saved;
	return ok;
}

/*
 * Watching
 */

bool prim_watch(uintptr_t base, size_t npages)
{
	int saved = errno;
	bool ok = os_madvise((void *)base, npages * PAGE, MADV_DONTNEED) == 0;

	errno = saved;
	return ok;
}

/*
 * fork
 */

bool prim_freeze(uintptr_t base, size_t npages, uint64_t offset)
{
	if (way != RUN_PRIM_MEMFD)
		return exchange(base, npages, MEM_SHARED, MAP_PRIVATE);
	if (!held_valid(&fds_memfd) ||
	    mmap((void *)base, npages * PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fds_memfd.fd, (off_t)offset) == MAP_FAILED)
		return false;
	map_exactly(base, npages);
	return true;
}

void prim_frozen(void)
{
	held_release(&fds_memfd);
	stretches = 0;
}

void prim_fork_child(void)
{
	/* These are the parent's: its memory, not ours, would be read and, with the
	 * memfd, shared.  All are opened again when they are needed. */
	held_release(&fds_memfd);
	held_release(&fds_pagemap);
	uffd_lost = held_valid(&fds_uffd);
	held_release(&fds_uffd);
	if (transient >= 0)
		os_close(transient);
	transient = -1;
	looking = false;
}

bool prim_must_refreeze(void)
{
	return uffd_lost && !os_filtered;
}

void prim_refreeze(uintptr_t base, size_t npages)
{
	map_exactly(base, npages);
}

bool prim_before_threads(void)
{
	if (way != RUN_PRIM_ANONYMOUS)
		return true;
	way = RUN_PRIM_NONE;
	return false;
}
