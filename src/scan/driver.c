/*
 * driver.c - the jobs of a list on one machine, some side by side.
 *
 * The result files alone say what is done, and they appear whole: a scan that was ended at any moment, even
 * by SIGKILL, continues when the same command is started again.  A job that was killed and left no result
 * is run once more; if the second run ends the same way, its result says so, and the scan continues with
 * the next entry.  A lock stops a second driver from working in the same folder.
 *
 * needs: a list of entries with distinct names, and a store.
 * gives: a result file and a row in the store for each entry.
 */
#include "scan/scan.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/sbuf.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_TRIES = 2 };

struct running {
	int pid;
	uint32_t entry;
};

struct driver {
	const struct scan_list *l;
	const struct scan_options *o;
	struct scan_store *store;
	VEC(struct running) running;
	VEC(int) pids;			/* of running, in the same order, for scan_end_descendants() */
	unsigned *tries;		/* by entry: how often its job was started */
	unsigned done, failed;
	int lock;
};

/* The jobs that run are known by process and by entry alike; each entry has one job at a time. */
static void driver_check(const struct driver *d)
{
#ifdef PLUMB_DEBUG
	assert(d->running.n == d->pids.n);
	assert(d->failed <= d->l->v.n && d->done <= d->l->v.n);
	for (uint32_t i = 0; i < d->running.n; i++) {
		const struct running *r = &d->running.v[i];

		assert(r->pid > 0 && r->pid == d->pids.v[i]);
		assert(r->entry < d->l->v.n);
		assert(d->tries[r->entry] >= 1 && d->tries[r->entry] <= MAX_TRIES);
		for (uint32_t k = 0; k < i; k++)
			assert(d->running.v[k].entry != r->entry);
	}
#endif
	(void)d;
}

static int take_lock(struct driver *d)
{
	char *path = path_join(d->o->folder, "lock");
	int ret = 0;

	d->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (d->lock < 0)
		ret = error_sys("%s", path);
	else if (flock(d->lock, LOCK_EX | LOCK_NB) < 0)
		ret = error_set("%s: another scan works in this folder", d->o->folder);
	free(path);
	return ret;
}

/* ---- results ---- */

/* Puts the entry's result into the store if the result is fresh, or if the store has none.  False: there is
 * no result file, or it is not of this entry. */
static bool take_result(struct driver *d, const struct scan_entry *e, bool fresh)
{
	char *path = scan_path(d->o, "results", e->name, ".json"), *entry = scan_entry_text(e);
	json_t *r = NULL;
	bool ok = file_exists(path);

	assert(d->store);
	if (ok && scan_result_read(&r, path) < 0) {
		diag_warn("%s: run again", error_last());
		ok = false;
	} else if (ok && !str_eq(jr_get_str(r, "entry"), entry)) {
		ok = false;	/* the list has another source or version by now */
	}
	if (ok && (fresh || !scan_store_has(d->store, e->name, entry)) && scan_store_put(d->store, r) < 0)
		diag_warn("%s", error_last());
	if (ok && !json_is_null(json_object_get(r, "why")))
		d->failed++;
	json_decref(r);
	free(entry);
	free(path);
	return ok;
}

/* The result of a job that died each time. */
static void give_up(struct driver *d, const struct scan_entry *e, int status)
{
	char *path = scan_path(d->o, "results", e->name, ".json");
	json_t *r = scan_result_new(e);
	char *why = xasprintf("the job left no result, %d times: %s", MAX_TRIES, proc_status_text(status));

	json_object_set_new(r, "why", json_string(why));
	if (scan_result_write(r, path) < 0)
		diag_warn("%s", error_last());
	json_decref(r);
	free(why);
	free(path);
}

/* ---- jobs ---- */

static char **job_command(const struct driver *d, const struct scan_entry *e)
{
	const struct scan_options *o = d->o;
	VEC(char *) v = {0};

	vec_push(&v, xstrdup("plumb"));
	vec_push(&v, xstrdup("scan"));
	vec_push(&v, xstrdup("--job"));
	vec_push(&v, scan_entry_text(e));
	vec_push(&v, xstrdup("--output"));
	vec_push(&v, xstrdup(o->folder));
	vec_push(&v, xasprintf("--build-jobs=%u", o->build_jobs));
	vec_push(&v, xasprintf("--time-limit=%u", o->time_limit));
	vec_push(&v, xasprintf("--memory-limit=%llu", (unsigned long long)o->memory_limit));
	vec_push(&v, xasprintf("--programs=%u", o->programs));
	vec_push(&v, xasprintf("--cost-units=%u", o->cost_units));
	if (o->no_fix)
		vec_push(&v, xstrdup("--no-fix"));
	if (o->keep)
		vec_push(&v, xstrdup("--keep"));
	if (o->build_deps)
		vec_push(&v, xstrdup("--build-deps"));
	if (o->ncheck_args)
		vec_push(&v, xstrdup("--"));
	for (unsigned i = 0; i < o->ncheck_args; i++)
		vec_push(&v, xstrdup(o->check_args[i]));
	vec_push(&v, NULL);
	return v.v;
}

static int start(struct driver *d, uint32_t i)
{
	const struct scan_entry *e = &d->l->v.v[i];
	pid_t parent, pid;

	assert(i < d->l->v.n);
	assert(d->tries[i] < MAX_TRIES);
	parent = getpid();
	pid = fork();
	if (pid < 0)
		return error_sys("no job could be started");
	if (pid == 0) {
		char **argv = job_command(d, e);
		int null = open("/dev/null", O_RDONLY);

		/* in a group of its own: ^C is for the driver, which ends the jobs */
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent || null < 0 || dup2(null, STDIN_FILENO) < 0)
			_exit(127);
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	vec_push(&d->running, ((struct running){ pid, i }));
	vec_push(&d->pids, pid);
	d->tries[i]++;
	driver_check(d);
	return 0;
}

/* Job number k of those that ran has ended. */
static void ended(struct driver *d, unsigned k, int status)
{
	struct running job = d->running.v[k];
	const struct scan_entry *e = &d->l->v.v[job.entry];

	assert(k < d->running.n && d->running.n == d->pids.n);
	d->running.v[k] = vec_last(&d->running);
	d->pids.v[k] = vec_last(&d->pids);
	(void)vec_pop(&d->running);
	(void)vec_pop(&d->pids);
	driver_check(d);
	scan_end_descendants(d->pids.v, d->pids.n);	/* what a job that was killed has left */
	if (scan_step_stopped())
		return;
	if (!take_result(d, e, true)) {
		if (d->tries[job.entry] < MAX_TRIES && start(d, job.entry) == 0)
			return;
		give_up(d, e, status);
		take_result(d, e, true);
	}
	d->done++;
	progress_step(d->done, e->name);
}

/* Waits until a job ends. */
static void wait_for_one(struct driver *d)
{
	int status;
	pid_t pid = waitpid(-1, &status, 0);

	for (uint32_t k = 0; pid > 0 && k < d->running.n; k++)
		if (d->running.v[k].pid == pid) {
			ended(d, k, status);
			return;
		}
}

static void end_jobs(struct driver *d)
{
	for (uint32_t k = 0; k < d->running.n; k++)
		kill(d->running.v[k].pid, SIGTERM);
	while (d->running.n) {
		int status;
		pid_t pid = waitpid(-1, &status, 0);

		if (pid < 0 && errno != EINTR)
			break;
		for (uint32_t k = 0; pid > 0 && k < d->running.n; k++)
			if (d->running.v[k].pid == pid) {
				ended(d, k, status);
				break;
			}
	}
	scan_end_descendants(NULL, 0);
}

static int open_all(struct driver *d)
{
	char *path = path_join(d->o->folder, "scan.db");
	int ret = -1;

	if (make_dirs(d->o->folder) >= 0 && take_lock(d) >= 0)
		ret = scan_store_open(&d->store, path);
	free(path);
	return ret;
}

int scan_drive(const struct scan_list *l, const struct scan_options *o)
{
	struct driver d = { .l = l, .o = o, .lock = -1, .tries = xcalloc(MAX(l->v.n, 1u), sizeof(unsigned)) };
	unsigned jobs = o->jobs ? o->jobs : proc_cpus();
	int ret;

	if ((ret = open_all(&d)) < 0)
		goto done;
	scan_step_setup(o->folder, NULL);
	scan_end_leftovers(o->folder);
	progress_start("scanning", l->v.n);
	for (uint32_t i = 0; i < l->v.n && !scan_step_stopped(); i++) {
		if (!o->again && take_result(&d, &l->v.v[i], false)) {
			progress_step(++d.done, l->v.v[i].name);
			continue;
		}
		while (d.running.n >= jobs && !scan_step_stopped())
			wait_for_one(&d);
		if (scan_step_stopped() || (ret = start(&d, i)) < 0)
			break;
	}
	while (d.running.n && !scan_step_stopped() && ret >= 0)
		wait_for_one(&d);
	end_jobs(&d);
	progress_end();
	if (scan_step_stopped())
		ret = error_set("ended after %u of %u; the same command continues from there", d.done,
				l->v.n);
	else if (ret >= 0)
		ret = (int)d.failed;
done:
	scan_store_close(d.store);
	if (d.lock >= 0)
		close(d.lock);
	vec_release(&d.running);
	vec_release(&d.pids);
	free(d.tries);
	return ret;
}
