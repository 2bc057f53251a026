/*
 * merge.h - virtual compaction: sparse pages that share one physical page.
 */
#ifndef RUNTIME_MERGE_H
#define RUNTIME_MERGE_H

#include "pages.h"

/* Merges what can be merged of this thread's drained, stale spans.  alone: prim_alone()
 * says so; otherwise only if prim_can_hold().  The caller has age_lock. */
void merge_some(bool alone);

/* A merged span is empty: its page is its own again, of a kind, with any contents.  False:
 * it could not be had.  The caller has age_lock. */
bool merge_leave(struct span *s, enum span_mem mem);

/* Where in the memfd a merged span's page lies. */
uint64_t merge_offset(const struct span *s);

/* All shared memory has been frozen: there are no merged pages any more. */
void merge_forget(void);

#endif
