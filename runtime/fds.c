/*
 * fds.c - descriptors of our own in somebody else's process.
 *
 * A memfd and a userfaultfd must stay open for as long as pages are watched, and a
 * process with threads keeps its pagemap open, too (prim.c tells why); one that gives up
 * its user or changes its root keeps the folder of its run file.  A program should not
 * come across them:
 *
 *  - Their numbers are beyond the limit of descriptors, if that may be raised for a
 *    moment: whoever tries all numbers up to the limit does not find them.  Otherwise
 *    they are from 1000 on.
 *  - close, close_range, closefrom and dup2 leave them alone (wrap.c).
 *  - They are opened late: a process that lives for less than half a second has none.
 *
 * A program that lists /proc/self/fd does see them; there is no way to have a
 * userfaultfd, or a private view of a memfd at fork, without a descriptor.
 */
#include "fds.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOW 1000	/* programs do not look at numbers from here on */
#define ROOM 8		/* numbers beyond the limit */

struct held fds_memfd = { -1, 0, 0 }, fds_pagemap = { -1, 0, 0 }, fds_uffd = { -1, 0, 0 },
	    fds_folder = { -1, 0, 0 };
static struct held *const all[] = { &fds_memfd, &fds_pagemap, &fds_uffd, &fds_folder };
#define NALL (sizeof(all) / sizeof(all[0]))

bool held_valid(const struct held *h)
{
	struct stat st;

	return h->fd >= 0 && fstat(h->fd, &st) == 0 && st.st_dev == h->dev && st.st_ino == h->ino;
}

/* A copy of fd beyond the limit l; -1: that is not allowed, or would make the kernel's
 * table of descriptors large, which each fork copies. */
static int dup_beyond(int fd, const struct rlimit *l)
{
	struct rlimit raised = *l;
	rlim_t from = l->rlim_cur > LOW ? l->rlim_cur : LOW;
	int high;

	if (from == RLIM_INFINITY || from > 65536)
		return -1;
	raised.rlim_cur = from + ROOM;
	if (raised.rlim_max < raised.rlim_cur)
		raised.rlim_max = raised.rlim_cur;
	if (setrlimit(RLIMIT_NOFILE, &raised) < 0)
		return -1;
	high = fcntl(fd, F_DUPFD_CLOEXEC, (int)from);
	setrlimit(RLIMIT_NOFILE, l);
	return high;
}

static int dup_high(int fd)
{
	struct rlimit l = { RLIM_INFINITY, RLIM_INFINITY };
	int from = LOW, high = -1;

	if (getrlimit(RLIMIT_NOFILE, &l) == 0)
		high = dup_beyond(fd, &l);
	if (high < 0 && l.rlim_cur <= 2048)
		from = (int)l.rlim_cur / 2;
	return high >= 0 ? high : fcntl(fd, F_DUPFD_CLOEXEC, from);
}

bool held_take(struct held *h, int fd)
{
	struct stat st;
	int high;

	h->fd = -1;
	if (fd < 0)
		return false;
	high = dup_high(fd);
	os_close(fd);
	if (high < 0)
		return false;
	if (fstat(high, &st) < 0) {
		os_close(high);
		return false;
	}
	h->dev = st.st_dev;
	h->ino = st.st_ino;
	h->fd = high;
	return true;
}

void held_release(struct held *h)
{
	if (held_valid(h))
		os_close(h->fd);
	h->fd = -1;
}

bool fds_owns(int fd)
{
	if (likely(fd < 0))
		return false;
	for (size_t i = 0; i < NALL; i++)
		if (unlikely(fd == all[i]->fd))
			return held_valid(all[i]);
	return false;
}

unsigned fds_first_owned(unsigned first, unsigned last)
{
	unsigned low = last == ~0u ? last : last + 1;

	for (size_t i = 0; i < NALL; i++) {
		int fd = all[i]->fd;

		if (fd >= 0 && (unsigned)fd >= first && (unsigned)fd <= last && (unsigned)fd < low)
			low = (unsigned)fd;
	}
	return low;
}

void fds_move(int fd)
{
	int saved = errno;

	for (size_t i = 0; i < NALL; i++)
		if (fd == all[i]->fd)
			all[i]->fd = fcntl(fd, F_DUPFD_CLOEXEC, fd + 1);
	errno = saved;
}
