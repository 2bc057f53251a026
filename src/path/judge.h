/*
 * judge.h - the solver, as the value-flow engine asks for it.
 */
#ifndef PATH_JUDGE_H
#define PATH_JUDGE_H

#include "vfg/vfg.h"

const struct vfg_judge *judge_by_solver(void);	/* NULL if there is none */

#endif
