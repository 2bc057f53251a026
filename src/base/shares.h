/*
 * shares.h - one copy of all sets that are equal.
 *
 * Most points-to sets of a program, and most sets of locations that its functions see, are equal to one of
 * a few: the objects that any text may be, or any callback's data, or any list.  Of the half a million
 * points-to sets of git one in fifteen is different from all others, and together these have a thirtieth of
 * the words.  So a set that is complete, or complete for now, is looked up among the shares, and borrows the
 * words of its share (bits.h).
 *
 * A share lives until all its users have dropped it, or until shares_release().
 */
#ifndef BASE_SHARES_H
#define BASE_SHARES_H

#include "base/bits.h"

struct share {
	struct sbits set;
	uint32_t users;
	uint32_t number;	/* see shares_number() */
};

struct shares {
	struct sharemap *map;
};

/* b borrows from the share that is returned, which has one more user. */
struct share *shares_put(struct shares *s, struct sbits *b);
/* One user less: the set that it stood for must not borrow from it any more. */
void shares_drop(struct shares *s, struct share *x);
/* Numbers all shares, from 0; gives how many there are. */
uint32_t shares_number(struct shares *s);
/* Sets that borrow from shares may be released before or after. */
void shares_release(struct shares *s);
void shares_check(const struct shares *s);	/* asserts all invariants */

#endif
