/*
 * coverage.h - how much of a program was looked at: the record that stands beside the findings.
 *
 * "No leaks" means little without it.  Every allocation of the program is in exactly one class:
 *
 *   judged	its release or its owner is known: it is reported, released on every way, handed to a
 *		caller outside of the program, still held when the program ends, or in the hands of
 *		somebody of whom a release is known that it can get to
 *   stored	nothing is wrong with it as far as it was followed, which is to where somebody else
 *		keeps it, and no release is known that it gets to from there
 *   cut	it was not followed to an end: a limit was reached, or all that is known is a call
 *		through a pointer that may be of any function
 *
 * Those in files that the user has excluded are counted, but not judged.
 *
 * The engines fill it (check.c of the value-flow engine, cover.c of the path engine; src/check/engines.c
 * unites the two), the commands add what was left out, reports print it.  Strings live in the arena
 * of the findings.
 */
#ifndef FINDING_COVERAGE_H
#define FINDING_COVERAGE_H

#include "base/vec.h"

#include <stdbool.h>

enum coverage_class { COVERAGE_JUDGED, COVERAGE_STORED, COVERAGE_CUT };

VEC_TYPE(coverage_names, const char *);

struct coverage_reason {	/* why allocations were cut */
	const char *reason;
	unsigned count;
};

struct coverage {
	bool known;		/* somebody has counted; else a report says that it does not know */
	unsigned allocations, judged, stored, cut;	/* the last three sum up to the first */
	VEC(struct coverage_reason) cut_reasons;	/* most frequent first; their counts sum up to cut */
	struct coverage_names functions_incomplete;	/* without a complete summary: "f (src/a.c:12)" */
	struct coverage_names units_left_out;		/* that failed, or were not looked at, as files */
	struct coverage_names not_c;			/* of another language: C++, assembler, Fortran */
	struct coverage_names libraries_not_given;	/* of the program's own, without code to analyse */
	struct coverage_names excluded;	/* patterns of files of which nothing is reported */
	unsigned findings_excluded, allocations_excluded;	/* there; the latter are not among `allocations` */
};

struct findings;

/* One allocation more; the reason is of those that are cut, and is copied. */
void coverage_add(struct findings *fs, enum coverage_class class, const char *reason);
/* A copy of the name, unless it is there. */
void coverage_name(struct findings *fs, struct coverage_names *to, const char *name);
/* What another run counted, for one report of several. */
void coverage_merge(struct findings *fs, const struct coverage *more);
/* Sorts what has no order of its own. */
void coverage_finish(struct coverage *c);
void coverage_release(struct coverage *c);

/* Was more than one allocation in twenty cut?  Then what is clean is called partial. */
bool coverage_is_thin(const struct coverage *c);

#endif
