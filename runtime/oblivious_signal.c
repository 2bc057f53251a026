/*
 * oblivious_signal.c - our handlers in front of the program's own; counting.
 *
 * The program's sigaction() and signal() for the signals that we take are remembered
 * and not carried out; it sees what it has set.  These signals are also kept out of
 * the masks that it sets: a fault while they are blocked would end it.  What is set by
 * bare system calls is not seen.
 */
#include "oblivious.h"

#include "cyclicfile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIGNALS 65
#define SITES 1024

static struct sigaction wanted[SIGNALS];	/* by the program, of signals that are ours */
static bool ours[SIGNALS];

static struct {
	int (*sigaction)(int, const struct sigaction *, struct sigaction *);
	int (*sigprocmask)(int, const sigset_t *, sigset_t *);
	int (*pthread_sigmask)(int, const sigset_t *, sigset_t *);
} next;

static void find_next(void)
{
	if (next.sigaction != NULL)
		return;
	next.sigprocmask = dlsym(RTLD_NEXT, "sigprocmask");
	next.pthread_sigmask = dlsym(RTLD_NEXT, "pthread_sigmask");
	next.sigaction = dlsym(RTLD_NEXT, "sigaction");
	if (next.sigaction == NULL)
		abort();
}

static bool is_ours(int sig)
{
	return sig > 0 && sig < SIGNALS && ours[sig];
}

static void keep_open(sigset_t *set)
{
	for (int sig = 1; sig < SIGNALS; sig++)
		if (ours[sig])
			sigdelset(set, sig);
}

void oblivious_install(int sig, oblivious_handler *handler)
{
	struct sigaction sa;

	find_next();
	memset(&sa, 0, sizeof(sa));
	sa.sa_sigaction = handler;
	sa.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	sigemptyset(&sa.sa_mask);
	if (next.sigaction(sig, &sa, &wanted[sig]) == 0)
		ours[sig] = true;
}

const struct sigaction *oblivious_program_handler(int sig)
{
	const struct sigaction *sa = &wanted[sig];

	if (!(sa->sa_flags & SA_SIGINFO) && (sa->sa_handler == SIG_DFL || sa->sa_handler == SIG_IGN))
		return NULL;
	return sa;
}

void oblivious_call_program(int sig, siginfo_t *info, void *context)
{
	struct sigaction sa = wanted[sig], dfl;

	if (oblivious_program_handler(sig) == NULL) {
		if (info->si_code <= 0 && sa.sa_handler == SIG_IGN)
			return;
		/* Back to the instruction, or the signal again: now it is fatal. */
		memset(&dfl, 0, sizeof(dfl));
		dfl.sa_handler = SIG_DFL;
		next.sigaction(sig, &dfl, NULL);
		if (info->si_code <= 0)
			raise(sig);
		return;
	}
	if (sa.sa_flags & SA_RESETHAND) {
		memset(&wanted[sig], 0, sizeof(wanted[sig]));
		wanted[sig].sa_handler = SIG_DFL;
	}
	if (sa.sa_flags & SA_SIGINFO)
		sa.sa_sigaction(sig, info, context);
	else
		sa.sa_handler(sig);
}

/*
 * What the program calls
 */

EXPORT int sigaction(int sig, const struct sigaction *restrict act, struct sigaction *restrict old)
{
	struct sigaction copy;

	find_next();
	if (is_ours(sig)) {
		copy = wanted[sig];
		if (act != NULL)
			wanted[sig] = *act;
		if (old != NULL)
			*old = copy;
		return 0;
	}
	if (act == NULL)
		return next.sigaction(sig, act, old);
	copy = *act;
	keep_open(&copy.sa_mask);
	return next.sigaction(sig, &copy, old);
}

static sighandler_t set_handler(int sig, sighandler_t handler, int flags)
{
	struct sigaction sa, old;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = handler;
	sa.sa_flags = flags;
	sigemptyset(&sa.sa_mask);
	return sigaction(sig, &sa, &old) == 0 ? old.sa_handler : SIG_ERR;
}

EXPORT sighandler_t signal(int sig, sighandler_t handler)
{
	return set_handler(sig, handler, SA_RESTART);
}

EXPORT sighandler_t __sysv_signal(int sig, sighandler_t handler);
EXPORT sighandler_t __sysv_signal(int sig, sighandler_t handler)
{
	return set_handler(sig, handler, SA_RESETHAND | SA_NODEFER);
}

EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	sigset_t copy;

	find_next();
	if (set == NULL || how == SIG_UNBLOCK)
		return next.sigprocmask(how, set, old);
	copy = *set;
	keep_open(&copy);
	return next.sigprocmask(how, &copy, old);
}

EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	sigset_t copy;

	find_next();
	if (set == NULL || how == SIG_UNBLOCK)
		return next.pthread_sigmask(how, set, old);
	copy = *set;
	keep_open(&copy);
	return next.pthread_sigmask(how, &copy, old);
}

/*
 * Counting: totals in the plan, each place once in the log beside it
 */

static struct cyclic_header *plan;
static char log_name[4096];
static _Atomic uintptr_t places[SITES];

void oblivious_log_open(void)
{
	const char *name = secure_getenv(CYCLIC_ENV);
	struct stat st;
	void *p;
	int fd;

	if (name == NULL || strlen(name) + 8 > sizeof(log_name) ||
	    (fd = open(name, O_RDWR | O_CLOEXEC)) < 0)
		return;
	if (fstat(fd, &st) == 0 && (size_t)st.st_size >= sizeof(*plan)) {
		p = mmap(NULL, sizeof(*plan), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (p != MAP_FAILED)
			plan = p;
	}
	close(fd);
	strcpy(log_name, name);
	strcat(log_name, ".faults");
}

uint64_t oblivious_allowed(uint64_t n)
{
	return plan != NULL && plan->faults_allowed != 0 ? plan->faults_allowed : n;
}

static char *put(char *p, const char *s)
{
	while (*s)
		*p++ = *s++;
	return p;
}

static char *put_hex(char *p, uintptr_t x)
{
	for (int shift = 60; shift >= 0; shift -= 4)
		if (x >> shift || shift == 0)
			*p++ = "0123456789abcdef"[x >> shift & 15];
	return p;
}

/* One line: the module, the offset in it, and whether the program went on. */
static void log_place(uintptr_t pc, bool overcome)
{
	char line[4096 + 128], *p = line;
	struct dl_find_object o;
	const char *name = "?";
	int fd;

	if (_dl_find_object((void *)pc, &o) == 0) {
		pc -= o.dlfo_link_map->l_addr;
		name = o.dlfo_link_map->l_name;
		if (*name == 0)
			name = "program";
		if (strlen(name) > 4000)
			name = "?";
	}
	p = put(p, name);
	p = put(p, "+0x");
	p = put_hex(p, pc);
	p = put(p, overcome ? " skipped\n" : " fatal\n");
	fd = open(log_name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (write(fd, line, (size_t)(p - line)) < 0)
		errno = 0;
	close(fd);
}

void oblivious_count(uintptr_t pc, bool overcome)
{
	size_t at = pc * UINT64_C(0x9e3779b97f4a7c15) >> 54;

	if (plan != NULL)
		atomic_fetch_add(overcome ? &plan->faults : &plan->refused, 1);
	if (log_name[0] == 0)
		return;
	for (unsigned i = 0; i < 16; i++) {
		uintptr_t seen = 0;

		if (atomic_compare_exchange_strong(&places[(at + i) % SITES], &seen, pc)) {
			log_place(pc, overcome);
			return;
		}
		if (seen == pc)
			return;
	}
}
