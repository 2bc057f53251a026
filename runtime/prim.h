/*
 * prim.h - how touches of pages are seen, and what memory that takes.
 *
 * The one place that knows how the kernel is asked.  Memory of a span is of one kind:
 *	MEM_PRIVATE	ordinary memory.  Its touches cannot be seen.
 *	MEM_SHARED	pages of a file of memory, mapped shared.  Watched by dropping
 *			their page-table entries: a touch, by the program or by the kernel
 *			on its behalf, maps them again, without a fault that anybody
 *			notices.
 *	MEM_FROZEN	was MEM_SHARED when the process forked: now a private view of a
 *			memfd that nobody writes to any more (or a copy).  A first touch
 *			can still be seen; the page cannot be watched again.
 */
#ifndef RUNTIME_PRIM_H
#define RUNTIME_PRIM_H

#include "pages.h"
#include "runfile.h"

/* Finds out what the kernel offers; before that nothing can be watched. */
enum run_primitive prim_start(void);

/* The kind that new memory should have now: shared if the process has threads, as it
 * could not become shared later on. */
enum span_mem prim_birth(void);

/* Is this the only thread of the process?  The kernel is asked: dear (some us). */
bool prim_alone(void);

/* New zeroed pages of kind *mem, or of the kind that it could be; NULL without. */
void *prim_map(size_t npages, enum span_mem *mem);

/* Gives the contents of free pages back; they read as zeros after that.  Not for
 * frozen pages. */
void prim_discard(uintptr_t base, size_t npages, enum span_mem mem);

/* Puts new zeroed pages of a kind (not MEM_FROZEN) in the place of others. */
bool prim_replace(uintptr_t base, size_t npages, enum span_mem mem);

/* Makes pages of a kind (private or frozen) shared, with their contents.  Only if
 * prim_alone(). */
bool prim_share(uintptr_t base, size_t npages, enum span_mem mem);

/* Between these two, what prim_touched() needs stays open. */
void prim_look_begin(void);
void prim_look_end(void);
/* It stays open for good: the process is about to lose the right to open it again. */
void prim_keep(void);

/* Makes shared pages private, with their contents.  Only if prim_alone(). */
bool prim_unshare(uintptr_t base, size_t npages);

/* From now on prim_touched() tells of these shared pages whether they were touched. */
bool prim_watch(uintptr_t base, size_t npages);

/* Which of up to 512 pages are mapped, as bits; false: cannot be told now.  A page
 * that was watched and is not mapped was not touched since. */
#define PRIM_PAGES 512
bool prim_touched(uintptr_t base, size_t npages, uint64_t bits[PRIM_PAGES / 64]);

/* Can prim_merge() hold other threads back? */
bool prim_can_hold(void);
/* Maps a watched page from another offset of the memfd, beyond all addresses, after the
 * slots that are in use have been copied there; what it had is given back.  False: nothing
 * has changed, the page was touched, say.  alone: prim_alone() says so; otherwise only if
 * prim_can_hold(). */
bool prim_merge(uintptr_t page, uint64_t offset, size_t slot, unsigned nslots,
		const uint64_t *used, bool alone);
/* Puts a fresh page of a kind in its place; last: nobody else is at that offset.  False: it
 * is as it was. */
bool prim_unmerge(uintptr_t page, uint64_t offset, bool last, enum span_mem mem);

/* Shared pages, at an offset of the memfd, become frozen; right before fork. */
bool prim_freeze(uintptr_t base, size_t npages, uint64_t offset);
/* All have been frozen: what becomes shared after this is another memfd's. */
void prim_frozen(void);
/* In a forked child. */
void prim_fork_child(void);
/* After that: must prim_refreeze() be called for each stretch of frozen pages, so that a
 * touch of one of them does not count as one of its neighbours? */
bool prim_must_refreeze(void);
void prim_refreeze(uintptr_t base, size_t npages);

/* The process is about to get its second thread.  False: nothing can be watched after
 * that, and all that is shared must be frozen now. */
bool prim_before_threads(void);

/* ns of CPU time that a touch of a watched page costs, as measured. */
uint64_t prim_touch_cost(void);

#endif
