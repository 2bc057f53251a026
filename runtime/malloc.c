/*
 * malloc.c - malloc and its family, as programs call them.
 *
 * Preloaded, these stand in front of libc's.  All memory comes from our own heap
 * (heap.c), from the very first request on: nothing is handed on, so there is no
 * time at which the next allocator is not known yet, and no block whose origin must
 * be guessed.  What the dynamic linker got from its own minimal malloc before us is
 * told by its address and left alone.  strdup, getline, C++'s new and the like come
 * here through malloc.
 *
 * glibc's own names for them (__libc_malloc) lead here, too: a program that has a malloc of
 * its own in front of those may still leave free to libc.
 *
 * Errors are those of glibc: ENOMEM in errno, EINVAL for a bad alignment; realloc
 * to zero frees.  A free of what is no live block is counted and ignored.
 *
 * Each function hands its own frame down, from which the callers are found.
 */
#include "heap.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

EXPORT const char *plumb_runtime_version(void);

EXPORT const char *plumb_runtime_version(void)
{
	return PLUMB_VERSION;
}

#define FRAME ((const uintptr_t *)__builtin_frame_address(0))

/* What an exported function returns: its frame must be there until the end, so that the
 * call that was given FRAME must not become a jump. */
static inline __attribute__((always_inline)) void *kept(void *p)
{
	__asm__ volatile("" : "+r"(p));
	return p;
}

/* malloc and free themselves are in heap.c. */

EXPORT void *calloc(size_t count, size_t size)
{
	size_t n;

	if (__builtin_mul_overflow(count, size, &n))
		n = SIZE_MAX;	/* fails below, and is counted */
	return kept(heap_alloc_zero(n, FRAME));
}

EXPORT void *realloc(void *p, size_t n)
{
	if (p == NULL)
		return kept(heap_alloc(n, FRAME));
	if (n == 0) {
		heap_free(p);
		return NULL;
	}
	return kept(heap_realloc(p, n, FRAME));
}

EXPORT void *reallocarray(void *p, size_t count, size_t size)
{
	size_t n;

	if (__builtin_mul_overflow(count, size, &n))
		return errno = ENOMEM, NULL;
	if (p == NULL)
		return kept(heap_alloc(n, FRAME));
	if (n == 0) {
		heap_free(p);
		return NULL;
	}
	return kept(heap_realloc(p, n, FRAME));
}

/* The next power of two, as glibc takes an alignment that is none; 0: too large. */
static size_t power_of_two(size_t n)
{
	size_t p = 16;

	while (p < n && p != 0)
		p <<= 1;
	return p;
}

static void *aligned(size_t align, size_t n, const uintptr_t *frame)
{
	align = power_of_two(align);
	if (align == 0 || align > SIZE_MAX / 2)
		return errno = EINVAL, NULL;
	return heap_alloc_aligned(align, n, frame);
}

EXPORT void *memalign(size_t align, size_t n)
{
	return kept(aligned(align, n, FRAME));
}

EXPORT void *aligned_alloc(size_t align, size_t n)
{
	return kept(aligned(align, n, FRAME));
}

EXPORT int posix_memalign(void **out, size_t align, size_t n)
{
	int saved = errno;
	void *p;

	if (align % sizeof(void *) != 0 || align == 0 || (align & (align - 1)) != 0) {
		atomic_fetch_add_explicit(&run->failures, 1, memory_order_relaxed);
		return EINVAL;
	}
	p = heap_alloc_aligned(align, n, FRAME);
	errno = saved;
	if (p == NULL)
		return ENOMEM;
	*out = p;
	return 0;
}

EXPORT void *valloc(size_t n)
{
	return kept(heap_alloc_aligned(PAGE, n, FRAME));
}

EXPORT void *pvalloc(size_t n)
{
	if (n > SIZE_MAX - PAGE)
		return errno = ENOMEM, NULL;
	return kept(heap_alloc_aligned(PAGE, n ? (n + PAGE - 1) & ~(PAGE - 1) : PAGE, FRAME));
}

#define LIBC_NAME(name) \
	EXPORT __typeof__(name) __libc_##name __attribute__((alias(#name), copy(name)))

LIBC_NAME(calloc);
LIBC_NAME(realloc);
LIBC_NAME(memalign);
LIBC_NAME(valloc);
LIBC_NAME(pvalloc);

EXPORT size_t malloc_usable_size(void *p)
{
	return p ? heap_usable(p) : 0;
}
