/*
 * u_proc.c - other programs and the pool of workers: what they give back, and
 * what is left when they die.
 */
#include "unit.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/sbuf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	CHECK(d != NULL);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* No child is left, dead or alive. */
static void expect_no_children(void)
{
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

/* ---- proc_run ---- */

static int shell(struct proc_result *r, const char *script, int flags)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };

	return proc_run(r, argv, NULL, flags);
}

TEST(run_captures_both)
{
	struct proc_result r;
	int files = open_files();

	CHECK_EQ_INT(shell(&r, "echo out; echo err >&2; exit 3", PROC_OUT | PROC_ERR), 0);
	CHECK_EQ_STR(r.out, "out\n");
	CHECK_EQ_INT(r.nout, 4);
	CHECK_EQ_STR(r.err, "err\n");
	CHECK_EQ_INT(r.nerr, 4);
	CHECK(WIFEXITED(r.status));
	CHECK_EQ_INT(WEXITSTATUS(r.status), 3);
	CHECK(!proc_ok(r.status));
	CHECK_EQ_STR(proc_status_text(r.status), "exited with code 3");
	proc_result_release(&r);
	proc_result_release(&r);

	CHECK_EQ_INT(shell(&r, ":", PROC_OUT | PROC_ERR), 0);
	CHECK_EQ_STR(r.out, "");
	CHECK_EQ_STR(r.err, "");
	CHECK(proc_ok(r.status));
	proc_result_release(&r);
	CHECK_EQ_INT(open_files(), files);
	expect_no_children();
}

TEST(run_without_capture)
{
	struct proc_result r;

	CHECK_EQ_INT(shell(&r, "echo lost >&2; kill -SEGV $$", PROC_QUIET_ERR), 0);
	CHECK(!r.out && !r.err);
	CHECK_EQ_STR(proc_status_text(r.status), "killed by signal 11 (Segmentation fault)");
	CHECK(!proc_ok(r.status));
	proc_result_release(&r);
}

TEST(run_cannot_start)
{
	char *nothing[] = { (char *)"no-such-program-xyz", NULL };
	char *folder[] = { (char *)"/", NULL };
	char *sh[] = { (char *)"sh", (char *)"-c", (char *)"exit 0", NULL };
	struct proc_result r;
	int files = open_files();

	CHECK(proc_run(&r, nothing, NULL, PROC_OUT) < 0);
	CHECK_EQ_STR(error_last(), "cannot start no-such-program-xyz: No such file or directory");
	CHECK(!r.out);
	proc_result_release(&r);
	CHECK(proc_run(&r, folder, NULL, 0) < 0);
	CHECK_EQ_STR(error_last(), "cannot start /: Permission denied");
	CHECK(proc_run(&r, sh, "/no/such/folder", PROC_OUT | PROC_ERR) < 0);
	CHECK_EQ_STR(error_last(), "cannot start sh: /no/such/folder: No such file or directory");
	CHECK_EQ_INT(open_files(), files);
	expect_no_children();
}

TEST(run_in_a_folder_with_no_input)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)"pwd; cat", NULL };
	struct proc_result r;

	CHECK_EQ_INT(proc_run(&r, argv, "/usr", PROC_OUT), 0);
	CHECK_EQ_STR(r.out, "/usr\n");
	proc_result_release(&r);
}

/* Both outputs beyond what a pipe holds: whoever reads them one after the other
 * hangs here. */
TEST(run_big_outputs)
{
	struct proc_result r;

	CHECK_EQ_INT(shell(&r, "head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero;"
			       "head -c 1000000 /dev/zero >&2", PROC_OUT | PROC_ERR), 0);
	CHECK_EQ_INT(r.nout, 3000000);
	CHECK_EQ_INT(r.nerr, 4000000);
	CHECK(proc_ok(r.status));
	proc_result_release(&r);
}

/* The program has none of the descriptors that proc_run made but its standard
 * streams, and our ignored SIGPIPE is not passed on. */
TEST(run_inherits_nothing)
{
	struct proc_result r;
	unsigned want = 3, got = 0;

	/* who started us may have left some open */
	for (int fd = 3; fd < 1024; fd++)
		want += fcntl(fd, F_GETFD) == 0;
	CHECK_EQ_INT(shell(&r, "exec ls /proc/self/fd", PROC_OUT | PROC_ERR), 0);
	for (size_t i = 0; i < r.nout; i++)
		got += r.out[i] == '\n';
	CHECK_EQ_INT(got, want + 1);	/* the listed folder itself */
	proc_result_release(&r);
	signal(SIGPIPE, SIG_IGN);
	CHECK_EQ_INT(shell(&r, "kill -PIPE $$; echo alive", PROC_OUT), 0);
	signal(SIGPIPE, SIG_DFL);
	CHECK(WIFSIGNALED(r.status) && WTERMSIG(r.status) == SIGPIPE);
	proc_result_release(&r);
}

TEST(run_with_closed_standard_streams)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct proc_result r;
		int bad;

		close(0);
		close(1);
		close(2);
		bad = shell(&r, "echo out; echo err >&2", PROC_OUT | PROC_ERR) < 0 ||
		      !str_eq(r.out, "out\n") || !str_eq(r.err, "err\n");
		_exit(bad);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ_INT(status, 0);
}

TEST(run_with_ignored_sigchld)
{
	struct proc_result r;

	signal(SIGCHLD, SIG_IGN);
	CHECK_EQ_INT(shell(&r, "exit 4", 0), 0);
	CHECK(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 4);
	signal(SIGCHLD, SIG_DFL);
	proc_result_release(&r);
}

/* ---- the pool ---- */

enum { MAX_JOBS = 5000 };

struct outcome {
	int calls, status, ret;
	char *out;
	size_t n;
};

struct test_pool {
	struct proc_pool p;
	struct outcome o[MAX_JOBS];
	pid_t parent;
};

static struct test_pool pool;

static void on_done(void *ctx, unsigned i, int status, int ret, const char *out, size_t n)
{
	struct test_pool *t = ctx;

	CHECK_EQ_INT(getpid(), t->parent);
	CHECK(i < t->p.njobs);
	CHECK_EQ_INT(out[n], 0);
	t->o[i].calls++;
	t->o[i].status = status;
	t->o[i].ret = ret;
	free(t->o[i].out);
	t->o[i].out = memcpy(xmalloc(n + 1), out, n + 1);
	t->o[i].n = n;
}

static void pool_release(void)
{
	for (unsigned i = 0; i < MAX_JOBS; i++)
		free(pool.o[i].out);
	memset(&pool, 0, sizeof(pool));
}

/* Runs the jobs; each must have been reported once, and nothing must be left. */
static void pool_run(int (*job)(void *, unsigned, struct sbuf *), unsigned njobs,
		     unsigned workers, unsigned limit)
{
	int files = open_files();

	pool_release();
	pool.parent = getpid();
	pool.p = (struct proc_pool){ .workers = workers, .njobs = njobs, .time_limit = limit,
				     .job = job, .done = on_done, .ctx = &pool };
	CHECK_EQ_INT(proc_pool_run(&pool.p), 0);
	for (unsigned i = 0; i < njobs; i++)
		CHECK_EQ_INT(pool.o[i].calls, 1);
	CHECK_EQ_INT(open_files(), files);
	expect_no_children();
}

static int echo_job(void *ctx, unsigned i, struct sbuf *out)
{
	struct test_pool *t = ctx;

	if (getpid() == t->parent)
		return 2;
	sbuf_printf(out, "job %u", i);
	return i % 3 == 0;
}

static void expect_echo(unsigned i)
{
	char want[30];

	snprintf(want, sizeof(want), "job %u", i);
	CHECK_EQ_INT(pool.o[i].status, 0);
	CHECK_EQ_INT(pool.o[i].ret, i % 3 == 0);
	CHECK_EQ_STR(pool.o[i].out, want);
}

TEST(pool_runs_all_jobs)
{
	static const unsigned workers[] = { 1, 2, 7, 100 };

	for (size_t k = 0; k < ARRAY_LEN(workers); k++) {
		pool_run(echo_job, 300, workers[k], 0);
		for (unsigned i = 0; i < 300; i++)
			expect_echo(i);
	}
	pool_run(echo_job, 1, 8, 5);
	expect_echo(0);
	pool_run(echo_job, 0, 8, 0);
	pool_run(echo_job, 3, 0, 0);	/* no workers is one */
	expect_echo(2);
	pool_run(echo_job, MAX_JOBS, 2, 0);
	expect_echo(MAX_JOBS - 1);
	pool_release();
}

static int pid_job(void *ctx, unsigned i, struct sbuf *out)
{
	UNUSED(ctx);
	UNUSED(i);
	sbuf_printf(out, "%ld", (long)getpid());
	return 0;
}

TEST(pool_worker_handles_many_jobs)
{
	pool_run(pid_job, 50, 1, 0);
	for (unsigned i = 1; i < 50; i++)
		CHECK_EQ_STR(pool.o[i].out, pool.o[0].out);
	pool_release();
}

/* Dies in many ways, the others must not notice. */
static int dying_job(void *ctx, unsigned i, struct sbuf *out)
{
	sbuf_adds(out, "must not arrive");
	switch (i % 10) {
	case 1:
		signal(SIGSEGV, SIG_DFL);
		raise(SIGSEGV);
		break;
	case 3:
		_exit(3);
	case 5:
		_exit(0);
	case 6:
		kill(getpid(), SIGKILL);
		break;
	}
	sbuf_clear(out);
	return echo_job(ctx, i, out);
}

static void expect_dying(unsigned njobs)
{
	for (unsigned i = 0; i < njobs; i++) {
		const struct outcome *o = &pool.o[i];
		int want = 0;

		switch (i % 10) {
		case 1: want = SIGSEGV; break;
		case 3: want = 3 << 8; break;
		case 5: want = 255 << 8; break;
		case 6: want = SIGKILL; break;
		}
		if (want) {
			CHECK_EQ_INT(o->status & ~0x80, want);	/* 0x80: core dumped */
			CHECK_EQ_INT(o->ret, -1);
			CHECK_EQ_STR(o->out, "");
		} else {
			expect_echo(i);
		}
	}
}

TEST(pool_death_fails_one_job)
{
	struct rlimit none = {0}, old;

	getrlimit(RLIMIT_CORE, &old);
	none.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_CORE, &none);
	pool_run(dying_job, 100, 1, 0);
	expect_dying(100);
	pool_run(dying_job, 200, 4, 60);
	expect_dying(200);
	setrlimit(RLIMIT_CORE, &old);
	pool_release();
}

static int all_die(void *ctx, unsigned i, struct sbuf *out)
{
	UNUSED(ctx);
	UNUSED(out);
	_exit((int)i + 1);
}

TEST(pool_all_die)
{
	pool_run(all_die, 30, 3, 0);
	for (unsigned i = 0; i < 30; i++)
		CHECK_EQ_INT(pool.o[i].status, (i + 1) << 8);
	pool_release();
}

/* While the parent is busy with job 1, job 0 fills its pipe and dies in the
 * middle of sending: half a result is none. */
static void slow_done_1(void *ctx, unsigned i, int status, int ret, const char *out, size_t n)
{
	if (i == 1)
		usleep(1500000);
	on_done(ctx, i, status, ret, out, n);
}

static int half_sent_job(void *ctx, unsigned i, struct sbuf *out)
{
	struct itimerval t = { .it_value = { .tv_usec = 900000 } };

	if (i > 0)
		return echo_job(ctx, i, out);
	signal(SIGALRM, SIG_DFL);
	setitimer(ITIMER_REAL, &t, NULL);
	usleep(400000);
	for (int k = 0; k < 1000000; k++)
		sbuf_addc(out, 'x');
	return 0;
}

TEST(pool_death_while_sending)
{
	pool_release();
	pool.parent = getpid();
	pool.p = (struct proc_pool){ .workers = 2, .njobs = 5, .job = half_sent_job,
				     .done = slow_done_1, .ctx = &pool };
	CHECK_EQ_INT(proc_pool_run(&pool.p), 0);
	CHECK_EQ_INT(pool.o[0].status, SIGALRM);
	CHECK_EQ_STR(pool.o[0].out, "");
	for (unsigned i = 1; i < 5; i++)
		expect_echo(i);
	pool_release();
}

static int big_job(void *ctx, unsigned i, struct sbuf *out)
{
	UNUSED(ctx);
	for (uint64_t k = 0; k < (100 << 20) / sizeof(k); k++) {
		uint64_t x = k * (i + 1);

		sbuf_add(out, &x, sizeof(x));
	}
	return 0;
}

TEST(pool_big_outputs)
{
	pool_run(big_job, 2, 2, 0);
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQ_INT(pool.o[i].n, 100 << 20);
		for (uint64_t k = 0; k < (100 << 20) / sizeof(k); k += 1001) {
			uint64_t x;

			memcpy(&x, pool.o[i].out + k * sizeof(x), sizeof(x));
			CHECK_EQ_INT(x, k * (i + 1));
		}
	}
	pool_release();
}

static int slow_job(void *ctx, unsigned i, struct sbuf *out)
{
	if (i == 2) {
		for (;;)
			pause();
	}
	if (i == 4) {
		sigset_t all;

		sigfillset(&all);	/* deaf to SIGALRM */
		sigprocmask(SIG_BLOCK, &all, NULL);
		for (;;)
			pause();
	}
	return echo_job(ctx, i, out);
}

TEST(pool_time_limit)
{
	double start = seconds(), took;

	pool_run(slow_job, 12, 2, 2);
	took = seconds() - start;
	for (unsigned i = 0; i < 12; i++) {
		if (i == 2 || i == 4)
			CHECK_EQ_STR(proc_status_text(pool.o[i].status), "killed by signal 14 (Alarm clock)");
		else
			expect_echo(i);
	}
	if (took < 2 || took > 30)
		FAIL("took %f s", took);
	pool_release();
}

/* Asks for 200 MB if the job's number is a multiple of 4, and tells how much it got. */
static int hungry_job(void *ctx, unsigned i, struct sbuf *out)
{
	enum { PIECE = 1 << 20, PIECES = 200 };
	void *piece[PIECES];
	unsigned got = 0;

	UNUSED(ctx);
	for (; i % 4 == 0 && got < PIECES; got++) {
		piece[got] = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (piece[got] == MAP_FAILED)
			break;
	}
	for (unsigned k = 0; k < got; k++)
		munmap(piece[k], PIECE);
	sbuf_adds(out, i % 4 ? "none" : got == PIECES ? "all" : "some");
	return 0;
}

TEST(pool_memory_limit)
{
	static const uint64_t limits[] = { 0, 100 << 20, 1ull << 40, UINT64_MAX };
	struct rlimit before, after;

	getrlimit(RLIMIT_AS, &before);
	for (unsigned k = 0; k < ARRAY_LEN(limits); k++) {
		pool_release();
		pool.parent = getpid();
		pool.p = (struct proc_pool){ .workers = 2, .njobs = 12, .memory_limit = limits[k],
					     .job = hungry_job, .done = on_done, .ctx = &pool };
		CHECK_EQ_INT(proc_pool_run(&pool.p), 0);
		for (unsigned i = 0; i < 12; i++) {
			CHECK_EQ_INT(pool.o[i].status, 0);
			CHECK_EQ_STR(pool.o[i].out, i % 4 ? "none" : k == 1 ? "some" : "all");
		}
	}
	getrlimit(RLIMIT_AS, &after);
	CHECK(before.rlim_cur == after.rlim_cur);	/* of the parent */
	pool_release();
}

/* The limit is for the job, not for the time the parent takes to listen. */
static void slow_done(void *ctx, unsigned i, int status, int ret, const char *out, size_t n)
{
	if (i == 0)
		usleep(2500000);
	on_done(ctx, i, status, ret, out, n);
}

static int medium_job(void *ctx, unsigned i, struct sbuf *out)
{
	UNUSED(ctx);
	if (i > 0)
		usleep(100000);
	for (int k = 0; k < 300000; k++)
		sbuf_addc(out, 'x');
	return 0;
}

TEST(pool_slow_parent_is_not_the_jobs_fault)
{
	pool_release();
	pool.parent = getpid();
	pool.p = (struct proc_pool){ .workers = 3, .njobs = 3, .time_limit = 2, .job = medium_job,
				     .done = slow_done, .ctx = &pool };
	CHECK_EQ_INT(proc_pool_run(&pool.p), 0);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQ_INT(pool.o[i].status, 0);
		CHECK_EQ_INT(pool.o[i].n, 300000);
	}
	pool_release();
}

/* What a killed worker has started dies with it. */
static int starts_a_program(void *ctx, unsigned i, struct sbuf *out)
{
	struct proc_result r;
	const char *mark = getenv("U_PROC_MARK");
	char *script = xasprintf("sleep 2; echo alive >'%s'", mark);

	UNUSED(ctx);
	UNUSED(i);
	UNUSED(out);
	shell(&r, script, PROC_OUT);
	return 0;
}

TEST(pool_programs_die_with_their_worker)
{
	const char *tmp = getenv("TMPDIR");
	char *mark = xasprintf("%s/u_proc.%ld", tmp ? tmp : "/tmp", (long)getpid());

	unlink(mark);
	setenv("U_PROC_MARK", mark, 1);
	pool_run(starts_a_program, 1, 1, 1);
	CHECK_EQ_INT(pool.o[0].status, SIGALRM);
	usleep(1800000);
	CHECK(!file_exists(mark));
	free(mark);
	pool_release();
}

/* Workers do not outlive a parent that is killed. */
static int hanging_job(void *ctx, unsigned i, struct sbuf *out)
{
	UNUSED(ctx);
	UNUSED(i);
	UNUSED(out);
	for (;;)
		pause();
	return 0;
}

TEST(pool_workers_die_with_the_parent)
{
	int fd[2], status;
	char c;
	pid_t pid;

	CHECK(pipe(fd) == 0);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct proc_pool p = { .workers = 3, .njobs = 3, .job = hanging_job, .done = on_done };

		signal(SIGTERM, SIG_IGN);	/* must not save the workers */
		close(fd[0]);
		proc_pool_run(&p);
		_exit(0);
	}
	close(fd[1]);
	usleep(300000);
	kill(pid, SIGKILL);
	CHECK(waitpid(pid, &status, 0) == pid);
	/* all copies of the pipe's end are closed once all workers are dead */
	alarm(20);
	CHECK_EQ_INT(read(fd[0], &c, 1), 0);
	alarm(0);
	close(fd[0]);
}

/* Text that was in stdio's buffer before the pool comes out once, and what jobs
 * print comes out too. */
static int printing_job(void *ctx, unsigned i, struct sbuf *out)
{
	UNUSED(ctx);
	UNUSED(out);
	printf("job\n");
	if (i == 3)
		exit(1);	/* flushes, too */
	return 0;
}

TEST(pool_prints_nothing_twice)
{
	FILE *other;
	int fd[2], status;
	char text[500] = "";
	size_t n = 0;
	ssize_t k;
	pid_t pid;

	CHECK(pipe(fd) == 0);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		pool.parent = getpid();
		pool.p = (struct proc_pool){ .workers = 2, .njobs = 6, .job = printing_job,
					     .done = on_done, .ctx = &pool };
		dup2(fd[1], 1);
		other = fdopen(fd[1], "w");
		printf("before ");
		fprintf(other, "other ");
		if (proc_pool_run(&pool.p) < 0)
			_exit(1);
		printf("after\n");
		fflush(NULL);
		_exit(0);
	}
	close(fd[1]);
	while (n < sizeof(text) - 1 && (k = read(fd[0], text + n, sizeof(text) - 1 - n)) > 0)
		n += (size_t)k;
	close(fd[0]);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ_INT(status, 0);
	if (!str_eq(text, "before other job\njob\njob\njob\njob\njob\nafter\n") &&
	    !str_eq(text, "other before job\njob\njob\njob\njob\njob\nafter\n"))
		FAIL("printed: %s", text);
}

/* A worker sees no other worker's pipes: only its own two. */
static int count_job(void *ctx, unsigned i, struct sbuf *out)
{
	UNUSED(ctx);
	UNUSED(i);
	usleep(20000);
	sbuf_printf(out, "%d", open_files());
	return 0;
}

TEST(pool_workers_hold_no_others_pipes)
{
	int files = open_files();
	char want[20];

	snprintf(want, sizeof(want), "%d", files + 2);
	pool_run(count_job, 24, 6, 0);
	for (unsigned i = 0; i < 24; i++)
		CHECK_EQ_STR(pool.o[i].out, want);
	pool_release();
}

/* Signals that interrupt the parent all the time do no harm. */
static void on_tick(int sig)
{
	UNUSED(sig);
}

TEST(pool_and_run_under_signals)
{
	struct sigaction sa = { .sa_handler = on_tick };	/* no SA_RESTART */
	struct itimerval tick = { { 0, 500 }, { 0, 500 } }, off = {0};
	struct proc_result r;

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &tick, NULL);
	pool_run(echo_job, 500, 4, 30);
	for (unsigned i = 0; i < 500; i++)
		expect_echo(i);
	CHECK_EQ_INT(shell(&r, "sleep 0.1; echo x; exit 7", PROC_OUT), 0);
	setitimer(ITIMER_REAL, &off, NULL);
	signal(SIGALRM, SIG_DFL);
	CHECK_EQ_STR(r.out, "x\n");
	CHECK_EQ_INT(WEXITSTATUS(r.status), 7);
	proc_result_release(&r);
	pool_release();
}

/* The disposition of SIGPIPE is given back. */
TEST(pool_leaves_signals_as_they_were)
{
	struct sigaction sa;

	pool_run(echo_job, 3, 2, 0);
	CHECK(sigaction(SIGPIPE, NULL, &sa) == 0 && sa.sa_handler == SIG_DFL);
	pool_release();
}

/* A pool inside a job. */
static void inner_done(void *ctx, unsigned i, int status, int ret, const char *out, size_t n)
{
	struct sbuf *b = ctx;

	UNUSED(ret);
	UNUSED(n);
	if (status == 0)
		sbuf_printf(b, "[%u:%s]", i, out);
}

static int inner_job(void *ctx, unsigned i, struct sbuf *out)
{
	UNUSED(ctx);
	if (i == 1)
		_exit(1);
	sbuf_addc(out, 'x');
	return 0;
}

static int outer_job(void *ctx, unsigned i, struct sbuf *out)
{
	struct proc_pool p = { .workers = 1, .njobs = 3, .job = inner_job, .done = inner_done,
			       .ctx = out };

	UNUSED(ctx);
	UNUSED(i);
	return proc_pool_run(&p);
}

TEST(pool_in_a_pool)
{
	pool_run(outer_job, 4, 2, 0);
	for (unsigned i = 0; i < 4; i++)
		CHECK_EQ_STR(pool.o[i].out, "[0:x][2:x]");
	pool_release();
}

/* No descriptors: an error, and no job is lost silently. */
TEST(pool_cannot_start)
{
	struct rlimit old, few;
	int ret;

	CHECK(getrlimit(RLIMIT_NOFILE, &old) == 0);
	few = old;
	few.rlim_cur = (rlim_t)(open_files() - 3);
	pool_release();
	pool.parent = getpid();
	pool.p = (struct proc_pool){ .workers = 2, .njobs = 3, .job = echo_job, .done = on_done,
				     .ctx = &pool };
	CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
	ret = proc_pool_run(&pool.p);
	CHECK(setrlimit(RLIMIT_NOFILE, &old) == 0);
	CHECK(ret < 0);
	CHECK_EQ_STR(error_last(), "cannot start a worker process: Too many open files");
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQ_INT(pool.o[i].calls, 0);
	pool_release();
}

/* Enough for some of the workers: those do it all. */
TEST(pool_starts_fewer)
{
	struct rlimit old, few;

	CHECK(getrlimit(RLIMIT_NOFILE, &old) == 0);
	few = old;
	few.rlim_cur = (rlim_t)(open_files() - 3 + 9);
	pool_release();
	pool.parent = getpid();
	pool.p = (struct proc_pool){ .workers = 20, .njobs = 100, .job = echo_job, .done = on_done,
				     .ctx = &pool };
	CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
	CHECK_EQ_INT(proc_pool_run(&pool.p), 0);
	CHECK(setrlimit(RLIMIT_NOFILE, &old) == 0);
	for (unsigned i = 0; i < 100; i++)
		expect_echo(i);
	pool_release();
}

TEST(cpus)
{
	CHECK(proc_cpus() >= 1);
	CHECK((long)proc_cpus() <= sysconf(_SC_NPROCESSORS_CONF));
}
