/*
 * u_json.c - the JSON writer by its exact text and, on random documents, by
 * reading it back; the reader by its messages.
 */
#include "unit.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

#include <locale.h>
#include <math.h>

/* A writer into memory. */
struct sink {
	struct json_writer w;
	FILE *f;
	char *text;
	size_t n;
};

static void sink_init(struct sink *s, bool compact)
{
	s->f = open_memstream(&s->text, &s->n);
	CHECK(s->f != NULL);
	jw_begin(&s->w, s->f);
	s->w.compact = compact;
}

/* Ends the document and compares. */
static void sink_expect(struct sink *s, const char *want)
{
	jw_end(&s->w);
	fclose(s->f);
	CHECK_EQ_STR(s->text, want);
	free(s->text);
}

TEST(layout)
{
	struct sink s;

	sink_init(&s, false);
	jw_object(&s.w);
	jw_kstr(&s.w, "schema", "plumb-findings/1");
	jw_key(&s.w, "list");
	jw_array(&s.w);
	jw_int(&s.w, 1);
	jw_object(&s.w);
	jw_object_close(&s.w);
	jw_array(&s.w);
	jw_array_close(&s.w);
	jw_null(&s.w);
	jw_array_close(&s.w);
	jw_kint(&s.w, "n", -5);
	jw_kbool(&s.w, "yes", true);
	jw_kstr(&s.w, "none", NULL);
	jw_object_close(&s.w);
	sink_expect(&s,
		"{\n"
		"  \"schema\": \"plumb-findings/1\",\n"
		"  \"list\": [\n"
		"    1,\n"
		"    {},\n"
		"    [],\n"
		"    null\n"
		"  ],\n"
		"  \"n\": -5,\n"
		"  \"yes\": true,\n"
		"  \"none\": null\n"
		"}\n");
}

TEST(compact_layout)
{
	struct sink s;

	sink_init(&s, true);
	jw_array(&s.w);
	jw_bool(&s.w, false);
	jw_object(&s.w);
	jw_kint(&s.w, "a", 1);
	jw_key(&s.w, "b");
	jw_array(&s.w);
	jw_array_close(&s.w);
	jw_object_close(&s.w);
	jw_str(&s.w, "x");
	jw_array_close(&s.w);
	sink_expect(&s, "[false,{\"a\":1,\"b\":[]},\"x\"]\n");
}

static void expect_string(const char *s, size_t n, const char *want)
{
	struct sink k;

	sink_init(&k, true);
	jw_strn(&k.w, s, n);
	sink_expect(&k, want);
}

#define STRING(s, want) expect_string((s), sizeof(s) - 1, "\"" want "\"\n")
#define BAD "\xef\xbf\xbd"

TEST(escapes)
{
	STRING("", "");
	STRING("plain", "plain");
	STRING("a\"b\\c/", "a\\\"b\\\\c/");
	STRING("\b\f\n\r\t", "\\b\\f\\n\\r\\t");
	STRING("\0\x01\x1f\x7f", "\\u0000\\u0001\\u001f\x7f");
	STRING("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	expect_string(NULL, 0, "\"\"\n");
}

TEST(bad_utf8)
{
	STRING("\x80", BAD);
	STRING("a\xff" "b", "a" BAD "b");
	STRING("\xc3", BAD);				/* cut short */
	STRING("\xe2\x82", BAD BAD);
	STRING("\xe2\x82x", BAD BAD "x");
	STRING("\xc0\xaf", BAD BAD);			/* overlong */
	STRING("\xc1\xbf", BAD BAD);
	STRING("\xe0\x9f\xbf", BAD BAD BAD);
	STRING("\xe0\xa0\x80", "\xe0\xa0\x80");
	STRING("\xed\xa0\x80", BAD BAD BAD);		/* surrogate */
	STRING("\xed\x9f\xbf", "\xed\x9f\xbf");
	STRING("\xf0\x8f\xbf\xbf", BAD BAD BAD BAD);
	STRING("\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf");
	STRING("\xf4\x90\x80\x80", BAD BAD BAD BAD);	/* above U+10FFFF */
	STRING("\xf5\x80\x80\x80", BAD BAD BAD BAD);
}

/* Whatever bytes a name has, the result is JSON. */
TEST(any_bytes_give_json)
{
	struct unit_rng rng = { 71 };

	for (int round = 0; round < 3000; round++) {
		struct sink s;
		char bytes[40];
		uint32_t n = unit_below(&rng, sizeof(bytes));
		json_t *j;

		for (uint32_t i = 0; i < n; i++)
			/* rather much of what starts and continues sequences; no NUL */
			bytes[i] = (char)(unit_below(&rng, 3) ? 0x80 + unit_below(&rng, 0x80) :
					  1 + unit_below(&rng, 0xff));
		sink_init(&s, true);
		jw_array(&s.w);
		jw_strn(&s.w, bytes, n);
		jw_array_close(&s.w);
		jw_end(&s.w);
		fclose(s.f);
		CHECK_EQ_INT(jr_parse(&j, s.text, s.n, "x"), 0);
		json_decref(j);
		free(s.text);
	}
}

static void expect_number(double x, const char *want)
{
	struct sink s;

	sink_init(&s, true);
	jw_num(&s.w, x);
	jw_end(&s.w);
	fclose(s.f);
	CHECK_EQ_STR(s.text, want);
	free(s.text);
}

TEST(numbers)
{
	struct sink s;

	expect_number(0.5, "0.5\n");
	expect_number(0.1, "0.1\n");
	expect_number(5e9, "5000000000\n");
	expect_number(1e300, "1e+300\n");
	expect_number(1.0 / 3, "0.3333333333333333\n");
	expect_number(0.1 + 0.2, "0.30000000000000004\n");
	expect_number(-0.0, "-0\n");
	expect_number(NAN, "null\n");
	expect_number(INFINITY, "null\n");
	expect_number(-INFINITY, "null\n");
	sink_init(&s, true);
	jw_array(&s.w);
	jw_int(&s.w, INT64_MIN);
	jw_int(&s.w, INT64_MAX);
	jw_array_close(&s.w);
	sink_expect(&s, "[-9223372036854775808,9223372036854775807]\n");
}

/* A locale with a decimal comma, where one is installed. */
TEST(numbers_do_not_follow_the_locale)
{
	if (setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
		expect_number(0.5, "0.5\n");
	setlocale(LC_NUMERIC, "C");
}

TEST(deep_nesting)
{
	struct sink s;

	sink_init(&s, true);
	for (int i = 0; i < 200; i++) {
		jw_array(&s.w);
		jw_object(&s.w);
		jw_key(&s.w, "k");
	}
	jw_int(&s.w, 1);
	for (int i = 0; i < 200; i++) {
		jw_object_close(&s.w);
		jw_array_close(&s.w);
	}
	jw_end(&s.w);
	fclose(s.f);
	CHECK_EQ_INT(s.n, 200 * strlen("[{\"k\":}]") + 2);
	free(s.text);
}

/* A random document, written by jw_* and built in jansson at the same time. */
static json_t *random_value(struct json_writer *w, struct unit_rng *rng, int depth)
{
	uint32_t n = unit_below(rng, 5);
	json_t *j, *x;
	char key[20];

	switch (unit_below(rng, depth > 0 ? 7 : 5)) {
	case 0:
		jw_null(w);
		return json_null();
	case 1:
		jw_bool(w, n & 1);
		return json_boolean(n & 1);
	case 2: {
		int64_t i = (int64_t)unit_rand(rng) >> unit_below(rng, 64);

		jw_int(w, i);
		return json_integer(i);
	}
	case 3: {
		double d = (double)(int64_t)unit_rand(rng) / (double)(1 + unit_rand(rng)) + 0.1;

		jw_num(w, d);
		return json_real(d);
	}
	case 4:
		snprintf(key, sizeof(key), "s\t\"%u\xc3\xa9\n", n);
		jw_str(w, key);
		return json_string(key);
	case 5:
		jw_array(w);
		j = json_array();
		for (uint32_t i = 0; i < n; i++)
			json_array_append_new(j, random_value(w, rng, depth - 1));
		jw_array_close(w);
		return j;
	default:
		jw_object(w);
		j = json_object();
		for (uint32_t i = 0; i < n; i++) {
			snprintf(key, sizeof(key), "k\\%u", i);
			jw_key(w, key);
			x = random_value(w, rng, depth - 1);
			json_object_set_new(j, key, x);
		}
		jw_object_close(w);
		return j;
	}
}

TEST(random_documents_read_back)
{
	struct unit_rng rng = { 72 };

	for (int round = 0; round < 1000; round++) {
		struct sink s;
		json_t *want, *got;

		sink_init(&s, round & 1);
		jw_array(&s.w);
		want = json_array();
		json_array_append_new(want, random_value(&s.w, &rng, 5));
		jw_array_close(&s.w);
		jw_end(&s.w);
		fclose(s.f);
		if (jr_parse(&got, s.text, s.n, "x") < 0)
			FAIL("%s in %s", error_last(), s.text);
		if (!json_equal(got, want))
			FAIL("reads back otherwise: %s", s.text);
		json_decref(want);
		json_decref(got);
		free(s.text);
	}
}

static void expect_error(const char *text, const char *want)
{
	json_t *j = NULL;

	CHECK(jr_parse(&j, text, strlen(text), "f.json") < 0);
	CHECK(!j);
	if (!strstr(error_last(), want))
		FAIL("message for %s is \"%s\", expected \"%s\" in it", text, error_last(), want);
	CHECK(str_starts(error_last(), "f.json:"));
}

TEST(reader_errors)
{
	char *deep = xmalloc(100001);

	expect_error("", "f.json:1:0: ");
	expect_error("{\"a\": 1,\n  x}", "f.json:2:3: ");
	expect_error("{\"a\":1,\"a\":2}", "duplicate");
	expect_error("[1] x", "f.json:1:5: end of file expected");
	expect_error("[\"\xff\"]", "unable to decode byte 0xff");
	expect_error("[", "f.json:1:1: ");
	expect_error("7", "f.json:1:1: ");
	expect_error("[1e999]", "real number overflow");
	expect_error("[99999999999999999999]", "too big integer");
	expect_error("[\"\\u0000\"]", "\\u0000");
	memset(deep, '[', 100000);
	deep[100000] = '\0';
	expect_error(deep, "maximum parsing depth");
	free(deep);
}

TEST(reader_needs_no_nul)
{
	char *exact = memcpy(xmalloc(2), "[]", 2);
	json_t *j;

	CHECK_EQ_INT(jr_parse(&j, exact, 2, "x"), 0);
	CHECK(json_is_array(j));
	json_decref(j);
	free(exact);
	CHECK_EQ_INT(jr_parse(&j, "\xef\xbb\xbf{}", 5, "x"), 0);
	json_decref(j);
}

TEST(reader_members)
{
	static const char text[] = "{\"s\": \"text\", \"i\": -7, \"r\": 1.5, \"n\": null}";
	int64_t i = 0;
	json_t *j;

	CHECK_EQ_INT(jr_parse(&j, text, strlen(text), "x"), 0);
	CHECK_EQ_STR(jr_get_str(j, "s"), "text");
	CHECK(!jr_get_str(j, "i"));
	CHECK(!jr_get_str(j, "n"));
	CHECK(!jr_get_str(j, "absent"));
	CHECK(!jr_get_str(NULL, "s"));
	CHECK(jr_get_int(j, "i", &i));
	CHECK_EQ_INT(i, -7);
	CHECK(!jr_get_int(j, "r", &i));
	CHECK(!jr_get_int(j, "s", &i));
	CHECK(!jr_get_int(j, "absent", &i));
	CHECK(!jr_get_int(json_object_get(j, "s"), "i", &i));
	CHECK_EQ_INT(i, -7);
	json_decref(j);
}

TEST(reader_of_files)
{
	const char *tmp = getenv("TMPDIR");
	char *path = xasprintf("%s/u_json.%ld", tmp ? tmp : "/tmp", (long)getpid());
	char *want = xasprintf("%s:1:2: ", path);
	json_t *j;

	CHECK_EQ_INT(file_write(path, "[1, 2]", 6), 0);
	CHECK_EQ_INT(jr_parse_file(&j, path), 0);
	CHECK_EQ_INT(json_array_size(j), 2);
	json_decref(j);
	CHECK_EQ_INT(file_write(path, "[?]", 3), 0);
	CHECK(jr_parse_file(&j, path) < 0);
	CHECK(str_starts(error_last(), want));
	unlink(path);
	CHECK(jr_parse_file(&j, path) < 0);
	CHECK(str_ends(error_last(), ": No such file or directory"));
	free(path);
	free(want);
}
