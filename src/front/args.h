/*
 * args.h - lists of words: command lines and what they are made from.
 */
#ifndef FRONT_ARGS_H
#define FRONT_ARGS_H

#include "base/vec.h"

/* Words, each owned by the list.  A zeroed struct is the empty list.  A NULL
 * always follows the words, so that v is an argv once n > 0. */
VEC_TYPE(args, char *);

void args_push(struct args *a, const char *s);			/* copies s */
void args_push_n(struct args *a, const char *s, size_t n);
void args_push_own(struct args *a, char *s);			/* s is the list's from now on */
void args_add(struct args *a, const struct args *more);
void args_remove(struct args *a, uint32_t i);
void args_clear(struct args *a);
void args_release(struct args *a);
bool args_has(const struct args *a, const char *s);
bool args_equal(const struct args *a, const struct args *b);

/* Splits a command as a POSIX shell would: blanks, '...', "...", backslash.
 * Nothing is expanded; an open quote ends with the text. */
void args_split_shell(struct args *out, const char *text);

/* Appends in[0..n-1] to out, each @FILE replaced by the words in FILE (relative
 * to dir; the quoting is that of gcc), which may name files in turn.  As in
 * gcc, a FILE that cannot be read leaves @FILE as it is. */
void args_expand(struct args *out, char *const *in, uint32_t n, const char *dir);

#endif
