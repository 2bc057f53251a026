/*
 * wrap.c - functions of libc that we stand before, beside malloc's family.
 *
 *  - Calls that sleep: a program that waits does not allocate, and would never be
 *    looked at.  We look right before and right after, if a tick is due.
 *  - pthread_create: memory must be made watchable while there is one thread (prim.c).
 *  - setuid, chroot and their like: /proc/self/pagemap cannot be opened after them, nor
 *    a file for a child be made by its name.
 *  - dlclose: frames in an unloaded library must not be mistaken for frames of what is
 *    loaded there next.
 *  - close and its like: daemons close all descriptors, ours must stay.
 *  - mprotect, mlock, madvise on heap memory: what the program wants of its pages would
 *    be lost if they were mapped anew.
 *  - prctl and syscall, for seccomp: system calls of ours could kill the process then.
 *
 * Each does its own little thing and calls the next definition; a program that makes
 * the system call itself misses nothing but that.
 */
#include "age.h"
#include "fds.h"
#include "heap.h"
#include "site.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The next definition of a function, looked up at its first call. */
#define NEXT(name) \
	static __typeof__(&name) _Atomic next_; \
	__typeof__(&name) next = atomic_load_explicit(&next_, memory_order_relaxed); \
	if (unlikely(next == NULL)) { \
		next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
		atomic_store_explicit(&next_, next, memory_order_relaxed); \
	}

/* A function that may sleep, of any result type but void. */
#define SLEEPER(type, name, params, args) \
	EXPORT type name params \
	{ \
		type ret_; \
		NEXT(name) \
		age_look(false); \
		ret_ = next args; \
		age_look(false); \
		return ret_; \
	}

SLEEPER(unsigned, sleep, (unsigned s), (s))
SLEEPER(int, usleep, (useconds_t us), (us))
SLEEPER(int, nanosleep, (const struct timespec *t, struct timespec *left), (t, left))
SLEEPER(int, clock_nanosleep,
	(clockid_t c, int flags, const struct timespec *t, struct timespec *left),
	(c, flags, t, left))
SLEEPER(int, pause, (void), ())
SLEEPER(int, poll, (struct pollfd *p, nfds_t n, int ms), (p, n, ms))
SLEEPER(int, ppoll,
	(struct pollfd *p, nfds_t n, const struct timespec *t, const sigset_t *s), (p, n, t, s))
SLEEPER(int, select, (int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *t),
	(n, r, w, e, t))
SLEEPER(int, pselect,
	(int n, fd_set *r, fd_set *w, fd_set *e, const struct timespec *t, const sigset_t *s),
	(n, r, w, e, t, s))
SLEEPER(int, epoll_wait, (int fd, struct epoll_event *e, int n, int ms), (fd, e, n, ms))
SLEEPER(int, epoll_pwait,
	(int fd, struct epoll_event *e, int n, int ms, const sigset_t *s), (fd, e, n, ms, s))

EXPORT int pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*f)(void *), void *arg)
{
	NEXT(pthread_create)
	age_before_thread();
	return next(t, attr, f, arg);
}

/* A function that changes what [p, p + n) is to the kernel. */
#define PINNER(name, params, args) \
	EXPORT int name params \
	{ \
		NEXT(name) \
		age_pin(p, n); \
		return next args; \
	}

PINNER(mlock, (const void *p, size_t n), (p, n))
PINNER(mlock2, (const void *p, size_t n, unsigned flags), (p, n, flags))
PINNER(mprotect, (void *p, size_t n, int prot), (p, n, prot))
PINNER(pkey_mprotect, (void *p, size_t n, int prot, int key), (p, n, prot, key))

/* Memory that is not private does not become zero by being dropped. */
EXPORT int madvise(void *p, size_t n, int advice)
{
	NEXT(madvise)
	age_pin(p, n);
	if ((advice == MADV_DONTNEED || advice == MADV_FREE) && (uintptr_t)p % PAGE == 0 &&
	    heap_is_shared(p, n)) {
		memset(p, 0, n);
		return 0;
	}
	return next(p, n, advice);
}

EXPORT int prctl(int op, ...)
{
	unsigned long a[4];
	va_list ap;

	NEXT(prctl)
	va_start(ap, op);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	if (op == PR_SET_SECCOMP)
		age_before_filter();
	return next(op, a[0], a[1], a[2], a[3]);
}

#ifdef __x86_64__
/* syscall() must be left by a jump: what comes back from it may be a child that shares
 * our stack.  The arguments stay where they are. */
extern void *wrap_next_syscall;
void *wrap_next_syscall;
void wrap_syscall_look(long number, long a);

__attribute__((used)) void wrap_syscall_look(long number, long a)
{
	if (wrap_next_syscall == NULL)
		wrap_next_syscall = dlsym(RTLD_NEXT, "syscall");
	if (number == SYS_seccomp || (number == SYS_prctl && a == PR_SET_SECCOMP))
		age_before_filter();
}

__asm__(".text\n"
	".globl syscall\n"
	".type syscall, @function\n"
	"syscall:\n"
	"	cmpq $0, wrap_next_syscall(%rip)\n"
	"	je 1f\n"
	"	cmpq $317, %rdi\n"	/* seccomp */
	"	je 1f\n"
	"	cmpq $157, %rdi\n"	/* prctl */
	"	je 1f\n"
	"	jmp *wrap_next_syscall(%rip)\n"
	"1:	pushq %rdi\n"
	"	pushq %rsi\n"
	"	pushq %rdx\n"
	"	pushq %rcx\n"
	"	pushq %r8\n"
	"	pushq %r9\n"
	"	subq $8, %rsp\n"
	"	call wrap_syscall_look\n"
	"	addq $8, %rsp\n"
	"	popq %r9\n"
	"	popq %r8\n"
	"	popq %rcx\n"
	"	popq %rdx\n"
	"	popq %rsi\n"
	"	popq %rdi\n"
	"	jmp *wrap_next_syscall(%rip)\n"
	".size syscall, .-syscall\n");
_Static_assert(SYS_seccomp == 317 && SYS_prctl == 157, "as in the code above");
#endif

#define SETTER(name, params, args) \
	EXPORT int name params \
	{ \
		NEXT(name) \
		age_before_setuid(); \
		return next args; \
	}

SETTER(setuid, (uid_t u), (u))
SETTER(seteuid, (uid_t u), (u))
SETTER(setreuid, (uid_t r, uid_t e), (r, e))
SETTER(setresuid, (uid_t r, uid_t e, uid_t s), (r, e, s))
SETTER(chroot, (const char *path), (path))

EXPORT int dlclose(void *handle)
{
	int ret;

	NEXT(dlclose)
	ret = next(handle);
	site_unloaded();
	return ret;
}

/*
 * Descriptors
 */

EXPORT int close(int fd)
{
	NEXT(close)
	if (unlikely(fds_owns(fd)))
		return errno = EBADF, -1;	/* as if there were none */
	return next(fd);
}

/* Closes [first, last] around ours. */
EXPORT int close_range(unsigned first, unsigned last, int flags)
{
	NEXT(close_range)
	while (first <= last) {
		unsigned ours = fds_first_owned(first, last);

		if (ours > last)
			return next(first, last, flags);
		if (ours > first && next(first, ours - 1, flags) < 0)
			return -1;
		if (ours == ~0u)
			break;
		first = ours + 1;
	}
	return 0;
}

EXPORT void closefrom(int first)
{
	close_range(first > 0 ? (unsigned)first : 0, ~0u, 0);
}

EXPORT int dup2(int from, int to)
{
	NEXT(dup2)
	if (unlikely(fds_owns(to)))
		fds_move(to);
	return next(from, to);
}

EXPORT int dup3(int from, int to, int flags)
{
	NEXT(dup3)
	if (unlikely(fds_owns(to)))
		fds_move(to);
	return next(from, to, flags);
}
