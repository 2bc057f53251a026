/*
 * before.h - what was said of the allocations of a program, for one that has a few statements more.
 */
#ifndef VFG_BEFORE_H
#define VFG_BEFORE_H

#include "vfg/keep.h"

/* Notes what was said of a source, under its key (vkeep_key()), and how it is kept.
 * After the last one it is full. */
void before_put(struct vfg_before *b, uint64_t key, const struct judged *j, const struct vkept *kept);
void before_end(struct vfg_before *b);
bool before_is_full(const struct vfg_before *b);

/* What the statements that were added (IR_F_ADDED) to a function can matter to. */
struct added_in {
	uint32_t func;
	bool all;
	struct bits objs;
};
/* And to all of them. */
struct added {
	struct added_in whole;
	struct bits given;		/* objects that one of them has a pointer to */
	VEC(struct added_in) funcs;
};
void added_init(struct added *a, const struct pta *p);
void added_release(struct added *a);

/* Was something said before that still holds? */
bool before_take(const struct vfg_before *b, const struct added *a, struct vkeep *k,
		 const struct vsource *src, struct judged *j);

#endif
