/*
 * keep.h - what was found out about allocations in earlier runs.
 *
 * Like the path engine's (path/keep.h), but what is asked are the facts of a whole
 * program's analyses: pta/facts.h lists them.  While a source is judged each that
 * is asked is noted; the verdict is kept with the list and the answers, and holds
 * for as long as all answers are the same.
 *
 * Facts are cut so that an edit changes few of them.  That one more object may be
 * pointed to by a parameter of free()'s wrapper changes the points-to set, but
 * not whether this object is in it (FACT_HOLDS); most questions are of that kind.
 * Sets are compared by the identities of what is in them, in the order in which
 * the engine goes through them.
 */
#ifndef VFG_KEEP_H
#define VFG_KEEP_H

#include "vfg/detect.h"

/* What the engine says of a source, before sources are compared with each other. */
struct judged {
	enum verdict verdict;
	enum walk_answer answer;
	struct walk_step *steps;	/* for free() */
	uint32_t nsteps;
	bool in_memory;			/* the object was, at the end */
	uint32_t guesses;		/* WALK_GUESS_... */
	struct walk_stats stats;
	struct vfg_lost lost;		/* OVERWRITTEN: where */
	struct vend end;		/* SAFE: what it rests on */
	bool sliced;			/* TOO_BIG: the slice is */
};

struct vkeep;

/* What the store has of a verdict: what it hangs on, too.  p is NULL: it has nothing. */
struct vkept {
	const char *p;
	size_t n;
};

struct vkeep *vkeep_new(const struct vfg *g, const struct vfg_options *o);
void vkeep_free(struct vkeep *k);

/* What a source is known by, whatever surrounds it. */
uint64_t vkeep_key(const struct vkeep *k, const struct vsource *src);
/* Has the source been judged before, in this surrounding?  By one thread. */
bool vkeep_take(struct vkeep *k, const struct vsource *src, struct judged *j, struct vkept *kept);
/* Keeps it with what was looked at.  By one thread. */
void vkeep_put(struct vkeep *k, const struct vsource *src, const struct judged *j,
	       const struct trace *t, struct vkept *kept);
/* The functions that those facts are about which are not as they were.  False: something else is
 * not, either. */
bool vkeep_changed(struct vkeep *k, const struct vkept *kept, struct sbits *funcs);
/* What was said of the program before statements were added, whether it still holds or not.  False:
 * it speaks of what is not there. */
bool vkeep_read(const struct vkeep *k, const struct vsource *src, const struct vkept *kept, struct judged *j);

#endif
