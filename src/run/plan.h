/*
 * plan.h - from bounds to the plan that the run-time library reads, and back from the
 * results of a run to the bounds.  The format is runtime/cyclicfile.h.
 */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

#include "run/bounds.h"

struct plan_options {
	double scale;		/* of the bounds, above 0; the result is rounded up; 1: as trained */
	bool only_leaking;
	bool mend;		/* bounds mend themselves */
	unsigned strict;	/* reuses; 0: not strict */
	bool by_path;		/* modules by path, not by build-id */
	unsigned faults;	/* allowed in a second; 0: the default */
};

/* Does the site get a cyclic buffer? */
bool plan_chooses(const struct bounds *b, const struct bounds_site *s, const struct plan_options *o);

/* Writes the plan; *chosen is the number of its sites. */
int plan_write(const struct bounds *b, const struct plan_options *o, const char *path,
	       uint32_t *chosen);

/* The results of a run, which it writes into its plan. */
struct plan_result {
	uint64_t processes, raised, watched, unwatched, faults, refused;
	uint64_t memory;	/* bytes of cyclic buffers, all processes together */
	uint64_t rounds;
	uint32_t used;		/* sites that have had a buffer */
};

/* Reads it and raises the bounds of b accordingly; *changed tells if any was.
 * Negative: the plan cannot be read any more. */
int plan_read_result(struct plan_result *r, struct bounds *b, const char *path, bool *changed);

#endif
