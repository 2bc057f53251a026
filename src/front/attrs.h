/*
 * attrs.h - what a source says about ownership in attributes.
 */
#ifndef FRONT_ATTRS_H
#define FRONT_ATTRS_H

#include "front/args.h"

/* Reads the function declarations of a preprocessed text (clang -E, with line
 * markers) and adds a model (model/model.h) to out for each function that has
 *
 *	ownership_returns, ownership_takes, ownership_holds	of clang
 *	malloc(deallocator, argument)				of gcc
 *
 * and for each such deallocator.  Functions of system headers are left to the
 * shipped models. */
void attrs_models(struct args *out, const char *text, size_t n);

/* May there be ownership attributes in a source text? */
bool attrs_mentioned(const char *text, size_t n);

/* Overwrites the arguments of every malloc attribute in a source text with
 * blanks; lines and columns stay.  Returns the number of places. */
unsigned attrs_blank(char *text, size_t n);

#endif
