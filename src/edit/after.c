/*
 * after.c - is a released variable certainly used again?
 *
 * The plan answers for this, and the engines look for use after free in the patched program;
 * but both know a callee by what they have found out about it.  This looks at nothing but the
 * function itself: if every way on from the inserted `free(p);` reads p again before it is set
 * or the function ends, the statement stands in the wrong place, whatever the callees do.
 * Ways on which p is not read are not held against those on which it is: that would need
 * their conditions, which is what the plan is about.
 */
#include "edit/priv.h"

#include <ctype.h>

uint32_t after_released(const struct fix_insertion *in)
{
	const char *open = strchr(in->text, '('), *arg = open ? open + 1 : NULL;
	size_t n;

	if (!open || strchr(in->text, '\n'))
		return IR_NONE;
	for (const char *p = in->text; p < open; p++)
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != ' ')
			return IR_NONE;
	n = strcspn(arg, ")");
	if (!str_eq(arg + n, ");"))
		return IR_NONE;
	for (uint32_t i = 0; i < in->names.n; i++)
		if (strlen(in->names.v[i].name) == n && memcmp(in->names.v[i].name, arg, n) == 0)
			return in->names.v[i].slot;
	return IR_NONE;
}

/* What an instruction does to the slot: 1 reads it, -1 sets it or ends the function, 0 neither. */
static int effect(const struct ir_inst *in, uint32_t slot)
{
	if (in->op == IR_LOAD && in->ops[0] == IR_SLOT(slot))
		return 1;
	if (in->op == IR_RET || in->op == IR_UNREACHABLE ||
	    (in->op == IR_STORE && in->ops[0] == IR_SLOT(slot)))
		return -1;
	for (uint32_t i = 0; i < in->nops; i++)	/* its address goes somewhere: anything may happen */
		if (in->ops[i] == IR_SLOT(slot))
			return -1;
	return 0;
}

/* Of the instructions of a block from `at` on: as effect(). */
static int block_effect(const struct ir_func *f, uint32_t at, uint32_t slot)
{
	const struct ir_block *b = &f->blocks[f->insts[at].block];
	int x = 0;

	for (; !x && at < b->first + b->n; at++)
		x = effect(&f->insts[at], slot);
	return x;
}

bool after_is_used(const struct ir_func *f, const struct fix_insertion *in)
{
	uint32_t slot = after_released(in), start;
	struct bits used;		/* blocks from whose start on it is read on every way */
	bool shrank = true, result;
	int x;

	if (slot == IR_NONE || (in->where != FIX_EDGE && in->where != FIX_AFTER))
		return false;
	start = in->where == FIX_EDGE ? f->blocks[in->to].first : in->inst + 1;
	bits_init(&used, f->nblocks);
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (block_effect(f, f->blocks[b].first, slot) >= 0)
			bits_set(&used, b);
	while (shrank) {
		shrank = false;
		for (uint32_t b = 0; b < f->nblocks; b++) {
			bool all = f->blocks[b].nsucc > 0;

			if (!bits_test(&used, b) || block_effect(f, f->blocks[b].first, slot) > 0)
				continue;
			for (uint32_t i = 0; i < f->blocks[b].nsucc; i++)
				all &= bits_test(&used, f->blocks[b].succ[i]);
			if (!all) {
				bits_unset(&used, b);
				shrank = true;
			}
		}
	}
	x = block_effect(f, start, slot);
	result = x > 0;
	if (!x) {
		const struct ir_block *b = &f->blocks[f->insts[start].block];

		result = b->nsucc > 0;
		for (uint32_t i = 0; i < b->nsucc; i++)
			result &= bits_test(&used, b->succ[i]);
	}
	bits_release(&used);
	return result;
}
