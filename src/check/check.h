/*
 * check.h - where can memory leak?  A program prepared and analysed, the two engines as one.
 *
 * With this a command, a test or an editor's server asks for findings, and knows no engine:
 *
 *	check_load()	what is analysed: a program, and models of what it calls	prepare.c
 *	check_program()	its findings, as plumb check reports them	check.c, engines.c, cover.c
 *	check_again()	those of the same program with a change, for a proof
 *	check_release()
 *
 * What the stages in between have made is printed by dump.h.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "finding/finding.h"
#include "front/front.h"
#include "front/results.h"
#include "model/model.h"

struct check_program {
	const struct front_options *o;	/* how it was loaded; borrowed */
	struct front_result r;		/* r.program is NULL if nothing could be analysed */
	struct model_set *models;
};

/* Loads the program and the models that it needs (shipped, from attributes in the source, from these
 * files; later ones win), and makes it fit for analysis.  0, also if units failed.  Negative:
 * error_last().  Release it in any case. */
int check_load(struct check_program *p, const struct front_options *o, const char *const *models,
	       uint32_t nmodels);
void check_release(struct check_program *p);

struct check_options {
	bool values, paths;		/* which engines; at least one */
	bool at_exit;
	unsigned slice_limit, loop, jobs;
	const char *baseline;		/* a file: what it has does not count; or NULL */
	const char *const *exclude;	/* globs of files that nothing is reported of */
	uint32_t nexclude;
};

/* What was found out besides findings, for who asks on: init, check_program(), release before the program. */
struct check_kept {
	struct pta *pta;
	struct findings doubts;		/* what might be wrong with the program, and is not reported */
	struct front_results results;	/* of earlier runs */
	struct store *store;		/* results of earlier runs, or of this one only: most of a changed
					 * program is as it was */
	struct vfg_before *before;	/* and what changes cannot matter to */
};
void check_kept_init(struct check_kept *k);
void check_kept_release(struct check_kept *k);

/* All of plumb check.  Takes findings that were just initialised; kept may be NULL.  Gives how many of
 * those that would be shown concern none of the files that the user has named, and are marked so.
 * Negative: error_last(). */
int check_program(struct findings *fs, const struct check_program *p, const struct check_options *o,
		  struct check_kept *kept);

/* Only what the engines find in it: nothing is taken from earlier runs, or left out. */
void check_find(struct findings *fs, const struct check_program *p, const struct check_options *o);

/* What they find in the program with a change, which they may change further; nothing is said twice,
 * and doubts are among the findings.  False: the analysis was cut short. */
bool check_again(struct findings *fs, struct ir_module *changed, const struct check_program *p,
		 const struct check_options *o, const struct check_kept *kept);

/* The SMT solver with its version; NULL: there is none. */
const char *check_solver(void);

#endif
