/*
 * prove.h - the edited program is compiled and analysed again.
 *
 *   finding --plan--> insertions on edges of the IR's CFG     src/plan/  (no text, no libclang)
 *           --edit--> replacements of source text             src/edit/  (only here: libclang)
 *           --prove-> compiled again, both engines run again  prove.c
 *           --diff--> a unified diff, or files in place       src/edit/diff.c, inplace.c
 */
#ifndef PROVE_PROVE_H
#define PROVE_PROVE_H

#include "edit/edit.h"

struct fix_candidate {
	struct fix_plan *plan;		/* taken by fix_edit(); another one of its ->next if that is what holds */
	bool kept;			/* result */
	const char *why;		/* not kept: why the first one is not; in the arena of the findings */
	bool suspect;			/* inside: withdrawn together with others that may be to blame instead */
};

struct fix_proof {
	struct fix_editor *editor;
	const struct front_result *r;
	const struct front_options *o;
	struct findings *before;	/* what the engines said of the program as it is */
	const struct findings *doubts;	/* and what they did not say, not being sure */
	/* Runs the engines over a program, which it may change; findings are finished, doubts among them.  False: cut short. */
	bool (*judge)(void *ctx, struct ir_module *program, struct findings *fs);
	void *ctx;
	unsigned analyses;		/* result: how often judge() was asked */
	bool is_small;			/* inside: another analysis costs little */
	struct fix_unit *units;		/* inside: the units as they were compiled last, by part */
};

/* Decides which candidates are kept: those that together make a program in which their leaks are gone
 * and nothing new is found.  In the place of one that fails the plans behind it are tried. */
void fix_prove(struct fix_proof *p, struct fix_candidate *v, uint32_t n);

#endif
