/*
 * rundir.c - the run files of a watched program and its children.
 *
 * Many programs free everything on their way out, leaks that could be reached
 * included.  So while the program runs its files are read now and then, and if the
 * last state has lost most of what was stale shortly before, the state before is
 * what the report shows.
 *
 * A process that executes another program leaves a file for each of them; only
 * the last one counts.  A program that starts thousands of others (make) would fill
 * the disk with run files: those of children that have ended with nothing to see
 * are removed on the way.
 */
#include "cli/rundir.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/proc.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_SECONDS = 2 };	/* that a running process has to look at its heap */

/* ---- the folder of run files ---- */

/* Where to make it: in memory if there is room, since a process that starts must
 * not wait for a disk.  200 kB is what a small process takes. */
static const char *parent_dir(void)
{
	static const char shm[] = "/dev/shm";
	const char *tmp = getenv("TMPDIR");
	struct statvfs st;

	if (tmp && tmp[0] == '/')
		return tmp;
	if (access(shm, W_OK | X_OK) == 0 && statvfs(shm, &st) == 0 &&
	    (uint64_t)st.f_bavail * st.f_frsize >= (uint64_t)256 << 20)
		return shm;
	return "/tmp";
}

/* A program that root starts may change its user and execute another one, which
 * must be able to leave a file too. */
int rundir_make(struct rundir *d)
{
	d->path = file_temp_dir(parent_dir(), "plumb-watch.");
	if (!d->path)
		return -1;
	if (geteuid() == 0)
		chmod(d->path, 01733);
	return 0;
}

void rundir_remove(struct rundir *d)
{
	file_remove_dir(d->path);
}

void rundir_release(struct rundir *d)
{
	runfiles_release(&d->before);
	free(d->path);
	d->path = NULL;
}

/* ---- processes ---- */

/* Is it still there, and not only waiting to be waited for? */
static bool is_running(unsigned pid)
{
	char path[64], line[512], *state;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (!pid || !(f = fopen(path, "r")))
		return false;
	state = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return state && state[1] == ' ' && state[2] != 'Z' && state[2] != 'X';
}

/* Does the process have our folder in its environment? */
static bool is_ours(const char *pid, const char *dir)
{
	char *path = xasprintf("/proc/%s/environ", pid), piece[4096 + 256];
	size_t n = strlen(dir), have = 0, k;
	FILE *f = fopen(path, "r");
	bool found = false;

	free(path);
	while (f && !found && (k = fread(piece + have, 1, sizeof(piece) - have, f)) > 0) {
		have += k;
		found = memmem(piece, have, dir, n) != NULL;
		k = MIN(have, n);	/* it may lie across two pieces */
		memmove(piece, piece + have - k, k);
		have = k;
	}
	if (f)
		fclose(f);
	return found;
}

/* Processes that the program has left behind: they inherited its environment,
 * and may or may not have a run file yet. */
static unsigned count_left(const struct rundir *d)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;
	unsigned n = 0;

	while (dir && (e = readdir(dir)))
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && is_running((unsigned)atoi(e->d_name)))
			n += is_ours(e->d_name, d->path);
	if (dir)
		closedir(dir);
	return n;
}

static void set_ended(const struct rundir *d, struct runfile *f)
{
	struct watch_run *r = f->r;

	if (f->program && d->ended)
		r->ended = arena_strdup(&r->arena, proc_status_text(d->status));
	else if (f->running)
		r->ended = "still running";
	else if (r->state == WATCH_EXECED)
		r->ended = "continued as another program";
	else if (r->state == WATCH_EXITED && r->exit_status >= 0)
		r->ended = arena_printf(&r->arena, "exited with code %d", r->exit_status);
	else if (r->state == WATCH_EXITED)
		r->ended = "exited";
	else
		r->ended = "ended by _exit() or a signal";
}

/* ---- run files ---- */

void runfiles_release(struct runfiles *v)
{
	for (uint32_t i = 0; i < v->n; i++) {
		watch_free(v->v[i].r);
		free(v->v[i].path);
		free(v->v[i].base);
	}
	vec_release(v);
}

static int file_compare(const void *a, const void *b)
{
	const struct runfile *x = a, *y = b;

	if (x->r->started != y->r->started)
		return x->r->started < y->r->started ? -1 : 1;
	return strcmp(x->path, y->path);
}

static struct runfile *find_file(const struct runfiles *v, const char *path)
{
	for (uint32_t i = 0; i < v->n; i++)
		if (str_eq(v->v[i].path, path))
			return &v->v[i];
	return NULL;
}

int runfiles_add(struct runfiles *v, const char *path)
{
	struct runfile f = {0};

	if (watch_read(&f.r, path) < 0)
		return -1;
	f.path = xstrdup(path);	/* plumb-ignore: whoever gave v releases it */
	vec_push(v, f);
	return 0;
}

void rundir_look(const struct rundir *d, struct runfile *f)
{
	struct watch_run *r;
	double idle;

	f->program = d->pid > 0 && f->r->pid == (unsigned)d->pid && f->r->state != WATCH_EXECED;
	f->running = f->r->state == WATCH_RUNNING && is_running(f->r->pid);
	if (f->running && watch_request(f->path, ANSWER_SECONDS) == 1 && watch_read(&r, f->path) == 0) {
		watch_free(f->r);
		f->r = r;
	}
	set_ended(d, f);
	idle = clock_now() - f->r->looked;
	if (f->running && idle > ANSWER_SECONDS)
		watch_note(f->r, "The process has allocated nothing for a while: "
			   "this is how it was %.0f s ago.", idle);
}

/* Calls f for each file of the folder that may be a run file. */
static void walk(const struct rundir *d, void (*f)(void *ctx, const char *path), void *ctx)
{
	DIR *dir = opendir(d->path);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		char *path;

		if (!str_starts(e->d_name, "run"))
			continue;
		path = path_join(d->path, e->d_name);
		f(ctx, path);
		free(path);
	}
	if (dir)
		closedir(dir);
}

static void add_path(void *ctx, const char *path)
{
	if (runfiles_add(ctx, path) < 0)
		diag_verbose("%s", error_last());
}

void rundir_read(const struct rundir *d, struct runfiles *v)
{
	walk(d, add_path, v);
	if (v->n)
		qsort(v->v, v->n, sizeof(*v->v), file_compare);
	/* of several files of one process the last counts: it has executed others */
	for (uint32_t i = 0; i < v->n; i++)
		for (uint32_t k = i + 1; k < v->n; k++)
			if (v->v[k].r->pid == v->v[i].r->pid) {
				v->v[i].r->state = WATCH_EXECED;
				break;
			}
	for (uint32_t i = 0; i < v->n; i++)
		rundir_look(d, &v->v[i]);
}

/* If the process has cleared up at its end: shows it as it was before that. */
static void undo_clearing(struct rundir *d, struct runfile *f)
{
	enum { LEAST = 4096 };
	struct runfile *old = find_file(&d->before, f->path);
	double earlier;

	if (!old || !old->r || f->running || f->r->state == WATCH_EXECED)
		return;
	if (old->r->stale_bytes < LEAST || f->r->stale_bytes >= old->r->stale_bytes / 2)
		return;
	earlier = f->r->duration - old->r->duration;
	old->r->state = f->r->state;
	old->r->exit_status = f->r->exit_status;
	watch_free(f->r);
	f->r = old->r;
	old->r = NULL;
	set_ended(d, f);
	watch_note(f->r, "The program freed most of its memory at its end; this is how it was %.1f s before.",
		   MAX(earlier, 0));
}

bool runfile_is_worth(const struct watch_run *r)
{
	enum { BLOAT = 128 << 10, STALE = 1 << 20 };	/* bytes */
	uint64_t bloat = 0;

	for (uint32_t i = 0; i < r->sites.n; i++)
		if (r->sites.v[i].kind == WATCH_BLOAT)
			bloat += r->sites.v[i].stale_bytes;
	return watch_count(r, WATCH_LEAK) || bloat >= BLOAT || r->stale_bytes >= STALE;
}

void run_losses_add(struct run_losses *l, const struct watch_run *r)
{
	l->cut += r->cut;
	l->children += r->missing_children;
	l->programs += r->unwatched_programs;
}

/* A child has ended: its file goes if there is nothing to see in it, neither at its
 * end nor before. */
static void settle(struct rundir *d, struct runfile *f)
{
	struct watch_run *last = NULL;
	bool worth;

	watch_judge(f->r);
	worth = runfile_is_worth(f->r);
	if (!worth && watch_read(&last, f->path) == 0) {
		watch_judge(last);
		worth = runfile_is_worth(last);
	}
	if (!worth && unlink(f->path) == 0) {
		d->dropped++;
		run_losses_add(&d->lost, last ? last : f->r);
	}
	watch_free(last);
}

/* Is it on its way out, with its memory freed?  It has ended in between, or it has lost
 * stale memory since it last looked at its heap (then its data is of two different
 * moments), or it has lost much of it in the last seconds.  If it is not at its end,
 * that is seen GRACE seconds later. */
static bool is_clearing(const struct watch_run *r, const struct watch_run *before)
{
	static const double GRACE = 3;

	if (r->stale_bytes >= before->stale_bytes / 4 * 3)
		return false;
	return r->state == WATCH_EXITED || r->live_bytes < r->ticked_bytes / 20 * 19 ||
	       r->duration < before->duration + GRACE;
}

/* One file of the folder: reads it again if its process runs. */
static void remember_file(void *ctx, const char *path)
{
	enum { MANY = 50 };	/* with more processes than this it would cost too much */
	struct rundir *d = ctx;
	struct runfile *old = find_file(&d->before, path);
	bool program = old && old->r && old->r->pid == (unsigned)d->pid;
	struct runfiles v = {0};

	if (old && !old->running)
		return;
	if (old && !is_running(old->r->pid)) {
		old->running = false;
		if (!program && !d->keep)
			settle(d, old);
		return;
	}
	if ((d->before.n > MANY && old && !program) || runfiles_add(&v, path) < 0)
		return;
	if (old && is_clearing(v.v[0].r, old->r)) {
		runfiles_release(&v);
		return;
	}
	if (old) {
		watch_free(old->r);
		old->r = v.v[0].r;
	} else {
		vec_push(&d->before,
			 ((struct runfile){ .path = xstrdup(path), .r = v.v[0].r, .running = true }));
	}
	v.v[0].r = NULL;
	runfiles_release(&v);
}

void rundir_remember(struct rundir *d)
{
	uint32_t n = 0;

	walk(d, remember_file, d);
	/* what was removed need not be remembered */
	for (uint32_t i = 0; i < d->before.n; i++) {
		struct runfile *f = &d->before.v[i];

		if (f->running || file_exists(f->path)) {
			d->before.v[n++] = *f;
			continue;
		}
		watch_free(f->r);
		free(f->path);
	}
	d->before.n = n;
}

static unsigned count_running(const struct runfiles *v)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < v->n; i++)
		n += v->v[i].running;
	return n;
}

unsigned rundir_read_last(struct rundir *d, struct runfiles *v)
{
	const struct timespec pause = { 0, 50 * 1000 * 1000 };
	unsigned left = count_left(d);

	rundir_read(d, v);
	for (int i = 0; i < 20 && count_running(v) < left; i++) {
		nanosleep(&pause, NULL);
		runfiles_release(v);
		left = count_left(d);
		rundir_read(d, v);
	}
	for (uint32_t i = 0; i < v->n; i++)
		undo_clearing(d, &v->v[i]);
	return MAX(left, count_running(v));	/* some write over their environment */
}

char *runfile_of_process(unsigned pid)
{
	char *maps = xasprintf("/proc/%u/maps", pid), *line = NULL, *found = NULL;
	FILE *f = fopen(maps, "r");
	struct watch_run *r;
	size_t cap = 0;

	if (!f)
		error_sys("process %u", pid);
	while (f && !found && getline(&line, &cap, f) > 0) {
		char *path = strchr(line, '/');

		if (!path || !strstr(line, "rw-s"))
			continue;
		path[strcspn(path, "\n")] = '\0';
		if (watch_read(&r, path) < 0)
			continue;
		if (r->pid == pid)
			found = xstrdup(path);
		watch_free(r);
	}
	if (f && !found)
		error_set("process %u is not watched: it must have been started by plumb watch", pid);
	if (f)
		fclose(f);
	free(line);
	free(maps);
	return found;
}
