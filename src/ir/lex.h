/*
 * lex.h - words of the text form, for parse.c.
 *
 * After the first error there are only ends of file, so that every loop over
 * words ends; the message is that of the first.
 */
#ifndef IR_LEX_H
#define IR_LEX_H

#include "base/sbuf.h"

#include <stdbool.h>
#include <stdint.h>

enum ltoken {
	L_END, L_NAME, L_STRING, L_NUMBER, L_PUNCT,
};

struct lexer {
	const char *p, *end;		/* behind the present token */
	const char *start;		/* of the present token */
	const char *name;		/* of the input, for messages */
	unsigned line, last;		/* of the present token, of the one before */
	bool failed;
	bool spaced;			/* blanks before the present token */
	enum ltoken kind;
	uint64_t number;
	char punct;
	struct sbuf text;		/* L_NAME, L_STRING: without quotes and escapes */
};

void irlex_init(struct lexer *l, const char *text, size_t n, const char *name);	/* reads the first token */
void irlex_release(struct lexer *l);
void irlex_next(struct lexer *l);

/* Set "name:line: message" and stop.  The first blames the present token, the
 * second what was read before it. */
void irlex_fail(struct lexer *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void irlex_fail_last(struct lexer *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

bool irlex_is(const struct lexer *l, char punct);
bool irlex_is_word(const struct lexer *l, const char *word);

/* Steps over the token if it is the one asked for. */
bool irlex_accept(struct lexer *l, char punct);
bool irlex_accept_word(struct lexer *l, const char *word);
void irlex_expect(struct lexer *l, char punct);
void irlex_expect_word(struct lexer *l, const char *word);

uint64_t irlex_number(struct lexer *l, uint64_t max);
int64_t irlex_signed(struct lexer *l);		/* with an optional sign */

/* A name like "t12" or "b3": letter, then a number up to UINT32_MAX - 1. */
bool irlex_is_numbered(const struct lexer *l, char letter);
uint32_t irlex_numbered(struct lexer *l, char letter);

#endif
