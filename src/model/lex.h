/*
 * lex.h - the words of the model language.
 */
#ifndef MODEL_LEX_H
#define MODEL_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lex_kind {
	LEX_END, LEX_NAME, LEX_STRING, LEX_INT,
	/* punctuation */
	LEX_LBRACE, LEX_RBRACE, LEX_LPAREN, LEX_RPAREN, LEX_LBRACKET, LEX_RBRACKET,
	LEX_SEMI, LEX_COMMA, LEX_STAR, LEX_DOT, LEX_DOTS, LEX_ARROW, LEX_ASSIGN,
	LEX_EQ, LEX_NE, LEX_LT, LEX_LE, LEX_GT, LEX_GE,
	/* no word at all; model_token.error says why */
	LEX_BAD,
};

struct model_token {
	enum lex_kind kind;
	const char *p;		/* its text, quotes included; not NUL-terminated */
	size_t n;
	int64_t value;		/* LEX_INT */
	unsigned line, col;	/* from 1; columns are bytes */
	const char *error;	/* LEX_BAD */
};

struct model_lexer {
	const char *p, *end;
	const char *line_start;
	unsigned line;
};

void model__lex_init(struct model_lexer *l, const char *text, size_t n);
/* The next token; LEX_END again and again at the end. */
void model__lex_next(struct model_lexer *l, struct model_token *t);

/* The text that a LEX_STRING stands for, shorter than t->n + 1 bytes with its NUL. */
void model__lex_unquote(char *out, const struct model_token *t);

bool model__lex_is(const struct model_token *t, const char *word);	/* the name `word` */
bool model__is_name(const char *s);	/* would s be read as one LEX_NAME? */

#endif
