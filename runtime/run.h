/*
 * run.h - this process's run page.  Inside the library only.
 */
#ifndef RUNTIME_RUN_H
#define RUNTIME_RUN_H

#include "runfile.h"

/* Always there to be counted in: plain memory until run_start(), the mapped
 * file after that, at the same address. */
extern struct run_page run_page;

/* The counters of this thread. */
struct run_shard *run_shard(void);

#endif
