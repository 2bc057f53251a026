/*
 * step.c - one program of a job, with limits.
 *
 * A build starts hundreds of processes, some of which go to the background.  All are descendants of the
 * job, which takes orphans as its children (PR_SET_CHILD_SUBREAPER): the job sees their memory while they
 * run, counts their CPU time when they end, and ends those that are left.  A process that leaves the
 * process group, or its session, is still a descendant.
 *
 * Memory is that of all processes together: their anonymous pages, where a page that several processes
 * share since a fork is counted once.  Memory is measured four times a second: if a process takes all
 * memory in less time, the kernel ends that process.
 *
 * A job that is killed by SIGKILL cannot end its processes.  The program of its step is killed with the job
 * (PR_SET_PDEATHSIG); what that program has started is recognised by a variable in its environment, and
 * ended by the driver, at once or when the driver is started again.
 */
#include "scan/scan.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sbuf.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MARK "PLUMB_SCAN_JOB"
#define LOOK_MS 250		/* between two looks at the processes of a step */
#define LARGE (32u << 20)	/* bytes of a process above which shared pages are counted, which is slower */

static const char *const end_names[] = {
	[STEP_OK] = "ok", [STEP_FAILED] = "failed", [STEP_CRASHED] = "crashed", [STEP_TIMEOUT] = "time-out",
	[STEP_MEMORY] = "out of memory", [STEP_NOT_STARTED] = "not started",
};

const char *scan_step_end_name(enum step_end e)
{
	assert((unsigned)e < ARRAY_LEN(end_names));
	return end_names[e];
}

void scan_step_release(struct scan_step *s)
{
	free(s->what);
	free(s->said);
	*s = (struct scan_step){0};
}

/* ---- processes ---- */

struct process {
	pid_t pid, parent;
	bool ours;
};

struct processes {
	VEC(struct process) v;
};

/* Anonymous memory, each page divided by the number of processes that have it; or `otherwise`. */
static uint64_t proportional(pid_t pid, uint64_t otherwise)
{
	unsigned long long kib;
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Pss_Anon: %llu", &kib) == 1)
			otherwise = kib << 10;
	if (f)
		fclose(f);
	return otherwise;
}

static bool read_process(struct process *p, pid_t pid)
{
	char path[64], text[512];
	const char *end;
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	end = strrchr(text, ')');	/* a name may have anything in it */
	if (!end || sscanf(end + 1, " %*c %d", &p->parent) != 1)
		return false;
	p->pid = pid;
	p->ours = false;
	return true;
}

static uint64_t memory_of(pid_t pid)
{
	unsigned long resident = 0, shared = 0;
	uint64_t bytes;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	f = fopen(path, "re");
	if (f) {
		if (fscanf(f, "%*u %lu %lu", &resident, &shared) != 2)
			resident = shared = 0;
		fclose(f);
	}
	bytes = resident > shared ? (uint64_t)(resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
	return bytes > LARGE ? proportional(pid, bytes) : bytes;
}

static void processes_read(struct processes *all)
{
	DIR *d = opendir("/proc");
	struct dirent *e;

	all->v.n = 0;
	while (d && (e = readdir(d))) {
		struct process p;
		char *end;
		long pid = strtol(e->d_name, &end, 10);

		if (!*end && pid > 1 && read_process(&p, (pid_t)pid))
			vec_push(&all->v, p);
	}
	if (d)
		closedir(d);
}

static bool is_in(const int *pids, unsigned n, int pid)
{
	for (unsigned i = 0; i < n; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

/* Marks the descendants of this process, but for those in keep[] and theirs. */
static unsigned mark_descendants(struct processes *all, const int *keep, unsigned nkeep)
{
	unsigned n = 0, before;

	assert(keep || nkeep == 0);
	do {
		before = n;
		for (uint32_t i = 0; i < all->v.n; i++) {
			struct process *p = &all->v.v[i];
			bool ours = p->parent == getpid();

			if (p->ours || is_in(keep, nkeep, p->pid))
				continue;
			for (uint32_t k = 0; k < all->v.n && !ours; k++)
				ours = all->v.v[k].ours && all->v.v[k].pid == p->parent;
			p->ours = ours;
			n += ours;
		}
	} while (n != before);
	assert(n <= all->v.n);
	return n;
}

static void reap(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

void scan_end_descendants(const int *keep, unsigned nkeep)
{
	struct processes all = {0};

	/* a process that is forked while we look is found in the next round; one that cannot be killed
	 * waits for a disk */
	for (int round = 0; round < 200; round++) {
		processes_read(&all);
		if (!mark_descendants(&all, keep, nkeep))
			break;
		for (uint32_t i = 0; i < all.v.n; i++)
			if (all.v.v[i].ours)
				kill(all.v.v[i].pid, SIGKILL);
		if (!nkeep)
			reap();
		else
			for (uint32_t i = 0; i < all.v.n; i++)
				if (all.v.v[i].ours)
					waitpid(all.v.v[i].pid, NULL, WNOHANG);
		usleep(round < 20 ? 2000 : 50000);
	}
	vec_release(&all.v);
}

/* Does the environment of the process have a variable that begins so? */
static bool is_marked(pid_t pid, const char *mark)
{
	char path[64], *text;
	bool found = false;
	size_t n, k = strlen(mark);

	snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	if (file_read(&text, &n, path) < 0)
		return false;
	for (size_t at = 0; at < n && !found; at += strlen(text + at) + 1)
		found = strncmp(text + at, mark, k) == 0;
	free(text);
	return found;
}

void scan_end_leftovers(const char *folder)
{
	char *real = realpath(folder, NULL), *mark;
	struct processes all = {0};
	bool any = real;

	mark = xasprintf(MARK "=%s/", real ? real : "");
	for (int round = 0; any && round < 200; round++) {
		any = false;
		processes_read(&all);
		for (uint32_t i = 0; i < all.v.n; i++)
			if (all.v.v[i].pid != getpid() && is_marked(all.v.v[i].pid, mark)) {
				kill(all.v.v[i].pid, SIGKILL);
				any = true;
			}
		if (any)
			usleep(20000);
	}
	vec_release(&all.v);
	free(mark);
	free(real);
}

/* ---- this process ---- */

static volatile sig_atomic_t stopped;

static void on_stop(int sig)
{
	stopped = sig;
}

bool scan_step_stopped(void)
{
	return stopped;
}

void scan_step_setup(const char *folder, const char *name)
{
	struct sigaction sa = { .sa_handler = on_stop };
	char *real = realpath(folder, NULL);

	assert(!name || *name);
	if (name && real) {
		char *mark = xasprintf("%s/%s", real, name);

		setenv(MARK, mark, 1);
		free(mark);
	}
	free(real);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	signal(SIGCHLD, SIG_DFL);
}

/* ---- one step ---- */

static void open_as(int target, const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0666);

	if (fd < 0 || dup2(fd, target) < 0)
		_exit(127);
	if (fd == target)
		fcntl(fd, F_SETFD, 0);
}

/* In the forked process: starts the program of the command. */
static _Noreturn void exec_command(const struct scan_command *c, int log, pid_t parent)
{
	sigset_t none;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	for (char *const *e = c->env; e && *e; e++)
		putenv(*e);
	open_as(STDIN_FILENO, "/dev/null", O_RDONLY);
	if (c->out)
		open_as(STDOUT_FILENO, c->out, O_WRONLY | O_CREAT | O_TRUNC);
	else if (dup2(log, STDOUT_FILENO) < 0)
		_exit(127);
	if (dup2(log, STDERR_FILENO) < 0 || (c->dir && chdir(c->dir) < 0)) {
		dprintf(log, "plumb scan: cannot enter %s: %s\n", c->dir, strerror(errno));
		_exit(127);
	}
	execvp(c->argv[0], c->argv);
	dprintf(STDERR_FILENO, "plumb scan: cannot start %s: %s\n", c->argv[0], strerror(errno));
	_exit(127);
}

/* The last line of the log behind `from` that has any text; the caller's, NULL if there is none. */
static char *last_line(int log, off_t from)
{
	off_t end = lseek(log, 0, SEEK_END), start = MAX(from, end - 4096);
	char text[4097], *line, *last = NULL, *save = NULL;
	ssize_t n = pread(log, text, (size_t)MAX(end - start, 0), start);

	if (n <= 0)
		return NULL;
	text[n] = '\0';
	for (line = strtok_r(text, "\r\n", &save); line; line = strtok_r(NULL, "\r\n", &save))
		if (line[strspn(line, " \t")])
			last = line;
	return last ? xstrndup(last, 300) : NULL;
}

static uint64_t memory_now(struct processes *all)
{
	uint64_t sum = 0;

	processes_read(all);
	mark_descendants(all, NULL, 0);
	for (uint32_t i = 0; i < all->v.n; i++)
		if (all->v.v[i].ours)
			sum += memory_of(all->v.v[i].pid);
	return sum;
}

static double cpu_of_children(void)
{
	struct rusage ru;

	getrusage(RUSAGE_CHILDREN, &ru);
	return (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) +
	       (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6;
}

/* Waits until the program ends (STEP_OK, whatever its status), is over a limit, or the scan is told to
 * end. */
static enum step_end wait_for(struct scan_step *s, pid_t pid, int *status, const struct scan_options *o,
			      double start)
{
	struct processes all = {0};
	enum step_end end = STEP_OK;
	double look = 0;
	pid_t got;

	while ((got = waitpid(pid, status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
		double now = clock_now();

		if (now >= look) {
			uint64_t bytes = memory_now(&all);

			s->memory = MAX(s->memory, bytes);
			look = now + LOOK_MS / 1e3;
			if (o->memory_limit && bytes > o->memory_limit)
				end = STEP_MEMORY;
			else if (o->time_limit && now - start > o->time_limit)
				end = STEP_TIMEOUT;
			else if (stopped)
				end = STEP_FAILED;
			if (end != STEP_OK)
				break;
		}
		usleep(now - start < 0.5 ? 2000 : 20000);
	}
	vec_release(&all.v);
	return end;
}

static enum step_end end_of_code(int code, unsigned max_code)
{
	if (code == 127)
		return STEP_NOT_STARTED;
	return (unsigned)code > max_code ? STEP_FAILED : STEP_OK;
}

bool scan_step_run(struct scan_step *s, const struct scan_command *c, const struct scan_options *o, int log)
{
	double start = clock_now(), cpu = cpu_of_children();
	pid_t parent = getpid(), pid;
	int status = 0;
	off_t from;

	assert(c->name && c->argv[0]);
	assert(log >= 0);
	*s = (struct scan_step){ .name = c->name, .what = c->what ? xstrdup(c->what) : NULL };
	dprintf(log, "== %s:", c->name);
	for (char *const *a = c->argv; *a; a++)
		dprintf(log, " %s", *a);
	dprintf(log, "\n");
	from = lseek(log, 0, SEEK_END);
	pid = stopped ? -1 : fork();
	if (pid == 0)
		exec_command(c, log, parent);
	if (pid < 0) {
		s->end = STEP_NOT_STARTED;
		s->said = xstrdup(stopped ? "the scan was ended" : strerror(errno));
		return false;
	}
	s->end = wait_for(s, pid, &status, o, start);
	scan_end_descendants(NULL, 0);
	s->seconds = clock_now() - start;
	s->cpu = cpu_of_children() - cpu;
	if (s->end == STEP_OK && WIFSIGNALED(status)) {
		s->end = STEP_CRASHED;
		s->code = WTERMSIG(status);
	} else if (s->end == STEP_OK) {
		s->code = WEXITSTATUS(status);
		s->end = end_of_code(s->code, c->max_code);
	}
	if (s->end != STEP_OK)
		s->said = last_line(log, from);
	dprintf(log, "== %s: %s, code %d, %.1f s, CPU %.1f s, %llu MB\n", c->name, scan_step_end_name(s->end),
		s->code, s->seconds, s->cpu, (unsigned long long)s->memory >> 20);
	return s->end == STEP_OK;
}
