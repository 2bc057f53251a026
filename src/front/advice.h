/*
 * advice.h - what to name instead of an input that cannot be analysed.
 */
#ifndef FRONT_ADVICE_H
#define FRONT_ADVICE_H

#include <stddef.h>

/* What the file at this path is, by its text, and what to name instead; the caller's.  NULL: its kind is
 * not known. */
char *advice_for(const char *path, const char *text, size_t n);

#endif
