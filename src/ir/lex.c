/*
 * lex.c - words of the text form.
 */
#include "ir/lex.h"

#include "ir/text.h"

#include "base/error.h"

#include <ctype.h>

void irlex_init(struct lexer *l, const char *text, size_t n, const char *name)
{
	memset(l, 0, sizeof(*l));
	l->p = l->start = text;
	l->end = text + n;
	l->name = name;
	l->line = l->last = 1;
	irlex_next(l);
}

void irlex_release(struct lexer *l)
{
	sbuf_release(&l->text);
}

static void fail(struct lexer *l, unsigned line, const char *fmt, va_list ap)
{
	struct sbuf b = {0};

	if (!l->failed) {
		sbuf_vprintf(&b, fmt, ap);
		error_set("%s:%u: %s", l->name, line, sbuf_str(&b));
		sbuf_release(&b);
	}
	l->failed = true;
	l->kind = L_END;
	l->p = l->start = l->end;
}

void irlex_fail(struct lexer *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail(l, l->line, fmt, ap);
	va_end(ap);
}

void irlex_fail_last(struct lexer *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail(l, l->last, fmt, ap);
	va_end(ap);
}

static void skip_blanks(struct lexer *l)
{
	for (; l->p < l->end; l->p++) {
		if (*l->p == ';') {
			while (l->p < l->end && *l->p != '\n')
				l->p++;
			if (l->p == l->end)
				return;
		}
		if (*l->p == '\n')
			l->line++;
		else if (*l->p != ' ' && *l->p != '\t' && *l->p != '\r')
			return;
	}
}

static void irlex_digits(struct lexer *l)
{
	l->kind = L_NUMBER;
	l->number = 0;
	while (l->p < l->end && isdigit((unsigned char)*l->p)) {
		unsigned d = (unsigned)(*l->p++ - '0');

		if (__builtin_mul_overflow(l->number, 10, &l->number) ||
		    __builtin_add_overflow(l->number, d, &l->number)) {
			irlex_fail(l, "number too large");
			return;
		}
	}
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character behind a backslash; -1 if it is none of ours. */
static int escaped(struct lexer *l)
{
	int hi, lo;

	if (l->p == l->end)
		return -1;
	switch (*l->p++) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case '"':
		return '"';
	case '\\':
		return '\\';
	case 'x':
		if (l->end - l->p < 2)
			return -1;
		hi = hex_digit(l->p[0]);
		lo = hex_digit(l->p[1]);
		l->p += 2;
		return hi < 0 || lo < 0 || hi + lo == 0 ? -1 : hi * 16 + lo;
	default:
		return -1;
	}
}

static void irlex_quoted(struct lexer *l)
{
	l->kind = L_STRING;
	l->p++;
	for (;;) {
		int c;

		if (l->p == l->end || *l->p == '\n' || *l->p == '\0') {
			irlex_fail(l, "string without end");
			return;
		}
		c = (unsigned char)*l->p++;
		if (c == '"')
			return;
		if (c == '\\' && (c = escaped(l)) < 0) {
			irlex_fail(l, "unknown escape in string");
			return;
		}
		sbuf_addc(&l->text, (char)c);
	}
}

void irlex_next(struct lexer *l)
{
	if (l->failed)
		return;
	sbuf_clear(&l->text);
	l->start = l->p;
	l->last = l->line;
	skip_blanks(l);
	l->spaced = l->p != l->start;
	l->start = l->p;
	if (l->p == l->end) {
		l->kind = L_END;
	} else if (isdigit((unsigned char)*l->p)) {
		irlex_digits(l);
	} else if (*l->p == '"') {
		irlex_quoted(l);
	} else if (text_is_name_start(*l->p)) {
		l->kind = L_NAME;
		while (l->p < l->end && text_is_name_char(*l->p))
			sbuf_addc(&l->text, *l->p++);
	} else {
		l->kind = L_PUNCT;
		l->punct = *l->p++;
	}
}

bool irlex_is(const struct lexer *l, char punct)
{
	return l->kind == L_PUNCT && l->punct == punct;
}

bool irlex_is_word(const struct lexer *l, const char *word)
{
	return l->kind == L_NAME && str_eq(sbuf_str(&l->text), word);
}

bool irlex_accept(struct lexer *l, char punct)
{
	bool is = irlex_is(l, punct);

	if (is)
		irlex_next(l);
	return is;
}

bool irlex_accept_word(struct lexer *l, const char *word)
{
	bool is = irlex_is_word(l, word);

	if (is)
		irlex_next(l);
	return is;
}

void irlex_expect(struct lexer *l, char punct)
{
	if (!irlex_accept(l, punct))
		irlex_fail(l, "expected \"%c\"", punct);
}

void irlex_expect_word(struct lexer *l, const char *word)
{
	if (!irlex_accept_word(l, word))
		irlex_fail(l, "expected \"%s\"", word);
}

uint64_t irlex_number(struct lexer *l, uint64_t max)
{
	uint64_t x = l->number;

	if (l->kind != L_NUMBER) {
		irlex_fail(l, "expected a number");
		return 0;
	}
	if (x > max) {
		irlex_fail(l, "number too large");
		return 0;
	}
	irlex_next(l);
	return x;
}

int64_t irlex_signed(struct lexer *l)
{
	bool minus = irlex_accept(l, '-');
	uint64_t x;

	if (!minus)
		irlex_accept(l, '+');
	x = irlex_number(l, minus ? (uint64_t)INT64_MAX + 1 : INT64_MAX);
	return (int64_t)(minus ? -x : x);
}

bool irlex_is_numbered(const struct lexer *l, char letter)
{
	const char *s = sbuf_str(&l->text);

	if (l->kind != L_NAME || s[0] != letter || !isdigit((unsigned char)s[1]) || strlen(s) > 11)
		return false;
	return s[1 + strspn(s + 1, "0123456789")] == '\0';
}

uint32_t irlex_numbered(struct lexer *l, char letter)
{
	uint64_t x;

	if (!irlex_is_numbered(l, letter)) {
		irlex_fail(l, "expected \"%c\" and a number", letter);
		return 0;
	}
	x = strtoull(sbuf_str(&l->text) + 1, NULL, 10);
	if (x >= UINT32_MAX) {
		irlex_fail(l, "number too large");
		return 0;
	}
	irlex_next(l);
	return (uint32_t)x;
}
