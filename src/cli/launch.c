/*
 * launch.c - running the user's program.
 *
 * The program is our child, in our process group, so that the terminal treats it
 * as it would without us.  While it runs we only wait, for its end or for signals:
 * these are blocked and taken one by one (sigtimedwait), which needs no handlers.
 * What the terminal sends (Ctrl-C) the program has got already; what another
 * process has sent us (kill, systemd, a shell's job control) is sent on to it.
 */
#include "cli/launch.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "config.h"
#include "front/elf.h"
#include "run/identity.h"

#include "../../runtime/loader.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/* ---- the library ---- */

static bool has_separator(const char *path)
{
	return strpbrk(path, ": \t\n") != NULL;
}

char *launch_library(const char *name, const char *dir)
{
	static const char *const places[] = { PLUMB_RUNTIME_DIRS };
	char *exe = path_exe_dir(), *found = NULL, *link = NULL;

	for (unsigned i = 0; i < ARRAY_LEN(places) && !found; i++) {
		char *place = path_join(exe, places[i]), *joined = path_join(place, name);
		char *path = path_absolute(joined);

		free(joined);
		free(place);
		if (access(path, R_OK) == 0)
			found = path;
		else
			free(path);
	}
	free(exe);
	if (!found) {
		error_set("%s is not beside plumb: is the installation complete?", name);
		return NULL;
	}
	if (!has_separator(found))
		return found;
	link = path_join(dir, name);
	if (has_separator(link) || symlink(found, link) < 0) {
		error_set("%s: LD_PRELOAD cannot take a path with spaces or colons", found);
		free(link);
		link = NULL;
	}
	free(found);
	return link;
}

/* ---- can it be watched? ---- */

/* The loader takes no preloaded library then. */
static bool gains_privileges(const char *path)
{
	struct stat st;
	char caps[64];

	if (stat(path, &st) < 0)
		return false;
	if ((st.st_mode & S_ISUID) && st.st_uid != getuid())
		return true;
	if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) && st.st_gid != getgid())
		return true;
	return getuid() != 0 && getxattr(path, "security.capability", caps, sizeof(caps)) > 0;
}

static const char *elf_obstacle(const char *path, const struct filemap *m, bool valgrind, bool *harms)
{
	const char *why = NULL;
	struct elf_program e;
	int fd;

	if (elf_program(&e, m->p, m->n) < 0 || !e.runs)
		return "is no sound ELF program";
	if (valgrind)
		return !e.is64 || e.machine != EM_X86_64 ? "is no program for 64 bits of x86" :
		       e.sanitized ? "is built with a sanitizer" : NULL;
	if (!e.dynamic)
		return "is statically linked";
	*harms = true;
	if (e.sanitized)
		return "is built with a sanitizer, which brings its own malloc";
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) >= 0) {
		why = loader_obstacle(fd, (const char *)m->p, m->n);
		close(fd);
	}
	*harms = why != NULL;
	return why;
}

static const char *file_obstacle(const char *path, unsigned depth, bool valgrind, bool *harms)
{
	static char text[512];
	const char *why = NULL;
	struct filemap m;
	char *next;

	if (gains_privileges(path))
		return "runs with more privileges than you have (setuid, setgid or capabilities)";
	if (depth > 4 || filemap_open(&m, path) < 0)
		return NULL;	/* starting it will tell */
	if ((next = identity_interpreter(&m))) {
		if ((why = file_obstacle(next, depth + 1, valgrind, harms))) {
			char *inner = xasprintf("is a script for %s, which %s", next, why);

			snprintf(text, sizeof(text), "%s", inner);
			free(inner);
			why = text;
		}
		free(next);
	} else if (elf_is_elf(m.p, m.n)) {
		why = elf_obstacle(path, &m, valgrind, harms);
	}
	filemap_close(&m);
	return why;
}

static const char *obstacle(const char *prog, bool valgrind, bool *harms)
{
	char *path = identity_find(prog);
	const char *why;

	*harms = false;
	why = path ? file_obstacle(path, 0, valgrind, harms) : NULL;
	free(path);
	return why;
}

const char *launch_obstacle(const char *prog, bool *harms)
{
	return obstacle(prog, false, harms);
}

const char *launch_valgrind_obstacle(const char *prog)
{
	bool harms;

	return obstacle(prog, true, &harms);
}

/* ---- running ---- */

int launch_command(struct launch *l, const struct opt_result *args)
{
	if (args->nrest && args->ninputs)
		return error_set("%s: what is this? PROG comes after --", args->inputs[0]);
	if (args->nrest + args->ninputs == 0)
		return error_set("PROG is missing (see --help)");
	l->argv = args->nrest ? args->rest : args->inputs;
	l->argc = args->nrest ? args->nrest : args->ninputs;
	return 0;
}

struct waiting {
	struct launch *l;
	sigset_t set, old;
	bool child_ignored;	/* we were started with SIGCHLD ignored */
	bool ended;
	int status;
};

static void begin_signals(struct waiting *w)
{
	static const int taken[] = { SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM };

	sigemptyset(&w->set);
	for (unsigned i = 0; i < ARRAY_LEN(taken); i++)
		sigaddset(&w->set, taken[i]);
	sigprocmask(SIG_BLOCK, &w->set, &w->old);
	w->child_ignored = signal(SIGCHLD, SIG_DFL) == SIG_IGN;
}

static void set_environment(const struct launch *l)
{
	const char *before = getenv("LD_PRELOAD");
	char *joined;

	for (const char *const *e = l->env; e && *e; e++)
		putenv((char *)*e);
	if (!l->preload)
		return;
	joined = before && before[0] ? xasprintf("%s:%s", l->preload, before) : xstrdup(l->preload);
	setenv("LD_PRELOAD", joined, 1);
	free(joined);
}

static _Noreturn void be_program(const struct waiting *w, int fail)
{
	int err;

	set_environment(w->l);
	if (w->child_ignored)
		signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_SETMASK, &w->old, NULL);
	execvp(w->l->argv[0], w->l->argv);
	err = errno;
	fd_write_all(fail, &err, sizeof(err));
	_exit(127);
}

/* A pipe that exec closes shows whether exec took place. */
static int start(struct waiting *w)
{
	int fail[2], err;
	ssize_t k;

	if (pipe2(fail, O_CLOEXEC) < 0)
		return error_sys("cannot start %s: pipe", w->l->argv[0]);
	fflush(NULL);
	w->l->pid = fork();
	if (w->l->pid == 0)
		be_program(w, fail[1]);
	close(fail[1]);
	if (w->l->pid < 0) {
		close(fail[0]);
		return error_sys("cannot start %s: fork", w->l->argv[0]);
	}
	do
		k = read(fail[0], &err, sizeof(err));
	while (k < 0 && errno == EINTR);
	close(fail[0]);
	if (k != (ssize_t)sizeof(err))
		return 0;
	waitpid(w->l->pid, &w->status, 0);
	errno = err;
	return error_sys("cannot start %s", w->l->argv[0]);
}

/* Takes the children that have ended.  False if there are none left. */
static bool reap(struct waiting *w)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == w->l->pid) {
			w->ended = true;
			w->status = status;
		}
	return pid == 0;
}

/* One signal.  False: stop waiting. */
static bool handle(struct waiting *w, const siginfo_t *info)
{
	bool from_terminal = info->si_code == SI_KERNEL || info->si_code > 0;

	if (info->si_signo == SIGCHLD)
		return true;
	if (w->ended)
		return false;	/* we wait for what it left behind: enough of that */
	assert(w->l->pid > 0);		/* others name groups of processes, or all of them */
	if (!from_terminal)
		kill(w->l->pid, info->si_signo);
	return true;
}

static void wait_for_end(struct waiting *w)
{
	double next = clock_now() + w->l->interval;
	bool left = true;

	while ((left = reap(w)) && (!w->ended || w->l->wait_all)) {
		double until = w->l->interval > 0 ? MAX(next - clock_now(), 0) : 3600;
		struct timespec t = { (time_t)until, (long)((until - (double)(time_t)until) * 1e9) };
		siginfo_t info;

		if (sigtimedwait(&w->set, &info, &t) > 0) {
			if (!handle(w, &info))
				return;
		} else if (w->l->interval > 0 && clock_now() >= next) {
			w->l->tick(w->l->ctx);
			next = clock_now() + w->l->interval;
		}
	}
}

int launch_run(struct launch *l, int *status)
{
	struct waiting w = { .l = l };
	int ret;

	assert(l->argv && l->argv[0] && (l->interval <= 0 || l->tick));

	begin_signals(&w);
	if (l->wait_all)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	if ((ret = start(&w)) == 0) {
		wait_for_end(&w);
		*status = w.status;
	}
	sigprocmask(SIG_SETMASK, &w.old, NULL);
	return ret;
}

const char *launch_ending(int status)
{
	static char text[32];

	if (WIFSIGNALED(status))
		snprintf(text, sizeof(text), "signal %d", WTERMSIG(status));
	else
		snprintf(text, sizeof(text), "exit %d", WEXITSTATUS(status));
	return text;
}

int launch_exit(int status)
{
	static const struct rlimit no_core = { 0, 0 };
	sigset_t set;
	int sig;

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	sig = WTERMSIG(status);
	setrlimit(RLIMIT_CORE, &no_core);	/* the program's own is enough */
	prctl(PR_SET_DUMPABLE, 0);
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	fflush(NULL);
	raise(sig);
	return 128 + sig;
}
