/*
 * solver.h - can these branch decisions be made together?
 *
 * The domain of sym.h knows ranges and bits of single values; it forgets what
 * relates two of them (`a < b`, then `b < a`).  What it forgot is still in the
 * expressions that it keeps, and here an SMT solver is asked about them.  The
 * solver itself is known to one file only (smt_z3.c); a plumb without it answers
 * SOLVER_UNKNOWN to everything.
 *
 * Which way it errs.  Values that sym.h cannot express are unknowns of their own,
 * texts that two pointers point to are told apart by the pointers' expressions,
 * and the ranges that sym.h assumes (a counter does not overflow) hold here too:
 * a conjunction that cannot hold may be called satisfiable, never the other way
 * round, as far as those ranges are right.  Undefined behaviour (division by zero,
 * too wide a shift) has the result that the solver's theory gives it.
 *
 * The limit of a query is counted in the solver's own steps, not in time, so that
 * the answer is the same in every run, on every machine; but it depends on what
 * the solver has learnt from the questions before: see solver_reset().
 */
#ifndef PATH_SOLVER_H
#define PATH_SOLVER_H

#include "sym/sym.h"

enum solver_answer { SOLVER_SAT, SOLVER_UNSAT, SOLVER_UNKNOWN };

struct solver_stats {
	uint32_t queries;		/* solver_check() */
	uint32_t parts;			/* independent parts of them, */
	uint32_t cached;		/* ... and that were answered before */
	uint32_t unknown;		/* parts without an answer */
	double seconds;
};

struct solver;

/* The name and version of the solver; NULL if there is none. */
const char *solver_name(void);

struct solver *solver_new(void);	/* for one thread */
void solver_free(struct solver *s);

/* Forgets everything, so that answers do not depend on earlier questions.  To be
 * called where a unit of work begins that may be given to any thread. */
void solver_reset(struct solver *s);

/* Do all terms hold for some values of the unknowns?  Queries that continue each
 * other, as along a path, are cheap; so are those asked before. */
enum solver_answer solver_check(struct solver *s, const struct syms *syms, const struct sym_term *terms,
				uint32_t n);

const struct solver_stats *solver_stats(const struct solver *s);

#endif
