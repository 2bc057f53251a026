/*
 * coverage.h - how much of a program was looked at: the record that stands beside the findings.
 *
 * "No leaks" means little without it.  Every allocation of the program is in exactly one class:
 *
 *   judged	its release or its owner is known: the object is reported, released on every path, handed
 *		over to a caller outside of the program, still held when the program ends, or stored
 *		where a release is known that the object can get to
 *   stored	nothing is wrong as far as the object was followed, which is to where it is stored, and no
 *		release is known that the object gets to from there
 *   cut	the object was not followed to an end: a limit was reached, or all that is known is a call
 *		through a pointer that may point to any function
 *
 * Those in files that the user has excluded are counted, but not judged.
 *
 * The engines fill the record (check.c of the value-flow engine, cover.c of the path engine;
 * src/check/engines.c unites the two), the commands add what was left out, reports print all of it.
 * Strings live in the arena of the findings.
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
	bool known;		/* allocations were counted; else reports say that the number is not known */
	unsigned allocations, judged, stored, cut;	/* the last three sum up to the first */
	VEC(struct coverage_reason) cut_reasons;	/* most frequent first; their counts sum up to cut */
	struct coverage_names functions_incomplete;	/* without a complete summary: "f (src/a.c:12)" */
	struct coverage_names units_left_out;		/* that failed, or were not looked at, as files */
	struct coverage_names not_c;			/* of another language: C++, assembler, Fortran */
	struct coverage_names libraries_not_given;	/* of the program's own, without code to analyse */
	struct coverage_names excluded;	/* patterns of files of which nothing is reported */
	unsigned findings_excluded;	/* in such files */
	unsigned allocations_excluded;	/* in such files; not among `allocations` */
};

struct findings;

/* One allocation more; the reason says why the allocation was cut, and is copied. */
void coverage_add(struct findings *fs, enum coverage_class class, const char *reason);
/* Adds a copy of the name, unless the list has the name. */
void coverage_name(struct findings *fs, struct coverage_names *to, const char *name);
/* Adds what another run counted, for one report of several. */
void coverage_merge(struct findings *fs, const struct coverage *more);
/* Sorts what has no order of its own. */
void coverage_finish(struct coverage *c);
/* Asserts that the sums are right, and that no list has a name twice. */
void coverage_check(const struct coverage *c);
void coverage_release(struct coverage *c);

/* Was more than one allocation in twenty cut?  Then what is clean is called partial. */
bool coverage_is_thin(const struct coverage *c);

#endif
