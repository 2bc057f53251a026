/*
 * engines.h - the engines of plumb check, one or both.
 */
#ifndef CHECK_ENGINES_H
#define CHECK_ENGINES_H

#include "finding/finding.h"
#include "ir/ir.h"
#include "model/model.h"
#include "pta/pta.h"

#include <stdio.h>

struct engines_options {
	bool values, paths;	/* which engines; at least one */
	bool at_exit;
	unsigned slice_limit, loop, jobs;
	struct store *store;	/* results of earlier runs, or NULL */
	struct vfg_before *before;	/* the results for the program without patches, filled when that is
					 * analysed; or NULL */
	bool quiet;		/* warn of nothing, count nothing: it was done before */
	FILE *list;		/* gets a line for each allocation, with its class; or NULL */
	struct pta **pta;	/* not NULL: *pta is the caller's afterwards */
	struct findings *doubts;	/* not NULL: gets the findings of path_doubts(); may be the same as
					 * the list of the findings */
};

/* What these options find is kept under this number, and apart from what others find. */
uint64_t engines_salt(const struct engines_options *o);

/* Adds what they find.  False: a part of the analysis was cut short, which was said. */
bool engines_run(struct findings *fs, const struct ir_module *program, const struct model_set *models,
		 const struct engines_options *o);

#endif
