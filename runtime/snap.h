/*
 * snap.h - the state of the heap, summed up per site in the run file.
 */
#ifndef RUNTIME_SNAP_H
#define RUNTIME_SNAP_H

#include "base.h"

/* Sums up, as of `now` (ns, CLOCK_MONOTONIC), which is the time of the last scan: pages
 * watched at that time were not touched until then.  The caller has tick_lock, and no
 * other. */
void snap_take(uint64_t now);

/* Adds a point to the curves only if that much time has passed. */
void snap_set_interval(uint64_t ns);

#endif
