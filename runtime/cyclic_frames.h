/*
 * cyclic_frames.h - one step up the call stack, in a few nanoseconds.
 *
 * How a frame is left depends only on the return address that leads into it: the
 * call frame information (.eh_frame) has a rule for each.  A rule is worked out
 * once and kept by the caller, so that unwinding is a lookup and two loads.
 */
#ifndef RUNTIME_CYCLIC_FRAMES_H
#define RUNTIME_CYCLIC_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/* The registers that matter, as they are after a return to pc. */
struct frame {
	uintptr_t pc, sp, bp;
};

/* How to get from the frame at some pc to its caller: sp' = reg + cfa, the return
 * address is below that, rbp is where it was or at sp' + bp. */
struct frame_rule {
	int32_t cfa;
	int16_t bp;		/* 0: rbp is unchanged */
	bool from_bp;		/* cfa counts from rbp, not rsp */
	bool known;		/* false: the walk ends here */
};

/* The rule for a return address.  Reads mapped files only; async-signal-safe. */
struct frame_rule frame_rule_find(uintptr_t pc);

/* The farthest that a caller's frame can be: more is a broken stack. */
#define FRAME_MAX (16u << 20)

/* Steps from f to its caller.  False: that cannot be told, f is as it was. */
static inline bool frame_step(struct frame *f, struct frame_rule r)
{
	uintptr_t sp = (r.from_bp ? f->bp : f->sp) + (uintptr_t)(intptr_t)r.cfa;

	if (!r.known || sp - f->sp - 8 >= FRAME_MAX || sp % 8 != 0)
		return false;
	f->pc = *(uintptr_t *)(sp - 8);
	if (r.bp != 0)
		f->bp = *(uintptr_t *)(sp + (uintptr_t)(intptr_t)r.bp);
	f->sp = sp;
	return f->pc != 0;
}

#endif
