/*
 * prim.h - how touches of pages are seen, and what memory that takes.
 *
 * One small interface to two ways (prim_memfd.c, prim_mprotect.c), chosen at start by
 * what the kernel offers.  Nothing outside knows which is in use.
 *
 * Memory of a span is of one kind:
 *	MEM_PRIVATE	ordinary memory.  Its touches cannot be seen (memfd way).
 *	MEM_SHARED	pages of the memfd, mapped shared.  Watched by dropping their
 *			page-table entries: a touch maps them again, without a fault
 *			that anybody would notice.
 *	MEM_FROZEN	was MEM_SHARED when the process forked: now a private view of a
 *			memfd that nobody writes to any more.  Its touches cannot be seen.
 */
#ifndef RUNTIME_PRIM_H
#define RUNTIME_PRIM_H

#include "pages.h"

/* The kind that new memory should have now: shared if the process has threads and
 * touches can be seen, as it cannot become shared later on. */
enum span_mem prim_birth(void);

/* New zeroed pages of kind *mem, or of the kind that it could be; NULL without. */
void *prim_map(size_t npages, enum span_mem *mem);

/* Gives the contents of free pages back; they read as zeros after that. */
void prim_discard(uintptr_t base, size_t npages, enum span_mem mem);

/* Makes a free private run shared, if that is possible; contents are lost. */
void prim_convert(struct span *run);

/* Makes a free frozen run private; contents are lost. */
void prim_unfreeze_free(struct span *run);

#endif
