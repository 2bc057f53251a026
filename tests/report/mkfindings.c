/*
 * mkfindings.c - findings made by hand, written in any format.
 *
 *	mkfindings ROOT SET FORMAT [--color] [--width N] [--suppressed] [--baseline FILE]
 *
 * So the tests of the reports need no engine.  ROOT is a folder that holds the
 * sources of tests/report/src in src/ (run.sh makes it).  SET is
 *
 *	all	one of everything, with two units that could not be analysed
 *	some	those that count, all units analysed
 *	none	no finding, 12 units
 *	part	no finding, but a unit failed
 *	empty	nothing at all
 *	hostile	strings, places and files that no engine should give
 *	read:F	the findings in file F
 *
 * Places are named by the text at them, not by numbers.
 */
#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "finding/source.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>

static struct findings fs;
static const char *in_file, *in_function;	/* of the places that follow */

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "mkfindings: %s\n", what);
	exit(2);
}

static void in(const char *file, const char *function)
{
	in_file = arena_printf(&fs.arena, "%s/src/%s", fs.root, file);
	in_function = function;
}

/* The place of `mark` in the first line at or after line `from` that has it. */
static struct finding_loc at_from(unsigned from, const char *mark)
{
	const struct source *s = source_get(&fs, in_file);
	struct finding_loc at = { in_file, from, 0, in_function };
	const char *p, *hit;
	size_t n;

	for (; (p = source_line(s, at.line, &n)); at.line++)
		if ((hit = memmem(p, n, mark, strlen(mark)))) {
			at.column = (unsigned)(hit - p) + 1;
			return at;
		}
	die(mark);
}

static struct finding_loc at(const char *mark)
{
	return at_from(1, mark);
}

static struct finding *new(enum finding_kind kind, const char *allocator, const char *variable,
			   struct finding_loc alloc)
{
	struct finding *f = finding_new(&fs);

	f->kind = kind;
	f->resource = "memory";
	f->allocator = allocator;
	f->variable = variable;
	f->alloc = alloc;
	f->engines = FINDING_BY_PATH;
	f->confidence = FINDING_HIGH;
	return f;
}

#define STEP(f, where, ...) do { \
	struct finding_loc at_ = (where); \
	finding_add_step(&fs, f, &at_, __VA_ARGS__); \
	(f)->leak = at_; \
} while (0)

static void edit(struct finding *f, struct finding_loc where, const char *text)
{
	struct finding_edit e = {
		where.file, where.line, where.column, where.line, where.column, text,
	};

	vec_push(&f->edits, e);
}

static void failed(const char *file, const char *error)
{
	struct finding_failure x = { file, error };

	vec_push(&fs.failed, x);
}

/* ---- the sets ---- */

static void error_path(void)
{
	struct finding *f;

	in("config.c", "config_load");
	f = new(FINDING_CONDITIONAL, "strdup", "c->name", at("strdup(path)"));
	f->engines |= FINDING_BY_VFG;
	f->condition = "n < 0";
	STEP(f, at("strdup(path)"), "allocated here by strdup, kept in `c->name`");
	STEP(f, at("!f"), "not taken: `f` is not null");
	STEP(f, at("n < 0"), "taken when `n < 0`");
	STEP(f, at_from(at("n < 0").line, "return NULL"),
	     "`c` goes out of scope here: nothing can free `c->name` any more");
	f->fix = FINDING_FIX_AVAILABLE;
	f->fix_reason = "";
	edit(f, at_from(at("n < 0").line, "return NULL"), "{\n\t\tfree(c->name);\n\t\t");
}

static void file_left_open(void)
{
	struct finding *f;

	in("config.c", "config_load");
	f = new(FINDING_CONDITIONAL, "fopen", "f", at("fopen("));
	f->resource = "file";
	f->condition = "n < 0";
	f->leak = at_from(at("n < 0").line, "return NULL");
	f->confidence = FINDING_MEDIUM;
	f->engines = FINDING_BY_PATH;
	f->fix = FINDING_FIX_REFUSED;
	f->fix_reason = "the return statement has no braces around it";
}

static void across_files(void)
{
	struct finding *f;

	in("parser.c", "parse_values");
	f = new(FINDING_OVERWRITTEN, "read_line", "line", at("read_line(f);"));
	in("config.c", "config_load");
	STEP(f, at("parse_values("), "config_load() calls parse_values()");
	in("parser.c", "parse_values");
	STEP(f, at("read_line(f);"), "read_line() is called");
	in("parser.c", "read_line");
	STEP(f, at("malloc(256)"), "allocated here by malloc");
	STEP(f, at("return line"), "returned to parse_values()");
	in("parser.c", "parse_values");
	STEP(f, at("line[0]"), "taken when `line[0] == '#'`");
	STEP(f, at("continue"), "the loop goes on without `line`");
	STEP(f, at("read_line(f);"), "`line` gets its next value: the old one is lost");
}

static void grown(void)
{
	struct finding *f;

	in("config.c", "config_grow");
	f = new(FINDING_OVERWRITTEN, "realloc", "c->values", at("realloc("));
	f->condition = "realloc fails";
	f->leak = at("c->values = realloc");
	f->confidence = FINDING_LOW;
	f->engines = FINDING_BY_VFG;
}

static void never(void)
{
	in("config.c", "config_greet");
	STEP(new(FINDING_NEVER_FREED, "malloc", "text", at("malloc(strlen")),
	     at_from(at("puts(text)").line, "}"), "`text` goes out of scope here");
}

static void silenced(void)
{
	in("config.c", "config_start");
	new(FINDING_NEVER_FREED, "strdup", "default_name", at("strdup(\"main\")"));
	new(FINDING_OVERWRITTEN, "strdup", "default_name", at("strdup(\"other\")"));
}

static void misused(void)
{
	struct finding *f;

	in("config.c", "config_load");
	f = new(FINDING_USE_AFTER_FREE, "calloc", "c", at("calloc("));
	in("config.c", "config_drop");
	STEP(f, at_from(at("void config_drop").line, "free(c)"), "freed here");
	STEP(f, at_from(at("\tprintf(").line, "c->name"), "`c` is read here");
	in("config.c", "config_load");
	f = new(FINDING_DOUBLE_FREE, "calloc", "c", at("calloc("));
	in("config.c", "config_drop");
	f->leak = at_from(at("\tprintf(").line, "free(c)");
}

static void odd_sources(void)
{
	struct finding *f;

	in("text.c", "set");
	f = new(FINDING_CONDITIONAL, "malloc", "p", at("malloc(3)"));
	f->condition = "große";
	f = new(FINDING_OVERWRITTEN, "malloc", "l->text", at("malloc(große)"));
	f->leak = at("l->text = NULL");
	f->engines = FINDING_BY_RUN;
	in("crlf.c", "crlf");
	new(FINDING_NEVER_FREED, "malloc", "p", at("malloc(n)"))->leak = at("}");
	in("latin1.c", "f");
	new(FINDING_NEVER_FREED, "malloc", "h", at("malloc(9)"));
	in("long.c", "wide");
	f = new(FINDING_NEVER_FREED, "strdup", "copy", at("strdup("));
	STEP(f, at("strdup("), "allocated here by strdup, which needs memory for all of the text and one byte more");
	STEP(f, at("lookup_in_the_table"), "used here for the last time");
	STEP(f, at("return table"), "`copy` goes out of scope here");
	in("gone.c", "main");
	f = new(FINDING_STALE, "xmalloc", "", (struct finding_loc){ in_file, 1207, 9, "main" });
	f->engines = FINDING_BY_RUN;
	STEP(f, ((struct finding_loc){ in_file, 1207, 9, "main" }), "900 objects allocated here");
	STEP(f, ((struct finding_loc){ in_file, 12, 0, "main" }), "last touched here");
	new(FINDING_NEVER_FREED, "malloc", "p", (struct finding_loc){ "/usr/include/odd name.h", 3, 0, "" });
}

/* So many of each class; the cut ones for two reasons. */
static void counted(unsigned judged, unsigned stored, unsigned cut)
{
	struct coverage *c = &fs.coverage;

	for (unsigned i = 0; i < judged + stored; i++)
		coverage_add(&fs, i < judged ? COVERAGE_JUDGED : COVERAGE_STORED, NULL);
	for (unsigned i = 0; i < cut; i++)
		coverage_add(&fs, COVERAGE_CUT, i % 5 ? "too many paths" : "too many conditions");
	c->known = true;
}

static void some(void)
{
	fs.units_analysed = 12;
	counted(1104, 924, 89);
	error_path();
	file_left_open();
	across_files();
	never();
}

static void all(void)
{
	some();
	grown();
	silenced();
	misused();
	odd_sources();
	in("broken.c", NULL);
	failed(in_file, "error: expected ';' after expression");
	failed("/elsewhere/x.bc", "not LLVM bitcode");
	coverage_name(&fs, &fs.coverage.units_left_out, "src/broken.c");
	coverage_name(&fs, &fs.coverage.units_left_out, "/elsewhere/x.bc");
	coverage_name(&fs, &fs.coverage.not_c, "src/start.S");
	coverage_name(&fs, &fs.coverage.functions_incomplete, "zoom (src/a.c:3)");
	coverage_name(&fs, &fs.coverage.functions_incomplete, "eval (src/a.c:1)");
	coverage_name(&fs, &fs.coverage.libraries_not_given, "libown.so.1");
}

static void part(void)
{
	fs.units_analysed = 11;
	counted(3, 1, 0);
	failed("broken.c", "error: expected ';' after expression");
}

static void hostile(void)
{
	struct finding_loc nowhere = {0}, far = { 0 };
	struct finding *f;

	fs.units_analysed = UINT32_MAX;
	new(FINDING_NEVER_FREED, NULL, NULL, nowhere)->resource = NULL;
	in("config.c", "</script><b>&\"'");
	far = (struct finding_loc){ in_file, UINT32_MAX, UINT32_MAX, in_function };
	f = new(FINDING_CONDITIONAL, "\033]0;title\a<script>alert(1)</script>", "a\nb\xff\xfe", far);
	f->condition = "a[i](x) == {0} && \"\\\" `\xe2\x80\xae`";
	f->resource = "%n%s{1}";
	STEP(f, nowhere, "step without a place \xf0\x9f\x9a\xb0 {0}");
	STEP(f, far, "%s", "");
	STEP(f, at("calloc("), "%0*d", 3000, 7);
	in("", "f");
	new(FINDING_STALE, "", "", (struct finding_loc){ in_file, 1, 1, "f" });
	new(FINDING_STALE, "x", "y", (struct finding_loc){ "/dev/zero", 1, 1, "f" });
	new(FINDING_STALE, "x", "y", (struct finding_loc){ "../../../../a:b/..//c\nd.c", 2, 1, "f" });
	f = new(FINDING_DOUBLE_FREE, "x", "y", (struct finding_loc){ "a:b?c#d[1].c", 1, 1, "f" });
	f->fix = FINDING_FIX_AVAILABLE;
	edit(f, nowhere, "");
	edit(f, far, "\n\n");
	for (unsigned i = 0; i < 3000; i++)
		STEP(f, ((struct finding_loc){ in_file, 3000 - i, i, "f" }), "again");
	failed(NULL, NULL);
	failed("", "a\nb");
}

static void make(const char *set)
{
	static const struct {
		const char *name;
		void (*make)(void);
	} sets[] = {
		{ "all", all }, { "some", some }, { "part", part }, { "hostile", hostile },
	};

	if (str_eq(set, "none")) {
		fs.units_analysed = 12;
		counted(40, 0, 0);
	} else if (str_starts(set, "read:")) {
		if (findings_read(&fs, set + 5) < 0)
			die(error_last());
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(sets); i++)
		if (str_eq(sets[i].name, set))
			sets[i].make();
	findings_finish(&fs);
	findings_finish(&fs);	/* must change nothing */
}

int main(int argc, char **argv)
{
	struct report_options o = { .command_line = "plumb check --format sarif src/*.c" };
	enum report_format fmt;
	const char *baseline = NULL;
	int ret = 0;

	if (argc < 4)
		die("usage: mkfindings ROOT SET FORMAT [OPTION...]");
	for (int i = 4; i < argc; i++) {
		if (str_eq(argv[i], "--color"))
			o.color = true;
		else if (str_eq(argv[i], "--suppressed"))
			o.show_suppressed = true;
		else if (str_eq(argv[i], "--width") && i + 1 < argc)
			o.width = (unsigned)atoi(argv[++i]);
		else if (str_eq(argv[i], "--baseline") && i + 1 < argc)
			baseline = argv[++i];
		else
			die("unknown option");
	}
	findings_init(&fs);
	fs.root = argv[1];
	make(argv[2]);
	if (report_format_parse(&fmt, argv[3]) < 0 ||
	    (baseline && findings_baseline(&fs, baseline) < 0) ||
	    report_write(&fs, fmt, stdout, &o) < 0) {
		fprintf(stderr, "mkfindings: %s\n", error_last());
		ret = 1;
	}
	findings_release(&fs);
	return ret;
}
