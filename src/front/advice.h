/*
 * advice.h - files that are named as inputs and are none, but lead to one.
 */
#ifndef FRONT_ADVICE_H
#define FRONT_ADVICE_H

#include <stddef.h>

/* What the file is, and what to name instead; the caller's.  NULL: nothing is known of it. */
char *advice_for(const char *path, const char *text, size_t n);

#endif
