/* u_report.c - the parts of the reports; whole reports are in tests/report/. */
#include "unit.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "report/report.h"
#include "report/span.h"
#include "report/story.h"
#include "report/utf8.h"

/* ---- text ---- */

TEST(utf8_of_all_lengths)
{
	static const uint32_t cps[] = { 0, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff };

	for (size_t i = 0; i < ARRAY_LEN(cps); i++) {
		struct sbuf b = {0};
		uint32_t cp;

		utf8_put(&b, cps[i]);
		CHECK_EQ_INT(utf8_next(b.s, b.n, &cp), b.n);
		CHECK_EQ_INT(cp, cps[i]);
		if (b.n > 1) {
			CHECK_EQ_INT(utf8_next(b.s, b.n - 1, &cp), 1);	/* cut short */
			CHECK_EQ_INT(cp, UTF8_BAD);
		}
		sbuf_release(&b);
	}
}

TEST(utf8_that_is_none)
{
	static const char *const bad[] = {
		"\x80", "\xff", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80", "\xc3(", "\xe2\x82(",
	};
	uint32_t cp;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		CHECK_EQ_INT(utf8_next(bad[i], strlen(bad[i]), &cp), 1);
		CHECK_EQ_INT(cp, UTF8_BAD);
	}
}

TEST(utf8_columns_and_cleaning)
{
	struct sbuf b = {0};

	CHECK_EQ_INT(utf8_columns("aßz", strlen("aßz")), 3);
	CHECK_EQ_INT(utf8_columns("日本", strlen("日本")), 4);
	CHECK_EQ_INT(utf8_columns("e\xcc\x81", 3), 1);		/* e and an accent */
	CHECK_EQ_INT(utf8_columns("🚰", 4), 2);
	utf8_clean(&b, "a\033[1m\xff\xe2\x80\xae\tß\x9b", 13);
	CHECK_EQ_STR(b.s, "a�[1m���ß�");
	sbuf_release(&b);
}

/* ---- spans ---- */

TEST(spans)
{
	static const struct {
		const char *line, *at, *want;	/* at: where the column points */
	} cases[] = {
		{ "\tp = malloc(n);", "malloc", "malloc(n)" },
		{ "\tp = malloc (strlen(s) + 1);", "malloc", "malloc (strlen(s) + 1)" },
		{ "\tp = dup(\")\", ')');", "dup", "dup(\")\", ')')" },
		{ "\tp = malloc(", "malloc", "malloc(" },
		{ "\tp = dup(\"open", "dup", "dup(\"open" },
		{ "\tp = dup(a,  ", "dup", "dup(a," },
		{ "ctx->names[i].text = x;", "ctx", "ctx->names[i].text" },
		{ "ctx->alloc(3)->x;", "ctx", "ctx->alloc(3)" },
		{ "*out = x;", "*", "*out" },
		{ "&out[3];", "&", "&out[3]" },
		{ "return (x);", "return", "return" },
		{ "if (x)", "if", "if" },
		{ "while (x)", "while", "while" },
		{ "\t(void)x;", "(", "(void)" },
		{ "a = \"x\\\"y\" + 1", "\"", "\"x\\\"y\"" },
		{ "a < b", "<", "<" },
		{ "}", "}", "}" },
		{ "größe = 3", "größe", "größe" },
		{ "a -> b", "a", "a" },
		{ "a-", "a", "a" },
		{ "é", "é", "é" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *l = cases[i].line;
		struct span s = span_at(l, strlen(l), (unsigned)(strstr(l, cases[i].at) - l) + 1);
		char *got;

		CHECK(s.start < s.end && s.end <= strlen(l));
		got = xstrndup(l + s.start, s.end - s.start);
		CHECK_EQ_STR(got, cases[i].want);
		free(got);
	}
}

TEST(spans_without_a_column)
{
	struct span s = span_at("\t x = 1;  ", 10, 0);

	CHECK_EQ_INT(s.start, 2);
	CHECK_EQ_INT(s.end, 8);
	s = span_at("ab", 2, 100);
	CHECK(s.start == 0 && s.end == 2);
	s = span_at("  ", 2, 1);
	CHECK(s.start == s.end);
	s = span_at("", 0, 1);
	CHECK(s.start == 0 && s.end == 0);
}

TEST(spans_of_anything)
{
	static const char pieces[] = "a(\"')[]->.*& \t\\\xc3";
	struct unit_rng rng = { 5 };

	for (unsigned round = 0; round < 20000; round++) {
		char text[24];
		unsigned n = unit_below(&rng, sizeof(text)), column = unit_below(&rng, n + 3);
		struct span s;

		for (unsigned i = 0; i < n; i++)
			text[i] = pieces[unit_below(&rng, sizeof(pieces) - 1)];
		s = span_at(text, n, column);
		CHECK(s.start <= s.end && s.end <= n);
	}
}

/* ---- stories ---- */

static char root[256];
static struct findings fs;

static const char *in_root(const char *name)
{
	return arena_printf(&fs.arena, "%s/%s", root, name);
}

static void begin(const char *text, size_t n)
{
	if (!root[0]) {
		const char *tmp = getenv("TMPDIR");

		snprintf(root, sizeof(root), "%s/u_report.XXXXXX", tmp ? tmp : "/tmp");
		CHECK(mkdtemp(root) != NULL);
	}
	findings_init(&fs);
	fs.root = root;
	fs.units_analysed = 1;
	CHECK(file_write(in_root("a.c"), text, n) == 0);
}

static void end(void)
{
	findings_release(&fs);
}

__attribute__((destructor)) static void remove_root(void)
{
	char path[300];

	if (!root[0] || getpid() != unit_pid)
		return;
	snprintf(path, sizeof(path), "%s/a.c", root);
	unlink(path);
	rmdir(root);
}

static struct finding *leak_at(unsigned line, unsigned column)
{
	struct finding *f = finding_new(&fs);

	f->kind = FINDING_NEVER_FREED;
	f->alloc = (struct finding_loc){ in_root("a.c"), line, column, "f" };
	f->allocator = "malloc";
	f->variable = "p";
	return f;
}

static void step(struct finding *f, const char *function, unsigned line)
{
	struct finding_loc at = { in_root("a.c"), line, 1, function };

	finding_add_step(&fs, f, &at, "at %u", line);
}

/* The line numbers of a story: "1 2 . 9 | 3" with . for a gap and | between blocks. */
static void check_lines(const struct finding *f, const char *want)
{
	struct sbuf b = {0};
	struct story s;

	story_init(&s, &fs, f);
	for (uint32_t i = 0; i < s.blocks.n; i++) {
		sbuf_adds(&b, i ? " |" : "");
		for (uint32_t k = 0; k < s.blocks.v[i].lines.n; k++)
			sbuf_printf(&b, "%s %u", s.blocks.v[i].lines.v[k].gap ? " ." : "",
				    s.blocks.v[i].lines.v[k].number);
	}
	CHECK_EQ_STR(sbuf_str(&b) + 1, want);
	sbuf_release(&b);
	story_release(&s);
}

TEST(story_lines)
{
	struct finding *f;

	begin("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", 21);
	f = leak_at(1, 1);
	step(f, "f", 1);
	step(f, "f", 4);	/* two lines between are shown */
	step(f, "f", 8);	/* three are not */
	findings_finish(&fs);
	check_lines(fs.v.v[0], "1 2 3 4 . 8");
	end();

	begin("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", 21);
	f = leak_at(3, 1);
	step(f, "f", 3);
	step(f, "f", 9);
	step(f, "f", 3);	/* a loop's head again */
	step(f, "g", 1);	/* a call */
	step(f, "f", 4);	/* and back */
	step(f, "f", 2);	/* a jump back */
	findings_finish(&fs);
	check_lines(fs.v.v[0], "3 . 9 | 1 | 4 | 2");
	end();
}

TEST(story_tells_allocation_and_leak)
{
	struct finding *f;
	struct story s;

	begin("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", 21);
	f = leak_at(2, 1);
	step(f, "f", 5);
	f->leak = (struct finding_loc){ in_root("a.c"), 9, 1, "f" };
	findings_finish(&fs);
	story_init(&s, &fs, fs.v.v[0]);
	CHECK_EQ_INT(s.steps.n, 3);
	CHECK_EQ_INT(s.steps.v[0].role, STORY_ALLOC);
	CHECK_EQ_STR(s.steps.v[0].message, "allocated here by malloc, kept in `p`");
	CHECK_EQ_INT(s.steps.v[2].role, STORY_LEAK);
	CHECK_EQ_STR(s.steps.v[2].message, "the last chance to free it passes here");
	story_release(&s);
	end();
}

static void check_summary(const char *want)
{
	struct sbuf b = {0};

	story_summary(&b, &fs);
	CHECK_EQ_STR(b.s, want);
	sbuf_release(&b);
}

static void counted(unsigned judged, unsigned stored, unsigned cut)
{
	unsigned n[] = { judged, stored, cut };

	coverage_release(&fs.coverage);
	fs.coverage.known = true;
	for (unsigned k = 0; k < ARRAY_LEN(n); k++)
		for (unsigned i = 0; i < n[k]; i++)
			coverage_add(&fs, (enum coverage_class)k, "too many paths");
}

TEST(summaries)
{
	begin("", 0);
	check_summary("no leaks found: how many allocations were judged is not known");
	counted(0, 0, 0);
	check_summary("no leaks found: there is no allocation");
	counted(1, 0, 0);
	check_summary("no leaks found: 1 allocation, judged");
	fs.units_analysed = 12;
	counted(40, 0, 0);
	check_summary("no leaks found: all 40 allocations judged");
	vec_push(&fs.failed, ((struct finding_failure){ "x.c", "bad" }));
	check_summary("no leaks found in the 12 units that were analysed: all 40 allocations judged; 1 unit could not be analysed");
	leak_at(1, 1);
	findings_finish(&fs);
	check_summary("1 leak in 12 units: all 40 allocations judged; 1 unit could not be analysed");
	fs.v.v[0]->suppressed = true;
	check_summary("no leaks found in the 12 units that were analysed (1 suppressed): all 40 allocations judged; "
		      "1 unit could not be analysed");
	fs.failed.n = 0;
	counted(1104, 924, 89);
	check_summary("no leaks found (1 suppressed): 2,117 allocations, of them 1,104 judged, 924 only stored, 89 cut");
	coverage_name(&fs, &fs.coverage.not_c, "a.S");
	coverage_name(&fs, &fs.coverage.not_c, "b.cc");
	coverage_name(&fs, &fs.coverage.not_c, "b.cc");
	coverage_name(&fs, &fs.coverage.functions_incomplete, "f (a.c:1)");
	coverage_name(&fs, &fs.coverage.libraries_not_given, "libown.so");
	check_summary("no leaks found (1 suppressed): 2,117 allocations, of them 1,104 judged, 924 only stored, 89 cut; "
		      "1 function has no complete summary; 2 units are not C; 1 library of the program's own was not given");
	counted(0, 1, 0);
	fs.v.v[0]->in_baseline = true;
	leak_at(2, 1)->kind = FINDING_DOUBLE_FREE;
	leak_at(3, 1);
	leak_at(4, 1)->suppressed = true;
	check_summary("1 leak and 1 other error in 12 units (1 suppressed, 1 in baseline): "
		      "1 allocation, of them 0 judged, 1 only stored, 0 cut");
	counted(999, 0, 1);
	fs.v.v[2]->in_baseline = true;
	check_summary("1 error in 12 units (1 suppressed, 2 in baseline): 1,000 allocations, of them 999 judged, 0 only stored, 1 cut");
	end();
	begin("", 0);
	fs.units_analysed = 0;
	check_summary("nothing was analysed");
	end();
}

TEST(titles)
{
	struct sbuf b = {0};

	begin("", 0);
	counted(3, 1, 0);
	story_title(&b, &fs);
	CHECK_EQ_STR(b.s, "no leaks in what was judged");
	sbuf_clear(&b);
	counted(3, 0, 0);
	story_title(&b, &fs);
	CHECK_EQ_STR(b.s, "no leaks");
	sbuf_release(&b);
	end();
}

TEST(one_in_twenty_may_be_cut)
{
	begin("", 0);
	counted(0, 0, 0);
	CHECK(!coverage_is_thin(&fs.coverage));
	counted(19, 0, 1);
	CHECK(!coverage_is_thin(&fs.coverage));
	counted(18, 0, 1);
	CHECK(coverage_is_thin(&fs.coverage));
	counted(0, 38, 2);
	CHECK(!coverage_is_thin(&fs.coverage));
	counted(0, 37, 2);
	CHECK(coverage_is_thin(&fs.coverage));
	end();
}

/* ---- formats ---- */

static char *report(enum report_format fmt, const struct report_options *o)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	CHECK(report_write(&fs, fmt, f, o) == 0);
	fclose(f);
	return text;
}

TEST(format_names)
{
	enum report_format fmt;

	CHECK(report_format_parse(&fmt, "sarif") == 0 && fmt == REPORT_SARIF);
	CHECK(report_format_parse(&fmt, "xml") < 0);
	CHECK(strstr(error_last(), "xml") != NULL);
}

TEST(write_errors_are_seen)
{
	FILE *f = fopen("/dev/full", "w");

	CHECK(f != NULL);
	begin("", 0);
	for (unsigned fmt = REPORT_TEXT; fmt <= REPORT_HTML; fmt++)
		CHECK(report_write(&fs, fmt, f, NULL) < 0);
	end();
	fclose(f);
}

/* Random lines, places and widths: no line of an excerpt is wider than asked for,
 * and nothing but plain text comes out. */
TEST(text_fits_the_width)
{
	static const char *const pieces[] = {
		"a", "\t", " ", "(", ")", "ß", "日", "\xff", "\033", "name->field", "malloc(", "\"x", "🚰",
	};
	struct unit_rng rng = { 11 };

	for (unsigned round = 0; round < 400; round++) {
		struct report_options o = { .width = 40 + unit_below(&rng, 80) };
		unsigned pieces_n = unit_below(&rng, 120), at = 0;
		struct sbuf line = {0};
		struct finding *f;
		char *text;

		for (unsigned i = 0; i < pieces_n; i++)
			sbuf_adds(&line, pieces[unit_below(&rng, ARRAY_LEN(pieces))]);
		sbuf_addc(&line, '\n');
		begin(line.s, line.n);
		f = leak_at(1, unit_below(&rng, (unsigned)line.n + 4));
		for (unsigned i = unit_below(&rng, 5); i > 0; i--) {
			struct finding_loc where = f->alloc;

			where.column = unit_below(&rng, (unsigned)line.n + 4);
			finding_add_step(&fs, f, &where, "%.*s", (int)unit_below(&rng, 110),
					 "some words about what happens here, of whatever length, "
					 "and\ta_very_long_word_without_any_place_to_break_it\xff");
		}
		findings_finish(&fs);
		text = report(REPORT_TEXT, &o);
		for (char *l = text, *nl; (nl = strchr(l, '\n')); l = nl + 1, at++) {
			if (l[0] != ' ' || strncmp(l, "      =", 7) == 0)
				continue;
			if (utf8_columns(l, (size_t)(nl - l)) > o.width)
				FAIL("round %u: wider than %u: %.*s", round, o.width, (int)(nl - l), l);
			for (char *p = l; p < nl; p++)
				CHECK((unsigned char)*p >= ' ' && *p != 0x7f);
			CHECK(nl == l || nl[-1] != ' ');
		}
		free(text);
		sbuf_release(&line);
		end();
	}
}

/* The region in SARIF of what begins at `at` in a line. */
static void check_columns(const char *line, const char *at, int64_t want, int64_t want_end)
{
	json_t *top, *r;
	int64_t start, stop;
	char *text;

	begin(line, strlen(line));
	leak_at(1, (unsigned)(strstr(line, at) - line) + 1);
	findings_finish(&fs);
	text = report(REPORT_SARIF, NULL);
	CHECK(jr_parse(&top, text, strlen(text), "sarif") == 0);
	r = json_object_get(json_array_get(json_object_get(top, "runs"), 0), "results");
	r = json_array_get(json_object_get(json_array_get(r, 0), "locations"), 0);
	r = json_object_get(json_object_get(r, "physicalLocation"), "region");
	CHECK(jr_get_int(r, "startColumn", &start) && jr_get_int(r, "endColumn", &stop));
	CHECK_EQ_INT(start, want);
	CHECK_EQ_INT(stop, want_end);
	json_decref(top);
	free(text);
	end();
}

TEST(sarif_columns_are_utf16)
{
	check_columns("x = f(1);\n", "f(1)", 5, 9);
	check_columns("ß = f(1);\n", "f(1)", 5, 9);		/* 2 bytes, 1 unit */
	check_columns("日 = f(1);\n", "f(1)", 5, 9);		/* 3 bytes, 1 unit */
	check_columns("🚰 = f(\"🚰\");\n", "f(", 6, 13);		/* 4 bytes, 2 units */
	check_columns("\xff = f(1);\n", "f(1)", 5, 9);		/* one bad byte, one unit */
}
