/*
 * fix.h - from a program to the texts that end its leaks: all of plumb fix.
 *
 *   finding --plan--> insertions on edges of the IR's CFG     src/plan/  (no text, no libclang)
 *           --edit--> replacements of source text             src/edit/  (only here: libclang)
 *           --prove-> compiled again, both engines run again  prove.c
 *           --diff--> a unified diff, or files in place       src/edit/diff.c, inplace.c
 */
#ifndef PROVE_FIX_H
#define PROVE_FIX_H

#include "prove/prove.h"

struct fix_options {
	struct check_options check;
	const char *finding;		/* the id of the only one that is asked for; NULL: all */
	bool in_place;			/* the texts are for the disk: files outside of the user's project
					 * are refused */
};

struct fix {
	const struct fix_options *o;
	const struct check_program *program;
	struct findings fs;		/* each leak that was asked for has a fix, or a reason */
	struct fix_files files;		/* the edited texts; nothing is written */
	unsigned asked, fixed;		/* leaks that count and were asked for; of them mended */
	/* inside */
	struct check_kept kept;
	VEC(struct fix_plan) plans;	/* of leaks that count */
	VEC(struct fix_candidate) tried;
	struct fix_editor *editor;
	struct arena arena;
};

/* The program, loaded with keep_parts, and the options outlive it. */
void fix_init(struct fix *x, const struct check_program *p, const struct fix_options *o);
void fix_release(struct fix *x);

/* Fills it in.  Negative: error_last(). */
int fix_program(struct fix *x);
/* Does the finding count, and was it asked for? */
bool fix_is_asked(const struct fix *x, const struct finding *f);

#endif
