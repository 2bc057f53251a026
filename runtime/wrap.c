/*
 * wrap.c - functions of libc that we stand before, beside malloc's family.
 *
 *  - Calls that sleep: a program that waits does not allocate, and would never be
 *    looked at.  We look right before and right after, if a tick is due.
 *  - pthread_create: memory must be made watchable while there is one thread (prim.c).
 *  - setuid and its like: /proc/self/pagemap cannot be opened after them.
 *  - dlclose: frames in an unloaded library must not be mistaken for frames of what is
 *    loaded there next.
 *  - close and its like: daemons close all descriptors, ours must stay.
 *
 * Each does its own little thing and calls the next definition; a program that makes
 * the system call itself misses nothing but that.
 */
#include "age.h"
#include "fds.h"
#include "site.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
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
