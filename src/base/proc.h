/*
 * proc.h - other programs, and N jobs at a time in worker processes.
 */
#ifndef BASE_PROC_H
#define BASE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proc_result {
	int status;		/* as from waitpid */
	char *out;		/* standard output, if asked for; NUL-terminated */
	size_t nout;
	char *err;		/* standard error, if asked for */
	size_t nerr;
	bool stuck;		/* killed, because it waited for a pipe that nobody writes to */
};

enum { PROC_OUT = 1, PROC_ERR = 2, PROC_QUIET_ERR = 4 };	/* capture, capture, discard */

/* Runs argv[0] (found in PATH) and waits.  Negative only if it could not be
 * started, and r is empty then; a program that fails shows in r->status.  dir
 * may be NULL.  Standard input is /dev/null.  What is captured is never NULL.
 * If this process dies, the program gets SIGTERM. */
int proc_run(struct proc_result *r, char *const argv[], const char *dir, int flags);
void proc_result_release(struct proc_result *r);
/* "exited with code 3", "killed by signal 11 (Segmentation fault)"; static buffer. */
const char *proc_status_text(int status);
bool proc_ok(int status);

/*
 * A pool runs jobs 0..njobs-1, at most `workers` at a time, each in a forked
 * process that handles many jobs one after another, so that what the parent
 * has loaded is shared.  job() runs in the worker; what it puts into out is
 * sent to the parent, which calls done() in the order in which jobs finish.
 * A worker that dies in a job (signal, exit) fails only that job: done() gets
 * status != 0, and a new worker takes the rest.  time_limit: seconds for a job,
 * 0 for no limit; a job over it counts as killed by SIGALRM.  memory_limit: bytes
 * of address space that a worker may take beyond what it has when it is forked, 0
 * for no limit; beyond it, allocations of the worker fail.  Programs that a worker
 * runs have the same limit for all of their address space.
 *
 * A worker is a copy of the parent as it was when the worker was forked, which
 * may be in the middle of the run.  It leaves by _exit: no atexit handlers.
 */
struct sbuf;

struct proc_pool {
	unsigned workers;
	unsigned njobs;
	unsigned time_limit;
	uint64_t memory_limit;
	/* Returns 0, or 1 for a failure that out describes. */
	int (*job)(void *ctx, unsigned i, struct sbuf *out);
	/* status: as from waitpid if the worker died (exit(0) counts as code 255),
	 * else 0.  ret: job's value, -1 if it has none.  out is NUL-terminated. */
	void (*done)(void *ctx, unsigned i, int status, int ret, const char *out, size_t n);
	void *ctx;
};

/* Negative if no worker could be started (any more); jobs that done() was not
 * called for were then not run to their end. */
int proc_pool_run(const struct proc_pool *p);
unsigned proc_cpus(void);	/* that this process may use; at least 1 */

#endif
