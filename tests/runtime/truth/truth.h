/*
 * truth.h - what the client's part and the tool's part of the oracle say to each other.
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <stdint.h>

/* Client requests; a process that is not under the tool gets 0 for all of them. */
enum truth_request {
	/* (p, n): a block begins its life, which counts as a touch.  Is it time to judge? */
	TRUTH_BORN = ('P' << 24) + ('T' << 16),
	/* (p, n): when was a byte of this touched last, in ns of CLOCK_MONOTONIC; 0: never */
	TRUTH_LAST,
	/* the time now, in the same */
	TRUTH_NOW,
	/* (const struct truth_sums *): all there is to tell so far */
	TRUTH_SUMS,
};

/* Sums over all judgements of a process.  Staleness is told from THRESHOLD on. */
struct truth_sums {
	uint64_t judgements;
	uint64_t objects, wrong_objects;	/* wrong: said to be staler than it is */
	uint64_t claims, wrong_claims;		/* sites of the run file with stale memory */
	uint64_t sites;				/* with an object that is truly stale, at most */
	double stale, known;			/* bytes of objects: truly stale, known to be so */
	double drag, known_drag;		/* true drag of such sites, of those known */
};

#define TRUTH_THRESHOLD 500000000u	/* ns */

#endif
