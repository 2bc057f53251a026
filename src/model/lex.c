/*
 * lex.c - the words of the model language.
 *
 * The text may be anything: it need not end in NUL and may hold NUL bytes, which
 * are no words.  The locale does not matter.
 */
#include "model/lex.h"

#include "base/mem.h"

#include <assert.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The characters of names.  Each run reads all models: a table is twice as fast as comparisons. */
enum { NAME_START = 1, NAME_MORE = 2 };
static const unsigned char name_class[256] = {
	['0' ... '9'] = NAME_MORE, ['A' ... 'Z'] = NAME_START, ['a' ... 'z'] = NAME_START,
	['_'] = NAME_START, ['$'] = NAME_START, [0x80 ... 0xff] = NAME_START,
};

static bool is_name_start(char c)
{
	return name_class[(unsigned char)c] == NAME_START;
}

static bool is_name_char(char c)
{
	return name_class[(unsigned char)c];
}

/* The value of a digit in any base up to 16, or 16. */
static unsigned digit_value(char c)
{
	if (is_digit(c))
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

void model__lex_init(struct model_lexer *l, const char *text, size_t n)
{
	memset(l, 0, sizeof(*l));
	l->p = l->line_start = text;
	l->end = text + n;
	l->line = 1;
}

static void skip_space(struct model_lexer *l)
{
	for (; l->p < l->end; l->p++) {
		if (*l->p == '#') {
			const char *nl = memchr(l->p, '\n', (size_t)(l->end - l->p));

			l->p = nl ? nl : l->end;
			if (!nl)
				return;
		}
		if (*l->p == '\n') {
			l->line++;
			l->line_start = l->p + 1;
		} else if (*l->p != ' ' && *l->p != '\t' && *l->p != '\r') {
			return;
		}
	}
}

static void bad(struct model_token *t, const char *why)
{
	t->kind = LEX_BAD;
	t->error = why;
}

/* -12, 0x1f: the whole run of letters and digits belongs to the number, so that
 * 12ab is one wrong number, not two words. */
static void lex_int(struct model_lexer *l, struct model_token *t)
{
	bool minus = *l->p == '-';
	uint64_t v = 0, limit = minus ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
	unsigned base = 10;
	const char *p = l->p + minus, *first;

	assert(p < l->end && is_digit(*p));
	t->kind = LEX_INT;
	if (l->end - p > 1 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		base = 16;
		p += 2;
	}
	for (first = p; p < l->end && is_name_char(*p); p++) {
		unsigned d = digit_value(*p);

		if (d >= base)
			bad(t, "this is no number");
		else if (v > (limit - d) / base && t->kind == LEX_INT)
			bad(t, "this number is too large");
		else if (t->kind == LEX_INT)
			v = v * base + d;
	}
	if (p == first)
		bad(t, "this is no number");
	t->value = minus ? (int64_t)-v : (int64_t)v;
	l->p = p;
}

/* Steps over one escape after its backslash.  The character, or -1. */
static int unescape(const char **p, const char *end)
{
	const char *q = *p;
	unsigned hi, lo;

	if (q == end)
		return -1;
	if (*q == '"' || *q == '\\') {
		*p = q + 1;
		return (unsigned char)*q;
	}
	if (*q != 'x' || end - q < 3)
		return -1;
	hi = digit_value(q[1]);
	lo = digit_value(q[2]);
	if (hi > 15 || lo > 15 || !(hi | lo))
		return -1;
	*p = q + 3;
	return (int)(hi * 16 + lo);
}

static void lex_string(struct model_lexer *l, struct model_token *t)
{
	const char *p = l->p + 1;

	t->kind = LEX_STRING;
	while (p < l->end && *p != '"') {
		unsigned char c = (unsigned char)*p++;

		if (c == '\n') {
			p--;
			break;
		}
		if (c < ' ' || c == 127)
			bad(t, "write this character as \\xHH");
		else if (c == '\\' && unescape(&p, l->end) < 0)
			bad(t, "after \\ comes \\ or \" or xHH (not 00)");
	}
	if (p < l->end && *p == '"')
		p++;
	else
		bad(t, "this text has no closing quote");
	l->p = p;
}

void model__lex_unquote(char *out, const struct model_token *t)
{
	const char *p = t->p + 1, *end = t->p + t->n - 1;

	assert(t->kind == LEX_STRING && t->n >= 2);
	while (p < end) {
		int c = (unsigned char)*p++;

		if (c == '\\')
			c = unescape(&p, end);
		assert(c > 0);		/* lex_string() has seen to it */
		*out++ = (char)c;
	}
	*out = '\0';
}

static const struct {
	const char *text;
	enum lex_kind kind;
} puncts[] = {		/* longest first */
	{ "...", LEX_DOTS }, { "->", LEX_ARROW }, { "==", LEX_EQ }, { "!=", LEX_NE },
	{ "<=", LEX_LE }, { ">=", LEX_GE }, { "{", LEX_LBRACE }, { "}", LEX_RBRACE },
	{ "(", LEX_LPAREN }, { ")", LEX_RPAREN }, { "[", LEX_LBRACKET },
	{ "]", LEX_RBRACKET }, { ";", LEX_SEMI }, { ",", LEX_COMMA }, { "*", LEX_STAR },
	{ ".", LEX_DOT }, { "=", LEX_ASSIGN }, { "<", LEX_LT }, { ">", LEX_GT },
};

static void lex_punct(struct model_lexer *l, struct model_token *t)
{
	size_t left = (size_t)(l->end - l->p);

	assert(left > 0);
	for (size_t i = 0; i < ARRAY_LEN(puncts); i++) {
		size_t n;

		if (*l->p != *puncts[i].text)
			continue;
		n = strlen(puncts[i].text);
		if (n <= left && memcmp(l->p, puncts[i].text, n) == 0) {
			t->kind = puncts[i].kind;
			l->p += n;
			return;
		}
	}
	bad(t, "this character means nothing here");
	l->p++;
}

void model__lex_next(struct model_lexer *l, struct model_token *t)
{
	memset(t, 0, sizeof(*t));
	skip_space(l);
	assert(l->line_start <= l->p && l->p <= l->end);
	t->p = l->p;
	t->line = l->line;
	t->col = (unsigned)(l->p - l->line_start) + 1;
	if (l->p == l->end) {
		t->kind = LEX_END;
	} else if (is_name_start(*l->p)) {
		t->kind = LEX_NAME;
		while (l->p < l->end && is_name_char(*l->p))
			l->p++;
	} else if (is_digit(*l->p) ||
		   (*l->p == '-' && l->end - l->p > 1 && is_digit(l->p[1]))) {
		lex_int(l, t);
	} else if (*l->p == '"') {
		lex_string(l, t);
	} else {
		lex_punct(l, t);
	}
	t->n = (size_t)(l->p - t->p);
}

bool model__lex_is(const struct model_token *t, const char *word)
{
	return t->kind == LEX_NAME && *t->p == *word && t->n == strlen(word) && memcmp(t->p, word, t->n) == 0;
}

bool model__is_name(const char *s)
{
	if (!is_name_start(*s))
		return false;
	while (is_name_char(*s))
		s++;
	return !*s;
}
