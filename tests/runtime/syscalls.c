/*
 * syscalls - system calls on watched pages: each must behave as without us.
 *
 * Buffers in pages of their own are left alone until the library has made them stale
 * (it drops their page-table entries), then handed to the kernel: no EFAULT, no short
 * count, right contents.  Exit code 0: all is right; what is wrong is printed.
 */
#include "step.inc"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BUFFERS 64
#define SIZE 20000		/* several pages */

static char *buffer[BUFFERS];
static int next, bad;
static int checked;

static void require(const char *what, int ok)
{
	checked++;
	if (ok)
		return;
	dprintf(1, "%s: %s\n", what, strerror(errno));
	bad = 1;
}

/* Which share of a buffer's pages is mapped? */
static int mapped(const char *p)
{
	uint64_t e[4];
	int fd = open("/proc/self/pagemap", O_RDONLY), n = 0;

	pread(fd, e, sizeof(e), (off_t)((uintptr_t)p / 4096 * 8));
	close(fd);
	for (int i = 0; i < 4; i++)
		n += e[i] >> 63;
	return n;
}

/* A buffer that nobody has touched lately, full of 'a'. */
static char *take(void)
{
	return buffer[next++ % BUFFERS];
}

static void wait_until_stale(void)
{
	int n = BUFFERS;

	for (int i = 0; i < 100 && n > 0; i++) {
		step(500);
		n = 0;
		for (int k = 0; k < BUFFERS; k++)
			n += mapped(buffer[k]) > 0;
	}
	if (n > 0) {
		dprintf(1, "%d buffers are still mapped: nothing is tested\n", n);
		bad = 1;
	}
}

static int all(const char *p, char c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != c)
			return 0;
	return 1;
}

static void test_files(void)
{
	char name[] = "sysXXXXXX";
	int fd = mkstemp(name), fd2;
	char *p = take(), *q;
	struct iovec v[2];

	require("write", write(fd, p, SIZE) == SIZE);
	require("pwrite", pwrite(fd, take(), SIZE, SIZE) == SIZE);
	q = take();
	require("pread", pread(fd, q, SIZE, 0) == SIZE && all(q, 'a', SIZE));
	lseek(fd, 0, SEEK_SET);
	q = take();
	require("read", read(fd, q, SIZE) == SIZE && all(q, 'a', SIZE));
	lseek(fd, 0, SEEK_SET);
	v[0] = (struct iovec){ take(), SIZE };
	v[1] = (struct iovec){ take(), SIZE };
	require("readv", readv(fd, v, 2) == 2 * SIZE);
	v[0].iov_base = take();
	v[1].iov_base = take();
	require("writev", writev(fd, v, 2) == 2 * SIZE);
	require("stat", stat(name, (struct stat *)(void *)take()) == 0);
	require("fstat", fstat(fd, (struct stat *)(void *)take()) == 0);
	require("statx", statx(fd, "", AT_EMPTY_PATH, STATX_ALL, (void *)take()) == 0);
	require("statfs", statfs("/", (struct statfs *)(void *)take()) == 0);
	fd2 = open(".", O_RDONLY | O_DIRECTORY);
	require("getdents64", syscall(SYS_getdents64, fd2, take(), SIZE) > 0);
	require("getcwd", getcwd(take(), SIZE) != NULL);
	require("readlink", readlink("/proc/self/exe", take(), SIZE) > 0);
	require("raw syscall read", lseek(fd, 0, SEEK_SET) == 0 &&
		syscall(SYS_read, fd, take(), SIZE) == SIZE);
	close(fd2);
	close(fd);
	unlink(name);
}

static void test_sockets(void)
{
	int s[2], n;
	struct msghdr m = { 0 };
	struct iovec v;
	char *p;
	struct pollfd *pf;
	struct epoll_event *ev;
	fd_set *set;
	int ep = epoll_create1(0);

	require("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
	require("send", send(s[0], take(), 8000, 0) == 8000);
	p = take();
	require("recv", recv(s[1], p, SIZE, 0) == 8000 && all(p, 'a', 8000));
	v = (struct iovec){ take(), 8000 };
	m.msg_iov = &v;
	m.msg_iovlen = 1;
	require("sendmsg", sendmsg(s[0], &m, 0) == 8000);
	v = (struct iovec){ take(), SIZE };
	m.msg_control = take();
	m.msg_controllen = 1000;
	require("recvmsg", recvmsg(s[1], &m, 0) == 8000);
	pf = (struct pollfd *)(void *)take();
	send(s[0], "x", 1, 0);
	memset(pf, 0, sizeof(*pf));
	pf->fd = s[1];
	pf->events = POLLIN;
	require("poll", poll(pf, 1, 1000) == 1 && pf->revents == POLLIN);
	ev = (struct epoll_event *)(void *)take();
	ev->events = EPOLLIN;
	require("epoll_ctl", epoll_ctl(ep, EPOLL_CTL_ADD, s[1], ev) == 0);
	require("epoll_wait", epoll_wait(ep, (struct epoll_event *)(void *)take(), 10, 1000) == 1);
	set = (fd_set *)(void *)take();
	FD_ZERO(set);
	FD_SET(s[1], set);
	require("select", select(s[1] + 1, set, NULL, NULL, NULL) == 1);
	n = -1;
	require("ioctl FIONREAD", ioctl(s[1], FIONREAD, take()) == 0);
	*(int *)(void *)(p = take()) = 1;
	require("setsockopt", setsockopt(s[0], SOL_SOCKET, SO_SNDBUF, p, sizeof(n)) == 0);
	n = 4;
	require("getsockopt", getsockopt(s[0], SOL_SOCKET, SO_TYPE, take(), (socklen_t *)&n) == 0);
	close(ep);
	close(s[0]);
	close(s[1]);
}

static void test_others(void)
{
	int fd[2], status;
	char *p;
	struct iovec local, remote;

	require("getrandom", getrandom(take(), 256, 0) == 256);
	require("uname", uname((struct utsname *)(void *)take()) == 0);
	require("sysinfo", sysinfo((struct sysinfo *)(void *)take()) == 0);
	require("raw clock_gettime",
		syscall(SYS_clock_gettime, CLOCK_MONOTONIC, take()) == 0);
	require("raw gettimeofday", syscall(SYS_gettimeofday, take(), NULL) == 0);
	require("pipe", pipe(fd) == 0);
	require("write to a pipe", write(fd[1], take(), 10000) == 10000);
	p = take();
	require("read from a pipe", read(fd[0], p, SIZE) == 10000 && all(p, 'a', 10000));
	local = (struct iovec){ take(), SIZE };
	require("vmsplice", vmsplice(fd[1], &local, 1, 0) == SIZE);
	close(fd[0]);
	close(fd[1]);
	local = (struct iovec){ take(), SIZE };
	remote = (struct iovec){ take(), SIZE };
	require("process_vm_readv",
		process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == SIZE);
	if (fork() == 0)
		_exit(7);
	require("wait4", wait4(-1, (int *)(void *)(p = take()), 0, (void *)take()) > 0);
	memcpy(&status, p, sizeof(status));
	require("wait4's status", WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

/* One read through io_uring, with the raw system calls. */
static void test_io_uring(void)
{
	struct io_uring_params par = { 0 };
	char name[] = "ringXXXXXX";
	int ring = (int)syscall(SYS_io_uring_setup, 4, &par), fd;
	char *sq, *cq, *p;
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
	unsigned tail;

	if (ring < 0)
		return;		/* not allowed here */
	sq = mmap(NULL, par.sq_off.array + par.sq_entries * 4, PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQ_RING);
	cq = mmap(NULL, par.cq_off.cqes + par.cq_entries * sizeof(*cqe), PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_CQ_RING);
	sqe = mmap(NULL, par.sq_entries * sizeof(*sqe), PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQES);
	fd = mkstemp(name);	/* not /dev/zero: that may give less, by its nature */
	unlink(name);
	require("write for io_uring", write(fd, take(), SIZE) == SIZE);
	p = take();
	memset(p, 'b', 10);
	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = IORING_OP_READ;
	sqe->fd = fd;
	sqe->addr = (uintptr_t)p;
	sqe->len = SIZE;
	tail = *(unsigned *)(sq + par.sq_off.tail);
	*(unsigned *)(sq + par.sq_off.array) = 0;
	__atomic_store_n((unsigned *)(sq + par.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
	require("io_uring_enter",
		syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
	cqe = (struct io_uring_cqe *)(cq + par.cq_off.cqes);
	errno = -cqe->res;
	require("io_uring read", cqe->res == SIZE && all(p, 'a', SIZE));
	close(fd);
	close(ring);
}

static void *sleep_on(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* syscalls [threads] */
int main(int argc, char **argv)
{
	void (*tests[])(void) = { test_files, test_sockets, test_io_uring, test_others };
	pthread_t t;

	if (argc > 1 && strcmp(argv[1], "threads") == 0)
		pthread_create(&t, NULL, sleep_on, NULL);
	for (int i = 0; i < BUFFERS; i++)
		buffer[i] = malloc(SIZE);
	for (unsigned k = 0; k < 4; k++) {	/* the last one forks */
		for (int i = 0; i < BUFFERS; i++)
			memset(buffer[i], 'a', SIZE);
		wait_until_stale();
		next = 0;
		tests[k]();
	}
	printf("%d calls\n", checked);
	return bad;
}
