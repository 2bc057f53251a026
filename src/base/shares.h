/*
 * shares.h - sets that are equal are one.
 *
 * Most points-to sets of a program, and most sets of locations that its functions see, are the same few: what
 * can be in any text, in any callback's data, in any list.  Of the half a million points-to sets of git one in
 * fifteen is different from all others, and together these have a thirtieth of the words.  So a set that is done,
 * or done for now, is looked up among those that are there, and borrows their words (bits.h).
 *
 * A share lives until all who use it have dropped it, or until the end.
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
/* One user less: nobody may borrow on his behalf any more. */
void shares_drop(struct shares *s, struct share *x);
/* Numbers all that there are, from 0; how many? */
uint32_t shares_number(struct shares *s);
/* Those who borrow may be released before or after. */
void shares_release(struct shares *s);

#endif
