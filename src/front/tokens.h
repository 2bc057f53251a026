/*
 * tokens.h - the tokens of a C text, for those who need no more than that.
 *
 * Comments are left out.  Lines of the preprocessor are left out too, or read as text.
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
	bool at_line_start;	/* set it at first */
	/* Is told of each line that is left out, from its # on; or NULL. */
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

/* The lexer stands behind an opening token: goes behind the one that closes it. */
void token_skip_group(struct lexer *x);

/* Of the tokens of a declaration, as far as it was read: what closes the one that opens at `open`, or n; */
uint32_t tokens_match(const struct token *v, uint32_t n, uint32_t open);
/* the last token of the attribute group that starts at i, or i if none does; */
uint32_t tokens_attribute_end(const struct token *v, uint32_t n, uint32_t i);
/* does a "{" behind them open a struct, union or enum? */
bool tokens_open_aggregate(const struct token *v, uint32_t n);

/* A line marker, # 12 "/usr/include/stdio.h" 1 3 4: from its number on, else NULL. */
const char *token_marker(const char *s, const char *end);
bool marker_has(const char *marker, const char *end, char flag);	/* 1: begins, 2: returned to, 3: system header */

#endif
