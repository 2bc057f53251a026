/*
 * oblivious.h - programs that continue after bad accesses and endless loops: `plumb cc --oblivious`.
 *
 *	oblivious_cc.c		the command
 *	oblivious.c		modules: accesses, library functions
 *	oblivious_loop.c	loops
 *
 * The calls that are inserted are those of runtime/guard.h.
 */
#ifndef FRONT_OBLIVIOUS_H
#define FRONT_OBLIVIOUS_H

#include <stddef.h>

/* Rewrites bitcode; name is for messages.  0: *text is the new module as text of LLVM,
 * the caller's, for free().  Negative: one line. */
int oblivious_rewrite(char **text, const void *bitcode, size_t n, const char *name);

/* plumb cc --oblivious: argv[0] is "cc", the rest the compiler's; the exit status. */
int oblivious_cc(int argc, char **argv);

#endif
