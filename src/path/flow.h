/*
 * flow.h - what the path engine knows of a function before it walks it.
 *
 * A path remembers a great deal that no longer matters.  Two paths that meet in
 * a block and agree in all that can still be asked go on as one; to tell what
 * can still be asked, memory is divided into classes, and each block knows
 * which of them a load behind it may look at.
 */
#ifndef PATH_FLOW_H
#define PATH_FLOW_H

#include "base/bits.h"
#include "ir/ir.h"

enum widen {
	WIDEN_NOT,
	WIDEN_UP,		/* only ever grows */
	WIDEN_ANY,
	WIDEN_POINTER,		/* moves within what it points to */
};

struct flow_widen {
	uint32_t cls;
	uint32_t block;		/* of the store */
	uint8_t how;
	uint16_t bits;
};

struct flow_loop {
	uint32_t header;
	struct bits body;
	VEC(struct flow_widen) widen;	/* classes whose value depends on the round before */
};

struct flow {
	const struct ir_func *f;
	uint32_t nclasses;		/* slots first, then what loads and stores go through */
	uint32_t *cls;			/* by instruction: of a LOAD or STORE */
	struct bits plain;		/* slots that are only loaded and stored as a whole */
	struct bits far;		/* vregs used in another block than their own, or behind a call */
	struct bits *live;		/* by block: classes, then vregs; NULL: too many, all are live */
	VEC(struct flow_loop) loops;
	uint32_t *loop_of;		/* by block: the loop that it is the header of, or IR_NONE */
	uint32_t *inner;		/* by block: header of the innermost loop around it, or IR_NONE */
	struct bits moving;		/* LOADs and STOREs through a pointer that moves in a loop around */
	uint32_t nrets;			/* blocks that return */
};

void flow_init(struct flow *fl, const struct ir_module *m, const struct ir_func *f);
void flow_release(struct flow *fl);

static inline bool flow_is_live(const struct flow *fl, uint32_t block, uint32_t cls)
{
	if (cls == IR_NONE || !fl->live || (cls < fl->f->nslots && !bits_test(&fl->plain, cls)))
		return true;
	return bits_test(&fl->live[block], cls);
}

static inline bool flow_is_live_vreg(const struct flow *fl, uint32_t block, uint32_t vreg)
{
	return !fl->live || bits_test(&fl->live[block], fl->nclasses + vreg);
}

#endif
