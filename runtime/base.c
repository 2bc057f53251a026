/*
 * base.c - locks, clocks and memory for tables.
 */
#include "base.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Noreturn void base_broken(const char *what, const char *file, int line)
{
	char text[256], digits[12], *d = digits + sizeof(digits) - 1;
	size_t n = 0;
	const char *parts[6] = { "libplumb: broken: ", what, " at ", file, ":", NULL };

	*d = 0;
	do
		*--d = (char)('0' + line % 10);
	while ((line /= 10) != 0);
	parts[5] = d;
	for (int i = 0; i < 6; i++)
		for (const char *s = parts[i]; *s && n < sizeof(text) - 1; s++)
			text[n++] = *s;
	text[n++] = '\n';
	n = (size_t)write(2, text, n);
	__builtin_trap();
}

/*
 * System calls
 */

_Atomic bool os_filtered;

long os_syscall(long number, long a, long b, long c, long d, long e, long f)
{
#ifdef __x86_64__
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	if (ret < 0 && ret > -4096) {
		errno = (int)-ret;
		return -1;
	}
	return ret;
#else
	return syscall(number, a, b, c, d, e, f);
#endif
}

int os_close(int fd)
{
	return (int)os_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

int os_madvise(void *p, size_t n, int advice)
{
	return (int)os_syscall(SYS_madvise, (long)p, (long)n, advice, 0, 0, 0);
}

/*
 * Locks
 */

__thread int base_locks;

static long futex(_Atomic int *p, int op, int value)
{
	int saved = errno;
	long ret = os_syscall(SYS_futex, (long)p, op | FUTEX_PRIVATE_FLAG, value, 0, 0, 0);

	errno = saved;
	return ret;
}

void lock_wait(struct lock *l)
{
	for (int i = 0; i < 100; i++) {
		if (lock_try(l))
			return;
		__builtin_ia32_pause();
	}
	base_locks++;
	while (atomic_exchange_explicit(&l->v, 2, memory_order_acquire) != 0)
		futex(&l->v, FUTEX_WAIT, 2);
}

void lock_wake(struct lock *l)
{
	futex(&l->v, FUTEX_WAKE, 1);
}

/*
 * Memory
 */

struct lock meta_lock;
static char *meta_at, *meta_end;
static size_t meta_total;

/*
 * When mmap has no more, the program may have used up its mappings (vm.max_map_count).  libc's
 * malloc would go on then: it extends the break, which makes no mapping.  So do we.  The
 * kernel takes that as long as the limit is not exceeded, as the mapping that failed, or the
 * last one of ours, may have done: a few mappings are kept for nothing but to be given back.
 */
#define SPARE_PAGES 7

struct lock break_lock;
_Atomic bool os_few_mappings;
static char *spare;

void os_keep_spare(void)
{
	spare = mmap(NULL, SPARE_PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (spare == MAP_FAILED) {
		spare = NULL;
		return;
	}
	for (size_t i = 1; i < SPARE_PAGES; i += 2)
		os_syscall(SYS_mprotect, (long)(spare + i * PAGE), PAGE, PROT_READ, 0, 0, 0);
}

static void *extend_break(size_t n)
{
	char *p = NULL, *now;
	size_t gap;

	lock_take(&break_lock);
	if (spare != NULL)
		munmap(spare, SPARE_PAGES * PAGE);
	spare = NULL;
	now = sbrk(0);
	gap = -(uintptr_t)now & (PAGE - 1);	/* the program may have left it anywhere */
	if (n < PTRDIFF_MAX - PAGE && sbrk((intptr_t)(n + gap)) == now)
		p = now + gap;
	os_few_mappings |= p != NULL;
	lock_give(&break_lock);
	return p;
}

void *os_map(size_t n)
{
	int saved = errno;
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		p = extend_break(n);
	errno = saved;
	return p;
}

void os_unmap(void *p, size_t n)
{
	int saved = errno;

	munmap(p, n);
	errno = saved;
}

static void *meta_take(size_t n, size_t align)
{
	void *p = NULL;

	lock_take(&meta_lock);
	if (n > 64 * 1024) {	/* its own pages: the rest of the current piece stays */
		p = os_map((n + PAGE - 1) & ~(PAGE - 1));
		goto done;
	}
	meta_at = (char *)(((uintptr_t)meta_at + align - 1) & ~(align - 1));
	if (meta_at > meta_end || n > (size_t)(meta_end - meta_at)) {
		size_t want = meta_total > 1024 * 1024 ? 256 * 1024 : 64 * 1024;
		char *fresh = os_map(want);

		if (fresh == NULL)	/* the least: addresses may be few */
			fresh = os_map(want = (n + PAGE - 1) & ~(PAGE - 1));
		if (fresh == NULL)
			goto done;
		meta_at = fresh;
		meta_end = fresh + want;
	}
	p = meta_at;
	meta_at += n;
done:
	if (p != NULL)
		meta_total += n;
	lock_give(&meta_lock);
	return p;
}

void *meta_alloc(size_t n)
{
	return meta_take((n + 15) & ~(size_t)15, 16);
}

void *meta_alloc_lines(size_t n)
{
	return meta_take((n + 63) & ~(size_t)63, 64);
}

size_t meta_used(void)
{
	return meta_total;
}

/*
 * Clocks
 */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t = { 0, 0 };

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static _Atomic uint64_t stepped;	/* what the clock shows, if it is moved by hand */

uint64_t os_now(void)
{
	uint64_t now = counter_get(&stepped);

	return unlikely(now != 0) ? now : clock_ns(CLOCK_MONOTONIC);
}

uint64_t os_now_coarse(void)
{
	uint64_t now = counter_get(&stepped);

	return unlikely(now != 0) ? now : clock_ns(CLOCK_MONOTONIC_COARSE);
}

bool os_is_stepped(void)
{
	return counter_get(&stepped) != 0;
}

uint64_t os_step(uint64_t ns)
{
	uint64_t now = os_now() + ns;

	atomic_store(&stepped, now);
	return now;
}

uint64_t os_cpu(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}
