/*
 * near.h - what somebody may have meant by a word that is not in a list: "did you mean 'check'?"
 *
 *	struct near n = near_to(word);
 *
 *	for (...)
 *		near_try(&n, names[i]);
 *	error_set("unknown command '%s'%s", word, near_hint(&n));
 */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

struct near {
	const char *word, *best;	/* best: NULL as long as nothing is near */
	unsigned distance;
	char hint[64];
};

struct near near_to(const char *word);
void near_try(struct near *n, const char *name);
/* ": did you mean 'check'?", or "" if no name was near.  It lives in n. */
const char *near_hint(struct near *n);

/* How many insertions, removals, changes and swaps of neighbours make b of a, in either case of letters; at most `limit`, which
 * also stands for more. */
unsigned near_distance(const char *a, const char *b, unsigned limit);

/* Which name of a list is the word?  name(i) is the one with number i, NULL behind the last.  Negative: none, and
 * error_last() is "unknown WHAT 'word' (known: a, b, c)", with the hint. */
int near_choice(const char *what, const char *word, const char *(*name)(unsigned i));

#endif
