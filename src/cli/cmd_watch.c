/*
 * cmd_watch.c - plumb watch: which live memory has this running program stopped
 * using?
 *
 * The program runs under libplumb.so, which leaves a run file for each process in
 * a folder of ours.  When the program has ended (or at intervals, or when asked
 * for a process that runs, or for a run file that somebody kept) the files are
 * read, symbolised and judged here, outside the program, and the reports written:
 * BASE.json and BASE.html for the program, BASE.PID.json and so on for those of
 * its children in which there is something to see.
 *
 * The folder (rundir.c) is removed at the end, unless a watched process is still
 * running: then it may be asked for by --snapshot.
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sbuf.h"
#include "cli/launch.h"
#include "cli/rundir.h"
#include "finding/finding.h"
#include "report/run.h"
#include "report/utf8.h"

#include <stdio.h>
#include <unistd.h>

enum {
	MAX_CHILD_REPORTS = 50,	/* nobody reads more */
	DEFAULT_DEPTH = 4,
	MAX_DEPTH = 16,
	SHOWN_SITES = 3,	/* in the summary */
};

struct watch_options {
	const char *base, *format, *interval_text, *findings;
	struct opt_list from, models, debug_dirs;
	unsigned depth, snapshot;
	bool wait, keep, quiet, verbose;

	double interval;
	VEC(enum run_format) formats;
};

struct watch {
	const struct watch_options *o;
	struct findings fs;	/* static findings; how paths are shown; sources */
	struct model_set *models;
	struct symbols *symbols;
	struct rundir dir;
	struct launch launch;
};

/* ---- options ---- */

static int parse_formats(struct watch_options *o)
{
	for (const char *s = o->format; *s;) {
		size_t n = strcspn(s, ",");
		enum run_format f;

		if (run_format_parse(&f, s, n) < 0)
			return -1;
		vec_push(&o->formats, f);
		s += n + (s[n] == ',');
	}
	return o->formats.n ? 0 : error_set("--format needs json, html or pprof");
}

static int parse_interval(struct watch_options *o)
{
	char *end;

	if (!o->interval_text)
		return 0;
	o->interval = strtod(o->interval_text, &end);
	if (end == o->interval_text || *end || !(o->interval >= 0.1 && o->interval <= 1e6))
		return error_set("--interval takes seconds, from 0.1 on, not `%s`", o->interval_text);
	return 0;
}

static int check_options(struct watch_options *o, const struct opt_result *args)
{
	unsigned ways = (args->nrest > 0) + (o->snapshot > 0) + (o->from.n > 0);

	if (parse_formats(o) < 0 || parse_interval(o) < 0)
		return -1;
	if (o->depth < 1 || o->depth > MAX_DEPTH)
		return error_set("--depth is from 1 to %d", MAX_DEPTH);
	if (args->ninputs)
		return error_set("what is `%s`? The program to watch comes after `--`: plumb watch -- %s ...",
				 args->inputs[0], args->inputs[0]);
	if (ways != 1)
		return error_set("one of `-- PROG ARGS...`, --snapshot PID and --from FILE is needed");
	return 0;
}

/* plumb-NAME for a program, plumb-PID for a process. */
static char *default_base(const struct watch_options *o, const struct opt_result *args)
{
	if (args->nrest)
		return xasprintf("plumb-%s", path_base(args->rest[0]));
	if (o->snapshot)
		return xasprintf("plumb-%u", o->snapshot);
	return xasprintf("plumb-%s", path_base(o->from.v[0]));
}

/* Better now than after the program has run for a week. */
static int check_base(const char *base)
{
	char *dir = path_dir(base);
	int ret = 0;

	if (!is_dir(dir))
		ret = error_set("%s: there is no such folder", dir);
	else if (access(dir, W_OK) < 0)
		ret = error_sys("%s", dir);
	free(dir);
	return ret;
}

/* ---- reports ---- */

static void note_modules(struct watch_run *r)
{
	static const char *const why[] = {
		[SYMBOL_NOTHING] = "has neither debug information nor symbols",
		[SYMBOL_MISSING] = "cannot be read",
		[SYMBOL_CHANGED] = "is not the file that ran any more",
		[SYMBOL_DAMAGED] = "could not be read to its end",
	};

	for (uint32_t i = 0; i < r->modules.n; i++) {
		const struct watch_module *m = &r->modules.v[i];

		if (m->source < ARRAY_LEN(why) && why[m->source] && m->path[0] == '/')
			watch_note(r, "`%s` %s: its functions have no names here", m->path, why[m->source]);
	}
}

static void add_notes(struct watch_run *r)
{
	if (r->untracked)
		watch_note(r, "Staleness could not be watched here: "
			   "sizes are right, nothing is called stale.");
	if (!r->allocations)
		watch_note(r, "The program allocated nothing that we saw: it may bring its own malloc.");
	if (r->cut)
		watch_note(r, "There was no room for all of the run's data: some sites are missing.");
	if (r->missing_children)
		watch_note(r, "%llu child %s not be watched: no run file could be made.",
			   (unsigned long long)r->missing_children,
			   r->missing_children == 1 ? "process could" : "processes could");
	if (r->unwatched_programs)
		watch_note(r, "%llu executed %s not be watched: the library cannot be loaded there.",
			   (unsigned long long)r->unwatched_programs,
			   r->unwatched_programs == 1 ? "program could" : "programs could");
	if (r->bad_frees)
		watch_note(r, "The program freed what it had not allocated, or freed it twice, %llu times.",
			   (unsigned long long)r->bad_frees);
	note_modules(r);
}

/* Names, kinds and links for all runs; the symbols of all of them at once. */
static void judge_all(struct watch *w, struct runfiles *v)
{
	for (uint32_t i = 0; i < v->n; i++)
		if (v->v[i].r->state != WATCH_EXECED)
			watch_want_symbols(v->v[i].r, w->symbols);
	symbols_resolve(w->symbols);
	for (uint32_t i = 0; i < v->n; i++) {
		struct watch_run *r = v->v[i].r;

		if (r->state == WATCH_EXECED)
			continue;
		watch_take_symbols(r, w->symbols);
		watch_mark_wrappers(r, w->models);
		watch_judge(r);
		watch_link(r, &w->fs);
		add_notes(r);
	}
}

static int write_one(struct watch *w, const struct runfile *f, enum run_format fmt)
{
	char *path = xasprintf("%s%s", f->base, run_format_ext(fmt));
	struct fileout out = {0};
	int ret;

	if ((ret = fileout_open(&out, path)) < 0)
		goto done;
	if ((ret = run_report_write(f->r, &w->fs, fmt, out.f)) == 0)
		ret = fileout_commit(&out);
	fileout_abort(&out);
done:
	free(path);
	return ret;
}

static int write_reports(struct watch *w, const struct runfiles *v)
{
	int ret = 0;

	for (uint32_t i = 0; i < v->n; i++)
		for (uint32_t k = 0; v->v[i].base && k < w->o->formats.n; k++)
			if (write_one(w, &v->v[i], w->o->formats.v[k]) < 0) {
				diag_error("%s", error_last());
				ret = -1;
			}
	return ret;
}

/* The program's report tells where those of its children are. */
static void note_children(struct watch_run *program, const struct runfiles *v)
{
	for (uint32_t i = 0; i < v->n; i++) {
		const struct runfile *f = &v->v[i];
		struct sbuf b = {0};

		if (f->program || !f->base)
			continue;
		run_report_count(&b, f->r);
		watch_note(program, "Child process %u (`%s`): %s; see `%s`", f->r->pid,
			   f->r->command.n ? path_base(f->r->command.v[0]) : "?",
			   sbuf_str(&b), path_base(f->base));
		sbuf_release(&b);
	}
}

/* Who gets a report, and under which name. */
static void name_reports(struct watch *w, struct runfiles *v)
{
	unsigned children = 0, left_out = 0;

	for (uint32_t i = 0; i < v->n; i++) {
		struct runfile *f = &v->v[i];

		if (f->program)
			f->base = xstrdup(w->o->base);
		else if (f->r->state == WATCH_EXECED || !runfile_is_worth(f->r))
			continue;
		else if (children++ < MAX_CHILD_REPORTS)
			f->base = xasprintf("%s.%u", w->o->base, f->r->pid);
		else
			left_out++;
	}
	for (uint32_t i = 0; i < v->n; i++)
		if (v->v[i].program)
			note_children(v->v[i].r, v);
	if (left_out)
		diag_warn("reports of %u more child processes are left out", left_out);
}

/* ---- what is said at the end ---- */

static void say_site(struct watch *w, const struct watch_site *s)
{
	struct sbuf b = {0};

	sbuf_printf(&b, "%u. %s: ", s->rank, watch_kind_name(s->kind));
	run_report_bytes(&b, (double)s->stale_bytes);
	sbuf_printf(&b, " stale in %llu %s from ", (unsigned long long)s->stale_objects,
		    s->stale_objects == 1 ? "object" : "objects");
	run_report_site(&b, &w->fs, s);
	sbuf_adds(&b, ", untouched for up to ");
	run_report_time(&b, s->max_staleness);
	if (s->findings.n)
		sbuf_printf(&b, "; plumb check knows it as %s", s->findings.v[0]->id);
	diag_note("%s", sbuf_str(&b));
	sbuf_release(&b);
}

static void say_run(struct watch *w, const struct runfile *f)
{
	const struct watch_run *r = f->r;
	struct sbuf b = {0};
	unsigned shown = 0;

	if (r->command.n)
		utf8_clean(&b, path_base(r->command.v[0]), strlen(path_base(r->command.v[0])));
	else
		sbuf_adds(&b, "a program");
	sbuf_printf(&b, " (process %u) %s: ", r->pid, r->ended);
	run_report_count(&b, r);
	sbuf_adds(&b, "; ");
	run_report_bytes(&b, (double)r->live_bytes);
	sbuf_adds(&b, " live, ");
	run_report_bytes(&b, (double)r->stale_bytes);
	sbuf_printf(&b, " of it stale; see %s%s", f->base, run_format_ext(w->o->formats.v[0]));
	for (uint32_t i = 1; i < w->o->formats.n; i++)
		sbuf_printf(&b, " and %s", run_format_ext(w->o->formats.v[i]));
	diag_note("%s", sbuf_str(&b));
	sbuf_release(&b);
	for (uint32_t i = 0; i < r->sites.n && shown < SHOWN_SITES; i++)
		if (r->sites.v[i].kind != WATCH_LIVE) {
			say_site(w, &r->sites.v[i]);
			shown++;
		}
}

/* What no report tells.  Lost data is worth a warning, whatever else is not to be said. */
static void say_losses(const struct watch *w, const struct runfiles *v)
{
	struct run_losses l = w->dir.lost;

	for (uint32_t i = 0; i < v->n; i++)
		run_losses_add(&l, v->v[i].r);
	if (l.cut)
		diag_warn("there was no room for all of the data of %u %s: some allocation sites are missing",
			  l.cut, l.cut == 1 ? "process" : "processes");
	if (l.children)
		diag_warn("%llu child %s not be watched: no run file could be made",
			  (unsigned long long)l.children,
			  l.children == 1 ? "process could" : "processes could");
	if (l.programs && !w->o->quiet)
		diag_note("%llu executed %s not be watched: of another word size or C library, built with a "
			  "sanitizer, with other privileges, or out of reach of libplumb.so",
			  (unsigned long long)l.programs,
			  l.programs == 1 ? "program could" : "programs could");
}

static void say_all(struct watch *w, const struct runfiles *v)
{
	unsigned silent = w->dir.dropped;

	say_losses(w, v);
	if (w->o->quiet)
		return;
	for (uint32_t i = 0; i < v->n; i++) {
		if (v->v[i].base)
			say_run(w, &v->v[i]);
		else
			silent += v->v[i].r->state != WATCH_EXECED;
	}
	if (silent)
		diag_note("%u child %s no stale memory to speak of, and no report", silent,
			  silent == 1 ? "process has" : "processes have");
}

/* Everything from run files to reports.  What is left of the files is the caller's. */
static int report_files(struct watch *w, struct runfiles *v)
{
	judge_all(w, v);
	name_reports(w, v);
	return write_reports(w, v);
}

/* ---- the three ways ---- */

static void tick(void *ctx)
{
	struct watch *w = ctx;
	struct runfiles v = {0};

	w->dir.pid = w->launch.pid;
	rundir_remember(&w->dir);
	if (w->o->interval <= 0)
		return;
	rundir_read(&w->dir, &v);
	if (report_files(w, &v) < 0)
		diag_verbose("snapshot: %s", error_last());
	runfiles_release(&v);
}

/* Says why the program cannot be watched; false if it even must not have the library. */
static bool tell_obstacle(const char *prog)
{
	bool harms;
	const char *why = launch_obstacle(prog, &harms);

	if (why)
		diag_warn("%s %s: it cannot be watched%s", prog, why,
			  harms ? ", and runs without" : ", only the programs that it starts can");
	return !harms;
}

/* Nothing was left behind: say why, if it is not known yet. */
static void tell_no_file(const char *prog)
{
	bool harms;

	if (!launch_obstacle(prog, &harms))
		diag_warn("%s left no run file: libplumb.so was not loaded, "
			  "or could not write its data", prog);
}

static void tell_running(const struct watch *w, const struct runfiles *v)
{
	for (uint32_t i = 0; i < v->n; i++)
		if (v->v[i].running)
			diag_note("process %u is still running; "
				  "plumb watch --snapshot %u reports on it later "
				  "(its data is in %s)", v->v[i].r->pid, v->v[i].r->pid, w->dir.path);
}

/* -- PROG ARGS.  The exit code if it did not start. */
static int watch_program(struct watch *w, const struct opt_result *args)
{
	char *file = NULL, *depth = NULL, *interval = NULL, *library = NULL;
	const char *env[4] = {0};
	struct runfiles v = {0};
	unsigned left = 0;
	bool found = false, preload;
	int ret = EXIT_NOTHING;

	w->dir.keep = w->o->keep;
	if (rundir_make(&w->dir) < 0 || !(library = launch_library("libplumb.so", w->dir.path)))
		goto fail;
	env[0] = file = xasprintf("PLUMB_RUN_FILE=%s/run", w->dir.path);
	env[1] = depth = xasprintf("PLUMB_DEPTH=%u", w->o->depth);
	if (w->o->interval > 0)
		env[2] = interval = xasprintf("PLUMB_INTERVAL=%g", w->o->interval);
	preload = tell_obstacle(args->rest[0]);
	w->launch = (struct launch){
		.argv = args->rest, .preload = preload ? library : NULL, .env = env, .wait_all = w->o->wait,
		.interval = w->o->interval > 0 ? w->o->interval : 1, .tick = tick, .ctx = w,
	};
	if (launch_run(&w->launch, &w->dir.status) < 0)
		goto fail;
	w->dir.pid = w->launch.pid;
	w->dir.ended = true;
	ret = 0;
	left = rundir_read_last(&w->dir, &v);
	for (uint32_t i = 0; i < v.n; i++)
		found |= v.v[i].program;
	if (!found)
		tell_no_file(args->rest[0]);
	report_files(w, &v);
	say_all(w, &v);
	if (!w->o->quiet)
		tell_running(w, &v);
	goto done;
fail:
	diag_error("%s", error_last());
done:
	if (w->dir.path && w->o->keep)
		diag_note("run files are kept in %s", w->dir.path);
	else if (w->dir.path && !left)
		rundir_remove(&w->dir);
	runfiles_release(&v);
	free(file);
	free(depth);
	free(interval);
	free(library);
	return ret;
}

/* --from FILE... */
static int watch_from(struct watch *w)
{
	struct runfiles v = {0};
	int ret = EXIT_NOTHING;

	for (uint32_t i = 0; i < w->o->from.n; i++)
		if (runfiles_add(&v, w->o->from.v[i]) < 0)
			goto fail;
	for (uint32_t i = 0; i < v.n; i++)
		rundir_look(&w->dir, &v.v[i]);
	v.v[0].program = true;
	if (report_files(w, &v) < 0)
		goto done;	/* it has been said */
	say_all(w, &v);
	ret = 0;
	goto done;
fail:
	diag_error("%s", error_last());
done:
	runfiles_release(&v);
	return ret;
}

/* --snapshot PID */
static int watch_snapshot(struct watch *w)
{
	struct runfiles v = {0};
	char *path = runfile_of_process(w->o->snapshot);
	int ret = EXIT_NOTHING;

	if (!path || runfiles_add(&v, path) < 0) {
		diag_error("%s", error_last());
		goto done;
	}
	rundir_look(&w->dir, &v.v[0]);
	v.v[0].program = true;
	if (report_files(w, &v) < 0)
		goto done;
	say_all(w, &v);
	ret = 0;
done:
	runfiles_release(&v);
	free(path);
	return ret;
}

/* ---- the command ---- */

/* All that can fail before the program is started. */
static int prepare(struct watch *w)
{
	const struct watch_options *o = w->o;

	if (check_base(o->base) < 0)
		return -1;
	if (o->findings && findings_read(&w->fs, o->findings) < 0)
		return -1;
	w->models = model_set_new();
	if (model_load_shipped(w->models) < 0)
		return -1;
	for (uint32_t i = 0; i < o->models.n; i++)
		if (model_parse_file(w->models, o->models.v[i]) < 0)
			return -1;
	w->symbols = symbols_new();
	for (uint32_t i = 0; i < o->debug_dirs.n; i++)
		symbols_add_debug_dir(w->symbols, o->debug_dirs.v[i]);
	return 0;
}

static const char usage[] =
	"usage: plumb watch [-o BASE] [OPTIONS] -- PROG ARGS...\n"
	"       plumb watch [-o BASE] [OPTIONS] --snapshot PID\n"
	"       plumb watch [-o BASE] [OPTIONS] --from FILE\n\n"
	"Runs a program and reports which of its memory it has stopped using: leaks that\n"
	"can still be reached, caches that are never read, bloat.  The reports are\n"
	"BASE.json and BASE.html; of child processes BASE.PID.json and BASE.PID.html.\n"
	"Exit status: that of the program; 2 if it could not be started.";

int cmd_watch(int argc, char **argv)
{
	struct watch_options o = { .format = "json,html", .depth = DEFAULT_DEPTH };
	const struct opt table[] = {
		{ "output", 'o', OPT_PATH, 0, &o.base, "BASE", "where reports go (default: plumb-PROG)" },
		{ "format", 0, OPT_STR, OPT_CLI_ONLY, &o.format, "F",
		  "json, html, pprof or a list of them (default: json,html)" },
		{ "interval", 0, OPT_STR, 0, &o.interval_text, "S",
		  "take a snapshot every S seconds, and write reports" },
		{ "depth", 0, OPT_UINT, 0, &o.depth, "N",
		  "callers by which allocation sites are distinguished, up to 16 (4)" },
		{ "snapshot", 0, OPT_UINT, OPT_CLI_ONLY, &o.snapshot, "PID",
		  "report on a watched process that runs" },
		{ "from", 0, OPT_LIST, OPT_CLI_ONLY, &o.from, "FILE", "report on a run file (--keep)" },
		{ "findings", 0, OPT_PATH, 0, &o.findings, "FILE",
		  "what plumb check --format json said of the program" },
		{ "model", 0, OPT_LIST, 0, &o.models, "FILE",
		  "more functions that allocate for their callers" },
		{ "debug-dir", 0, OPT_LIST, 0, &o.debug_dirs, "DIR",
		  "where separate debug files are, besides /usr/lib/debug" },
		{ "wait", 0, OPT_FLAG, OPT_CLI_ONLY, &o.wait, NULL,
		  "wait for processes that outlive the program (daemons)" },
		{ "keep", 0, OPT_FLAG, OPT_CLI_ONLY, &o.keep, NULL, "keep the run files" },
		{ "quiet", 'q', OPT_FLAG, OPT_CLI_ONLY, &o.quiet, NULL, "no summary at the end" },
		{ "verbose", 'v', OPT_FLAG, 0, &o.verbose, NULL, "say more" },
		{ 0 },
	};
	struct watch w = { .o = &o };
	struct opt_result args;
	char *base = NULL;
	int ret = EXIT_NOTHING;

	findings_init(&w.fs);
	if (opt_parse(&args, table, "watch", usage, argc, argv) < 0)
		goto fail;
	if (args.help) {
		ret = 0;
		goto done;
	}
	diag_set_verbose(o.verbose);
	if (check_options(&o, &args) < 0)
		goto fail;
	if (!o.base)
		o.base = base = default_base(&o, &args);
	if (prepare(&w) < 0)
		goto fail;
	ret = o.snapshot ? watch_snapshot(&w) :
	      o.from.n ? watch_from(&w) : watch_program(&w, &args);
	goto done;
fail:
	diag_error("%s", error_last());
done:
	symbols_free(w.symbols);
	model_set_free(w.models);
	findings_release(&w.fs);
	vec_release(&o.formats);
	vec_release(&o.from);
	vec_release(&o.models);
	vec_release(&o.debug_dirs);
	opt_result_release(&args);
	free(base);
	rundir_release(&w.dir);
	return w.dir.ended ? launch_exit(w.dir.status) : ret;
}
