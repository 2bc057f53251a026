/*
 * touch.h - who touched stale memory last?
 */
#ifndef RUNTIME_TOUCH_H
#define RUNTIME_TOUCH_H

#include "runfile.h"

/* At the begin of a tick, before the scan: notes who touched what is stale, if that was
 * watched since the last tick.  The caller has tick_lock. */
void touch_collect(uint64_t now);
/* At the end of a tick: now and then, watches until the next one. */
void touch_begin(uint64_t tick);
/* In a forked child. */
void touch_fork_child(void);

#endif
