/*
 * detect.h - the verdict on one source.
 */
#ifndef VFG_DETECT_H
#define VFG_DETECT_H

#include "vfg/guard.h"
#include "vfg/walk.h"

enum verdict {
	VERDICT_SAFE,
	VERDICT_NEVER,		/* no sink at all */
	VERDICT_SOMETIMES,	/* on some paths only */
	VERDICT_TOO_BIG,	/* a limit was reached: not judged */
	VERDICT_OVERWRITTEN,	/* the only place that held it got another value */
	VERDICT_ORPHANED,	/* what holds it is freed, it is not */
};

static inline bool verdict_leaks(enum verdict v)
{
	return v == VERDICT_NEVER || v == VERDICT_SOMETIMES;
}

struct detect;
struct judged;		/* keep.h */

/* What the verdict "safe" hangs on that is no release,
 * nor a caller outside, nor the end of the program: END_*. */
enum { END_STORED = 1, END_NO_TARGET = 2, END_DEEP = 4 };
struct vend {
	uint8_t ways;
	uint32_t func, inst;	/* the first place of those */
};

struct detect *detect_new(const struct vfg *g, const struct vfg_options *o);
void detect_free(struct detect *d);

/* *freed: the condition under which it is freed, over the variables of
 * detect_guards(), which are valid until the next call. */
enum verdict detect_source(struct detect *d, const struct vsource *src, bdd *freed);
struct guards *detect_guards(struct detect *d);
uint8_t detect_way(const struct detect *d);	/* along which the last verdict was found: struct vedge */
/* If it was "safe": on what that rests.  If it was "too big": was it the slice that is? */
struct vend detect_end(const struct detect *d);
bool detect_is_sliced(const struct detect *d);
/* If the last verdict was "safe" by an approximation: what it is if a path knows
 * better.  Otherwise VERDICT_SAFE. */
enum verdict detect_in_doubt(const struct detect *d);

/* Can control get from one instruction of the source's function, which the object
 * is stored by, to the other? */
bool detect_can_reach(struct detect *d, const struct vsource *src, uint32_t put, uint32_t inst);

/* overwrite.c: is the object put into a place that then gets another value? */
enum vfg_loss {
	LOSS_HERE,		/* the same call overwrites it */
	LOSS_NEXT_CALL,		/* the next one does */
	LOSS_PARKED,		/* nobody does, and nobody ever looks at it */
	LOSS__COUNT
};
struct vfg_lost {
	uint32_t put, over;	/* instructions of the source's function */
	uint8_t how;		/* enum vfg_loss */
};
/* Fills g->taken and g->read, which the next one asks. */
void vfg__find_looked(struct vfg *g);
bool vfg__overwritten(const struct vfg *g, struct detect *d, const struct vsource *src, struct vfg_lost *out);

/* orphan.c: is the object only held by others that are freed, and never freed itself?  *at: the free. */
struct vorphans;
struct vorphans *vfg__orphans_new(const struct vfg *g);
void vfg__orphans_free(struct vorphans *v);
bool vfg__is_orphan(const struct vorphans *v, const struct vsource *src, struct vsite *at);

/* held_at_exit.c: tells of objects of these sources that globals still hold when the program ends;
 * returns how many. */
uint32_t vfg__tell_held_at_exit(const struct vfg *g, struct findings *fs, const struct vsources *src,
				const bool *is_open);

/* tell.c: the finding of a leaking source, with the path that the walker found;
 * of one whose place is overwritten. */
void vfg__tell(const struct vfg *g, struct findings *fs, const struct vsource *src,
	       const struct judged *j);
void vfg__tell_lost(const struct vfg *g, struct findings *fs, const struct vsource *src,
		    const struct vfg_lost *lost);
void vfg__tell_held(const struct vfg *g, struct findings *fs, const struct vsource *src,
		    const char *where, const struct vsite *end);
void vfg__tell_orphan(const struct vfg *g, struct findings *fs, const struct vsource *src,
		      const struct vsite *at);

#endif
