/*
 * prim_memfd.c - pages.
 */
#include "prim.h"

#include <errno.h>
#include <sys/mman.h>

enum span_mem prim_birth(void)
{
	return MEM_PRIVATE;
}

void *prim_map(size_t npages, enum span_mem *mem)
{
	*mem = MEM_PRIVATE;
	return os_map(npages * PAGE);
}

void prim_discard(uintptr_t base, size_t npages, enum span_mem mem)
{
	int saved = errno;

	(void)mem;
	madvise((void *)base, npages * PAGE, MADV_DONTNEED);
	errno = saved;
}

void prim_convert(struct span *run)
{
	(void)run;
}

void prim_unfreeze_free(struct span *run)
{
	(void)run;
}
