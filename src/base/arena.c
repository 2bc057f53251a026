/*
 * arena.c - memory of one analysis, given back in one call.
 *
 * Chunks come zeroed from calloc and are handed out from the front; the first ones
 * are small, since some arenas serve one function, and sizes double up to a megabyte.
 * A piece of more than a quarter of the next chunk gets a chunk of its own, so that
 * the rest of the present one is not lost.
 *
 * With PLUMB_ARENA_MALLOC there is one malloc for each piece, on the same list.
 *
 * Under AddressSanitizer a chunk is poisoned except for its pieces, each to the byte, with a red
 * zone behind it: an overrun inside of a chunk is found like one behind malloc's memory.
 */
#include "base/arena.h"

#include "base/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define ALIGNMENT _Alignof(max_align_t)

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISONS
#elif defined(__has_feature)		/* clang */
#if __has_feature(address_sanitizer)
#define ARENA_POISONS
#endif
#endif

#ifdef ARENA_POISONS
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 16 };
#else
enum { RED_ZONE = 0 };
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

struct arena_chunk {
	_Alignas(max_align_t) struct arena_chunk *next;
};

enum {
	CHUNK_MIN = 512,
	CHUNK_MAX = 1 << 20,
};

void arena_init(struct arena *a)
{
	memset(a, 0, sizeof(*a));
}

void arena_release(struct arena *a)
{
	struct arena_chunk *c, *next;

	assert(a->pos <= a->end && (a->head || !a->end));
	for (c = a->head; c; c = next) {
		next = c->next;
		free(c);
	}
	arena_init(a);
}

static struct arena_chunk *chunk_new(size_t n)
{
	struct arena_chunk *c;

	assert(n <= SIZE_MAX - sizeof(struct arena_chunk));
	c = xcalloc(1, sizeof(struct arena_chunk) + n);
	ASAN_POISON_MEMORY_REGION(c + 1, n);
	return c;
}

#ifdef PLUMB_ARENA_MALLOC

static void *piece(struct arena *a, size_t n)
{
	struct arena_chunk *c = chunk_new(n);

	c->next = a->head;
	a->head = c;
	return c + 1;
}

#else

/* The size of the next ordinary chunk: as much as was handed out so far. */
static size_t chunk_size(const struct arena *a)
{
	return MIN(MAX(a->used, CHUNK_MIN), CHUNK_MAX) - sizeof(struct arena_chunk);
}

static void *piece(struct arena *a, size_t n)
{
	struct arena_chunk *c;
	size_t size;
	char *p;

	assert(a->pos <= a->end);
	n = (MAX(n, 1) + RED_ZONE + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (n <= (size_t)(a->end - a->pos)) {
		p = a->pos;
		a->pos += n;
		return p;
	}
	size = chunk_size(a);
	if (n > size / 4) {
		c = chunk_new(n);
		if (a->head) {	/* behind the head, whose rest stays in use */
			c->next = a->head->next;
			a->head->next = c;
		} else {
			a->head = c;
		}
		return c + 1;
	}
	c = chunk_new(size);
	c->next = a->head;
	a->head = c;
	p = (char *)(c + 1);
	a->pos = p + n;
	a->end = p + size;
	return p;
}

#endif

void *arena_alloc(struct arena *a, size_t n)
{
	void *p;

	if (n > PTRDIFF_MAX / 2)
		mem_exhausted(n);
	p = piece(a, n);
	ASAN_UNPOISON_MEMORY_REGION(p, n);
	a->used += n;
	assert((uintptr_t)p % ALIGNMENT == 0);
	return p;
}

void *arena_calloc(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		mem_exhausted(SIZE_MAX);
	return arena_alloc(a, bytes);
}

void *arena_copy(struct arena *a, const void *src, size_t n)
{
	void *p = arena_alloc(a, n);

	return n ? memcpy(p, src, n) : p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_copy(a, s, strlen(s) + 1);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	size_t k = strnlen(s, n);

	return memcpy(arena_alloc(a, k + 1), s, k);
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int k;

	va_start(ap, fmt);
	k = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (k < 0)
		mem_exhausted(INT32_MAX);
	s = arena_alloc(a, (size_t)k + 1);
	va_start(ap, fmt);
	vsnprintf(s, (size_t)k + 1, fmt, ap);
	va_end(ap);
	return s;
}
