/*
 * tokens.c - the tokens of a C text.
 */
#include "front/tokens.h"

#include <ctype.h>

static bool is_ident_start(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_ident(char c)
{
	return is_ident_start(c) || isdigit((unsigned char)c);
}

const char *token_marker(const char *s, const char *end)
{
	for (s++; s < end && *s == ' '; s++)
		;
	return s < end && isdigit((unsigned char)*s) ? s : NULL;
}

bool marker_has(const char *marker, const char *end, char flag)
{
	const char *q = memrchr(marker, '"', (size_t)(end - marker));

	for (q = q ? q + 1 : end; q < end; q++)
		if (*q == flag && q[-1] == ' ')
			return true;
	return false;
}

/* p is at the # of a directive: goes to its end, over joined lines. */
static void skip_directive(struct lexer *x)
{
	const char *start = x->p;

	while (x->p < x->end && !(*x->p == '\n' && x->p[-1] != '\\'))
		x->p++;
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
		} else if (isspace((unsigned char)c)) {
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

	skip_blank(x);
	if (x->p >= x->end)
		return t;
	x->at_line_start = false;
	t.kind = TOKEN_OTHER;
	t.s = x->p;
	if (is_ident_start(*x->p)) {
		t.kind = TOKEN_IDENT;
		while (x->p < x->end && is_ident(*x->p))
			x->p++;
	} else if (isdigit((unsigned char)*x->p)) {
		while (x->p < x->end && (is_ident(*x->p) || *x->p == '.'))
			x->p++;
	} else if (*x->p == '"' || *x->p == '\'') {
		skip_literal(x);
	} else {
		x->p++;
	}
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
