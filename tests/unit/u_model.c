/*
 * u_model.c - the model language, and the models that we ship.
 *
 * The language: each form read and printed, each error with its place.  The
 * shipped models: all parse, agree with each other (what one allocates another
 * can free), survive printing and reading back, and those of some functions that
 * are used everywhere are still what they were when somebody last looked.
 */
#include "unit.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "model/model.h"

#include <sys/stat.h>

static int parse(struct model_set *s, const char *text)
{
	return model_parse(s, text, strlen(text), "t");
}

/* The text that fn prints; the caller's. */
static char *printed(void (*fn)(const void *, FILE *), const void *arg)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	CHECK(f);
	fn(arg, f);
	CHECK_EQ_INT(fclose(f), 0);
	return text;
}

static void print_one(const void *m, FILE *f)
{
	model_print(m, f);
}

static void print_set(const void *s, FILE *f)
{
	model_set_print(s, f);
}

/* The body of f, as read from "f { body }" and printed, is `want`. */
static void check_body(const char *body, const char *want)
{
	struct model_set *s = model_set_new();
	char *text = xasprintf("resource file \"open file\";\nf { %s }\n", body);
	char *line = xasprintf("f { %s }\n", want);
	char *got;

	if (parse(s, text) < 0)
		FAIL("%s: %s", body, error_last());
	CHECK_EQ_INT(model_count(s), 1);
	got = printed(print_one, model_find(s, "f"));
	CHECK_EQ_STR(got, line);
	free(got);
	free(line);
	free(text);
	model_set_free(s);
}

static void check_error(const char *text, const char *want)
{
	struct model_set *s = model_set_new();

	if (parse(s, text) == 0)
		FAIL("no error in: %s", text);
	CHECK_EQ_STR(error_last(), want);
	CHECK_EQ_INT(model_count(s), 0);
	CHECK_EQ_INT(model_resources(s)->all.n, 1);
	model_set_free(s);
}

/* ---- the language ---- */

TEST(empty_texts)
{
	struct model_set *s = model_set_new();

	CHECK_EQ_INT(parse(s, ""), 0);
	CHECK_EQ_INT(parse(s, " \t\r\n# only a comment"), 0);
	CHECK_EQ_INT(parse(s, "#\n#\n"), 0);
	CHECK_EQ_INT(model_count(s), 0);
	CHECK(!model_find(s, "malloc"));
	CHECK_EQ_INT(model_resources(s)->all.n, 1);
	CHECK_EQ_STR(resources_find(model_resources(s), "memory")->text, "memory");
	CHECK(!resources_find(model_resources(s), "file"));
	model_set_free(s);
	model_set_free(NULL);
}

TEST(every_form)
{
	static const char *const same[] = {
		"ignore;",
		"noreturn;",
		"noreturn when arg1 != 0;",
		"return new memory;",
		"return new file;",
		"return new memory nonnull;",
		"return new file freed by fclose;",
		"return new file freed by fclose, \"f.close\" nonnull;",
		"return new file freed by a, b nonnull when arg1 == null;",
		"return arg1;",
		"return arg255;",
		"return into arg1;",
		"return null;",
		"return nonnull;",
		"return static;",
		"return static in arg1;",
		"*arg3 = static in arg1->a or null;",
		"return unknown in *arg2;",
		"hold arg1 when arg2 == 6;",
		"hold arg1 in return;",
		"hold arg1 for null;",
		"return 0 or negative;",
		"return unknown;",
		"return 0;",
		"return -9223372036854775808;",
		"return 9223372036854775807;",
		"return global name;",
		"return into global \"name.1\";",
		"return arg1 or into arg2 or static or null or -1;",
		"return->name = new memory;",
		"*return = arg1;",
		"*arg1 = new memory when return >= 0;",
		"**arg1 = null;",
		"(*arg1)->next = null;",
		"(*arg1)->[*] = new memory when return >= 0;",
		"*arg1->name = null;",
		"arg1->a.b.c = arg2;",
		"arg1->\"odd name\" = arg2;",
		"arg1->[8] = arg2;",
		"arg1->[-8] = arg2;",
		"arg1->[*] = unknown;",
		"arg1->[*].name = unknown;",
		"arg1->[*].[16] = unknown;",
		"arg1->rows->[*].a.b->text = unknown;",
		"(**arg1->x)->y = 0;",
		"global cache = new memory;",
		"global cache->next = new memory;",
		"free arg1;",
		"free arg1 as file;",
		"free arg1->name; free arg1;",
		"free arg2... when return == 0;",
		"free *arg1; *arg1 = new memory;",
		"keep arg1;",
		"keep arg2 in arg1 when return == 0;",
		"keep arg3...;",
		"ref arg1;",
		"ref arg1->x;",
		"copy arg2 to arg1;",
		"copy arg1 to return;",
		"write arg2;",
		"write arg3...;",
		"write arg2->[*].iov_base;",
		"call arg1();",
		"call arg4(into arg1, into arg1);",
		"call later arg3(arg4);",
		"call later *arg2(unknown, new memory nonnull, null, 3);",
		"call global hook(arg1...);",
		"keep arg1; noreturn;",
		"return arg1 when arg2 has 8; return null when arg2 lacks 8;",
		"free arg1 when return == null and arg2 == 0 and arg3 != null and *arg4 < 5;",
		"free arg1 when return <= -1 and return > -5 and return >= -4;",
	};

	for (size_t i = 0; i < ARRAY_LEN(same); i++)
		check_body(same[i], same[i]);
}

TEST(other_spellings)
{
	check_body("return arg1; return null;", "return arg1 or null;");
	check_body("return arg1 or null when arg2 == 0; return null;",
		   "return arg1 or null when arg2 == 0; return null;");
	check_body("free arg1 as memory;", "free arg1;");
	check_body("write ((arg1));", "write arg1;");
	check_body("write (*(arg1))->a;", "write (*arg1)->a;");
	check_body("write *(arg1->a);", "write *arg1->a;");
	check_body("write arg1->[0];", "write *arg1;");
	check_body("write arg1->[0]->a;", "write (*arg1)->a;");
	check_body("write arg1->[*].[0];", "write arg1->[*];");
	check_body("write arg1->\"a.b\";", "write arg1->a.b;");
	check_body("return 0x1F or -0x10;", "return 31 or -16;");
	check_body("\n# a comment } ;\n\tignore\n;\r\n", "ignore;");
	check_body("noreturn; keep arg1;", "keep arg1; noreturn;");
	check_body("return\narg1;", "return arg1;");
}

TEST(words_are_no_keywords_as_names)
{
	struct model_set *s = model_set_new();
	char *text;

	CHECK_EQ_INT(parse(s, "free, return, when, arg1 { ignore; }\n"
			      "\"override\" { ignore; }\n"
			      "\"resource\" { free arg1->free; return new memory freed by when; }\n"
			      "f { keep global return in global arg1; write arg1->ignore.null; }\n"), 0);
	CHECK(model_find(s, "free") && model_find(s, "return") && model_find(s, "arg1"));
	text = printed(print_set, s);
	CHECK_EQ_STR(text, "free { ignore; }\nreturn { ignore; }\nwhen { ignore; }\narg1 { ignore; }\n"
			   "\"override\" { ignore; }\n"
			   "\"resource\" { free arg1->free; return new memory freed by when; }\n"
			   "f { keep global return in global arg1; write arg1->ignore.null; }\n");
	free(text);
	model_set_free(s);
}

TEST(override)
{
	struct model_set *s = model_set_new();
	char *text;

	CHECK_EQ_INT(parse(s, "override f, g { free arg1; } h { free arg1; }"), 0);
	CHECK(model_find(s, "f")->override && model_find(s, "g")->override);
	CHECK(!model_find(s, "h")->override);
	text = printed(print_set, s);
	CHECK_EQ_STR(text, "override f { free arg1; }\noverride g { free arg1; }\nh { free arg1; }\n");
	free(text);
	CHECK_EQ_INT(parse(s, "g { free arg1; }"), 0);
	CHECK(!model_find(s, "g")->override);
	model_set_free(s);
}

TEST(quoted_names)
{
	struct model_set *s = model_set_new();
	char *text;

	CHECK_EQ_INT(parse(s, "\"a.b\", \"q\\\"\\\\\\x01\\xfF\", \"plain\", $x_1, "
			      "gr\xc3\xbc\xc3\x9f { ignore; }"), 0);
	CHECK(model_find(s, "a.b"));
	CHECK(model_find(s, "q\"\\\001\377"));
	CHECK(model_find(s, "plain"));
	CHECK(model_find(s, "$x_1"));
	CHECK(model_find(s, "gr\xc3\xbc\xc3\x9f"));
	text = printed(print_set, s);
	CHECK_EQ_STR(text, "\"a.b\" { ignore; }\n\"q\\\"\\\\\\x01\\xff\" { ignore; }\nplain { ignore; }\n"
			   "$x_1 { ignore; }\ngr\xc3\xbc\xc3\x9f { ignore; }\n");
	free(text);
	model_set_free(s);
}

TEST(structures)
{
	struct model_set *s = model_set_new();
	const struct model *m;
	const struct model_effect *e;

	CHECK_EQ_INT(parse(s, "resource file \"open file\";\n\n"
			      "a,\n  b { (*arg2)->[*].x.y = new file freed by c, d when return >= -3;\n"
			      "           call later arg3(arg4..., 7); noreturn; }\n"), 0);
	m = model_find(s, "b");
	CHECK(m && m == model_at(s, 1));
	CHECK_EQ_STR(m->name, "b");
	CHECK_EQ_STR(m->file, "t");
	CHECK_EQ_INT(m->line, 4);
	CHECK_EQ_INT(model_at(s, 0)->line, 3);
	CHECK(m->noreturn);
	CHECK_EQ_INT(m->neffects, 2);
	e = &m->effects[0];
	CHECK_EQ_INT(e->kind, MODEL_E_SET);
	CHECK_EQ_INT(e->place.base, MODEL_ARG);
	CHECK_EQ_INT(e->place.arg, 2);
	CHECK_EQ_INT(e->place.nsteps, 2);
	CHECK(!e->place.steps[0].field && !e->place.steps[0].any && !e->place.steps[0].offset);
	CHECK_EQ_STR(e->place.steps[1].field, "x.y");
	CHECK(e->place.steps[1].any);
	CHECK_EQ_INT(e->value.kind, MODEL_V_NEW);
	CHECK(e->value.resource == resources_find(model_resources(s), "file"));
	CHECK_EQ_STR(e->value.resource->text, "open file");
	CHECK_EQ_INT(e->value.nfreers, 2);
	CHECK_EQ_STR(e->value.freers[1], "d");
	CHECK(!e->value.nonnull);
	CHECK_EQ_INT(e->nconds, 1);
	CHECK_EQ_INT(e->conds[0].place.base, MODEL_RETURN);
	CHECK_EQ_INT(e->conds[0].cmp, MODEL_GE);
	CHECK(!e->conds[0].null);
	CHECK_EQ_INT(e->conds[0].value, -3);
	e = &m->effects[1];
	CHECK_EQ_INT(e->kind, MODEL_E_CALL);
	CHECK(e->later);
	CHECK_EQ_INT(e->nargs, 2);
	CHECK_EQ_INT(e->args[0].place.base, MODEL_ARGS_FROM);
	CHECK_EQ_INT(e->args[1].value, 7);
	model_set_free(s);
}

#define WANT_EFFECT "expected an effect (return, free, keep, hold, ref, copy, write, call, noreturn, " \
	"ignore, or PLACE = VALUE), found "
#define WANT_PLACE "expected a place (return, argN, global NAME, *PLACE or (PLACE)), found "
#define WANT_VALUE "expected a value (new, into, null, nonnull, negative, static, unknown, a number or " \
	"a place), found "

TEST(errors)
{
	static const struct { const char *text, *want; } cases[] = {
		{ "f", "t:1:2: expected ',' or '{', found the end of the text" },
		{ "f {", "t:1:4: " WANT_EFFECT "the end of the text" },
		{ "f { }", "t:1:5: " WANT_EFFECT "'}'" },
		{ "f { ignore }", "t:1:12: expected ';', found '}'" },
		{ "f { ignore; free arg1; }",
		  "t:1:13: expected '}' (ignore stands alone), found 'free'" },
		{ "f { free arg1; ignore; }", "t:1:16: ignore stands alone" },
		{ "f { free arg1 }", "t:1:15: expected 'when' or ';', found '}'" },
		{ "f { free arg1 when arg1 == 0 }", "t:1:30: expected 'and' or ';', found '}'" },
		{ "f { free arg1 as stone; }",
		  "t:1:18: unknown resource 'stone': declare it before its use by: "
		  "resource stone \"...\";" },
		{ "f { return new stone; } resource stone \"stone\";",
		  "t:1:16: unknown resource 'stone': declare it before its use by: "
		  "resource stone \"...\";" },
		{ "f { return new; }",
		  "t:1:15: expected the name of a resource, such as memory, found ';'" },
		{ "f { return new memory freed fclose; }",
		  "t:1:29: expected 'by' after 'freed', found 'fclose'" },
		{ "f { return new memory freed by; }",
		  "t:1:31: expected the name of a function, found ';'" },
		{ "f { return; }", "t:1:11: " WANT_VALUE "';'" },
		{ "f { return arg1 or; }", "t:1:19: " WANT_VALUE "';'" },
		{ "f { return->x; }", "t:1:14: expected '=', found ';'" },
		{ "f { arg1 = null; }",
		  "t:1:5: an argument itself cannot be set: *arg1 is what it points to" },
		{ "f { *arg1 null; }", "t:1:11: expected '=', found 'null'" },
		{ "f { free arg0; }", "t:1:10: arguments are arg1 to arg255" },
		{ "f { free arg256; }", "t:1:10: arguments are arg1 to arg255" },
		{ "f { free arg99999999999999999999; }", "t:1:10: arguments are arg1 to arg255" },
		{ "f { free arg01; }", "t:1:10: arguments are arg1 to arg255" },
		{ "f { free arg; }", "t:1:10: " WANT_PLACE "'arg'" },
		{ "f { free name; }", "t:1:10: " WANT_PLACE "'name'" },
		{ "f { free (arg1; }", "t:1:15: expected ')', found ';'" },
		{ "f { free arg1->; }", "t:1:16: expected a member's name or '[', found ';'" },
		{ "f { free arg1->[x]; }",
		  "t:1:17: expected an offset in bytes or '*', found 'x'" },
		{ "f { free arg1->[1; }", "t:1:18: expected ']', found ';'" },
		{ "f { free arg1->[*].[*]; }", "t:1:23: [*].[*] means no more than [*]" },
		{ "f { free arg1->[*].; }", "t:1:20: expected a member's name or '[', found ';'" },
		{ "f { free arg1->a.; }", "t:1:18: expected a member's name, found ';'" },
		{ "f { free arg1->\"\"; }", "t:1:16: a name cannot be empty" },
		{ "f { free global; }",
		  "t:1:16: expected the name of a global variable, found ';'" },
		{ "f { keep arg1 in; }", "t:1:17: " WANT_PLACE "';'" },
		{ "f { copy arg1; }",
		  "t:1:14: expected 'to' and where it is copied to, found ';'" },
		{ "f { call arg1; }",
		  "t:1:14: expected '(' and the arguments of the call, found ';'" },
		{ "f { call arg1(arg2; }", "t:1:19: expected ',' or ')', found ';'" },
		{ "f { call arg1(new memory freed by a, b); }",
		  "t:1:15: what is passed to a call takes no 'freed by'" },
		{ "f { ignore; } f { ignore; }", "t:1:15: 'f' is already described in line 1" },
		{ "f,\nf { ignore; }", "t:2:1: 'f' is already described in line 1" },
		{ "f, { ignore; }",
		  "t:1:4: expected the name of a function, found '{'" },
		{ "override { ignore; }", "t:1:10: expected the name of a function, found '{'" },
		{ "override resource a \"x\";", "t:1:19: expected ',' or '{', found 'a'" },
		{ "\"\" { ignore; }", "t:1:1: a name cannot be empty" },
		{ "f { free arg1 when arg2... == 0; }",
		  "t:1:20: a condition is about one argument, not all from arg2 on" },
		{ "f { free arg1 when arg2; }",
		  "t:1:24: expected == != < <= > >= has or lacks, found ';'" },
		{ "f { free arg1 when arg2 = 0; }",
		  "t:1:25: expected == != < <= > >= has or lacks, found '='" },
		{ "f { free arg1 when arg2 < null; }",
		  "t:1:27: null is compared by == or != only" },
		{ "f { free arg1 when arg2 == x; }",
		  "t:1:28: expected a number or null, found 'x'" },
		{ "f { free arg1 when arg2 == 0 and; }", "t:1:33: " WANT_PLACE "';'" },
		{ "f { return 9223372036854775808; }",
		  "t:1:12: '9223372036854775808': this number is too large" },
		{ "f { return -9223372036854775809; }",
		  "t:1:12: '-9223372036854775809': this number is too large" },
		{ "f { return 12ab; }", "t:1:12: '12ab': this is no number" },
		{ "f { return 0x; }", "t:1:12: '0x': this is no number" },
		{ "f { return -x; }", "t:1:12: '-': this character means nothing here" },
		{ "f { return @1; }", "t:1:12: '@': this character means nothing here" },
		{ "\"f", "t:1:1: '\"f': this text has no closing quote" },
		{ "\"f\n\" { ignore; }", "t:1:1: '\"f': this text has no closing quote" },
		{ "\"f\\", "t:1:1: '\"f\\': this text has no closing quote" },
		{ "\"f\\n\" { ignore; }",
		  "t:1:1: '\"f\\n\"': after \\ comes \\ or \" or xHH (not 00)" },
		{ "\"f\\x00\" { ignore; }",
		  "t:1:1: '\"f\\x00\"': after \\ comes \\ or \" or xHH (not 00)" },
		{ "\"f\t\" { ignore; }", "t:1:1: '\"f?\"': write this character as \\xHH" },
		{ "resource;", "t:1:9: expected the name of the resource, found ';'" },
		{ "resource file;",
		  "t:1:14: expected what the resource is called in messages, in quotes, found ';'" },
		{ "resource file \"x\"", "t:1:18: expected ';', found the end of the text" },
		{ "resource file \"\";", "t:1:15: a name cannot be empty" },
		{ "resource memory \"x\";", "t:1:10: resource 'memory' is already declared" },
		{ "resource a \"x\"; resource a \"x\";",
		  "t:1:26: resource 'a' is already declared" },
		{ "\n\n  g { free arg1; }\n\tf { free; }", "t:4:10: " WANT_PLACE "';'" },
		{ "f { a_name_that_is_longer_than_a_message_shows; }",
		  "t:1:5: " WANT_EFFECT "'a_name_that_is_longer_than_a_mes...'" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_error(cases[i].text, cases[i].want);
}

TEST(nul_bytes)
{
	static const char text[] = "f { ignore; }\n\0g { ignore; }";
	struct model_set *s = model_set_new();

	CHECK(model_parse(s, text, sizeof(text) - 1, "t") < 0);
	CHECK_EQ_STR(error_last(), "t:2:1: '?': this character means nothing here");
	model_set_free(s);
}

/* text with n copies of `unit` between `head` and `tail` */
static char *repeated(const char *head, const char *unit, unsigned n, const char *tail)
{
	struct sbuf b = {0};

	sbuf_adds(&b, head);
	while (n--)
		sbuf_adds(&b, unit);
	sbuf_adds(&b, tail);
	return sbuf_detach(&b);
}

TEST(deep_and_long_texts)
{
	char *stars = repeated("f { free ", "*", 200000, "arg1; }");
	char *parens = repeated("f { free ", "(", 200000, "arg1; }");
	char *arrows = repeated("f { free arg1", "->a", 200000, "; }");
	char *most = repeated("f { free ", "*", MODEL_MAX_STEPS, "arg1; }");
	char *fields = repeated("f { free arg1->a", ".a", 100000, "; }");
	char *names = repeated("f", ", f", 1, " { ignore; }");
	struct model_set *s = model_set_new();

	CHECK(parse(s, stars) < 0);
	CHECK_EQ_STR(error_last(), "t:1:27: this place is nested too deeply");
	CHECK(parse(s, parens) < 0);
	CHECK_EQ_STR(error_last(), "t:1:27: this place is nested too deeply");
	CHECK(parse(s, arrows) < 0);
	CHECK_EQ_STR(error_last(), "t:1:65: this place has more than 16 steps");
	CHECK(parse(s, names) < 0);
	CHECK_EQ_INT(parse(s, most), 0);
	CHECK_EQ_INT(model_find(s, "f")->effects[0].place.nsteps, MODEL_MAX_STEPS);
	CHECK_EQ_INT(parse(s, fields), 0);
	CHECK_EQ_INT(strlen(model_find(s, "f")->effects[0].place.steps[0].field), 200001);
	free(stars);
	free(parens);
	free(arrows);
	free(most);
	free(fields);
	free(names);
	model_set_free(s);
}

/* ---- sets ---- */

TEST(a_bad_text_changes_nothing)
{
	struct model_set *s = model_set_new();
	const struct model *f;

	CHECK_EQ_INT(parse(s, "resource file \"open file\"; f { free arg1 as file; }"), 0);
	f = model_find(s, "f");
	CHECK(parse(s, "resource file \"other\"; resource dir \"d\"; "
		       "f { ignore; } g { ignore; } h {") < 0);
	CHECK_EQ_INT(model_count(s), 1);
	CHECK(model_find(s, "f") == f && !model_find(s, "g"));
	CHECK_EQ_INT(model_resources(s)->all.n, 2);
	CHECK_EQ_STR(model_resources(s)->all.v[1]->text, "open file");
	model_set_free(s);
}

TEST(later_texts_win)
{
	static const char second[] =
		"resource file \"stream\"; f { noreturn; } h { free arg1 as file; }";
	struct model_set *s = model_set_new();
	const struct resource *file;

	CHECK_EQ_INT(parse(s, "resource file \"open file\"; f { ignore; } g { free arg1 as file; }"), 0);
	file = resources_find(model_resources(s), "file");
	CHECK_EQ_INT(model_parse(s, second, strlen(second), "second"), 0);
	CHECK_EQ_INT(model_count(s), 3);
	CHECK(model_find(s, "f")->noreturn);
	CHECK_EQ_STR(model_find(s, "f")->file, "second");
	CHECK_EQ_STR(model_at(s, 0)->name, "f");
	CHECK_EQ_STR(model_at(s, 2)->name, "h");
	/* One resource, whatever it is called. */
	CHECK(model_find(s, "g")->effects[0].resource == file);
	CHECK(model_find(s, "h")->effects[0].resource == file);
	CHECK_EQ_STR(file->text, "stream");
	model_set_free(s);
}

TEST(questions)
{
	struct model_set *s = model_set_new();
	const struct model *m;

	CHECK_EQ_INT(parse(s, "resource file \"f\";\n"
			      "a { *arg1 = new memory; return->x = new memory; return arg1 or new file; }\n"
			      "b { free arg1->x; free *arg2; free arg3 as file; free arg5...; }\n"
			      "c { ignore; }\n"), 0);
	m = model_find(s, "a");
	CHECK(model_allocates(m) == &m->effects[3]);
	CHECK(!model_frees(m, 1));
	m = model_find(s, "b");
	CHECK(!model_allocates(m));
	CHECK(!model_frees(m, 1) && !model_frees(m, 2) && !model_frees(m, 4));
	CHECK(model_frees(m, 3) == &m->effects[2]);
	CHECK(model_frees(m, 5) == &m->effects[3] && model_frees(m, 9) == &m->effects[3]);
	m = model_find(s, "c");
	CHECK(!model_allocates(m) && !model_frees(m, 1) && !m->noreturn);
	model_set_free(s);
}

TEST(equality_sees_every_part)
{
	static const char *const bodies[] = {
		"ignore;", "noreturn;", "noreturn when arg1 == 0;", "free arg1;", "free arg2;",
		"free arg1...;", "free arg1 as file;", "free *arg1;", "free arg1->a;", "free arg1->[8];",
		"free arg1->[*];", "free arg1->[*].a;", "free global a;", "free global b;", "keep arg1;",
		"keep arg1 in arg2;", "keep arg1 in arg3;", "ref arg1;", "hold arg1;", "hold arg1 for null;", "write arg1;", "copy arg1 to arg2;",
		"return arg1;", "return into arg1;", "return null;", "return static;", "return static in arg1;", "return static in arg2;", "return 1;",
		"return 2;", "return new memory;", "return new file;", "return new memory nonnull;",
		"return new memory freed by a;", "return new memory freed by b;",
		"return new memory freed by a, b;", "return arg1 when arg1 == 0;",
		"return arg1 when arg1 == null;", "return arg1 when arg1 != 0;",
		"return arg1 when arg1 == 1;", "return arg1 when arg2 == 0;",
		"return arg1 when arg1 == 0 and arg2 == 0;", "call arg1();", "call later arg1();",
		"call arg1(arg1);", "call arg1(arg2);", "free arg1; free arg2;",
	};
	struct model_set *sets[ARRAY_LEN(bodies)];

	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		char *text = xasprintf("resource file \"f\"; f { %s }", bodies[i]);

		sets[i] = model_set_new();
		CHECK_EQ_INT(parse(sets[i], text), 0);
		free(text);
	}
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++)
		for (size_t k = 0; k < ARRAY_LEN(bodies); k++)
			if (model_equal(model_find(sets[i], "f"), model_find(sets[k], "f")) != (i == k))
				FAIL("%s and %s", bodies[i], bodies[k]);
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++)
		model_set_free(sets[i]);
}

/* ---- files and folders ---- */

static char *temp_dir(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = xasprintf("%s/u_model.XXXXXX", tmp ? tmp : "/tmp");

	CHECK(mkdtemp(dir));
	return dir;
}

static char *put(const char *dir, const char *name, const char *text)
{
	char *path = path_join(dir, name);

	CHECK_EQ_INT(file_write(path, text, strlen(text)), 0);
	return path;
}

TEST(files)
{
	char *dir = temp_dir(), *want;
	char *b = put(dir, "b.model", "f { noreturn; }"), *a = put(dir, "a.model", "f, g { ignore; }");
	char *other = put(dir, "c.txt", "not a model");
	struct model_set *s = model_set_new();

	CHECK_EQ_INT(model_parse_dir(s, dir), 0);
	CHECK_EQ_INT(model_count(s), 2);
	CHECK(model_find(s, "f")->noreturn);
	CHECK_EQ_STR(model_find(s, "g")->file, a);
	CHECK(model_parse_file(s, other) < 0);
	want = xasprintf("%s:1:5: expected ',' or '{', found 'a'", other);
	CHECK_EQ_STR(error_last(), want);
	free(want);
	CHECK_EQ_INT(setenv("PLUMB_MODELS", b, 1), 0);
	CHECK_EQ_INT(model_load_shipped(s), 0);
	CHECK_EQ_INT(unlink(a) + unlink(b), 0);
	CHECK(model_parse_file(s, a) < 0);
	want = xasprintf("%s: No such file or directory", a);
	CHECK_EQ_STR(error_last(), want);
	free(want);
	CHECK(model_load_shipped(s) < 0);
	CHECK_EQ_INT(setenv("PLUMB_MODELS", dir, 1), 0);
	CHECK(model_load_shipped(s) < 0);
	want = xasprintf("%s: no file *.model there", dir);
	CHECK_EQ_STR(error_last(), want);
	free(want);
	CHECK_EQ_INT(unsetenv("PLUMB_MODELS"), 0);
	CHECK_EQ_INT(unlink(other) + rmdir(dir), 0);
	CHECK(model_parse_dir(s, dir) < 0);
	model_set_free(s);
	free(a);
	free(b);
	free(other);
	free(dir);
}

/* ---- what we ship ---- */

/* The folder models/ of the source tree: tests run at its top, or are told. */
static const char *models_dir(void)
{
	const char *root = getenv("ROOT");
	static char path[4096];

	snprintf(path, sizeof(path), "%s/models", root ? root : ".");
	return path;
}

static struct model_set *shipped(void)
{
	struct model_set *s = model_set_new();

	if (model_parse_dir(s, models_dir()) < 0)
		FAIL("%s", error_last());
	return s;
}

static unsigned count_of(const struct model_set *s, const char *file)
{
	unsigned n = 0;

	for (unsigned i = 0; i < model_count(s); i++)
		n += str_eq(path_base(model_at(s, i)->file), file);
	return n;
}

TEST(shipped_counts)
{
	struct model_set *s = shipped();

	CHECK(count_of(s, "libc.model") + count_of(s, "posix.model") >= 1500);
	CHECK(count_of(s, "linux.model") >= 100);
	CHECK(count_of(s, "openssl.model") >= 500);
	CHECK(count_of(s, "glib.model") >= 300);
	CHECK(count_of(s, "pcre.model") >= 100);
	model_set_free(s);
}

/* Adds the lines of `text` between those that `begin` and `end` mark, or all that
 * start with `begin` if there is no `end`; without `begin`. */
static void examples(struct sbuf *out, char *text, const char *begin, const char *end)
{
	bool in = false;

	for (char *line; (line = strsep(&text, "\n"));) {
		if (end && str_eq(line, in ? end : begin))
			in = !in;
		else if (end ? in : str_starts(line, begin))
			sbuf_printf(out, "%s\n", line + (end ? 0 : strlen(begin)));
	}
}

/* What model.h and docs/models.md show is right. */
TEST(documented_examples)
{
	static const struct { const char *file, *begin, *end; } docs[] = {
		{ "../src/model/model.h", " *\t", NULL },
		{ "../docs/models.md", "```model", "```" },
	};

	for (size_t i = 0; i < ARRAY_LEN(docs); i++) {
		char *path = path_join(models_dir(), docs[i].file), *text;
		struct model_set *s = shipped();
		struct sbuf b = {0};
		size_t n;

		if (file_read(&text, &n, path) < 0)
			FAIL("%s", error_last());
		examples(&b, text, docs[i].begin, docs[i].end);
		CHECK(b.n > 500);
		if (parse(s, sbuf_str(&b)) < 0)
			FAIL("%s: %s\n%s", path, error_last(), sbuf_str(&b));
		sbuf_release(&b);
		free(text);
		free(path);
		model_set_free(s);
	}
}

/* make links the models beside the programs it builds; without that there is
 * nothing to find, and the message must say so. */
TEST(shipped_are_found_beside_the_program)
{
	struct model_set *s = model_set_new();

	CHECK_EQ_INT(unsetenv("PLUMB_MODELS"), 0);
	if (model_load_shipped(s) == 0)
		CHECK(model_find(s, "malloc"));
	else
		CHECK(strstr(error_last(), "no folder of library models"));
	model_set_free(s);
}

TEST(shipped_round_trip)
{
	struct model_set *a = shipped(), *b = model_set_new();
	char *text = printed(print_set, a), *again;

	if (parse(b, text) < 0)
		FAIL("%s", error_last());
	CHECK_EQ_INT(model_count(a), model_count(b));
	for (unsigned i = 0; i < model_count(a); i++)
		if (!model_equal(model_at(a, i), model_at(b, i)))
			FAIL("%s is not what it was", model_at(a, i)->name);
	again = printed(print_set, b);
	CHECK_EQ_STR(again, text);
	free(again);
	free(text);
	model_set_free(a);
	model_set_free(b);
}

static bool frees_resource(const struct model *m, const struct resource *r)
{
	for (unsigned i = 0; i < m->neffects; i++)
		if (m->effects[i].kind == MODEL_E_FREE && m->effects[i].resource == r)
			return true;
	return false;
}

/* Can one of the functions that v names really free it?  Those that are macros
 * in the source have no model. */
static bool can_be_freed(const struct model_set *s, const struct model_value *v)
{
	const struct model *m;

	if (!v->nfreers)
		return frees_resource(model_find(s, "free"), v->resource);
	for (unsigned i = 0; i < v->nfreers; i++)
		if ((m = model_find(s, v->freers[i])) && frees_resource(m, v->resource))
			return true;
	return false;
}

TEST(shipped_allocators_and_freers_agree)
{
	/* Whose kind depends on a number passed at run time. */
	static const char *const mixed[] = {
		"X509_get_ext_d2i", "X509V3_get_d2i", "X509_REVOKED_get_ext_d2i", "X509V3_EXT_d2i",
		"ASN1_BIT_STRING_new", "ASN1_IA5STRING_new", "ASN1_UTF8STRING_new", "ASN1_TYPE_new",
	};
	struct model_set *s = shipped();

	for (unsigned i = 0; i < model_count(s); i++) {
		const struct model *m = model_at(s, i);
		bool skip = false;

		for (size_t k = 0; k < ARRAY_LEN(mixed); k++)
			skip |= str_eq(m->name, mixed[k]);
		for (unsigned k = 0; k < m->neffects && !skip; k++) {
			const struct model_effect *e = &m->effects[k];

			if (e->kind == MODEL_E_SET && e->value.kind == MODEL_V_NEW &&
			    !can_be_freed(s, &e->value))
				FAIL("%s: nothing frees its %s", m->name, e->value.resource->name);
		}
	}
	model_set_free(s);
}

TEST(shipped_resources_are_used)
{
	struct model_set *s = shipped();

	for (unsigned r = 0; r < model_resources(s)->all.n; r++) {
		const struct resource *res = model_resources(s)->all.v[r];
		bool made = false, freed = false;

		for (unsigned i = 0; i < model_count(s); i++) {
			const struct model *m = model_at(s, i);

			freed |= frees_resource(m, res);
			for (unsigned k = 0; k < m->neffects; k++)
				made |= m->effects[k].kind == MODEL_E_SET &&
					m->effects[k].value.resource == res;
		}
		if (!made || !freed)
			FAIL("%s is never %s", res->name, made ? "freed" : "made");
	}
	model_set_free(s);
}

TEST(shipped_spot_checks)
{
	static const char *const lines[] = {
		"malloc { return new memory; }",
		"calloc { return new memory zeroed; }",
		"free { free arg1; }",
		"realloc { return new memory; copy arg1 to return; free arg1 when return != null; "
			"free arg1 when return == null and arg2 == 0; }",
		"reallocarray { return new memory; copy arg1 to return; free arg1 when return != null; "
			"free arg1 when return == null and arg2 == 0; free arg1 when return == null and arg3 == 0; }",
		"posix_memalign { *arg1 = new memory when return == 0; }",
		"strdup { return new memory; }",
		"__strdup { return new memory; }",
		"memcpy { copy arg2 to arg1; return arg1; }",
		"__memcpy_chk { copy arg2 to arg1; return arg1; }",
		"strcpy { write arg1; return arg1; }",
		"strchr { return into arg1 or null; }",
		"strsep { write *arg1; return *arg1; *arg1 = into *arg1 or null when *arg1 != null; }",
		"strlen { ignore; }",
		"strtol { *arg2 = into arg1; }",
		"__isoc23_strtol { *arg2 = into arg1; }",
		"__isoc99_sscanf { write arg3...; }",
		"fopen { return new file freed by fclose; }",
		"fopen64 { return new file freed by fclose; }",
		"tmpfile { return new file freed by fclose; }",
		"fclose { free arg1 as file; }",
		"freopen { return arg3 or null; free arg3 as file when return == null; }",
		"popen { return new pipe freed by pclose; }",
		"pclose { free arg1 as pipe; }",
		"open_memstream { return new file freed by fclose; "
			"*arg1 = new memory used by return when return != null; write arg2; }",
		"getline { free *arg1; *arg1 = new memory; write arg2; }",
		"__getdelim { free *arg1; *arg1 = new memory; write arg2; }",
		"asprintf { *arg1 = new memory when return >= 0; }",
		"__vasprintf_chk { *arg1 = new memory when return >= 0; }",
		"setvbuf { keep arg2 in arg1; }",
		"fgets { write arg1; return arg1 or null; }",
		"snprintf { write arg1; }",
		"printf { ignore; }",
		"qsort { call arg4(into arg1, into arg1); write arg1; }",
		"bsearch { call arg5(arg1, into arg2); return into arg2 or null; }",
		"atexit { call later arg1(); }",
		"exit { noreturn; }",
		"__assert_fail { noreturn; }",
		"longjmp { noreturn; }",
		"error { noreturn when arg1 != 0; }",
		"getenv { return static or null; }",
		"setenv { ignore; }",
		"putenv { keep arg1; }",
		"__ctype_b_loc { return static; }",
		"__errno_location { return static; }",
		"newlocale { return new locale freed by freelocale; free arg3 as locale when return != null; }",
		"freelocale { free arg1 as locale; }",
		"opendir { return new dir freed by closedir; }",
		"readdir { return into arg1 or null; }",
		"closedir { free arg1 as dir; }",
		"scandir { *arg2 = new memory when return >= 0; "
			"(*arg2)->[*] = new memory nonnull when return > 0; "
			"call arg3(unknown); call arg4(unknown, unknown); }",
		"realpath { write arg2; return arg2 or null when arg2 != null; "
			"return new memory when arg2 == null; }",
		"getcwd { write arg1; return arg1 or null when arg1 != null; "
			"return new memory when arg1 == null; }",
		"regcomp { *arg1 = new regex freed by regfree when return == 0; arg1->[32] = null; arg1->[40] = null; }",
		"regfree { free *arg1 as regex; free arg1->[32]; free arg1->[40]; arg1->[32] = null; arg1->[40] = null; }",
		"re_compile_pattern { free *arg3 as regex; free *arg3; *arg3 = new regex freed by regfree when return == null; return static or null; }",
		"glob { arg4->gl_pathv = new glob freed by globfree when return == 0 and arg2 lacks 32; "
			"write arg4; call arg3(static, unknown); }",
		"globfree { free arg1->gl_pathv as glob; }",
		"getaddrinfo { return 0 or negative; *arg4 = new addrinfo freed by freeaddrinfo when return == 0; }",
		"freeaddrinfo { free arg1 as addrinfo; }",
		"iconv_open { return new iconv freed by iconv_close nonnull or -1; }",
		"dlopen { return new library freed by dlclose; }",
		"dlsym { return static in arg1 or null; }",
		"mmap { return new mapping freed by munmap nonnull or -1 when arg4 lacks 16; return arg1 or -1 when arg4 has 16; }",
		"munmap { free arg1 as mapping; }",
		"read { write arg2; }",
		"open { ignore; }",
		"fileno { return unknown in arg1; }",
		"ioctl { write arg3; hold arg1; }",
		"stat { write arg2; }",
		"__xstat { write arg3; }",
		"execvp { return -1; }",
		"_exit { noreturn; }",
		"sigaction { call later *arg2(unknown, static, static); write arg3; }",
		"pthread_create { call later arg3(arg4) when return == 0; write arg1; }",
		"pthread_once { call arg2(); }",
		"pthread_key_create { call later arg2(unknown); write arg1; }",
		"pthread_setspecific { keep arg2; }",
		"tsearch { call arg3(arg1, unknown); keep arg1; *arg2 = nonnull when return != null; "
			"return nonnull or null; }",
		"hsearch { keep arg1; keep arg2; return unknown; }",
		"insque { keep arg1; keep arg2 in arg1; }",
		"backtrace_symbols { return new memory; *return = into return; }",
		"X509_up_ref { ref arg1; }",
		"EVP_MD_CTX_new { return new openssl freed by EVP_MD_CTX_free; }",
		"RSA_get0_n { return into arg1 or null; }",
		"pcre2_compile_8 { return new pcre2 freed by pcre2_code_free, pcre2_code_free_8; "
			"write arg4; write arg5; }",
		"deflateEnd { free arg1->state as zlib; }",
		"g_string_free { free arg1 as gstring; "
			"return new memory freed by g_free nonnull when arg2 == 0; return null when arg2 != 0; }",
		"sqlite3_finalize { free arg1 as sqlite3_stmt; }",
		"xmlFree { free arg1; }",
		"override json_decref { free arg1 as json; }",
		"readline { return new memory; }",
	};
	struct model_set *s = shipped();

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		const char *start = lines[i] + (str_starts(lines[i], "override ") ? 9 : 0);
		char *name = xstrndup(start, strcspn(start, " ")), *want, *got;

		if (!model_find(s, name))
			FAIL("%s has no model", name);
		want = xasprintf("%s\n", lines[i]);
		got = printed(print_one, model_find(s, name));
		CHECK_EQ_STR(got, want);
		free(got);
		free(want);
		free(name);
	}
	model_set_free(s);
}

/* Functions that take pointers and do nothing with them: without a model each
 * would hide leaks. */
TEST(shipped_harmless)
{
	static const char *const names[] = {
		"strlen", "strcmp", "strncmp", "strcasecmp", "memcmp", "atoi", "puts", "fputs", "fprintf",
		"vfprintf", "fwrite", "fflush", "fseek", "feof", "perror", "remove", "rename", "unlink",
		"mkdir", "chmod", "access", "open", "write", "connect", "send", "sendto",
		"setsockopt", "system", "setenv", "syslog", "pthread_mutex_lock", "pthread_mutex_unlock",
		"pthread_cond_wait", "sem_post", "execve", "fnmatch", "symlink", "chdir", "isatty",
		"strspn", "wcslen", "__fprintf_chk", "__printf_chk", "_IO_putc", "utimes", "rewinddir",
	};
	struct model_set *s = shipped();

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const struct model *m = model_find(s, names[i]);

		if (!m)
			FAIL("%s has no model", names[i]);
		for (unsigned k = 0; k < m->neffects; k++)
			if (m->effects[k].kind != MODEL_E_SET &&	/* what is sent may have a pointer in it; itself it is left alone */
			    !((m->effects[k].kind == MODEL_E_HOLD || m->effects[k].kind == MODEL_E_KEEP) && m->effects[k].place.nsteps))
				FAIL("%s is not harmless", names[i]);
	}
	model_set_free(s);
}

static uint64_t digest_of(const char *const *texts)
{
	struct model_set *s = model_set_new();
	uint64_t h;

	for (; *texts; texts++)
		model_parse(s, *texts, strlen(*texts), "t");
	h = model_set_digest(s);
	model_set_free(s);
	return h;
}

#define DIGEST(...) digest_of((const char *const[]){ __VA_ARGS__, NULL })

/* It differs where anything does, and is the same for the same texts in every set. */
TEST(digest)
{
	const char *a = "f { return new memory; }", *b = "f { free arg1; }", *c = "g { free arg1; }", *bad = "f {";
	struct model_set *s = model_set_new();

	CHECK(DIGEST(a) == DIGEST(a));
	CHECK(DIGEST(a) != DIGEST(b));
	CHECK(DIGEST(b) != DIGEST(c));
	CHECK(DIGEST(a, b) != DIGEST(b, a));	/* the last one counts */
	CHECK(DIGEST(a, c) != DIGEST(a));
	CHECK(DIGEST(a, bad) == DIGEST(a));	/* nothing of it was added */
	CHECK_EQ_INT(model_parse(s, a, strlen(a), "elsewhere"), 0);
	CHECK(model_set_digest(s) != DIGEST(a));
	model_set_free(s);
}

TEST(conditions_on_numbers)
{
	static const struct { enum model_cmp cmp; int64_t value, yes, no; } rows[] = {
		{ MODEL_EQ, 3, 3, 4 }, { MODEL_NE, 3, 4, 3 }, { MODEL_LT, 3, 2, 3 }, { MODEL_LE, 3, 3, 4 },
		{ MODEL_GT, 3, 4, 3 }, { MODEL_GE, 3, 3, 2 }, { MODEL_HAS, 6, 12, 9 }, { MODEL_LACKS, 6, 9, 12 },
		{ MODEL_LT, 0, INT64_MIN, INT64_MAX },
	};

	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		struct model_cond c = { .cmp = rows[i].cmp, .value = rows[i].value };

		CHECK(model_cond_holds(&c, rows[i].yes));
		CHECK(!model_cond_holds(&c, rows[i].no));
	}
}
