/*
 * tokens.c - the tokens of a C text.
 */
#include "front/tokens.h"

#include <assert.h>

enum { BLANK = 1, LETTER = 2, DIGIT = 4 };

/* A table, since headers of a megabyte are read: no call of a function for each character. */
static const uint8_t kind_of[256] = {
	[' '] = BLANK, ['\t' ... '\r'] = BLANK,
	['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, ['_'] = LETTER, ['$'] = LETTER,
	[0x80 ... 0xff] = LETTER,
	['0' ... '9'] = DIGIT,
};

static bool is_kind(char c, unsigned kinds)
{
	return kind_of[(unsigned char)c] & kinds;
}

const char *token_marker(const char *s, const char *end)
{
	assert(s < end && *s == '#');
	for (s++; s < end && *s == ' '; s++)
		;
	return s < end && is_kind(*s, DIGIT) ? s : NULL;
}

bool marker_has(const char *marker, const char *end, char flag)
{
	const char *q = memrchr(marker, '"', (size_t)(end - marker));

	for (q = q ? q + 1 : end; q < end; q++)
		if (*q == flag && q[-1] == ' ')
			return true;
	return false;
}

/* The lexer is at the # of a directive: moves it to the end of the line, and of the lines joined to it. */
static void skip_directive(struct lexer *x)
{
	const char *start = x->p;

	assert(x->p < x->end && *x->p == '#');
	do {
		x->p = memchr(x->p + 1, '\n', (size_t)(x->end - x->p - 1));
		x->p = x->p ? x->p : x->end;
	} while (x->p < x->end && x->p[-1] == '\\');
	if (x->directive)
		x->directive(x->ctx, start, x->p);
}

static void skip_comment(struct lexer *x)
{
	const char *q;

	if (x->p[1] == '/')
		q = memchr(x->p, '\n', (size_t)(x->end - x->p));
	else if ((q = memmem(x->p + 2, (size_t)(x->end - x->p - 2), "*/", 2)))
		q += 2;
	x->p = q ? q : x->end;
}

static void skip_blank(struct lexer *x)
{
	while (x->p < x->end) {
		char c = *x->p;

		if (c == '\n') {
			x->at_line_start = true;
			x->p++;
		} else if (is_kind(c, BLANK)) {
			x->p++;
		} else if (c == '\\' && x->p + 1 < x->end && x->p[1] == '\n') {
			x->p += 2;
		} else if (c == '/' && x->p + 1 < x->end && (x->p[1] == '/' || x->p[1] == '*')) {
			skip_comment(x);
		} else if (c == '#' && x->at_line_start && !x->directives) {
			skip_directive(x);
		} else {
			break;
		}
	}
}

/* A string or character constant; one that is not closed ends with its line. */
static void skip_literal(struct lexer *x)
{
	char quote = *x->p++;

	while (x->p < x->end && *x->p != quote && *x->p != '\n') {
		if (*x->p == '\\' && x->p + 1 < x->end)
			x->p++;
		x->p++;
	}
	if (x->p < x->end && *x->p == quote)
		x->p++;
}

struct token token_next(struct lexer *x)
{
	struct token t = { TOKEN_END, x->end, 0 };

	assert(x->p <= x->end);
	skip_blank(x);
	if (x->p >= x->end)
		return t;
	x->at_line_start = false;
	t.kind = TOKEN_OTHER;
	t.s = x->p;
	if (is_kind(*x->p, LETTER)) {
		t.kind = TOKEN_IDENT;
		while (x->p < x->end && is_kind(*x->p, LETTER | DIGIT))
			x->p++;
	} else if (is_kind(*x->p, DIGIT)) {
		while (x->p < x->end && (is_kind(*x->p, LETTER | DIGIT) || *x->p == '.'))
			x->p++;
	} else if (*x->p == '"' || *x->p == '\'') {
		skip_literal(x);
	} else {
		x->p++;
	}
	assert(x->p > t.s && x->p <= x->end);	/* else the reader would never end */
	t.n = (size_t)(x->p - t.s);
	return t;
}

bool token_is(const struct token *t, const char *s)
{
	return t->n == strlen(s) && memcmp(t->s, s, t->n) == 0;
}

bool token_is_attribute(const struct token *t)
{
	return t->kind == TOKEN_IDENT && (token_is(t, "__attribute__") || token_is(t, "__attribute"));
}

bool token_is_any(const struct token *t, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (t->n && t->s[0] == words[i][0] && token_is(t, words[i]))
			return true;
	return false;
}

void token_skip_group(struct lexer *x)
{
	struct token t;

	for (unsigned depth = 1; depth && (t = token_next(x)).kind != TOKEN_END;) {
		depth += token_opens(&t);
		depth -= token_closes(&t);
	}
}

/* ---- of a declaration ---- */

uint32_t tokens_match(const struct token *v, uint32_t n, uint32_t open)
{
	unsigned depth = 0;
	uint32_t i;

	assert(open < n && token_opens(&v[open]));
	for (i = open; i < n; i++) {
		if (token_opens(&v[i]))
			depth++;
		else if (token_closes(&v[i]) && --depth == 0)
			break;
	}
	return i;
}

uint32_t tokens_attribute_end(const struct token *v, uint32_t n, uint32_t i)
{
	if (i + 1 >= n)
		return i;
	if (token_is_attribute(&v[i]) && token_is_char(&v[i + 1], '('))
		return MIN(tokens_match(v, n, i + 1), n - 1);
	if (token_is_char(&v[i], '[') && token_is_char(&v[i + 1], '['))
		return MIN(tokens_match(v, n, i), n - 1);
	return i;
}

bool tokens_open_aggregate(const struct token *v, uint32_t n)
{
	bool found = false, colon = false;
	unsigned idents = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t end = tokens_attribute_end(v, n, i);

		if (end > i) {
			i = end;
		} else if (token_is(&v[i], "struct") || token_is(&v[i], "union") || token_is(&v[i], "enum")) {
			found = true;
			idents = 0;
		} else if (v[i].kind == TOKEN_IDENT) {
			idents++;
		} else if (token_is_char(&v[i], ':')) {
			colon = true;		/* enum tag : unsigned int */
		} else {
			found = false;
		}
	}
	return found && (idents <= 1 || colon);
}
