/*
 * run.h - this process's run page.  Inside the library only.
 */
#ifndef RUNTIME_RUN_H
#define RUNTIME_RUN_H

#include "runfile.h"

/* The file as it is written at present: one page of counters in shards.  It goes
 * when the heap of runfile.h is in place. */
#define RUN_SHARDS 32

struct run_shard {
	_Atomic uint64_t allocations;
	_Atomic uint64_t frees;
	_Atomic uint64_t resizes;
	_Atomic uint64_t bytes_allocated;	/* resizes included */
	_Atomic uint64_t bytes_freed;		/* resizes included */
	_Atomic uint64_t failures;		/* requests answered with NULL */
	uint64_t unused[2];			/* a shard is a cache line */
};

struct run_page {
	char magic[8];		/* written last: without it the file is not ready */
	uint32_t version;
	uint32_t nshards;
	uint32_t pid;
	_Atomic uint32_t state;
	uint64_t start_ns;	/* CLOCK_REALTIME */
	char unused[2048 - 32];
	struct run_shard shards[RUN_SHARDS];
};

_Static_assert(sizeof(struct run_page) == RUN_PAGE, "the run file is one page");

/* Always there to be counted in: plain memory until run_start(), the mapped
 * file after that, at the same address. */
extern struct run_page run_page;

/* The counters of this thread. */
struct run_shard *run_shard(void);

#endif
