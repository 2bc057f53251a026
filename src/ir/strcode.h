/*
 * strcode.h - strings in a record.
 */
#ifndef IR_STRCODE_H
#define IR_STRCODE_H

#include <stddef.h>

struct sbuf;

/* Appends the coded strings, each with a NUL behind it. */
void strcode_put(struct sbuf *out, const char *const *v, size_t n);
/* Appends what n coded bytes, none of them NUL, stand for. */
void strcode_get(struct sbuf *out, const unsigned char *p, size_t n);

#endif
