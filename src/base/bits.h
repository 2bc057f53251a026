/*
 * bits.h - dense bit sets of a fixed universe, and sparse ones of any size.
 *
 * bits: an array of words, for small universes (blocks of a function).
 * sbits: a sorted array of (index, word) pairs, for points-to sets and the
 * like: a union is one merge pass.  Both zeroed are empty.  UINT32_MAX stands
 * for "no more" and is never a member.
 *
 * Two dense sets that meet in one call have universes of the same size.
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bits {
	uint64_t *w;
	uint32_t n;		/* size of the universe in bits */
};

void bits_init(struct bits *b, uint32_t n);
void bits_release(struct bits *b);
void bits_zero(struct bits *b);
bool bits_or(struct bits *dst, const struct bits *src);		/* true if dst grew */
bool bits_and(struct bits *dst, const struct bits *src);	/* true if dst shrank */
void bits_copy(struct bits *dst, const struct bits *src);
bool bits_equal(const struct bits *a, const struct bits *b);
uint32_t bits_count(const struct bits *b);
/* The first member >= from, or UINT32_MAX. */
uint32_t bits_next(const struct bits *b, uint32_t from);

/* Is exactly one bit of the word set? */
static inline bool bits_is_one(uint64_t w)
{
	return w && !(w & (w - 1));
}

static inline bool bits_test(const struct bits *b, uint32_t i)
{
	assert(i < b->n);
	return b->w[i >> 6] >> (i & 63) & 1;
}

static inline bool bits_set(struct bits *b, uint32_t i)	/* true if it was new */
{
	uint64_t m = 1ull << (i & 63), old;

	assert(i < b->n);
	old = b->w[i >> 6];
	b->w[i >> 6] = old | m;
	return !(old & m);
}

static inline void bits_unset(struct bits *b, uint32_t i)
{
	assert(i < b->n);
	b->w[i >> 6] &= ~(1ull << (i & 63));
}

struct sbits_word {
	uint32_t at;		/* covers members at*64 .. at*64+63 */
	uint64_t w;		/* never 0 */
};

struct sbits {
	struct sbits_word *v;	/* sorted by at */
	uint32_t n, cap;
};

/* b becomes equal to `from`, without a copy: until b is changed or released its words are those of
 * `from`, which must neither change nor be released before. */
void sbits_borrow(struct sbits *b, const struct sbits *from);

void sbits_release(struct sbits *b);
void sbits_clear(struct sbits *b);
bool sbits_test(const struct sbits *b, uint32_t i);
bool sbits_set(struct sbits *b, uint32_t i);			/* true if it was new */
bool sbits_unset(struct sbits *b, uint32_t i);			/* true if it was there */
bool sbits_or(struct sbits *dst, const struct sbits *src);	/* true if dst grew */
/* dst |= src; what was new is also added to diff. */
bool sbits_or_diff(struct sbits *dst, const struct sbits *src, struct sbits *diff);
bool sbits_and(struct sbits *dst, const struct sbits *src);	/* true if dst shrank */
void sbits_minus(struct sbits *dst, const struct sbits *src);	/* dst without src */
bool sbits_intersects(const struct sbits *a, const struct sbits *b);
bool sbits_subset(const struct sbits *a, const struct sbits *b);	/* a within b */
bool sbits_equal(const struct sbits *a, const struct sbits *b);
void sbits_copy(struct sbits *dst, const struct sbits *src);
uint32_t sbits_count(const struct sbits *b);
uint64_t sbits_hash(const struct sbits *b);
uint32_t sbits_next(const struct sbits *b, uint32_t from);	/* or UINT32_MAX */
bool sbits__check(const struct sbits *b);	/* are its invariants true? for tests and asserts */

/* The position of a walk.  The set may be changed on the way: the walk continues
 * with the next greater member that the set has then. */
struct sbits_walk {
	const struct sbits *b;
	uint32_t pos;		/* a guess: the word of from */
	uint64_t from;		/* members below are done */
};

bool sbits__walk_slow(struct sbits_walk *k, uint32_t *i);

static inline bool sbits_walk_next(struct sbits_walk *k, uint32_t *i)
{
	if (k->pos < k->b->n && k->b->v[k->pos].at == k->from >> 6) {
		uint64_t rest = k->b->v[k->pos].w >> (k->from & 63);

		if (rest) {
			k->from += (uint64_t)__builtin_ctzll(rest);
			*i = (uint32_t)k->from++;
			return true;
		}
	}
	return sbits__walk_slow(k, i);
}

/* Members in rising order.  The outer loop runs once and holds the walk, so
 * that break and continue mean what they say. */
#define SBITS_FOREACH(i, set) \
	for (struct sbits_walk i##__walk = { (set), 0, 0 }, *i##__once = &i##__walk; \
	     i##__once; i##__once = NULL) \
		for (uint32_t i; sbits_walk_next(&i##__walk, &i);)

#endif
