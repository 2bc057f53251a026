/*
 * proc.c - other programs, and N jobs at a time in worker processes.
 *
 * A program is started by vfork and exec: fork would copy the many page tables of
 * a large analysis.  A pipe that exec closes shows the parent whether exec took
 * place, so that "could not start" is an error and not a strange exit code.  Both
 * outputs are read together: a program that fills one pipe while the parent waits
 * for the other would hang.  If a program leaves a background process that has the
 * pipe open, the parent waits for that, too, as with a shell's $(...).
 *
 * A pool's worker has two pipes: numbers of jobs come in, results go out, one
 * job at a time, so that it is always known which job a worker died in.  The parent
 * notices a death by the end of the result pipe, not by SIGCHLD; for that each
 * worker closes its copies of the other workers' ends.  Over its time limit a
 * worker gets SIGALRM, on which it removes its temporary files (file.c), and
 * SIGKILL if it still lives after a second.
 */
#include "base/proc.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/sbuf.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef PLUMB_COV
#include <gcov.h>
#endif

/* ---- common ---- */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* A pipe whose ends are above 2 even if somebody closed standard streams, and
 * that no other program inherits.  Negative: errno tells why. */
static int pipe_high(int fd[2])
{
	int err;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		int high;

		if (fd[i] > 2)
			continue;
		high = fcntl(fd[i], F_DUPFD_CLOEXEC, 3);
		err = errno;
		close(fd[i]);
		fd[i] = high;
		if (high < 0) {
			close(fd[!i]);
			errno = err;
			return -1;
		}
	}
	return 0;
}

/* Adds the bytes that a ready descriptor has to b.  1: some, 0: end, -1: broken. */
static int receive(struct sbuf *b, int fd)
{
	char piece[65536];
	ssize_t k;

	do
		k = read(fd, piece, sizeof(piece));
	while (k < 0 && errno == EINTR);
	if (k > 0)
		sbuf_add(b, piece, (size_t)k);
	return k > 0 ? 1 : (int)k;
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 255 << 8;	/* somebody else took it */
	return status;
}

static bool is_ignored(int sig)
{
	struct sigaction sa;

	return sigaction(sig, NULL, &sa) == 0 && !(sa.sa_flags & SA_SIGINFO) &&
	       sa.sa_handler == SIG_IGN;
}

/* This process may have been started with SIGCHLD ignored: then waitpid() finds no children. */
static void want_children(void)
{
	if (is_ignored(SIGCHLD))
		signal(SIGCHLD, SIG_DFL);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- one program ---- */

enum stage { STAGE_DIR, STAGE_STREAMS, STAGE_EXEC };

/* The child's message through the error pipe. */
struct failure {
	enum stage stage;
	int err;
};

struct launch {
	char *const *argv;
	const char *dir;
	int flags;
	int out[2], err[2], fail[2];
	pid_t parent;
	sigset_t mask;			/* of signals, as it was */
};

static int null_to(int target, int mode)
{
	int fd = open("/dev/null", mode);

	if (fd < 0)
		return -1;
	if (fd != target) {
		if (dup2(fd, target) < 0)
			return -1;
		close(fd);
	}
	return 0;
}

static int child_streams(const struct launch *l)
{
	if (null_to(STDIN_FILENO, O_RDONLY) < 0)
		return -1;
	if ((l->flags & PROC_OUT) && dup2(l->out[1], STDOUT_FILENO) < 0)
		return -1;
	if ((l->flags & PROC_ERR) && dup2(l->err[1], STDERR_FILENO) < 0)
		return -1;
	if (!(l->flags & PROC_ERR) && (l->flags & PROC_QUIET_ERR))
		return null_to(STDERR_FILENO, O_WRONLY);
	return 0;
}

/* Handlers are the parent's, as is the memory that they would change. */
static void drop_handlers(void)
{
	struct sigaction sa;

	for (int sig = 1; sig < NSIG; sig++) {
		if (sigaction(sig, NULL, &sa) < 0)
			continue;
		if (sa.sa_flags & SA_SIGINFO || (sa.sa_handler != SIG_DFL && sa.sa_handler != SIG_IGN))
			signal(sig, SIG_DFL);
	}
}

/* Between vfork and exec: only calls that are safe there, and nothing is written that the parent reads. */
static _Noreturn void child_main(const struct launch *l)
{
	struct failure f = { STAGE_DIR, 0 };

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != l->parent)
		_exit(127);		/* it died before we asked */
	signal(SIGPIPE, SIG_DFL);
	drop_handlers();
	pthread_sigmask(SIG_SETMASK, &l->mask, NULL);
	if (!l->dir || chdir(l->dir) == 0) {
		f.stage = STAGE_STREAMS;
		if (child_streams(l) == 0) {
			f.stage = STAGE_EXEC;
			execvp(l->argv[0], l->argv);
		}
	}
	f.err = errno;
	fd_write_all(l->fail[1], &f, sizeof(f));
	_exit(127);
}

/* Waits until the child has become the program.  Negative if it has not. */
static int check_started(const struct launch *l)
{
	struct sbuf b = {0};
	struct failure f;
	int ret = 0;

	while (receive(&b, l->fail[0]) > 0)
		;
	if (b.n >= sizeof(f)) {
		memcpy(&f, b.s, sizeof(f));
		errno = f.err;
		if (f.stage == STAGE_EXEC)
			ret = error_sys("cannot start %s", l->argv[0]);
		else
			ret = error_sys("cannot start %s: %s", l->argv[0],
					f.stage == STAGE_DIR ? l->dir : "redirection");
	}
	sbuf_release(&b);
	return ret;
}

/* The process, or -1. */
static pid_t launch(struct launch *l)
{
	sigset_t all;
	pid_t pid;
	int err;

	if (((l->flags & PROC_OUT) && pipe_high(l->out) < 0) ||
	    ((l->flags & PROC_ERR) && pipe_high(l->err) < 0) || pipe_high(l->fail) < 0) {
		error_sys("cannot start %s: pipe", l->argv[0]);
		return -1;
	}
	l->parent = getpid();
	want_children();
	fflush(stdout);		/* earlier output comes before the program's */
	if (!(l->flags & PROC_ERR))
		progress_hide();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &l->mask);
	pid = vfork();
	if (pid == 0)
		child_main(l);
	err = errno;
	pthread_sigmask(SIG_SETMASK, &l->mask, NULL);
	if (pid < 0) {
		errno = err;
		error_sys("cannot start %s: fork", l->argv[0]);
		return -1;
	}
	close_fd(&l->out[1]);
	close_fd(&l->err[1]);
	close_fd(&l->fail[1]);
	if (check_started(l) < 0) {
		wait_for(pid);
		return -1;
	}
	return pid;
}

/* Does the process wait in open() of a pipe that nobody else has open?  False where the kernel does not
 * show it. */
static bool opens_pipe(pid_t pid)
{
	char path[64], text[64] = "";
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/wchan", (long)pid);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	return n > 0 && strcmp(text, "wait_for_partner") == 0;
}

enum { PIPE_PATIENCE = 10 };	/* seconds that a process may take to open a pipe */

/* Reads both outputs to their ends.  False: the program was killed, since it has been opening a pipe for
 * PIPE_PATIENCE seconds. */
static bool collect(pid_t pid, struct sbuf *out, int *out_fd, struct sbuf *err, int *err_fd)
{
	bool stuck = false;
	int waits = 0;

	while (*out_fd >= 0 || *err_fd >= 0) {
		/* poll passes over negative descriptors */
		struct pollfd p[2] = { { *out_fd, POLLIN, 0 }, { *err_fd, POLLIN, 0 } };
		int ready = poll(p, 2, 1000);

		if (ready == 0) {
			waits = opens_pipe(pid) ? waits + 1 : 0;
			if (waits == PIPE_PATIENCE && kill(pid, SIGKILL) == 0)
				stuck = true;
		}
		if (ready <= 0)
			continue;	/* EINTR; other reasons do not exist here */
		if (p[0].revents && receive(out, *out_fd) <= 0)
			close_fd(out_fd);
		if (p[1].revents && receive(err, *err_fd) <= 0)
			close_fd(err_fd);
	}
	return !stuck;
}

int proc_run(struct proc_result *r, char *const argv[], const char *dir, int flags)
{
	struct launch l = { .argv = argv, .dir = dir, .flags = flags,
			    .out = { -1, -1 }, .err = { -1, -1 }, .fail = { -1, -1 } };
	struct sbuf out = {0}, err = {0};
	pid_t pid;

	assert(argv && argv[0]);
	memset(r, 0, sizeof(*r));
	if ((pid = launch(&l)) < 0)
		goto done;
	r->stuck = !collect(pid, &out, &l.out[0], &err, &l.err[0]);
	r->status = wait_for(pid);
	r->nout = out.n;
	r->nerr = err.n;
	if (flags & PROC_OUT)
		r->out = sbuf_detach(&out);
	if (flags & PROC_ERR)
		r->err = sbuf_detach(&err);
done:
	for (int i = 0; i < 2; i++) {
		close_fd(&l.out[i]);
		close_fd(&l.err[i]);
		close_fd(&l.fail[i]);
	}
	return pid < 0 ? -1 : 0;
}

void proc_result_release(struct proc_result *r)
{
	free(r->out);
	free(r->err);
	memset(r, 0, sizeof(*r));
}

const char *proc_status_text(int status)
{
	static _Thread_local char text[128];

	if (WIFEXITED(status))
		snprintf(text, sizeof(text), "exited with code %d", WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		snprintf(text, sizeof(text), "killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(text, sizeof(text), "ended with status 0x%x", (unsigned)status);
	return text;
}

bool proc_ok(int status)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- a pool of workers ---- */

enum { NO_JOB = -1, KILL_AFTER_MS = 1000 };

struct worker {
	pid_t pid;		/* 0: none */
	int to, from;		/* our ends of its pipes */
	int64_t job;
	int64_t deadline;	/* of the job, or of its end after SIGALRM; 0: none */
	bool alarmed;
	int waits;		/* seconds for which it has been opening a pipe */
	struct sbuf in;		/* what came of its result */
};

struct result_head {
	uint32_t job;
	int32_t ret;
	uint64_t n;		/* bytes that follow */
};

struct pool {
	const struct proc_pool *p;
	struct worker *w;
	struct pollfd *fds;
	unsigned nw;
	unsigned next;		/* first job not given out */
	unsigned finished;
	int64_t next_look;	/* for workers that open pipes */
	struct sigaction old_pipe;
};

/* All n bytes, or false at the end of the pipe. */
static bool read_full(int fd, void *p, size_t n)
{
	char *at = p;

	while (n > 0) {
		ssize_t k = read(fd, at, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		at += k;
		n -= (size_t)k;
	}
	return true;
}

static _Noreturn void worker_main(const struct proc_pool *p, int in, int out)
{
	struct sbuf b = {0};
	uint32_t job;

	while (read_full(in, &job, sizeof(job))) {
		struct result_head h = { .job = job };

		sbuf_clear(&b);
		h.ret = p->job(p->ctx, job, &b);
		h.n = b.n;
		fflush(stdout);
#ifdef PLUMB_COV
		__gcov_dump();		/* now: when the pool ends, its workers are killed */
		__gcov_reset();
#endif
		if (fd_write_all(out, &h, sizeof(h)) < 0 || fd_write_all(out, sbuf_str(&b), b.n) < 0)
			break;		/* the parent is gone */
		if (b.cap > 1 << 20)
			sbuf_release(&b);
	}
	_exit(0);
}

/* Bytes of address space that this process has; 0 if not known. */
static uint64_t address_space(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long long pages = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%llu", &pages) != 1)
		pages = 0;
	fclose(f);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The limit is added to the present address space, which under a sanitizer is larger
 * than any memory. */
static void limit_memory(uint64_t limit)
{
	uint64_t now = address_space();
	struct rlimit r;

	if (!limit || !now || getrlimit(RLIMIT_AS, &r) < 0 || limit > RLIM_INFINITY - 1 - now)
		return;
	if (r.rlim_cur != RLIM_INFINITY && r.rlim_cur < now + limit)
		return;
	r.rlim_cur = now + limit;
	setrlimit(RLIMIT_AS, &r);
}

/* In a new worker.  It ends with its parent, by a signal after which it removes its
 * temporary files, and has no descriptors of the other workers. */
static void worker_prepare(struct pool *o, pid_t parent)
{
	if (is_ignored(SIGTERM))
		signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);		/* it died before we asked */
	sigaction(SIGPIPE, &o->old_pipe, NULL);
	for (unsigned i = 0; i < o->nw; i++) {
		close_fd(&o->w[i].to);
		close_fd(&o->w[i].from);
	}
	limit_memory(o->p->memory_limit);
}

/* Negative: errno tells why. */
static int worker_start(struct pool *o, struct worker *w)
{
	int to[2], from[2], err;
	pid_t parent = getpid(), pid;

	assert(!w->pid && w->job == NO_JOB && w->in.n == 0);
	if (pipe_high(to) < 0)
		return -1;
	if (pipe_high(from) < 0) {
		err = errno;
		goto fail;
	}
	fflush(NULL);		/* or both would print what is buffered */
	pid = fork();
	if (pid < 0) {
		err = errno;
		close_fd(&from[0]);
		close_fd(&from[1]);
		goto fail;
	}
	if (pid == 0) {
		worker_prepare(o, parent);
		close(to[1]);
		close(from[0]);
		worker_main(o->p, to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	w->pid = pid;
	w->to = to[1];
	w->from = from[0];
	w->job = NO_JOB;
	return 0;
fail:
	close_fd(&to[0]);
	close_fd(&to[1]);
	errno = err;
	return -1;
}

/* A worker that is already dead does not read the number: its death is noticed by
 * its pipe, and the job counts as the one that it died in. */
static void worker_assign(struct pool *o, struct worker *w)
{
	uint32_t job = o->next++;

	assert(w->pid && w->job == NO_JOB && job < o->p->njobs);
	w->job = job;
	w->alarmed = false;
	w->deadline = o->p->time_limit ? now_ms() + (int64_t)o->p->time_limit * 1000 : 0;
	fd_write_all(w->to, &job, sizeof(job));
}

/* Closes the pipes and waits; the status. */
static int worker_reap(struct worker *w)
{
	int status;

	assert(w->pid > 0);
	close_fd(&w->to);
	close_fd(&w->from);
	status = wait_for(w->pid);
	w->pid = 0;
	return status;
}

static void worker_died(struct pool *o, struct worker *w)
{
	int64_t job = w->job;
	int status;

	status = worker_reap(w);
	if (w->alarmed)
		status = SIGALRM;
	else if (status == 0)
		status = 255 << 8;	/* exit(0) is no way to end a job */
	sbuf_release(&w->in);
	w->job = NO_JOB;
	if (job == NO_JOB)
		return;
	o->finished++;
	o->p->done(o->p->ctx, (unsigned)job, status, -1, "", 0);
}

/* Is the result there in full?  -1 if it is not even one. */
static int result_complete(const struct worker *w, struct result_head *h)
{
	if (w->in.n < sizeof(*h))
		return 0;
	memcpy(h, w->in.s, sizeof(*h));
	if (h->job != w->job || h->n > SIZE_MAX / 4)
		return -1;
	return w->in.n - sizeof(*h) >= h->n;
}

/* The worker's pipe is ready. */
static void worker_heard(struct pool *o, struct worker *w)
{
	struct result_head h;
	int whole;

	assert(w->pid > 0);
	if (receive(&w->in, w->from) <= 0) {
		worker_died(o, w);
		return;
	}
	if (!w->alarmed)
		w->deadline = 0;	/* the job is over; the parent only has to read the result */
	whole = result_complete(w, &h);
	if (whole < 0) {	/* its memory is spoilt */
		kill(w->pid, SIGKILL);
		worker_died(o, w);
	}
	if (whole <= 0)
		return;
	w->job = NO_JOB;
	w->deadline = 0;
	o->finished++;
	o->p->done(o->p->ctx, h.job, 0, h.ret, w->in.s + sizeof(h), h.n);
	if (w->in.cap > 1 << 20)
		sbuf_release(&w->in);
	else
		sbuf_clear(&w->in);
	if (w->alarmed) {	/* too late for this job, but not to be given another */
		kill(w->pid, SIGKILL);
		worker_died(o, w);
	}
}

static void worker_overdue(struct worker *w, int64_t now)
{
	assert(w->job != NO_JOB && w->deadline);
	kill(w->pid, w->alarmed ? SIGKILL : SIGALRM);
	w->deadline = w->alarmed ? 0 : now + KILL_AFTER_MS;
	w->alarmed = true;
}

/* Gives every worker a job, and starts missing workers.  Negative if then no
 * worker has a job. */
static int pool_fill(struct pool *o)
{
	unsigned busy = 0;
	int err = 0;

	for (unsigned i = 0; i < o->nw; i++) {
		struct worker *w = &o->w[i];

		if (o->next < o->p->njobs && !w->pid && !err && worker_start(o, w) < 0)
			err = errno;	/* try again when another one is done */
		if (o->next < o->p->njobs && w->pid && w->job == NO_JOB)
			worker_assign(o, w);
		busy += w->job != NO_JOB;
	}
	if (busy)
		return 0;
	errno = err;
	return error_sys("cannot start a worker process");
}

/* A file that a program opens may be a pipe that nobody writes to.  Looks once a second for workers that
 * wait for one. */
static void end_those_at_pipes(struct pool *o, int64_t now)
{
	if (now < o->next_look)
		return;
	o->next_look = now + 1000;
	for (unsigned i = 0; i < o->nw; i++) {
		struct worker *w = &o->w[i];

		bool opens = w->pid && w->job != NO_JOB && opens_pipe(w->pid);

		w->waits = opens ? w->waits + 1 : 0;
		if (w->waits == PIPE_PATIENCE)
			kill(w->pid, SIGKILL);
	}
}

/* Milliseconds until the first deadline, or the next look, for poll. */
static int pool_timeout(const struct pool *o)
{
	int64_t now = now_ms(), first = o->next_look;

	for (unsigned i = 0; i < o->nw; i++)
		if (o->w[i].job != NO_JOB && o->w[i].deadline)
			first = MIN(first, o->w[i].deadline);
	return (int)MIN(MAX(first - now, 0), INT_MAX);
}

/* One round: wait, take results, end workers that are overdue.  Time is read before
 * any done() is called: a worker whose result waits for the parent is not overdue. */
static int pool_round(struct pool *o)
{
	unsigned n = 0, k = 0;
	int64_t now;

	for (unsigned i = 0; i < o->nw; i++)
		if (o->w[i].pid)
			o->fds[n++] = (struct pollfd){ o->w[i].from, POLLIN, 0 };
	if (poll(o->fds, n, pool_timeout(o)) < 0)
		return errno == EINTR ? 0 : error_sys("cannot wait for worker processes");
	now = now_ms();
	for (unsigned i = 0; i < o->nw; i++) {
		struct worker *w = &o->w[i];

		if (!w->pid)
			continue;
		assert(k < n && o->fds[k].fd == w->from);
		if (o->fds[k++].revents)
			worker_heard(o, w);
		else if (w->job != NO_JOB && w->deadline && now >= w->deadline)
			worker_overdue(w, now);
	}
	end_those_at_pipes(o, now);
	return 0;
}

/* The invariants of a pool between two rounds. */
static __attribute__((unused)) void pool_check(const struct pool *o)
{
	unsigned busy = 0;

	for (unsigned i = 0; i < o->nw; i++) {
		const struct worker *w = &o->w[i];

		assert((w->pid != 0) == (w->to >= 0) && (w->pid != 0) == (w->from >= 0));
		assert(w->job == NO_JOB || (w->pid && w->job < o->next));
		busy += w->job != NO_JOB;
	}
	assert(o->next <= o->p->njobs && o->next == o->finished + busy);
}

static void pool_stop(struct pool *o)
{
	for (unsigned i = 0; i < o->nw; i++)
		close_fd(&o->w[i].to);		/* an idle worker ends by itself */
	for (unsigned i = 0; i < o->nw; i++) {
		struct worker *w = &o->w[i];

		if (w->pid && w->job != NO_JOB)
			kill(w->pid, SIGKILL);
		if (w->pid)
			worker_reap(w);
		sbuf_release(&w->in);
	}
}

int proc_pool_run(const struct proc_pool *p)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct pool o = { .p = p };
	int ret = 0;

	assert(p->job && p->done);
	if (p->njobs == 0)
		return 0;
	o.nw = MIN(MAX(p->workers, 1), p->njobs);
	o.w = xcalloc(o.nw, sizeof(*o.w));
	o.fds = xcalloc(o.nw, sizeof(*o.fds));
	for (unsigned i = 0; i < o.nw; i++)
		o.w[i] = (struct worker){ .to = -1, .from = -1, .job = NO_JOB };
	want_children();
	sigaction(SIGPIPE, &ignore, &o.old_pipe);
	while (o.finished < p->njobs) {
#ifdef PLUMB_DEBUG
		pool_check(&o);
#endif
		if ((ret = pool_fill(&o)) < 0 || (ret = pool_round(&o)) < 0)
			break;
	}
	pool_stop(&o);
	sigaction(SIGPIPE, &o.old_pipe, NULL);
	free(o.w);
	free(o.fds);
	return ret;
}

unsigned proc_cpus(void)
{
	unsigned n = 0;
	long online;

	/* The kernel refuses a mask that is too small for the machine. */
	for (int bits = 1024; bits <= 1 << 20; bits *= 2) {
		cpu_set_t *set = CPU_ALLOC(bits);
		size_t size = CPU_ALLOC_SIZE(bits);

		if (!set)
			break;
		if (sched_getaffinity(0, size, set) == 0)
			n = (unsigned)CPU_COUNT_S(size, set);
		CPU_FREE(set);
		if (n)
			return n;
	}
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (unsigned)online : 1;
}
