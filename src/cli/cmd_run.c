/*
 * cmd_run.c - plumb run: a program that survives its leaks.
 *
 * The bounds file becomes a plan (run/plan.h), which the preloaded library maps in
 * every process of the run.  What the processes find out about bounds that are
 * too small is in the plan afterwards, however they ended, and is taken into the
 * bounds file.
 */
#include "cli/cli.h"
#include "cli/launch.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/near.h"
#include "config.h"
#include "run/bounds.h"
#include "run/identity.h"
#include "run/plan.h"

#include "../../runtime/cyclicfile.h"
#include "../../runtime/guardfile.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

static const char usage[] =
	"usage: plumb run --bounds FILE [OPTIONS] -- PROG ARGS...\n\n"
	"Runs PROG with cyclic buffers at the m-bounded allocation sites of FILE (plumb\n"
	"train), so that leaks at these sites cannot use up memory.  Bounds that turn out to\n"
	"be too small are raised, in FILE too.  The exit code is that of PROG.\n";

#define DEFAULT_STRICT 4
#define FAULTS_SHOWN 40

struct run {
	const char *bounds, *only, *scale;
	bool force, no_mend, strict, oblivious, verbose;
	unsigned strict_rounds;
	struct launch launch;
	char *dir, *plan;		/* temporary */
	struct plan_options o;
};

/* A changed program is refused: its sites would be taken for others. */
static int check_target(const struct run *r, const struct bounds *b)
{
	char *program = NULL, *id = NULL;
	bool harms;
	const char *why = launch_obstacle(r->launch.argv[0], &harms);
	int ret = identity_of_command(&program, &id, r->launch.argv[0]);

	if (ret < 0)
		return ret;
	if (why)
		ret = error_set("%s %s: no library can get into it", program, why);
	else if (!r->force && !str_eq(id, b->build_id))
		ret = error_set("%s has changed since it was trained: build-id %s, but %s was made for %s "
				"(%s); train it again, or use --force",
				program, *id ? id : "unknown", r->bounds,
				*b->build_id ? b->build_id : "unknown", b->program);
	free(program);
	free(id);
	return ret;
}

static const char *only_name(unsigned i)
{
	static const char *const names[] = { "leaking", "all", NULL };

	return names[i];
}

static int read_options(struct run *r)
{
	char *end;

	r->o.scale = 1;
	if (r->scale) {
		r->o.scale = strtod(r->scale, &end);
		if (end == r->scale || *end || !(r->o.scale > 0 && r->o.scale <= 1000))
			return error_set("--scale: expected a number such as 0.5, not `%s`", r->scale);
	}
	if (r->only && near_choice("value for --only", r->only, only_name) < 0)
		return -1;
	r->o.only_leaking = r->only && str_eq(r->only, "leaking");
	r->o.by_path = r->force;
	/* Smaller bounds are asked for to see what an overlay does: do not prevent it. */
	r->o.mend = !r->no_mend && r->o.scale >= 1;
	if (r->strict || r->strict_rounds)
		r->o.strict = r->strict_rounds ? r->strict_rounds : DEFAULT_STRICT;
	return 0;
}

static int make_plan(struct run *r, const struct bounds *b)
{
	const char *tmp = getenv("TMPDIR");
	uint32_t chosen;

	r->dir = file_temp_dir(tmp && *tmp == '/' ? tmp : "/tmp", "plumb-run-");
	if (!r->dir)
		return -1;
	r->plan = path_join(r->dir, "plan");
	if (plan_write(b, &r->o, r->plan, &chosen) < 0)
		return -1;
	if (r->verbose)
		diag_note("%u of %u sites have cyclic buffers", chosen, b->sites.n);
	return 0;
}

static int start_program(struct run *r, int *status)
{
	char *library = launch_library("libplumb-run.so", r->dir), *preload = NULL;
	char *plan = xasprintf(CYCLIC_ENV "=%s", r->plan);
	char *file = path_absolute(r->bounds);
	char *loops = xasprintf(GUARD_LOOPS_ENV "=%s" GUARD_LOOPS_SUFFIX, file);
	const char *env[] = { plan, loops, NULL };
	int ret = -1;

	if (!library)
		goto done;
	preload = xstrdup(library);
	if (r->oblivious) {
		char *other = launch_library("libplumb-oblivious.so", r->dir);

		free(preload);
		preload = other ? xasprintf("%s:%s", library, other) : NULL;
		free(other);
	}
	r->launch.preload = preload;
	r->launch.env = env;
	r->launch.wait_all = true;
	if (preload)
		ret = launch_run(&r->launch, status);
done:
	free(preload);
	free(library);
	free(plan);
	free(loops);
	free(file);
	return ret;
}

/* The places of faults, as the library has logged them beside the plan. */
static void tell_faults(const struct run *r, const struct plan_result *res)
{
	char *path = xasprintf("%s.faults", r->plan), *text = NULL, *rest, *line;
	unsigned shown = 0;
	size_t n;

	diag_note("%llu faults skipped, %llu could not be", (unsigned long long)res->faults,
		  (unsigned long long)res->refused);
	if (file_exists(path) && file_read(&text, &n, path) == 0)
		for (rest = text; (line = strsep(&rest, "\n")) && shown < FAULTS_SHOWN;)
			if (*line) {
				diag_note("fault at %s", line);
				shown++;
			}
	free(text);
	free(path);
}

/* Takes what the run has found out into the bounds file, as that is by now. */
static int take_result(struct run *r)
{
	struct plan_result res;
	struct bounds b;
	bool changed = false;
	char *dir = path_dir(r->bounds);
	int lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;

	bounds_init(&b);
	if (lock >= 0)
		flock(lock, LOCK_EX);
	if ((ret = bounds_read(&b, r->bounds)) < 0 ||
	    (ret = plan_read_result(&res, &b, r->plan, &changed)) < 0)
		goto done;
	if (changed && (ret = bounds_write(&b, r->bounds)) == 0)
		diag_note("%s: a bound was too small %llu time%s and has been raised", r->bounds,
			  (unsigned long long)res.raised, res.raised == 1 ? "" : "s");
	if (r->verbose) {
		diag_note("%llu processes; %u sites used %llu kB of cyclic buffers in %llu rounds; "
			  "%llu pages watched, %llu could not be",
			  (unsigned long long)res.processes, res.used, (unsigned long long)res.memory / 1024,
			  (unsigned long long)res.rounds, (unsigned long long)res.watched,
			  (unsigned long long)res.unwatched);
		if (r->oblivious)
			tell_faults(r, &res);
	}
done:
	if (lock >= 0)
		close(lock);
	free(dir);
	bounds_release(&b);
	return ret;
}

static void clean_up(struct run *r)
{
	if (r->dir)
		file_remove_dir(r->dir);
	free(r->dir);
	free(r->plan);
}

/* The status of the program is the result whatever becomes of the bounds file. */
static int run_program(struct run *r, int *status)
{
	struct bounds b;
	int ret;

	bounds_init(&b);
	if ((ret = read_options(r)) < 0 || (ret = bounds_read(&b, r->bounds)) < 0 ||
	    (ret = check_target(r, &b)) < 0 || (ret = make_plan(r, &b)) < 0)
		goto done;
	bounds_release(&b);
	bounds_init(&b);
	if ((ret = start_program(r, status)) < 0)
		goto done;
	if (take_result(r) < 0)
		diag_warn("%s", error_last());
done:
	bounds_release(&b);
	return ret;
}

int cmd_run(int argc, char **argv)
{
	struct run r = {0};
	const struct opt table[] = {
		{ "bounds", 'b', OPT_PATH, OPT_CLI_ONLY, &r.bounds, "FILE", "what training has learned" },
		{ "only", 0, OPT_STR, OPT_CLI_ONLY, &r.only, "WHICH",
		  "leaking: only sites that leaked in training; all: all stable ones (default)" },
		{ "scale", 0, OPT_STR, OPT_CLI_ONLY, &r.scale, "X",
		  "multiply the bounds by X; less than 1 is for conflict runs and mends nothing" },
		{ "no-mend", 0, OPT_FLAG, OPT_CLI_ONLY, &r.no_mend, NULL,
		  "buffers of m objects exactly, as in the paper; nothing is watched" },
		{ "strict", 0, OPT_FLAG, OPT_CLI_ONLY, &r.strict, NULL,
		  "watch every page in every round: never overlay what was touched lately" },
		{ "strict-rounds", 0, OPT_UINT, OPT_CLI_ONLY, &r.strict_rounds, "N",
		  "the same; lately is the last N reuses (default: 4)" },
		{ "oblivious", 0, OPT_FLAG, OPT_CLI_ONLY, &r.oblivious, NULL,
		  "continue after accesses through null and wild pointers" },
		{ "faults", 0, OPT_UINT, OPT_CLI_ONLY, &r.o.faults, "N",
		  "with --oblivious: give up after N of them in a second (default: 20000)" },
		{ "force", 0, OPT_FLAG, OPT_CLI_ONLY, &r.force, NULL,
		  "even if the program has changed since training" },
		{ "verbose", 'v', OPT_FLAG, OPT_CLI_ONLY, &r.verbose, NULL, "say what was done" },
		{ 0 },
	};
	struct opt_result args = {0};
	int ret, status = 0;

	if ((ret = opt_parse(&args, table, "run", usage, argc, argv)) < 0 || args.help)
		goto done;
	if (!r.bounds)
		ret = error_set("--bounds FILE is wanted (see plumb run --help)");
	else if (r.oblivious && !PLUMB_ZYDIS)
		ret = error_set("--oblivious: this plumb was built without Zydis "
				"(install libzydis-dev and build it again)");
	else if ((ret = launch_command(&r.launch, &args)) == 0)
		ret = run_program(&r, &status);
done:
	if (ret < 0)
		diag_error("%s", error_last());
	clean_up(&r);
	if (ret == 0 && !args.help)
		ret = launch_exit(status);
	opt_result_release(&args);
	return ret < 0 ? EXIT_NOTHING : ret;
}
