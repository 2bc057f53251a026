/*
 * walk.h - is there a path on which the object is lost?
 *
 * The verdict of the guards (detect.c) is a formula over branches; here one
 * path is looked for that a program could really take.  What is found becomes
 * the path of the finding; if there is none, there is no finding.
 *
 * It is also asked where the guards hold the object to be safe by an approximation
 * ("in doubt").  Then all that a path does not know counts for safe: an open
 * question in a callee about the object itself (a reference count) is answered
 * the way that frees it, and the search ends sooner.
 */
#ifndef VFG_WALK_H
#define VFG_WALK_H

#include "vfg/priv.h"

enum walk_kind {
	WALK_BRANCH,		/* leaves by `target` */
	WALK_ENTER,		/* a call whose callee is entered */
	WALK_LEAVE,		/* back behind that call */
	WALK_MADE,		/* the object comes to be in this call */
	WALK_OVER,		/* the last variable that held it is overwritten; target: by the same
				 * allocation, in the next round of a loop that this jumps back in */
	WALK_END,		/* what was the last chance to free it is over */
};

struct walk_step {
	uint8_t kind;
	bool open;		/* BRANCH: could have gone otherwise */
	bool matters;		/* BRANCH: what happens to the object depends on it; LEAVE: a function that
				 * was not entered on this path */
	uint32_t func, inst;
	uint32_t target;	/* BRANCH: by which it is left; OVER, END:
				 * the jump that led here, or IR_NONE */
};

enum walk_answer {
	WALK_LEAK,
	WALK_SAFE,		/* no such path */
	WALK_GAVE_UP,		/* too many paths */
};

/* Why a path that loses the object is not certain, though the judge holds it to be
 * possible: it goes by what we only assume, and where that errs there may be no
 * leak.  The words are what --verbose says. */
#define WALK_GUESSES(X) \
	X(BRANCH, "a branch asks for what we cannot express") \
	X(PARAM, "a branch asks for what callers pass") \
	X(INIT, "a branch asks for what was in memory before") \
	X(STORED, "a branch asks for what was stored, which an alias may have changed") \
	X(WRITTEN, "a branch asks for what a function may have written") \
	X(RESULT, "a branch asks for what a function of the program returns") \
	X(LIBRARY, "a branch asks for what a library function makes of its arguments") \
	X(LOOP, "a branch asks for a value of some later round of a loop") \
	X(MADE, "the call may be of another function, or make nothing") \
	X(WAY, "the way to the allocation was not followed") \
	X(OTHER, "two things of its kind are taken to differ, or setjmp() returns twice") \
	X(NO_ANSWER, "the solver has no answer")

enum {
#define X(e, words) WALK_NTH_##e,
	WALK_GUESSES(X)
#undef X
#define X(e, words) WALK_GUESS_##e = 1 << WALK_NTH_##e,
	WALK_GUESSES(X)
#undef X
};

struct walk_stats {		/* of one source */
	uint32_t asked, impossible, not_known;
	double seconds;
};

struct walker;

/* Fills g->returns and g->nulls, in an order of its own: what the functions of a circle return
 * depends on it. */
void walker_find_returns(struct vfg *g);

struct walker *walker_new(const struct vfg *g, const struct vfg_options *o);
void walker_free(struct walker *w);

struct latches;
/* From now on, paths begin with these flags at zero. */
void walker_know(struct walker *w, const struct latches *l);
/* From now on, what calls leave behind is what this engine says (NULL: none is asked). */
void walker_ask(struct walker *w, const struct vfg_second *s);
/* Does the function make a call of which it could say anything? */
bool walker_is_told(const struct vfg *g, const struct vfg_second *s, uint32_t func);

/* way: VE_BY_MEMORY or VE_BY_HOLDER.  The steps, from the allocation on, are valid until the next call. */
enum walk_answer walker_search(struct walker *w, const struct vsource *src, uint8_t way, bool in_doubt,
			       const struct walk_step **steps, uint32_t *n);

/* Is there a path on which the object is freed, or given to somebody who may? */
bool walker_ever_kept(struct walker *w, const struct vsource *src, uint8_t way);

/* On the path just found: was the object in memory when it was lost, not only in
 * variables? */
bool walker_in_memory(const struct walker *w);
/* Of the path found: WALK_GUESS_...; 0 if it is certain.  never: nothing frees the
 * object, on any path. */
uint32_t walker_guesses(const struct walker *w, bool never);
const struct walk_stats *walker_stats(const struct walker *w);

/* Can control get from the source to an instruction of the same function at all,
 * whatever becomes of the object on the way? */
bool walker_reaches(struct walker *w, const struct vsource *src, uint32_t inst);

#endif
