/* u_finding.c - merging, order, ids, suppression, baseline, reading back. */
#include "unit.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "finding/priv.h"
#include "report/report.h"

#include <fcntl.h>
#include <sys/stat.h>

/* ---- a folder with sources ---- */

static char root[256];
static struct findings fs;

static const char *in_root(const char *name)
{
	return arena_printf(&fs.arena, "%s/%s", root, name);
}

static void write_text(const char *name, const char *text)
{
	CHECK(file_write(in_root(name), text, strlen(text)) == 0);
}

static void begin(void)
{
	if (!root[0]) {
		const char *tmp = getenv("TMPDIR");

		snprintf(root, sizeof(root), "%s/u_finding.XXXXXX", tmp ? tmp : "/tmp");
		CHECK(mkdtemp(root) != NULL);
	}
	findings_init(&fs);
	fs.root = root;
}

static void end(void)
{
	findings_release(&fs);
}

__attribute__((destructor)) static void remove_root(void)
{
	char command[300];

	if (!root[0] || getpid() != unit_pid)
		return;
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	if (system(command) != 0)
		fprintf(stderr, "%s stays behind\n", root);
}

static struct finding *leak_at(unsigned line, unsigned column, const char *variable)
{
	struct finding *f = finding_new(&fs);

	f->kind = FINDING_CONDITIONAL;
	f->alloc = (struct finding_loc){ in_root("a.c"), line, column, "f" };
	f->allocator = "malloc";
	f->variable = variable;
	f->engines = FINDING_BY_VFG;
	return f;
}

static void step(struct finding *f, unsigned line)
{
	struct finding_loc at = { in_root("a.c"), line, 1, "f" };

	finding_add_step(&fs, f, &at, "step at %u", line);
}

/* ---- names and paths ---- */

TEST(names)
{
	CHECK_EQ_STR(finding_kind_name(FINDING_NEVER_FREED), "never-freed");
	CHECK_EQ_STR(finding_kind_name(FINDING_USE_AFTER_FREE), "use-after-free");
	CHECK_EQ_STR(finding_kind_title(FINDING_NEVER_FREED), "memory is never freed");
	CHECK_EQ_STR(finding_confidence_name(FINDING_MEDIUM), "medium");
	CHECK(finding_kind_is_leak(FINDING_STALE) && !finding_kind_is_leak(FINDING_DOUBLE_FREE));
}

TEST(paths_are_relative_to_the_root)
{
	const char *once;

	begin();
	once = finding_path(&fs, in_root("src/a.c"));
	CHECK_EQ_STR(once, "src/a.c");
	CHECK(finding_path(&fs, in_root("src/a.c")) == once);
	CHECK_EQ_STR(finding_path(&fs, in_root("src/../b//c.c")), "b/c.c");
	CHECK_EQ_STR(finding_path(&fs, "/usr/include/stdio.h"), "/usr/include/stdio.h");
	CHECK_EQ_STR(finding_path(&fs, arena_printf(&fs.arena, "%sx/a.c", root)),
		     arena_printf(&fs.arena, "%sx/a.c", root));
	CHECK_EQ_STR(finding_path(&fs, NULL), "");
	CHECK_EQ_STR(finding_path(&fs, ""), "");
	end();
}

/* The compiler writes paths through the link that the user went through. */
TEST(paths_through_a_symbolic_link)
{
	const char *link;

	begin();
	link = arena_printf(&fs.arena, "%s.link", root);
	write_text("a.c", "x\n");
	CHECK(symlink(root, link) == 0);
	CHECK_EQ_STR(finding_path(&fs, arena_printf(&fs.arena, "%s/a.c", link)), "a.c");
	CHECK(unlink(link) == 0);
	end();
}

TEST(root_is_the_work_tree)
{
	char cwd[4096], *want;

	begin();
	CHECK(make_dirs(in_root("tree/.git")) == 0 && make_dirs(in_root("tree/sub/dir")) == 0);
	CHECK(getcwd(cwd, sizeof(cwd)) != NULL);
	CHECK(chdir(in_root("tree/sub/dir")) == 0);
	end();
	findings_init(&fs);
	want = realpath("../..", NULL);
	CHECK_EQ_STR(fs.root, want);
	CHECK_EQ_STR(finding_path(&fs, "x.c"), "sub/dir/x.c");
	CHECK_EQ_STR(finding_path(&fs, "../y.c"), "sub/y.c");
	free(want);
	end();
	CHECK(chdir(cwd) == 0);
}

/* ---- merging ---- */

TEST(same_leak_merges)
{
	struct finding *a, *b;

	begin();
	a = leak_at(10, 5, "p");
	step(a, 10);
	step(a, 12);
	step(a, 20);
	a->leak = a->path.v[2].at;
	b = leak_at(10, 5, "p");
	b->engines = FINDING_BY_PATH;
	b->confidence = FINDING_HIGH;
	b->condition = "n < 0";
	step(b, 10);
	step(b, 11);
	step(b, 12);
	step(b, 20);
	b->leak = b->path.v[3].at;
	b->leak.column = 9;		/* engines may differ in this */
	findings_finish(&fs);
	CHECK_EQ_INT(fs.v.n, 1);
	a = fs.v.v[0];
	CHECK_EQ_INT(a->engines, FINDING_BY_VFG | FINDING_BY_PATH);
	CHECK_EQ_INT(a->confidence, FINDING_HIGH);
	CHECK_EQ_INT(a->path.n, 4);	/* of the surer one, though longer */
	CHECK_EQ_STR(a->condition, "n < 0");
	end();
}

TEST(of_two_as_sure_the_shorter_path_wins)
{
	begin();
	for (unsigned n = 4; n >= 2; n--) {
		struct finding *f = leak_at(10, 5, "p");

		for (unsigned i = 0; i < n; i++)
			step(f, i + 1 == n ? 20 : 10 + i);
		f->leak = vec_last(&f->path).at;
		f->condition = n == 2 ? "short" : "long";
	}
	findings_finish(&fs);
	CHECK_EQ_INT(fs.v.n, 1);
	CHECK_EQ_INT(fs.v.v[0]->path.n, 2);
	CHECK_EQ_STR(fs.v.v[0]->condition, "short");
	end();
}

TEST(what_is_not_known_merges_with_what_is)
{
	struct finding *f;

	begin();
	leak_at(10, 5, NULL);			/* neither leak place nor variable */
	f = leak_at(10, 5, "p");
	f->leak = (struct finding_loc){ in_root("a.c"), 20, 1, "f" };
	f = leak_at(10, 5, "");
	f->leak = (struct finding_loc){ in_root("a.c"), 20, 3, "f" };
	f->fix = FINDING_FIX_AVAILABLE;
	f->fix_reason = "why not";
	vec_push(&f->edits, ((struct finding_edit){ in_root("a.c"), 20, 1, 20, 1, "free(p);" }));
	findings_finish(&fs);
	CHECK_EQ_INT(fs.v.n, 1);
	CHECK_EQ_STR(fs.v.v[0]->variable, "p");
	CHECK_EQ_INT(fs.v.v[0]->leak.line, 20);
	CHECK_EQ_INT(fs.v.v[0]->fix, FINDING_FIX_AVAILABLE);
	CHECK_EQ_INT(fs.v.v[0]->edits.n, 1);
	end();
}

TEST(different_leaks_stay_apart)
{
	struct finding *f;

	begin();
	leak_at(10, 5, "p");
	leak_at(10, 5, "q");				/* one macro, two variables */
	leak_at(10, 6, "p");				/* another column */
	leak_at(11, 5, "p");				/* another line */
	leak_at(10, 5, "p")->kind = FINDING_OVERWRITTEN;
	leak_at(10, 5, "p")->allocator = "calloc";
	leak_at(10, 5, "p")->alloc.function = "g";
	leak_at(10, 5, "p")->alloc.file = in_root("b.c");
	f = leak_at(10, 5, "q");
	f->leak = (struct finding_loc){ in_root("a.c"), 30, 1, "f" };	/* absorbs the first q */
	f = leak_at(10, 5, "q");
	f->leak = (struct finding_loc){ in_root("a.c"), 31, 1, "f" };
	findings_finish(&fs);
	CHECK_EQ_INT(fs.v.n, 9);
	for (uint32_t i = 1; i < fs.v.n; i++) {
		for (uint32_t k = 0; k < i; k++)
			CHECK(strcmp(fs.v.v[i]->id, fs.v.v[k]->id) != 0);
		CHECK(strcmp(fs.v.v[i - 1]->alloc.file, fs.v.v[i]->alloc.file) <= 0);
	}
	end();
}

TEST(gaps_are_filled)
{
	struct finding *f;

	begin();
	finding_new(&fs);
	f = finding_new(&fs);
	step(f, 7);
	step(f, 9);
	findings_finish(&fs);
	f = fs.v.v[0];
	CHECK_EQ_STR(f->resource, "memory");
	CHECK_EQ_STR(f->allocator, "");
	CHECK_EQ_STR(f->leak.file, "");
	CHECK_EQ_STR(f->condition, "");
	f = fs.v.v[1];
	CHECK_EQ_INT(f->alloc.line, 7);
	CHECK_EQ_INT(f->leak.line, 9);
	end();
}

/* All that is told, in one string. */
static char *dump(void)
{
	struct report_options o = { .show_suppressed = true };
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	CHECK(report_write(&fs, REPORT_JSON, f, &o) == 0);
	CHECK(report_write(&fs, REPORT_TEXT, f, &o) == 0);
	fclose(f);
	return text;
}

/* Findings out of a small set of values, so that many merge, in any order. */
TEST(order_of_engines_does_not_matter)
{
	enum { N = 60, ROUNDS = 20 };
	struct unit_rng rng = { 7 };
	char *first = NULL, *again;

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct unit_rng same = { 99 };

		begin();
		write_text("a.c", "a;\nb;\nc = malloc(1);\nc = malloc(1);\ne;\n");
		for (unsigned i = 0; i < N; i++) {
			struct finding *f = leak_at(3 + unit_below(&same, 2), unit_below(&same, 2),
						    unit_below(&same, 3) ? "v" : "");

			f->kind = unit_below(&same, 2) ? FINDING_CONDITIONAL : FINDING_OVERWRITTEN;
			f->confidence = unit_below(&same, 3);
			f->engines = 1u << unit_below(&same, 4);
			f->condition = unit_below(&same, 2) ? "x" : "y";
			for (unsigned k = unit_below(&same, 4); k > 0; k--)
				step(f, 1 + unit_below(&same, 5));
			if (unit_below(&same, 2))
				f->leak = (struct finding_loc){ in_root("a.c"), 1 + unit_below(&same, 3), 2, "f" };
		}
		for (unsigned i = N - 1; round > 0 && i > 0; i--) {	/* shuffle */
			unsigned k = unit_below(&rng, i + 1);
			struct finding *t = fs.v.v[i];

			fs.v.v[i] = fs.v.v[k];
			fs.v.v[k] = t;
		}
		findings_finish(&fs);
		CHECK(fs.v.n > 4 && fs.v.n < N);
		again = dump();
		if (first)
			CHECK_EQ_STR(again, first);
		else
			first = xstrdup(again);
		free(again);
		findings_finish(&fs);
		again = dump();
		CHECK_EQ_STR(again, first);
		free(again);
		end();
	}
	free(first);
}

/* A leak of one allocation that the path engine sees in a file of the project. */
static void lost_in(const char *file, unsigned line)
{
	struct finding *f = leak_at(3, 9, "p");

	f->engines = FINDING_BY_PATH;
	f->kind = line == 7 ? FINDING_OVERWRITTEN : FINDING_CONDITIONAL;
	f->leak = (struct finding_loc){ in_root(file), line, 1, "g" };
	finding_add_step(&fs, f, &f->leak, "lost here");
}

/* Of equal leaks of one allocation one is told: by the names in the project, not by who came first. */
TEST(which_of_equal_leaks_is_told)
{
	static const struct { const char *file; unsigned line; } places[] = { { "m/b.c", 7 }, { "m/b.c", 5 }, { "z.c", 2 }, { "m/b.c", 9 } };

	for (unsigned first = 0; first < ARRAY_LEN(places); first++) {
		begin();
		for (unsigned i = 0; i < ARRAY_LEN(places); i++)
			lost_in(places[(first + i) % ARRAY_LEN(places)].file, places[(first + i) % ARRAY_LEN(places)].line);
		findings_unite(&fs);
		CHECK_EQ_INT(fs.v.n, 1);
		CHECK_EQ_STR(finding_path(&fs, fs.v.v[0]->leak.file), "m/b.c");
		CHECK_EQ_INT(fs.v.v[0]->leak.line, 5);
		CHECK_EQ_INT(fs.v.v[0]->kind, FINDING_CONDITIONAL);
		end();
	}
}

/* ---- ids ---- */

/* The ids of leaks in the given text, at the lines that contain "malloc". */
static void ids_of(const char *text, char ids[][17], unsigned n)
{
	unsigned line = 1, k = 0;

	begin();
	write_text("a.c", text);
	for (const char *p = text, *nl; *p; p = nl + 1, line++) {
		nl = strchr(p, '\n');
		if (memmem(p, (size_t)(nl - p), "malloc", 6))
			leak_at(line, 5, "p");
	}
	findings_finish(&fs);
	CHECK_EQ_INT(fs.v.n, n);
	for (; k < n; k++)
		memcpy(ids[k], fs.v.v[k]->id, 17);
	end();
}

TEST(ids_stay_when_other_lines_move)
{
	char a[1][17], b[1][17];

	ids_of("x;\n\tp = malloc(n);\n", a, 1);
	CHECK_EQ_INT(strspn(a[0], "0123456789abcdef"), 16);
	ids_of("new line;\n\nanother;\nx;\n\tp = malloc(n);\ny;\n", b, 1);
	CHECK_EQ_STR(b[0], a[0]);
	ids_of("x;\n    p  =  malloc( n );\t\n", b, 1);		/* white space */
	CHECK_EQ_STR(b[0], a[0]);
	ids_of("x;\n/* why */ p = malloc(n); // because\n", b, 1);	/* comments */
	CHECK_EQ_STR(b[0], a[0]);
	ids_of("x;\r\n\tp = malloc(n);\r\n", b, 1);
	CHECK_EQ_STR(b[0], a[0]);
}

/* They are in people's baselines: a change needs a new version of the format. */
TEST(ids_are_the_same_in_every_version)
{
	char a[2][17];

	ids_of("\tp = malloc(n);\n\tp = malloc(n);\n", a, 2);
	CHECK_EQ_STR(a[0], "4baeef73b6ff3f95");
	CHECK_EQ_STR(a[1], "cda147cc2a13fd5a");
}

/* The id of one leak that is changed by a function first. */
static const char *id_after(void (*change)(struct finding *f))
{
	static char id[2][17];
	static int k;

	begin();
	change(leak_at(3, 5, "p"));
	findings_finish(&fs);
	k = !k;
	memcpy(id[k], fs.v.v[0]->id, 17);
	end();
	return id[k];
}

static void no_change(struct finding *f) { (void)f; }
static void other_line(struct finding *f) { f->alloc.line = 90; }
static void other_folder(struct finding *f) { f->alloc.file = "/elsewhere/deep/a.c"; }
static void other_leak_kind(struct finding *f) { f->kind = FINDING_NEVER_FREED; }
static void other_kind(struct finding *f) { f->kind = FINDING_DOUBLE_FREE; }
static void other_file(struct finding *f) { f->alloc.file = "b.c"; }
static void other_function(struct finding *f) { f->alloc.function = "g"; }
static void other_allocator(struct finding *f) { f->allocator = "strdup"; }
static void other_variable(struct finding *f) { f->variable = "q"; }
static void site(struct finding *f) { f->site = "malloc\np\n0"; }
static void other_site(struct finding *f) { f->site = "malloc\np\n1"; }
static void site_other_words(struct finding *f)
{
	f->site = "malloc\np\n0";
	f->variable = "q";
	f->allocator = "xmalloc";
}

TEST(ids_change_with_what_they_name)
{
	CHECK(strcmp(id_after(no_change), id_after(other_kind)) != 0);
	CHECK(strcmp(id_after(no_change), id_after(other_file)) != 0);
	CHECK(strcmp(id_after(no_change), id_after(other_function)) != 0);
	CHECK(strcmp(id_after(no_change), id_after(other_allocator)) != 0);
	CHECK(strcmp(id_after(no_change), id_after(other_variable)) != 0);
	CHECK(strcmp(id_after(site), id_after(other_site)) != 0);
	CHECK(strcmp(id_after(site), id_after(no_change)) != 0);
}

TEST(ids_stay_when_it_is_the_same_leak)
{
	CHECK_EQ_STR(id_after(no_change), id_after(other_line));
	CHECK_EQ_STR(id_after(no_change), id_after(other_folder));
	CHECK_EQ_STR(id_after(no_change), id_after(other_leak_kind));
	CHECK_EQ_STR(id_after(site), id_after(site_other_words));
}

TEST(equal_lines_are_numbered)
{
	char a[3][17], b[2][17];

	ids_of("p = malloc(n);\nx;\np = malloc(n);\np = malloc(n);\n", a, 3);
	CHECK(strcmp(a[0], a[1]) != 0 && strcmp(a[1], a[2]) != 0 && strcmp(a[0], a[2]) != 0);
	ids_of("\n\np = malloc(n);\np = malloc(n);\n", b, 2);
	CHECK_EQ_STR(b[0], a[0]);
	CHECK_EQ_STR(b[1], a[1]);
}

TEST(a_failure_names_its_file_once)
{
	CHECK_EQ_STR(finding_failure_rest("src/a.c", "src/a.c:3:1: error: x"), ":3:1: error: x");
	CHECK_EQ_STR(finding_failure_rest("/t/src/a.c", "a.c:3:1: error: x"), ":3:1: error: x");
	CHECK_EQ_STR(finding_failure_rest("/t/src/a.c", "src/a.c: no"), ": no");
	CHECK(!finding_failure_rest("src/ba.c", "a.c:3:1: error: x"));
	CHECK(!finding_failure_rest("src/a.c", "a.h:3:1: error: x"));
	CHECK(!finding_failure_rest("a.c", "src/a.c:3:1: error: x"));
	CHECK(!finding_failure_rest("a.c", "cannot read"));
	CHECK(!finding_failure_rest("a.c", ":"));
	CHECK(!finding_failure_rest("", ""));
	CHECK(!finding_failure_rest(NULL, "a.c:1"));
	CHECK(!finding_failure_rest("a.c", NULL));
}

/* ---- suppression ---- */

/* The reason for which a leak at a line is silenced; "-" if it is not. */
static const char *reason_at(const char *text, unsigned line)
{
	static char reason[500];

	begin();
	write_text("a.c", text);
	leak_at(line, 0, "p");
	findings_finish(&fs);
	CHECK_EQ_INT(findings_count(&fs), !fs.v.v[0]->suppressed);
	snprintf(reason, sizeof(reason), "%s",
		 fs.v.v[0]->suppressed ? fs.v.v[0]->suppress_reason : "-");
	end();
	return reason;
}

TEST(suppression_on_the_line_or_above)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *reason;
	} cases[] = {
		{ "p = malloc(1); // plumb-ignore: cached\n", 1, "cached" },
		{ "p = malloc(1); /* plumb-ignore: cached */\n", 1, "cached" },
		{ "/* plumb-ignore: cached */ p = malloc(1);\n", 1, "cached" },
		{ "p = malloc(1); // plumb-ignore\n", 1, "" },
		{ "p = malloc(1); /*plumb-ignore*/\n", 1, "" },
		{ "p = malloc(1); //plumb-ignore:\n", 1, "" },
		{ "p = malloc(1); // plumb-ignore  it is  fine \r\n", 1, "it is fine" },
		{ "// plumb-ignore: above\np = malloc(1);\n", 2, "above" },
		{ "\t/* plumb-ignore: above */\np = malloc(1);\n", 2, "above" },
		{ "/*\n * plumb-ignore: one\n *\ttwo\n */\np = malloc(1);\n", 5, "one two" },
		{ "// plumb-ignore: one\n  // two\np = malloc(1);\n", 3, "one two" },
		{ "if (x) // plumb-ignore: wide\n\tp = malloc(1);\n", 2, "wide" },
		{ "foo(a, // plumb-ignore: wide\n\tmalloc(1));\n", 2, "wide" },
		{ "p = malloc(1); // NOLINT // plumb-ignore: both\n", 1, "both" },
		{ "/** plumb-ignore: doc */\np = malloc(1);\n", 2, "doc" },
		{ "p = malloc(1); // plumb-ignore: no newline", 1, "no newline" },
		{ "p = malloc(1); // plumb-ignore: a \\\n b\n", 1, "a \\ b" },
		/* not silenced */
		{ "p = malloc(1);\n", 1, "-" },
		{ "q = malloc(1); // plumb-ignore: q\np = malloc(1);\n", 2, "-" },
		{ "} // plumb-ignore: block\np = malloc(1);\n", 2, "-" },
		{ "/* plumb-ignore: q */ q = malloc(1);\np = malloc(1);\n", 2, "-" },
		{ "// plumb-ignore: far\n\np = malloc(1);\n", 3, "-" },
		{ "p = malloc(1);\n// plumb-ignore: below\n", 1, "-" },
		{ "p = malloc(1); puts(\"// plumb-ignore: no\");\n", 1, "-" },
		{ "p = malloc(1); c = '\"'; // plumb-ignored\n", 1, "-" },
		{ "p = malloc(1); // see plumb-ignore: no\n", 1, "-" },
		{ "p = malloc(1); // plumb-ignore-next: no\n", 1, "-" },
		{ "plumb-ignore: code\np = malloc(1);\n", 2, "-" },
		/* what confuses a simple lexer */
		{ "c = '\"'; // plumb-ignore: quote\n", 1, "quote" },
		{ "#error don't\np = malloc(1); // plumb-ignore: quote\n", 2, "quote" },
		{ "s = \"a\\\"b\"; // plumb-ignore: quote\n", 1, "quote" },
		{ "s = \"open\np = malloc(1); // plumb-ignore: quote\n", 2, "quote" },
		{ "a = b / c; // plumb-ignore: divide\n", 1, "divide" },
		{ "/* plumb-ignore: open\np = malloc(1);\n", 1, "open p = malloc(1);" },
		{ "/*/ plumb-ignore: x */ p = malloc(1);\n", 1, "x" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *got = reason_at(cases[i].text, cases[i].line);

		if (!str_eq(got, cases[i].reason))
			FAIL("case %zu: \"%s\", expected \"%s\" for %s", i, got, cases[i].reason,
			     cases[i].text);
	}
}

TEST(suppression_at_the_leak)
{
	struct finding *f;

	begin();
	write_text("a.c", "p = malloc(1);\nif (n) // plumb-ignore: fatal\n\treturn;\n");
	f = leak_at(1, 5, "p");
	f->leak = (struct finding_loc){ in_root("a.c"), 3, 2, "f" };
	f = leak_at(1, 5, "p");
	f->leak = (struct finding_loc){ in_root("gone.c"), 3, 2, "f" };
	findings_finish(&fs);
	CHECK_EQ_INT(fs.v.n, 2);
	CHECK_EQ_STR(fs.v.v[0]->suppress_reason, "fatal");
	CHECK(!fs.v.v[1]->suppressed && !fs.v.v[1]->suppress_reason);
	CHECK_EQ_INT(findings_count(&fs), 1);
	end();
}

TEST(suppression_in_many_comments)
{
	struct sbuf b = {0};

	for (unsigned i = 0; i < 30000; i++)
		sbuf_adds(&b, "/*plumb-ignore: a*/");
	for (unsigned i = 0; i < 30000; i++)
		sbuf_adds(&b, "\n//plumb-ignore: b\n");
	CHECK_EQ_STR(reason_at(b.s, 1), "a");
	CHECK_EQ_STR(reason_at(b.s, 60000), "b");
	sbuf_release(&b);
}

/* Random text of the characters that matter: every part is within the text and
 * not empty, and all of it is covered. */
TEST(lexer_survives_anything)
{
	static const char pieces[] = "/*\"'\\\n\r ;a*/";
	struct unit_rng rng = { 3 };

	for (unsigned round = 0; round < 20000; round++) {
		char text[40];
		unsigned n = unit_below(&rng, sizeof(text));
		const char *p, *next;

		for (unsigned i = 0; i < n; i++)
			text[i] = pieces[unit_below(&rng, sizeof(pieces) - 1)];
		for (p = text; p < text + n; p = next) {
			CHECK(finding__lex(p, text + n, &next) != LEX_END);
			CHECK(next > p && next <= text + n);
		}
		CHECK_EQ_INT(finding__lex(p, text + n, &next), LEX_END);
	}
}

/* ---- sources ---- */

TEST(source_lines)
{
	const struct source *s;
	size_t n;

	begin();
	write_text("a.c", "one\r\n\n\tthree\nlast");
	s = source_get(&fs, in_root("a.c"));
	CHECK(s && source_get(&fs, in_root("./x/../a.c")) == s);
	CHECK(memcmp(source_line(s, 1, &n), "one", 3) == 0 && n == 3);
	CHECK(source_line(s, 2, &n) && n == 0);
	CHECK(source_line(s, 3, &n) && n == 6);
	CHECK(memcmp(source_line(s, 4, &n), "last", 4) == 0 && n == 4);
	CHECK(!source_line(s, 0, &n) && !source_line(s, 5, &n) && !source_line(s, UINT32_MAX, &n));
	CHECK(!source_line(NULL, 1, &n) && n == 0);
	write_text("empty.c", "");
	CHECK(!source_line(source_get(&fs, in_root("empty.c")), 1, &n));
	end();
}

TEST(source_files_that_are_none)
{
	struct sbuf b = {0};
	size_t n;
	int fd;

	begin();
	CHECK(!source_get(&fs, in_root("missing.c")) && !source_get(&fs, NULL) && !source_get(&fs, ""));
	CHECK(!source_get(&fs, root));
	CHECK(!source_get(&fs, "/dev/zero"));
	CHECK(mkfifo(in_root("pipe.c"), 0600) == 0);
	CHECK(!source_get(&fs, in_root("pipe.c")));
	fd = open(in_root("huge.c"), O_WRONLY | O_CREAT, 0600);
	CHECK(fd >= 0 && ftruncate(fd, SOURCE_MAX + 1ll) == 0);
	close(fd);
	CHECK(!source_get(&fs, in_root("huge.c")));
	for (unsigned i = 0; i < 3 * SOURCE_LINE_MAX; i++)
		sbuf_addc(&b, (char)(i % 255 == 10 ? 0 : i % 255));
	CHECK(file_write(in_root("binary.c"), b.s, b.n) == 0);
	CHECK(source_line(source_get(&fs, in_root("binary.c")), 1, &n) && n == SOURCE_LINE_MAX);
	leak_at(1, 70000, "p")->alloc.file = in_root("binary.c");
	findings_finish(&fs);
	free(dump());
	sbuf_release(&b);
	end();
}

/* ---- baseline and reading back ---- */

static void two_leaks(void)
{
	struct finding *f;

	begin();
	write_text("a.c", "p = malloc(1);\nq = malloc(2); // plumb-ignore: kept\nr;\n");
	f = leak_at(1, 5, "p");
	f->condition = "n < 0";
	step(f, 1);
	step(f, 3);
	f->fix = FINDING_FIX_REFUSED;
	f->fix_reason = "no";
	leak_at(2, 5, "q");
	fs.units_analysed = 3;
	vec_push(&fs.failed, ((struct finding_failure){ in_root("x.c"), "bad" }));
	coverage_add(&fs, COVERAGE_JUDGED, NULL);
	coverage_add(&fs, COVERAGE_CUT, "too many paths");
	coverage_add(&fs, COVERAGE_CUT, "too many conditions");
	coverage_add(&fs, COVERAGE_CUT, "too many conditions");
	coverage_add(&fs, COVERAGE_STORED, NULL);
	coverage_name(&fs, &fs.coverage.units_left_out, "x.c");
	coverage_name(&fs, &fs.coverage.functions_incomplete, "g (a.c:2)");
	coverage_name(&fs, &fs.coverage.functions_incomplete, "f (a.c:1)");
	findings_finish(&fs);
}

static void write_report(const char *name, enum report_format fmt)
{
	struct fileout o;

	CHECK(fileout_open(&o, in_root(name)) == 0);
	CHECK(report_write(&fs, fmt, o.f, NULL) == 0);
	CHECK(fileout_commit(&o) == 0);
}

TEST(baseline)
{
	static const enum report_format formats[] = { REPORT_JSON, REPORT_SARIF };

	for (unsigned i = 0; i < 2; i++) {
		two_leaks();
		write_report("base", formats[i]);
		leak_at(3, 1, "r");
		findings_finish(&fs);
		CHECK_EQ_INT(findings_count(&fs), 2);
		CHECK(findings_baseline(&fs, in_root("base")) == 0);
		CHECK(fs.has_baseline);
		CHECK_EQ_INT(findings_count(&fs), 1);
		CHECK(fs.v.v[0]->in_baseline && fs.v.v[0]->suppressed);
		CHECK_EQ_STR(fs.v.v[0]->suppress_reason, "baseline");
		CHECK(fs.v.v[1]->in_baseline);
		CHECK_EQ_STR(fs.v.v[1]->suppress_reason, "kept");
		CHECK(!fs.v.v[2]->in_baseline && !fs.v.v[2]->suppressed);
		end();
	}
}

TEST(baseline_that_is_none)
{
	static const char *const texts[] = {
		"", "[]", "{}", "{\"schema\": 1}", "{\"schema\": \"plumb-findings/2\", \"findings\": []}",
		"{\"schema\": \"plumb-findings/1\"}", "{\"schema\": \"plumb-findings/1\", \"findings\": [{}]}",
		"{\"schema\": \"plumb-findings/1\", \"findings\": [{\"id\": \"x\"}]}",
		"{\"runs\": [{}]}", "{\"runs\": [{\"tool\": {\"driver\": {\"name\": \"other\"}}, \"results\": []}]}",
		"{\"runs\": [{\"tool\": {\"driver\": {\"name\": \"plumb\"}}}]}",
		"{\"runs\": [{\"tool\": {\"driver\": {\"name\": \"plumb\"}}, \"results\": [{}]}]}",
	};

	two_leaks();
	CHECK(findings_baseline(&fs, in_root("missing.json")) < 0);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		write_text("base", texts[i]);
		CHECK(findings_baseline(&fs, in_root("base")) < 0);
		CHECK(strstr(error_last(), "base") != NULL);
	}
	CHECK(!fs.has_baseline);
	CHECK_EQ_INT(findings_count(&fs), 1);
	write_text("base", "{\"schema\": \"plumb-findings/1\", \"findings\": []}");
	CHECK(findings_baseline(&fs, in_root("base")) == 0);
	CHECK_EQ_INT(findings_count(&fs), 1);
	end();
}

TEST(read_back)
{
	char *before, *after;

	two_leaks();
	write_report("all.json", REPORT_JSON);
	CHECK(file_read(&before, &(size_t){0}, in_root("all.json")) == 0);
	end();
	begin();
	CHECK(findings_read(&fs, in_root("all.json")) == 0);
	CHECK_EQ_INT(fs.v.n, 2);
	CHECK_EQ_STR(fs.v.v[0]->condition, "n < 0");
	CHECK(fs.coverage.known);
	CHECK_EQ_INT(fs.coverage.allocations, 5);
	CHECK_EQ_INT(fs.coverage.judged, 1);
	CHECK_EQ_INT(fs.coverage.stored, 1);
	CHECK_EQ_INT(fs.coverage.cut, 3);
	CHECK_EQ_STR(fs.coverage.cut_reasons.v[0].reason, "too many conditions");
	CHECK_EQ_INT(fs.coverage.cut_reasons.v[0].count, 2);
	CHECK_EQ_STR(fs.coverage.functions_incomplete.v[0], "f (a.c:1)");
	write_report("again.json", REPORT_JSON);
	CHECK(file_read(&after, &(size_t){0}, in_root("again.json")) == 0);
	CHECK_EQ_STR(after, before);
	free(before);
	free(after);
	end();
}

/* Two reports in one: what was counted is added up, names are there once. */
TEST(read_two)
{
	two_leaks();
	write_report("all.json", REPORT_JSON);
	end();
	begin();
	CHECK(findings_read(&fs, in_root("all.json")) == 0);
	CHECK(findings_read(&fs, in_root("all.json")) == 0);
	CHECK_EQ_INT(fs.coverage.allocations, 10);
	CHECK_EQ_INT(fs.coverage.cut, 6);
	CHECK_EQ_INT(fs.coverage.cut_reasons.n, 2);
	CHECK_EQ_INT(fs.coverage.cut_reasons.v[0].count, 4);
	CHECK_EQ_INT(fs.coverage.functions_incomplete.n, 2);
	end();
}

TEST(read_coverage)
{
#define NAMES "\"functions_incomplete\": [], \"units_left_out\": [], \"not_c\": [], \"libraries_not_given\": []"
#define COUNTS(a, j, s, c) "\"allocations\": " #a ", \"judged\": " #j ", \"stored\": " #s ", \"cut\": " #c ", "
#define REASONS(n) "\"cut_reasons\": [ { \"reason\": \"r\", \"count\": " #n " } ], "
	static const struct {
		const char *coverage;
		bool good;
	} v[] = {
		{ "{ " COUNTS(6, 3, 2, 1) REASONS(1) NAMES " }", true },
		{ "{ " COUNTS(7, 3, 2, 1) REASONS(1) NAMES " }", false },
		{ "{ " COUNTS(6, 3, 2, 1) REASONS(2) NAMES " }", false },
		{ "{ " COUNTS(6, 3, 2, -1) REASONS(1) NAMES " }", false },
		{ "{ " COUNTS(6, 3, 2, 1) REASONS(1) "\"not_c\": [] }", false },
		{ "{ " COUNTS(6, 3, 2, 1) REASONS(1) NAMES ", \"later\": [ 1 ] }", true },
		{ "{ " COUNTS(6, 3, 2, 1) NAMES " }", false },
		{ "[]", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(v); i++) {
		begin();
		write_text("c.json", arena_printf(&fs.arena, "{ \"schema\": \"plumb-findings/1\", \"units\": { \"analysed\": 1, "
						  "\"failed\": [] }, \"coverage\": %s, \"findings\": [] }", v[i].coverage));
		CHECK_EQ_INT(findings_read(&fs, in_root("c.json")) == 0, v[i].good);
		CHECK_EQ_INT(fs.coverage.allocations, v[i].good ? 6 : 0);
		CHECK_EQ_INT(fs.coverage.known, v[i].good);
		end();
	}
}

/* Each byte of a good file made wrong, or the file cut there: an error or a good
 * reading, and nothing added by an error. */
TEST(read_damaged)
{
	char *good;
	size_t n;

	two_leaks();
	write_report("all.json", REPORT_JSON);
	CHECK(file_read(&good, &n, in_root("all.json")) == 0);
	end();
	for (size_t i = 0; i < n; i += 3) {
		char *bad = xstrndup(good, n);

		bad[i] = "x\"0{["[i % 5];
		begin();
		CHECK(file_write(in_root("bad.json"), bad, i % 2 ? n : i) == 0);
		if (findings_read(&fs, in_root("bad.json")) < 0) {
			CHECK(fs.v.n == 0 && fs.failed.n == 0 && fs.units_analysed == 0);
			CHECK(strstr(error_last(), "bad.json") != NULL);
		} else {
			free(dump());
		}
		free(bad);
		end();
	}
	free(good);
}
