/*
 * merge.h - virtual compaction: sparse pages that share one physical page.
 */
#ifndef RUNTIME_MERGE_H
#define RUNTIME_MERGE_H

#include "pages.h"

/* Merges what can be merged of this thread's drained, stale spans.  Only if
 * prim_alone(); the caller has age_lock. */
void merge_some(void);

/* A merged span is empty: its page is its own again, private and with any contents. */
void merge_leave(struct span *s);

/* Where in the memfd a merged span's page lies. */
uint64_t merge_offset(const struct span *s);

/* All shared memory has been frozen: there are no merged pages any more. */
void merge_forget(void);

#endif
