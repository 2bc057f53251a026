/*
 * unwind.h - the return addresses of a call, in tens of nanoseconds.
 */
#ifndef RUNTIME_UNWIND_H
#define RUNTIME_UNWIND_H

#include "base.h"

/* What must still be true on the stack for a walk to give the same result: each
 * word at `at` still has `value`.  To be tested in this order: each test makes the
 * next address safe to read. */
struct unwind_check {
	const uintptr_t *at;
	uintptr_t value;
};

#define UNWIND_CHECKS 5

struct unwind {
	unsigned n;		/* return addresses found */
	unsigned nchecks;	/* more than UNWIND_CHECKS: too many to be kept */
	bool uses_bp;		/* the caller's frame pointer decided, too */
	struct unwind_check checks[UNWIND_CHECKS];
};

/* The part of a stack known to be readable.  One for each thread. */
struct unwind_stack {
	uintptr_t low, high;
};

/* Fills ra[] with up to depth return addresses, innermost first.  frame is
 * __builtin_frame_address(0) of the function whose callers are asked for, which is
 * in the caller of this function.  Never faults, whatever code is on the stack. */
void unwind_walk(struct unwind *u, uintptr_t *ra, unsigned depth, const uintptr_t *frame,
		 struct unwind_stack *stack);

/* The same for a copy of a stack's top, n bytes from sp on, as it was when pc was
 * executed.  How many; the first is pc + 1, as if a call there had returned. */
unsigned unwind_copy(uintptr_t *ra, unsigned depth, uintptr_t pc, uintptr_t sp, uintptr_t bp,
		     const void *stack, size_t n);

/* Has the function at pc, at that instruction, nothing on the stack but its return
 * address? */
bool unwind_is_bare(uintptr_t pc);

/* Where the caller's return address is, seen from a frame with return address pc: at
 * sp + *off, or at bp + *off.  False: it is not as simple as that. */
bool unwind_next(uintptr_t pc, intptr_t *off, bool *by_bp);

/* System calls are filtered from now on: what is not known of stacks stays unknown. */
extern _Atomic bool unwind_filtered;

/* Forgets rules; after code was unloaded. */
void unwind_forget(void);

#endif
