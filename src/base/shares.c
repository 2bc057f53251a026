/*
 * shares.c - see shares.h.  The key of the map is the set itself: sets are compared by their words.
 *
 * Invariants (shares_check): a share has a user, its set has words of its own, and no two are equal.
 */
#include "base/shares.h"

#include "base/mem.h"

#include <stdlib.h>

#define MAP_NAME sharemap
#define MAP_KEY const struct sbits *
#define MAP_VAL struct share *
#define MAP_HASH(k) sbits_hash(k)
#define MAP_EQ(a, b) sbits_equal(a, b)
#include "base/map.h"

void shares_check(const struct shares *s)
{
	const struct sbits *k;
	struct share **x;
	uint32_t it = 0;

	while (s->map && sharemap_next(s->map, &it, &k, &x)) {
		assert(k == &(*x)->set && (*x)->users > 0);
		assert(sbits__check(k) && (!k->v || k->cap));
		assert(sharemap_get(s->map, k) == x);
	}
}

struct share *shares_put(struct shares *s, struct sbits *b)
{
	struct share **at, *x;

	if (!s->map)
		s->map = xcalloc(1, sizeof(*s->map));
	at = sharemap_get(s->map, b);
	if (at) {
		x = *at;
	} else {
		x = xcalloc(1, sizeof(*x));
		sbits_copy(&x->set, b);		/* without room to grow */
		sharemap_set(s->map, &x->set, x);
	}
	assert(&x->set != b && x->users < UINT32_MAX);
	x->users++;
	sbits_borrow(b, &x->set);
	return x;
}

void shares_drop(struct shares *s, struct share *x)
{
	assert(x->users > 0 && s->map);
	if (--x->users)
		return;
	sharemap_del(s->map, &x->set);
	sbits_release(&x->set);
	free(x);
}

uint32_t shares_number(struct shares *s)
{
	const struct sbits *k;
	struct share **x;
	uint32_t it = 0, n = 0;

#ifdef PLUMB_DEBUG
	shares_check(s);
#endif
	while (s->map && sharemap_next(s->map, &it, &k, &x))
		(*x)->number = n++;
	return n;
}

void shares_release(struct shares *s)
{
	const struct sbits *k;
	struct share **x;
	uint32_t it = 0;

	while (s->map && sharemap_next(s->map, &it, &k, &x)) {
		sbits_release(&(*x)->set);
		free(*x);
	}
	if (s->map)
		sharemap_release(s->map);
	free(s->map);
	s->map = NULL;
}
