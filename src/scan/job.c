/*
 * job.c - all that is done for one entry, on one page: fetch, build, check, fix, compare, and a result file.
 *
 * Every step is a program of its own, plumb check and plumb fix among them: a crash, a hang or a lack of
 * memory is a row of the result, and not the end of the scan.  A job that fails has a result as well, which
 * says where.
 *
 * Costs are those of the analysis of the linked programs: the front end ran within the build.  They are
 * compared with `clang -O2 -c` of the same units, or of every n-th of them where there are many.
 *
 * needs: an entry and the options; a folder that can be written to.
 * gives: results/NAME.json, logs/NAME.log and fetched/NAME.
 */
#include "scan/scan.h"

#include "base/error.h"
#include "base/file.h"
#include "base/sbuf.h"
#include "front/unit.h"
#include "report/report.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

char *scan_path(const struct scan_options *o, const char *kind, const char *name, const char *ext)
{
	return xasprintf("%s/%s/%s%s", o->folder, kind, name, ext);
}

bool scan_job_step(struct scan_job *j, const struct scan_command *c)
{
	struct scan_step s;
	bool ok = scan_step_run(&s, c, j->options, j->log);

	vec_push(&j->steps, s);
	return ok;
}

/* ---- analysis ---- */

/* argv of plumb COMMAND on target number i, or on all objects together; it ends with NULL.  The caller's,
 * strings borrowed. */
static char **command_of(const struct scan_job *j, char *command, char *format,
			 const struct scan_targets *t, uint32_t i)
{
	VEC(char *) v = {0};

	assert(i < t->v.n);
	vec_push(&v, j->plumb);
	vec_push(&v, command);
	if (format) {
		vec_push(&v, (char *)"--format");
		vec_push(&v, format);
		vec_push(&v, (char *)"-j");
		vec_push(&v, (char *)"1");
		vec_push(&v, (char *)"--no-cache");
		for (unsigned k = 0; k < j->options->ncheck_args; k++)
			vec_push(&v, j->options->check_args[k]);
	} else {
		vec_push(&v, (char *)"units");
	}
	for (uint32_t k = t->objects ? 0 : i; k < (t->objects ? t->v.n : i + 1); k++)
		vec_push(&v, t->v.v[k].path);
	vec_push(&v, NULL);
	return v.v;
}

/* Runs plumb on a target, and returns the JSON that it printed, the caller's; NULL if there is none.
 * Without a format the command is `plumb dump units`. */
static json_t *analyse(struct scan_job *j, char *command, char *format, const struct scan_targets *t,
		       uint32_t i)
{
	char *what = path_relative(t->v.v[i].path, j->source), *out = path_join(j->work, "out.json");
	char **argv = command_of(j, command, format, t, i);
	const char *step = format ? command : "units";
	const struct scan_command c = {
		.name = step, .what = t->objects ? "objects" : what,
		.argv = argv, .dir = j->source, .out = out, .env = j->env.v, .max_code = 3,
	};
	json_t *report = NULL;

	/* exit code 2: nothing could be analysed, and no report was written */
	if (scan_job_step(j, &c) && vec_last(&j->steps).code != 2 && jr_parse_file(&report, out) < 0)
		report = NULL;
	else if (vec_last(&j->steps).end == STEP_OK && vec_last(&j->steps).code == 2)
		vec_last(&j->steps).end = STEP_FAILED;
	unlink(out);
	free(argv);
	free(out);
	free(what);
	return report;
}

/* Lets the dynamic linker find the libraries that were built in the folders where they lie, as the wrappers
 * of libtool do. */
static void add_library_path(struct scan_job *j, const struct scan_targets *t)
{
	struct sbuf b = {0};

	sbuf_adds(&b, "LD_LIBRARY_PATH=");
	for (uint32_t i = 0; i < t->library_dirs.n; i++)
		sbuf_printf(&b, "%s%s", i ? ":" : "", t->library_dirs.v[i]);
	assert(vec_last(&j->env) == NULL);
	(void)vec_pop(&j->env);
	if (t->library_dirs.n)
		vec_push(&j->env, sbuf_detach(&b));
	vec_push(&j->env, NULL);
	sbuf_release(&b);
}

/* ---- cost ---- */

static void add_quoted(struct sbuf *b, const char *s)
{
	sbuf_adds(b, " '");
	for (; *s; s++)
		if (*s == '\'')
			sbuf_adds(b, "'\\''");
		else
			sbuf_addc(b, *s);
	sbuf_addc(b, '\'');
}

static void add_compilation(struct sbuf *b, const char *clang, const json_t *unit)
{
	const char *path = jr_get_str(unit, "unit"), *dir = jr_get_str(unit, "dir");
	const json_t *flags = json_object_get(unit, "flags");

	if (!path || !dir || !json_is_array(flags))
		return;
	sbuf_adds(b, "(cd");
	add_quoted(b, dir);
	sbuf_adds(b, " && exec");
	add_quoted(b, clang);
	sbuf_adds(b, " -w -O2 -c -o /dev/null");
	for (size_t i = 0; i < json_array_size(flags); i++)
		add_quoted(b, json_string_value(json_array_get(flags, i)));
	add_quoted(b, path);
	sbuf_adds(b, ")\n");
}

/* How often plumb runs: all objects together are one program. */
static uint32_t programs_of(const struct scan_targets *t)
{
	return t->objects ? MIN(t->v.n, 1u) : t->v.n;
}

/* The units of all targets, each once: what plumb dump units says of them. */
static json_t *units_of(struct scan_job *j, const struct scan_targets *t)
{
	json_t *units = json_object(), *files = json_object(), *both = json_object();

	for (uint32_t i = 0; i < programs_of(t) && !scan_step_stopped(); i++) {
		json_t *found = analyse(j, "dump", NULL, t, i), *unit;
		size_t at;

		json_array_foreach(json_object_get(found, "units"), at, unit)
			if (jr_get_str(unit, "unit"))
				json_object_set(units, jr_get_str(unit, "unit"), unit);
		json_array_foreach(json_object_get(found, "files"), at, unit)
			if (json_is_string(unit))
				json_object_set_new(files, json_string_value(unit), json_true());
		json_decref(found);
	}
	json_object_set_new(both, "units", units);
	json_object_set_new(both, "files", files);
	return both;
}

static uint64_t lines_of(const char *path)
{
	struct filemap m;
	uint64_t n = 0;

	if (filemap_open(&m, path) < 0)
		return 0;
	for (const char *p = m.p, *end = m.p + m.n; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	filemap_close(&m);
	return n;
}

/* Lines of the sources and headers with code that lie in the entry's own tree. */
static uint64_t own_lines(const struct scan_job *j, json_t *files)
{
	char *root = realpath(j->source, NULL);
	size_t n = root ? strlen(root) : 0;
	uint64_t sum = 0;
	const char *path;
	json_t *value;

	json_object_foreach(files, path, value) {
		char *real = realpath(path, NULL);

		if (real && root && strncmp(real, root, n) == 0 && real[n] == '/')
			sum += lines_of(real);
		free(real);
	}
	free(root);
	return sum;
}

/* Compiles every n-th unit for comparison; the result says which share of all lines these units have. */
static void compare(struct scan_job *j, json_t *r, json_t *units)
{
	size_t n = json_object_size(units), max = j->options->cost_units, at = 0, every = (n + max - 1) / max;
	char *script = path_join(j->work, "compile.sh"), *clang = NULL;
	uint64_t all = 0, some = 0;
	struct sbuf b = {0};
	const char *path;
	json_t *unit;

	assert(n == 0 || every > 0);
	if (clang_find(&clang, NULL) < 0)
		goto done;
	sbuf_adds(&b, "#!/bin/sh\n");
	json_object_foreach(units, path, unit) {
		uint64_t lines = lines_of(path);

		all += lines;
		if (at++ % every)
			continue;
		some += lines;
		add_compilation(&b, clang, unit);
	}
	if (some && file_write(script, b.s, b.n) >= 0) {
		char *argv[] = { "sh", script, NULL };
		const struct scan_command c = { .name = "compile", .argv = argv, .max_code = 255 };

		assert(some <= all);
		scan_job_step(j, &c);
		json_object_set_new(r, "compiled_share", json_real((double)some / (double)all));
	}
done:
	sbuf_release(&b);
	free(clang);
	free(script);
}

/* ---- the job ---- */

static void analyse_all(struct scan_job *j, json_t *r)
{
	const struct scan_options *o = j->options;
	struct scan_targets t = {0};
	json_t *found, *units, *programs = json_array();
	unsigned analysed = 0;

	assert(j->source);
	scan_targets_find(&t, j->source, o->programs);
	add_library_path(j, &t);
	found = units_of(j, &t);
	units = json_object_get(found, "units");
	json_object_set_new(r, "units", json_integer((json_int_t)json_object_size(units)));
	json_object_set_new(r, "lines",
			    json_integer((json_int_t)own_lines(j, json_object_get(found, "files"))));
	for (uint32_t i = 0; i < programs_of(&t) && !scan_step_stopped(); i++) {
		json_t *report = analyse(j, "check", "json", &t, i);

		json_array_append_new(programs, json_string(vec_last(&j->steps).what));
		analysed += report != NULL;
		scan_result_report(r, report, false);
		json_decref(report);
		if (o->no_fix || !report)
			continue;
		report = analyse(j, "fix", "json", &t, i);
		scan_result_report(r, report, true);
		json_decref(report);
	}
	json_object_set_new(r, "programs", programs);
	json_object_set_new(r, "programs_left_out", json_integer(t.left_out));
	if (o->cost_units && !scan_step_stopped())
		compare(j, r, units);
	if (!analysed)
		json_object_set_new(r, "why", json_string("nothing could be analysed"));
	json_decref(found);
	scan_targets_release(&t);
}

static void remove_work(struct scan_job *j)
{
	const struct scan_command c = {
		.name = "clean",
		.argv = (char *[]){ "sh", "-c", SCAN_REMOVE, "sh", j->work, NULL },
	};
	struct scan_step s;

	scan_step_run(&s, &c, j->options, j->log);
	scan_step_release(&s);
}

static int job_open(struct scan_job *j, const struct scan_entry *e, const struct scan_options *o)
{
	char *path = scan_path(o, "logs", e->name, ".log"), *exe = realpath("/proc/self/exe", NULL);
	char *results = scan_path(o, "results", "", ""), *logs = scan_path(o, "logs", "", "");
	int ret = -1;

	*j = (struct scan_job){ .entry = e, .options = o, .log = -1, .plumb = exe };
	j->work = scan_path(o, "work", e->name, "");
	j->fetched = scan_path(o, "fetched", e->name, "");
	if (!exe) {
		error_sys("/proc/self/exe");
		goto done;
	}
	if (make_dirs(logs) < 0 || make_dirs(results) < 0 || make_dirs(j->fetched) < 0)
		goto done;
	j->log = open(path, O_RDWR | O_APPEND | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (j->log < 0) {
		error_sys("%s", path);
		goto done;
	}
	scan_step_setup(o->folder, e->name);
	remove_work(j);
	ret = make_dirs(j->work);
done:
	free(logs);
	free(results);
	free(path);
	return ret;
}

static void job_close(struct scan_job *j)
{
	for (uint32_t i = 0; i < j->steps.n; i++)
		scan_step_release(&j->steps.v[i]);
	for (uint32_t i = 0; i < j->env.n; i++)
		free(j->env.v[i]);
	vec_release(&j->steps);
	vec_release(&j->env);
	if (j->log >= 0)
		close(j->log);
	free(j->work);
	free(j->fetched);
	free(j->source);
	free(j->plumb);
	free(j->version);
}

int scan_job(const struct scan_entry *e, const struct scan_options *o)
{
	char *path = scan_path(o, "results", e->name, ".json");
	json_t *r = scan_result_new(e);
	const char *system = NULL;
	struct scan_job j;
	int ret;

	if ((ret = job_open(&j, e, o)) < 0)
		goto done;
	if (scan_fetch(&j) < 0 || scan_build(&j, &system) < 0)
		json_object_set_new(r, "why", json_string(error_last()));
	else
		analyse_all(&j, r);
	if (j.version)
		json_object_set_new(r, "version", json_string(j.version));
	if (system)
		json_object_set_new(r, "build_system", json_string(system));
	for (uint32_t i = 0; i < j.steps.n; i++)
		scan_result_step(r, &j.steps.v[i]);
	if (!o->keep)
		remove_work(&j);
	/* an entry that was interrupted is one without a result */
	ret = scan_step_stopped() ? error_set("%s: the job was ended", e->name) : scan_result_write(r, path);
done:
	json_decref(r);
	job_close(&j);
	free(path);
	return ret;
}
