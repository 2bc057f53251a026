/*
 * cmd_train.c - plumb train: one run of a program under the training tool, added to
 * the bounds file.
 *
 * The tool (valgrind/) writes one file for each process of the run into a folder
 * beside the bounds file, through a mapping: killed or crashed processes leave
 * what they had seen.  When all have ended, the files are added up as one run.
 * If we are killed ourselves, the folder stays, and the next training of the
 * same bounds file takes it in as a run of its own.
 */
#include "cli/cli.h"
#include "cli/launch.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sbuf.h"
#include "config.h"
#include "run/bounds.h"
#include "run/identity.h"

#include "../../runtime/guardfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
	"usage: plumb train -o FILE [OPTIONS] -- PROG ARGS...\n\n"
	"Runs PROG under Valgrind, watches every access to its heap, and adds what was seen\n"
	"to the bounds file FILE (plumb bounds FILE shows it).  Train with several inputs of\n"
	"increasing size, one run each.  The exit code is that of PROG.\n";

#define DEFAULT_DEPTH 4

struct train {
	const char *output, *soname;
	unsigned depth;
	bool verbose;
	struct launch launch;
	char *program, *build_id;	/* what will run */
	char *tool;			/* the folder that stands in for Valgrind's */
	char *dir;			/* where training files go */
	int lock;
};

/* The folder of one run: FILE.training-PID. */
static char *run_dir_prefix(const char *output)
{
	return xasprintf("%s.training-", output);
}

static int lock_output(struct train *t)
{
	char *dir = path_dir(t->output);

	t->lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (t->lock < 0 || flock(t->lock, LOCK_EX) < 0) {
		error_sys("%s", dir);
		free(dir);
		return -1;
	}
	free(dir);
	return 0;
}

static void unlock_output(struct train *t)
{
	if (t->lock >= 0)
		close(t->lock);
	t->lock = -1;
}

/* The bounds so far; none if there is no file yet.  Negative: it cannot be added to. */
static int read_bounds(struct bounds *b, const struct train *t)
{
	if (file_exists(t->output)) {
		if (bounds_read(b, t->output) < 0)
			return -1;
	}
	if (b->runs.n == 0 && b->depth == 0) {
		b->program = arena_strdup(&b->arena, t->program);
		b->build_id = arena_strdup(&b->arena, t->build_id);
		b->depth = t->depth ? t->depth : DEFAULT_DEPTH;
		return 0;
	}
	if (!str_eq(b->build_id, t->build_id))
		return error_set("%s has bounds of another program or another build of it (%s, build-id %s); "
				 "%s has build-id %s: train it into a file of its own",
				 t->output, b->program, b->build_id, t->program, t->build_id);
	if (t->depth && t->depth != b->depth)
		return error_set("%s was trained with --depth %u", t->output, b->depth);
	return 0;
}

/* Takes in the folders that killed trainings of this file have left. */
static void take_leftovers(struct bounds *b, const struct train *t)
{
	char *prefix = run_dir_prefix(t->output), *folder = path_dir(t->output);
	const char *base = path_base(prefix);
	DIR *d = opendir(folder);
	struct dirent *e;

	while (d && (e = readdir(d)) != NULL) {
		char *path, *end;
		long pid;

		if (!str_starts(e->d_name, base))
			continue;
		pid = strtol(e->d_name + strlen(base), &end, 10);
		if (*end || pid <= 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
			continue;	/* not ours, or still at work */
		path = path_join(folder, e->d_name);
		bounds_begin_run(b, t->launch.argv, t->launch.argc);
		if (bounds_add_training(b, path) == 0)
			vec_last(&b->runs).ended = "killed";
		file_remove_dir(path);
		free(path);
	}
	if (d)
		closedir(d);
	free(folder);
	free(prefix);
}

/* Adds the run that has ended. */
static int add_run(struct train *t, const char *ended)
{
	struct bounds b;
	int ret;

	bounds_init(&b);
	if ((ret = lock_output(t)) < 0 || (ret = read_bounds(&b, t)) < 0)
		goto done;
	take_leftovers(&b, t);
	bounds_begin_run(&b, t->launch.argv, t->launch.argc);
	vec_last(&b.runs).ended = arena_strdup(&b.arena, ended);
	if ((ret = bounds_add_training(&b, t->dir)) < 0)
		goto done;
	ret = bounds_write(&b, t->output);
done:
	unlock_output(t);
	bounds_release(&b);
	return ret;
}

/* The folder with our tool, beside the executable or where it was installed. */
static int find_tool(struct train *t)
{
	static const char *const dirs[] = { PLUMB_VALGRIND_DIRS };
	char *exe = path_exe_dir();

	for (size_t i = 0; i < ARRAY_LEN(dirs) && !t->tool; i++) {
		char *dir = path_join(exe, dirs[i]), *tool = path_join(dir, "plumb-amd64-linux");

		if (file_exists(tool))
			t->tool = path_absolute(dir);
		free(tool);
		free(dir);
	}
	free(exe);
	return t->tool ? 0 : error_set("this plumb was built without its Valgrind tool "
				       "(install valgrind and build it again)");
}

static int run_program(struct train *t, unsigned depth, int *status)
{
	VEC(char *) argv = {0};
	struct sbuf lib = {0}, data = {0}, log = {0}, dep = {0}, so = {0}, loops = {0};
	char *output = path_absolute(t->output);
	const char *env[3] = { NULL };
	struct launch l = { .env = env, .wait_all = true };
	int ret;

	sbuf_printf(&lib, "VALGRIND_LIB=%s", t->tool);
	sbuf_printf(&data, "--data=%s/train", t->dir);
	sbuf_printf(&log, "--log-file=%s/log.%%p", t->dir);
	sbuf_printf(&dep, "--depth=%u", depth);
	sbuf_printf(&loops, GUARD_LOOPS_ENV "=%s" GUARD_LOOPS_SUFFIX, output);
	env[0] = lib.s;
	env[1] = loops.s;
	vec_push(&argv, (char *)"valgrind");
	vec_push(&argv, (char *)"--tool=plumb");
	vec_push(&argv, (char *)"--command-line-only=yes");	/* and no .valgrindrc of the folder */
	vec_push(&argv, (char *)"-q");
	vec_push(&argv, (char *)"--trace-children=yes");
	vec_push(&argv, (char *)"--child-silent-after-fork=yes");
	vec_push(&argv, (char *)"--vgdb=no");
	vec_push(&argv, (char *)"--fair-sched=try");
	/* Nobody else may touch the program's objects. */
	vec_push(&argv, (char *)"--run-libc-freeres=no");
	vec_push(&argv, (char *)"--run-cxx-freeres=no");
	vec_push(&argv, log.s);
	vec_push(&argv, data.s);
	vec_push(&argv, dep.s);
	if (t->soname) {
		sbuf_printf(&so, "--soname-synonyms=somalloc=%s", t->soname);
		vec_push(&argv, so.s);
	}
	for (unsigned i = 0; i < t->launch.argc; i++)
		vec_push(&argv, t->launch.argv[i]);
	vec_push(&argv, NULL);
	l.argv = argv.v;
	ret = launch_run(&l, status);
	vec_release(&argv);
	sbuf_release(&lib);
	sbuf_release(&data);
	sbuf_release(&log);
	sbuf_release(&dep);
	sbuf_release(&so);
	sbuf_release(&loops);
	free(output);
	return ret;
}

/* What may fail is asked before the program runs: hours of training are not lost
 * because the file was the wrong one. */
static int check_output(struct train *t, unsigned *depth)
{
	struct bounds b;
	int ret;

	bounds_init(&b);
	ret = read_bounds(&b, t);
	*depth = b.depth;
	bounds_release(&b);
	if (ret < 0)
		return ret;
	if (mkdir(t->dir, 0700) < 0)
		return error_sys("%s", t->dir);
	return 0;
}

/* Can Valgrind run it? */
static int check_target(const struct train *t)
{
	const char *why = launch_valgrind_obstacle(t->launch.argv[0]);

	return why ? error_set("%s %s: it cannot be trained", t->program, why) : 0;
}

static int train(struct train *t, int *status)
{
	char *prefix = run_dir_prefix(t->output);
	unsigned depth;
	int ret;

	t->dir = xasprintf("%s%ld", prefix, (long)getpid());
	free(prefix);
	if (*t->dir != '/') {
		char *dir = path_absolute(t->dir);

		free(t->dir);
		t->dir = dir;
	}
	if ((ret = identity_of_command(&t->program, &t->build_id, t->launch.argv[0])) < 0 ||
	    (ret = check_target(t)) < 0 || (ret = find_tool(t)) < 0 || (ret = check_output(t, &depth)) < 0)
		return ret;
	if ((ret = run_program(t, depth, status)) < 0) {
		error_prefix("valgrind: ");
		goto done;
	}
	ret = add_run(t, launch_ending(*status));
	if (ret == 0 && t->verbose)
		diag_note("%s: one run added (%s)", t->output, launch_ending(*status));
done:
	file_remove_dir(t->dir);
	return ret;
}

int cmd_train(int argc, char **argv)
{
	struct train t = { .lock = -1 };
	const struct opt table[] = {
		{ "output", 'o', OPT_PATH, OPT_CLI_ONLY, &t.output, "FILE",
		  "the bounds file; the run is added to it" },
		{ "depth", 0, OPT_UINT, OPT_CLI_ONLY, &t.depth, "N",
		  "frames of the call stack that make an allocation site, 1 to 16 (default: 4)" },
		{ "soname", 0, OPT_STR, OPT_CLI_ONLY, &t.soname, "PATTERN",
		  "where the program's malloc is, if not in a shared library (NONE: linked statically)" },
		{ "verbose", 'v', OPT_FLAG, OPT_CLI_ONLY, &t.verbose, NULL, "say what was done" },
		{ 0 },
	};
	struct opt_result args = {0};
	int ret, status = 0;

	if ((ret = opt_parse(&args, table, "train", usage, argc, argv)) < 0 || args.help)
		goto done;
	if (!t.output)
		ret = error_set("-o FILE is wanted (see plumb train --help)");
	else if (t.depth > BOUNDS_MAX_DEPTH)
		ret = error_set("--depth: at most %u", BOUNDS_MAX_DEPTH);
	else if ((ret = launch_command(&t.launch, &args)) == 0)
		ret = train(&t, &status);
done:
	if (ret < 0)
		diag_error("%s", error_last());
	free(t.program);
	free(t.build_id);
	free(t.tool);
	free(t.dir);
	if (ret == 0 && !args.help)
		ret = launch_exit(status);
	opt_result_release(&args);
	return ret < 0 ? EXIT_NOTHING : ret;
}
