/*
 * vec.c - the one function behind the vector macros.
 *
 * Capacity at least doubles, so that pushes are O(1) on average.  It stays
 * below UINT32_MAX, so that the macros see n + 1 > cap in a vector of the greatest
 * size, too, and the next push ends here and not beyond the array.
 */
#include "base/vec.h"

void *vec__grow(void *v, uint32_t *cap, size_t need, size_t size)
{
	uint64_t want = *cap ? (uint64_t)*cap * 2 : 8;

	assert(need > *cap && size > 0);
	if (need >= UINT32_MAX)
		mem_exhausted(SIZE_MAX);
	want = MIN(mem_room(need, MAX(want, need)), UINT32_MAX - 1);
	v = xreallocarray(v, want, size);
	*cap = (uint32_t)want;
	return v;
}
