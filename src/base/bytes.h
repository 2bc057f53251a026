/*
 * bytes.h - numbers and strings in files of ours: little-endian words, LEB128
 * numbers, strings with their NUL.
 *
 * Writing adds to an sbuf.  Reading goes through a cursor that never leaves its
 * bytes: after the first failure all reads give zero and `bad` stays set, so that
 * a reader looks at `bad` once, at the end.  Loops over a number that was read
 * must look at `bad` in each round.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include "base/sbuf.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const char *p, *end;
	bool bad;
};

void put_u64(struct sbuf *b, uint64_t x);
void put_num(struct sbuf *b, uint64_t x);	/* LEB128: small ones take a byte */
void put_int(struct sbuf *b, int64_t x);	/* the same for what may be negative */
void put_str(struct sbuf *b, const char *s);

uint64_t get_u64(struct bytes *r);
uint64_t get_num(struct bytes *r);
int64_t get_int(struct bytes *r);
const char *get_str(struct bytes *r);		/* in the bytes; "" if bad */
const void *get_bytes(struct bytes *r, size_t n);	/* the same; NULL if bad */

/* A number that must be below `limit`; else bad, and 0. */
static inline uint64_t get_below(struct bytes *r, uint64_t limit)
{
	uint64_t x = get_num(r);

	if (x >= limit) {
		r->bad = true;
		return 0;
	}
	return x;
}

/* The number of things that follow, each of which takes a byte at least. */
static inline uint32_t get_count(struct bytes *r)
{
	uint64_t x = get_num(r);

	assert(r->p <= r->end);
	if (x > (uint64_t)(r->end - r->p) || x > UINT32_MAX) {
		r->bad = true;
		return 0;
	}
	return (uint32_t)x;
}

#endif
