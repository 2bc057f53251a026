/*
 * near.h - the name in a list that a mistyped word is most like: "did you mean 'check'?"
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

/* The number of insertions, removals, changes and swaps of neighbours that turn a into b, whatever the
 * case of letters; `limit` stands for that many and for more. */
unsigned near_distance(const char *a, const char *b, unsigned limit);

/* The number of the word in a list of names: name(i) is number i, NULL behind the last.  Negative: it is
 * not there, and error_last() is "unknown WHAT 'word' (known: a, b, c)", with the hint. */
int near_choice(const char *what, const char *word, const char *(*name)(unsigned i));

#endif
