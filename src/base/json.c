/*
 * json.c - JSON out, streaming; JSON in, through jansson.
 *
 * The writer's state is whether the next item is the first of its container, and
 * whether a key was just written; the right order of calls is asserted for the outer
 * 64 levels.  Errors of the FILE are reported by the function that closes it.
 *
 * Numbers must not follow the locale's decimal comma: a "," of printf is replaced
 * by ".".
 */
#include "base/json.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- writer ---- */

/* For asserts: is the next item directly in an object?  `deep` is the answer beyond 64 levels, where that is
 * not known. */
static __attribute__((unused)) bool in_object(const struct json_writer *w, bool deep)
{
	if (w->depth == 0)
		return false;
	return w->depth > 64 ? deep : w->objects >> (w->depth - 1) & 1;
}

static void line_break(struct json_writer *w)
{
	if (w->compact)
		return;
	fputc('\n', w->f);
	for (unsigned i = 0; i < w->depth; i++)
		fputs("  ", w->f);
}

/* Writes the comma and the line break before the next value or key. */
static void separate(struct json_writer *w)
{
	if (w->after_key) {
		w->after_key = false;
		return;
	}
	assert(w->depth > 0 || w->first);	/* one value at the top */
	if (!w->first)
		fputc(',', w->f);
	if (w->depth > 0)
		line_break(w);
	w->first = false;
}

static void before_value(struct json_writer *w)
{
	assert(w->after_key || !in_object(w, false));
	separate(w);
}

void jw_begin(struct json_writer *w, FILE *f)
{
	memset(w, 0, sizeof(*w));
	w->f = f;
	w->first = true;
}

void jw_end(struct json_writer *w)
{
	assert(w->depth == 0 && !w->first && !w->after_key);
	fputc('\n', w->f);
}

static void container_open(struct json_writer *w, char c)
{
	before_value(w);
	fputc(c, w->f);
	if (w->depth < 64) {
		uint64_t bit = 1ull << w->depth;

		w->objects = c == '{' ? w->objects | bit : w->objects & ~bit;
	}
	w->depth++;
	w->first = true;
}

static void container_close(struct json_writer *w, char c)
{
	bool empty = w->first;

	assert(w->depth > 0 && !w->after_key);
	assert(in_object(w, c == '}') == (c == '}'));
	w->depth--;
	if (!empty)
		line_break(w);
	fputc(c, w->f);
	w->first = false;
}

void jw_object(struct json_writer *w)
{
	container_open(w, '{');
}

void jw_object_close(struct json_writer *w)
{
	container_close(w, '}');
}

void jw_array(struct json_writer *w)
{
	container_open(w, '[');
}

void jw_array_close(struct json_writer *w)
{
	container_close(w, ']');
}

/* The length of the valid UTF-8 sequence at s, or 0.  No overlong forms, no
 * surrogates, nothing above U+10FFFF. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
	unsigned char lo = 0x80, hi = 0xbf;
	size_t k;

	assert(n > 0);
	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		k = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		k = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		k = 4;
	else
		return 0;
	if (k > n)
		return 0;
	switch (s[0]) {
	case 0xe0: lo = 0xa0; break;
	case 0xed: hi = 0x9f; break;
	case 0xf0: lo = 0x90; break;
	case 0xf4: hi = 0x8f; break;
	}
	if (s[1] < lo || s[1] > hi)
		return 0;
	for (size_t i = 2; i < k; i++)
		if (s[i] < 0x80 || s[i] > 0xbf)
			return 0;
	return k;
}

static void put_control(FILE *f, unsigned char c)
{
	switch (c) {
	case '\b': fputs("\\b", f); break;
	case '\f': fputs("\\f", f); break;
	case '\n': fputs("\\n", f); break;
	case '\r': fputs("\\r", f); break;
	case '\t': fputs("\\t", f); break;
	default: fprintf(f, "\\u%04x", c); break;
	}
}

/* Bytes that need no escape are written in runs. */
static void put_string(FILE *f, const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t start = 0, i = 0;

	fputc('"', f);
	while (i < n) {
		size_t k = utf8_length(s + i, n - i);

		if (k > 0 && s[i] >= 0x20 && s[i] != '"' && s[i] != '\\') {
			i += k;
			continue;
		}
		fwrite(s + start, 1, i - start, f);
		if (k == 0)
			fputs("\xef\xbf\xbd", f);	/* U+FFFD */
		else if (s[i] < 0x20)
			put_control(f, s[i]);
		else
			fprintf(f, "\\%c", s[i]);
		start = ++i;
	}
	if (n)
		fwrite(s + start, 1, n - start, f);
	fputc('"', f);
}

void jw_key(struct json_writer *w, const char *key)
{
	assert(in_object(w, true) && !w->after_key);
	separate(w);
	put_string(w->f, key, strlen(key));
	fputs(w->compact ? ":" : ": ", w->f);
	w->after_key = true;
}

void jw_strn(struct json_writer *w, const char *s, size_t n)
{
	before_value(w);
	put_string(w->f, s, n);
}

void jw_str(struct json_writer *w, const char *s)
{
	if (s)
		jw_strn(w, s, strlen(s));
	else
		jw_null(w);
}

void jw_int(struct json_writer *w, int64_t x)
{
	before_value(w);
	fprintf(w->f, "%" PRId64, x);
}

/* The shortest of 15, 16 and 17 digits that reads back as x. */
void jw_num(struct json_writer *w, double x)
{
	char text[40], *comma;

	if (!isfinite(x)) {
		jw_null(w);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			break;
	}
	comma = strchr(text, ',');
	if (comma)
		*comma = '.';
	before_value(w);
	fputs(text, w->f);
}

void jw_bool(struct json_writer *w, bool x)
{
	before_value(w);
	fputs(x ? "true" : "false", w->f);
}

void jw_null(struct json_writer *w)
{
	before_value(w);
	fputs("null", w->f);
}

void jw_kstr(struct json_writer *w, const char *key, const char *s)
{
	jw_key(w, key);
	jw_str(w, s);
}

void jw_kint(struct json_writer *w, const char *key, int64_t x)
{
	jw_key(w, key);
	jw_int(w, x);
}

void jw_kbool(struct json_writer *w, const char *key, bool x)
{
	jw_key(w, key);
	jw_bool(w, x);
}

/* ---- reader ---- */

int jr_parse(json_t **out, const char *text, size_t n, const char *name)
{
	json_error_t err = {0};
	json_t *j;

	/* Some editors write a byte order mark: it is skipped. */
	if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		n -= 3;
	}
	j = json_loadb(text, n, JSON_REJECT_DUPLICATES, &err);
	if (!j)
		return error_set("%s:%d:%d: %s", name, MAX(err.line, 1), MAX(err.column, 0), err.text);
	*out = j;
	return 0;
}

int jr_parse_file(json_t **out, const char *path)
{
	char *text;
	size_t n;
	int ret;

	if ((ret = file_read_named(&text, &n, path)) < 0)
		return ret;
	ret = jr_parse(out, text, n, path);
	free(text);
	return ret;
}

const char *jr_get_str(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

bool jr_get_int(const json_t *o, const char *key, int64_t *out)
{
	const json_t *x = json_object_get(o, key);

	if (!json_is_integer(x))
		return false;
	*out = json_integer_value(x);
	return true;
}
