/*
 * before.h - what was said of the allocations of a program, for one that has a few statements more.
 */
#ifndef VFG_BEFORE_H
#define VFG_BEFORE_H

#include "vfg/keep.h"

/* Notes what was said of a source, under its key (vkeep_key()).  After the last one it is full. */
void before_put(struct vfg_before *b, uint64_t key, const struct judged *j);
void before_end(struct vfg_before *b);
bool before_is_full(const struct vfg_before *b);

/* What the statements that were added (IR_F_ADDED) can matter to. */
struct added {
	bool all;
	struct bits objs;
};
void added_init(struct added *a, const struct pta *p);
void added_release(struct added *a);

/* Was something said before that still holds?  Only what is not told as a leak. */
bool before_take(const struct vfg_before *b, const struct added *a, uint64_t key, const struct vsource *src, struct judged *j);

#endif
