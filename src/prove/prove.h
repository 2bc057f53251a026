/*
 * prove.h - the edited program is compiled and analysed again.
 */
#ifndef PROVE_PROVE_H
#define PROVE_PROVE_H

#include "check/check.h"
#include "edit/edit.h"

struct fix_candidate {
	struct fix_plan *plan;		/* taken by fix_edit(); another plan of its list ->next if that one
					 * holds */
	bool kept;			/* result */
	const char *why;		/* not kept: why the first one is not; in the arena of the findings */
	bool suspect;			/* private: withdrawn together with others that may be to blame
					 * instead */
};

struct fix_proof {
	struct fix_editor *editor;
	const struct check_program *program;
	const struct check_options *check;
	struct findings *before;	/* what the engines said of the program as it is */
	const struct check_kept *kept;	/* and what they did not say, not being sure */
	unsigned analyses;		/* result: how often the engines were asked */
	bool is_small;			/* inside: another analysis costs little */
	struct fix_unit *units;		/* inside: the units as they were compiled last, by part */
};

/* Decides which candidates are kept: those that together make a program in which their leaks are gone
 * and nothing new is found.  In the place of one that fails the plans behind it are tried. */
void fix_prove(struct fix_proof *p, struct fix_candidate *v, uint32_t n);

#endif
