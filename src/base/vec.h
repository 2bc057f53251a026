/*
 * vec.h - typed growing arrays.
 *
 *	VEC(int) v = {0};
 *	vec_push(&v, 3);
 *	for (uint32_t i = 0; i < v.n; i++) use(v.v[i]);
 *	vec_release(&v);
 *
 * A zeroed VEC is empty and valid.  Elements move when it grows (mem.h: in a
 * debug build nearly always).  The macros evaluate their first argument several
 * times.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

#define VEC(T) struct { T *v; uint32_t n, cap; }

/* Names a vector type that several functions pass around. */
#define VEC_TYPE(name, T) struct name { T *v; uint32_t n, cap; }

/* v with room for `need` elements of `size` bytes; *cap is the new capacity. */
void *vec__grow(void *v, uint32_t *cap, size_t need, size_t size);

/* The index of the last of n elements. */
static inline uint32_t vec__top(uint32_t n)
{
	assert(n > 0);
	return n - 1;
}

#define vec_reserve(a, need) \
	((size_t)(need) > (a)->cap ? \
	 (void)((a)->v = vec__grow((a)->v, &(a)->cap, (need), sizeof(*(a)->v))) : (void)0)
/* x is computed before the vector moves, and may itself push to it. */
#define vec_push(a, x) __extension__ ({ \
	__typeof__(*(a)->v) vec__x = (x); \
	vec_reserve((a), (size_t)(a)->n + 1); \
	(a)->v[(a)->n++] = vec__x; \
	(void)0; })
/* Appends k zeroed elements and gives a pointer to the first of them.  Not NULL
 * even if k is 0. */
#define vec_add(a, k) __extension__ ({ \
	size_t vec__k = (k); \
	vec_reserve((a), (size_t)(a)->n + (vec__k ? vec__k : 1)); \
	memset((a)->v + (a)->n, 0, vec__k * sizeof(*(a)->v)); \
	(a)->n += (uint32_t)vec__k; \
	(a)->v + (a)->n - vec__k; })
#define vec_pop(a) ((a)->v[(a)->n = vec__top((a)->n)])
#define vec_last(a) ((a)->v[vec__top((a)->n)])
#define vec_clear(a) ((a)->n = 0, MEM_MOVES ? vec_release(a) : (void)0)
#define vec_release(a) (free((a)->v), (a)->v = NULL, (void)((a)->n = (a)->cap = 0))

#endif
