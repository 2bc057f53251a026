/*
 * tokens.h - the tokens of a C text, for those who need no parser.
 *
 * Comments are left out.  Lines of the preprocessor are left out too, or read as text.
 * Tokens point into the text, which must outlive them.
 */
#ifndef FRONT_TOKENS_H
#define FRONT_TOKENS_H

#include "base/mem.h"

#include <stddef.h>

enum token_kind { TOKEN_END, TOKEN_IDENT, TOKEN_OTHER };

struct token {
	enum token_kind kind;
	const char *s;
	size_t n;
};

struct lexer {
	const char *p, *end;
	bool directives;	/* read lines that start with # as text, too */
	bool at_line_start;	/* to be set by whoever starts the lexer */
	/* Called for each line of the preprocessor that is left out, from its # to its end; or NULL. */
	void (*directive)(void *ctx, const char *s, const char *end);
	void *ctx;
};

struct token token_next(struct lexer *x);
bool token_is(const struct token *t, const char *s);
bool token_is_any(const struct token *t, const char *const *words, size_t n);
bool token_is_attribute(const struct token *t);

static inline bool token_is_char(const struct token *t, char c)
{
	return t->n == 1 && t->s[0] == c;
}

static inline bool token_opens(const struct token *t)
{
	return token_is_char(t, '(') || token_is_char(t, '[') || token_is_char(t, '{');
}

static inline bool token_closes(const struct token *t)
{
	return token_is_char(t, ')') || token_is_char(t, ']') || token_is_char(t, '}');
}

/* The lexer stands behind an opening token: moves it behind the token that closes the group. */
void token_skip_group(struct lexer *x);

/* For the n tokens of a declaration, as far as it was read.  The token that closes the group opened at
 * `open`, or n. */
uint32_t tokens_match(const struct token *v, uint32_t n, uint32_t open);
/* The last token of the attribute group that starts at i, or i if none does. */
uint32_t tokens_attribute_end(const struct token *v, uint32_t n, uint32_t i);
/* Does a "{" behind the tokens open a struct, union or enum? */
bool tokens_open_aggregate(const struct token *v, uint32_t n);

/* A line marker, # 12 "/usr/include/stdio.h" 1 3 4: its text from the number on.  NULL: another line. */
const char *token_marker(const char *s, const char *end);
/* Its flags.  '1': the file begins here; '2': the text returns to the file; '3': a system header. */
bool marker_has(const char *marker, const char *end, char flag);

#endif
