/*
 * verbose.h - what plumb check --verbose tells beside its report.
 */
#ifndef CHECK_VERBOSE_H
#define CHECK_VERBOSE_H

#include "ir/ir.h"
#include "model/model.h"
#include "vfg/vfg.h"

enum { PHASE_PTA, PHASE_PATHS, PHASE_MSSA, PHASE_GRAPH, PHASE_DETECT, PHASES };

struct phase_times {
	double seconds[PHASES];
};

/* The four phases of the value-flow engine and their shares. */
void verbose_phases(const struct phase_times *t);
/* How many allocations were judged and reported. */
void verbose_counts(const struct vfg_stats *s);
/* The functions of which nothing is known, called with a pointer, by name. */
void verbose_unknown(const struct ir_module *m, const struct model_set *models);

#endif
