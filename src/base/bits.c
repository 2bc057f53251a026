/*
 * bits.c - dense and sparse bit sets.
 *
 * Sparse sets take most of the memory and the time of the points-to analysis.
 * Most unions there add nothing: they must notice that without writing.  Many add a
 * small set to a big one: the words of the big one are searched from the last place
 * on, with doubling steps, and not walked through.  And numbers are often given out
 * in rising order: setting beyond the end is a push.
 *
 * A set that borrows the words of another one (v is set, cap is 0) copies them
 * before it writes.
 *
 * Invariants of sbits (sbits__check): `at` rises strictly, no word is 0, and there is
 * room for all words unless they are borrowed.
 */
#include "base/bits.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

/* ---- dense ---- */

static size_t words(uint32_t n)
{
	return ((size_t)n + 63) / 64;
}

void bits_init(struct bits *b, uint32_t n)
{
	b->w = n ? xcalloc(words(n), sizeof(*b->w)) : NULL;
	b->n = n;
}

void bits_release(struct bits *b)
{
	free(b->w);
	memset(b, 0, sizeof(*b));
}

void bits_zero(struct bits *b)
{
	if (b->n)
		memset(b->w, 0, words(b->n) * sizeof(*b->w));
}

bool bits_or(struct bits *dst, const struct bits *src)
{
	uint64_t grown = 0;

	assert(dst->n == src->n);
	for (size_t i = 0, n = words(dst->n); i < n; i++) {
		grown |= src->w[i] & ~dst->w[i];
		dst->w[i] |= src->w[i];
	}
	return grown != 0;
}

bool bits_and(struct bits *dst, const struct bits *src)
{
	uint64_t lost = 0;

	assert(dst->n == src->n);
	for (size_t i = 0, n = words(dst->n); i < n; i++) {
		lost |= dst->w[i] & ~src->w[i];
		dst->w[i] &= src->w[i];
	}
	return lost != 0;
}

void bits_copy(struct bits *dst, const struct bits *src)
{
	assert(dst->n == src->n);
	if (src->n && dst != src)
		memcpy(dst->w, src->w, words(src->n) * sizeof(*src->w));
}

bool bits_equal(const struct bits *a, const struct bits *b)
{
	assert(a->n == b->n);
	return a->n == 0 || memcmp(a->w, b->w, words(a->n) * sizeof(*a->w)) == 0;
}

uint32_t bits_count(const struct bits *b)
{
	uint32_t count = 0;

	for (size_t i = 0, n = words(b->n); i < n; i++)
		count += (uint32_t)__builtin_popcountll(b->w[i]);
	return count;
}

uint32_t bits_next(const struct bits *b, uint32_t from)
{
	size_t i = from >> 6, n = words(b->n);
	uint64_t w;

	if (from >= b->n)
		return UINT32_MAX;
	w = b->w[i] & ~0ull << (from & 63);
	while (!w) {
		if (++i == n)
			return UINT32_MAX;
		w = b->w[i];
	}
	return (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(w);
}

/* ---- sparse ---- */

bool sbits__check(const struct sbits *b)
{
	if ((b->cap && b->n > b->cap) || (b->n && !b->v))
		return false;
	for (uint32_t i = 0; i < b->n; i++)
		if (!b->v[i].w || (i && b->v[i].at <= b->v[i - 1].at))
			return false;
	return true;
}

/* After a pass over all words, which costs as much. */
static void words_check(const struct sbits *b)
{
#ifdef PLUMB_DEBUG
	assert(sbits__check(b));
#else
	UNUSED(b);
#endif
}

static bool is_borrowed(const struct sbits *b)
{
	return b->v && !b->cap;
}

void sbits_release(struct sbits *b)
{
	if (!is_borrowed(b))
		free(b->v);
	memset(b, 0, sizeof(*b));
}

void sbits_clear(struct sbits *b)
{
	if (is_borrowed(b))
		b->v = NULL;
	b->n = 0;
}

void sbits_borrow(struct sbits *b, const struct sbits *from)
{
	assert(b != from && (from->n == 0 || from->v));
	sbits_release(b);
	b->v = from->n ? from->v : NULL;
	b->n = from->n;
}

/* An empty set gets exactly the room that is needed: most sets stay small. */
static void reserve(struct sbits *b, uint32_t need)
{
	struct sbits_word *copy;

	if (need <= b->cap)
		return;
	if (is_borrowed(b)) {
		b->cap = MAX(need, b->n);
		copy = xreallocarray(NULL, b->cap, sizeof(*copy));
		b->v = memcpy(copy, b->v, b->n * sizeof(*copy));
		return;
	}
	b->cap = (uint32_t)mem_room(need, MAX(need, b->cap + b->cap / 2));
	b->v = xreallocarray(b->v, b->cap, sizeof(*b->v));
}

/* Before a word is written: borrowed words are copied. */
static void unborrow(struct sbits *b)
{
	if (is_borrowed(b))
		reserve(b, b->n);
}

/* seek, when the place is not near: doubling steps, then halving. */
static uint32_t seek_far(const struct sbits_word *v, uint32_t lo, uint32_t n, uint32_t at)
{
	uint32_t step = 8, hi;

	assert(lo < n && v[lo].at < at);
	while (n - lo > step && v[lo + step].at < at) {
		lo += step;
		step *= 2;
	}
	hi = n - lo > step ? lo + step : n;
	lo++;		/* the place is in lo..hi */
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (v[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The first of v[lo..n) whose at is not below `at`, or n. */
static inline uint32_t seek(const struct sbits_word *v, uint32_t lo, uint32_t n, uint32_t at)
{
	for (uint32_t near = MIN(n, lo + 4); lo < near; lo++)
		if (v[lo].at >= at)
			return lo;
	return lo < n && v[lo].at < at ? seek_far(v, lo, n, at) : lo;
}

/* The word number `at` or where it belongs, anywhere in b. */
static uint32_t find(const struct sbits *b, uint32_t at)
{
	uint32_t lo = 0, hi = b->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (b->v[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool sbits_test(const struct sbits *b, uint32_t i)
{
	uint32_t k = find(b, i >> 6);

	return k < b->n && b->v[k].at == i >> 6 && (b->v[k].w >> (i & 63) & 1);
}

bool sbits_set(struct sbits *b, uint32_t i)
{
	uint32_t at = i >> 6, k;
	uint64_t m = 1ull << (i & 63), old;

	assert(i != UINT32_MAX);
	if (b->n == 0 || b->v[b->n - 1].at < at)
		k = b->n;
	else if (b->v[b->n - 1].at == at)
		k = b->n - 1;
	else
		k = find(b, at);
	if (k == b->n || b->v[k].at != at) {
		reserve(b, b->n + 1);
		memmove(b->v + k + 1, b->v + k, (b->n - k) * sizeof(*b->v));
		b->v[k] = (struct sbits_word){ at, m };
		b->n++;
		return true;
	}
	old = b->v[k].w;
	if (old & m)
		return false;
	unborrow(b);
	b->v[k].w = old | m;
	return true;
}

bool sbits_unset(struct sbits *b, uint32_t i)
{
	uint32_t at = i >> 6, k = find(b, at);
	uint64_t m = 1ull << (i & 63);

	if (k == b->n || b->v[k].at != at || !(b->v[k].w & m))
		return false;
	unborrow(b);
	b->v[k].w &= ~m;
	if (!b->v[k].w) {
		b->n--;
		memmove(b->v + k, b->v + k + 1, (b->n - k) * sizeof(*b->v));
	}
	return true;
}

/* Second half of a union: inserts the words of s that d lacks, `missing` of them,
 * from the back, so that each word moves once. */
static void merge_missing(struct sbits *d, const struct sbits *s, uint32_t missing)
{
	uint32_t i = d->n, j = s->n, k = d->n + missing;

	reserve(d, k);
	d->n = k;
	while (missing > 0) {
		assert(j > 0 && k == i + missing);
		if (i > 0 && d->v[i - 1].at >= s->v[j - 1].at) {
			j -= d->v[i - 1].at == s->v[j - 1].at;
			d->v[--k] = d->v[--i];
		} else {
			d->v[--k] = s->v[--j];
			missing--;
		}
	}
	words_check(d);
}

bool sbits_or(struct sbits *dst, const struct sbits *src)
{
	uint32_t i = 0, missing = 0;
	bool grew = false;

	if (dst == src || src->n == 0)
		return false;
	if (dst->n == 0) {
		sbits_copy(dst, src);
		return true;
	}
	for (uint32_t j = 0; j < src->n; j++) {
		const struct sbits_word *s = &src->v[j];
		struct sbits_word *d;

		i = seek(dst->v, i, dst->n, s->at);
		if (i == dst->n) {
			missing += src->n - j;
			break;
		}
		d = &dst->v[i];
		if (d->at != s->at) {
			missing++;
			continue;
		}
		if (s->w & ~d->w) {
			unborrow(dst);
			dst->v[i].w |= s->w;
			grew = true;
		}
		i++;
	}
	if (missing)
		merge_missing(dst, src, missing);
	return grew || missing;
}

static void append(struct sbits *b, uint32_t at, uint64_t w)
{
	assert(w && (b->n == 0 || b->v[b->n - 1].at < at));
	reserve(b, b->n + 1);
	b->v[b->n++] = (struct sbits_word){ at, w };
}

bool sbits_or_diff(struct sbits *dst, const struct sbits *src, struct sbits *diff)
{
	struct sbits apart = {0};
	struct sbits *new = diff->n ? &apart : diff;	/* only an empty one can be appended to */
	uint32_t i = 0, missing = 0;
	bool grew;

	assert(diff != dst && diff != src);
	if (dst == src)
		return false;
	for (uint32_t j = 0; j < src->n; j++) {
		const struct sbits_word *s = &src->v[j];

		i = seek(dst->v, i, dst->n, s->at);
		if (i == dst->n || dst->v[i].at != s->at) {
			missing++;
			append(new, s->at, s->w);
		} else if (s->w & ~dst->v[i].w) {
			append(new, s->at, s->w & ~dst->v[i].w);
			unborrow(dst);
			dst->v[i].w |= s->w;
		}
	}
	if (missing)
		merge_missing(dst, src, missing);
	grew = new->n > 0;
	if (new == &apart)
		sbits_or(diff, new);
	sbits_release(&apart);
	return grew;
}

bool sbits_and(struct sbits *dst, const struct sbits *src)
{
	uint32_t n = 0, j = 0;
	bool shrank = false;

	unborrow(dst);
	for (uint32_t i = 0; i < dst->n; i++) {
		struct sbits_word d = dst->v[i];
		uint64_t w = 0;

		j = seek(src->v, j, src->n, d.at);
		if (j < src->n && src->v[j].at == d.at)
			w = d.w & src->v[j].w;
		shrank |= w != d.w;
		if (w)
			dst->v[n++] = (struct sbits_word){ d.at, w };
	}
	dst->n = n;
	words_check(dst);
	return shrank;
}

void sbits_minus(struct sbits *dst, const struct sbits *src)
{
	uint32_t n = 0, j = 0;

	unborrow(dst);
	for (uint32_t i = 0; i < dst->n; i++) {
		struct sbits_word d = dst->v[i];

		j = seek(src->v, j, src->n, d.at);
		if (j < src->n && src->v[j].at == d.at)
			d.w &= ~src->v[j].w;
		if (d.w)
			dst->v[n++] = d;
	}
	dst->n = n;
	words_check(dst);
}

bool sbits_intersects(const struct sbits *a, const struct sbits *b)
{
	uint32_t i = 0, j = 0;

	while (i < a->n && j < b->n) {
		if (a->v[i].at < b->v[j].at) {
			i = seek(a->v, i, a->n, b->v[j].at);
		} else if (a->v[i].at > b->v[j].at) {
			j = seek(b->v, j, b->n, a->v[i].at);
		} else {
			if (a->v[i].w & b->v[j].w)
				return true;
			i++;
			j++;
		}
	}
	return false;
}

bool sbits_subset(const struct sbits *a, const struct sbits *b)
{
	uint32_t j = 0;

	if (a->n > b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		j = seek(b->v, j, b->n, a->v[i].at);
		if (j == b->n || b->v[j].at != a->v[i].at || (a->v[i].w & ~b->v[j].w))
			return false;
	}
	return true;
}

/* Not memcmp: the words have padding. */
bool sbits_equal(const struct sbits *a, const struct sbits *b)
{
	if (a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (a->v[i].at != b->v[i].at || a->v[i].w != b->v[i].w)
			return false;
	return true;
}

void sbits_copy(struct sbits *dst, const struct sbits *src)
{
	if (dst == src)
		return;
	sbits_clear(dst);
	reserve(dst, src->n);
	if (src->n)
		memcpy(dst->v, src->v, src->n * sizeof(*src->v));
	dst->n = src->n;
}

uint32_t sbits_count(const struct sbits *b)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < b->n; i++)
		count += (uint32_t)__builtin_popcountll(b->v[i].w);
	return count;
}

uint64_t sbits_hash(const struct sbits *b)
{
	uint64_t h = b->n;

	for (uint32_t i = 0; i < b->n; i++)
		h = hash_join(h ^ b->v[i].at, b->v[i].w);
	return h;
}

uint32_t sbits_next(const struct sbits *b, uint32_t from)
{
	uint32_t k = find(b, from >> 6);
	uint64_t w;

	if (k < b->n && b->v[k].at == from >> 6) {
		w = b->v[k].w & ~0ull << (from & 63);
		if (w)
			return b->v[k].at * 64 + (uint32_t)__builtin_ctzll(w);
		k++;
	}
	if (k == b->n)
		return UINT32_MAX;
	return b->v[k].at * 64 + (uint32_t)__builtin_ctzll(b->v[k].w);
}

/* The word of the walk is used up, or the set has changed under it. */
bool sbits__walk_slow(struct sbits_walk *k, uint32_t *i)
{
	const struct sbits *b = k->b;
	uint32_t at = (uint32_t)(k->from >> 6), pos = k->pos;
	uint64_t w;

	if (k->from > UINT32_MAX)
		return false;
	/* The usual case: the next word follows. */
	if (pos < b->n && b->v[pos].at < at && (pos + 1 == b->n || b->v[pos + 1].at >= at))
		pos++;
	else if (pos >= b->n || b->v[pos].at != at)
		pos = find(b, at);
	w = pos < b->n && b->v[pos].at == at ? b->v[pos].w & ~0ull << (k->from & 63) : 0;
	if (!w) {
		if (pos < b->n && b->v[pos].at == at)
			pos++;
		if (pos == b->n)
			return false;
		w = b->v[pos].w;
	}
	k->pos = pos;
	k->from = (uint64_t)b->v[pos].at * 64 + (uint64_t)__builtin_ctzll(w);
	*i = (uint32_t)k->from++;
	return true;
}
