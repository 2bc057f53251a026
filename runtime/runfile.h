/*
 * runfile.h - the run file: what a watched process leaves behind.
 *
 * The file named by PLUMB_RUN_FILE is mapped into the process from its start,
 * so that whatever ends the process, kill -9 included, the file holds all that
 * was counted until then.  It has the layout of struct run_page, in the
 * machine's own byte order.  A reader may map it while the process runs.
 *
 * One process, one file.  The first process takes the name as given, which must
 * not exist yet; a forked child, a program that it executes and anybody else who
 * finds the name taken writes NAME.PID, or NAME.PID.2 and so on if the same
 * process has executed another program.
 *
 * vocabulary
 *	allocation	a block handed to the program
 *	free		a block taken back; live blocks are allocations - frees
 *	resize		realloc of a live block to another one: neither of both
 *	bytes		usable sizes, as malloc_usable_size() tells them
 *	shard		the counters of some of the threads; the sum counts
 */
#ifndef RUNTIME_RUNFILE_H
#define RUNTIME_RUNFILE_H

#include <stdatomic.h>
#include <stdint.h>

#define RUN_MAGIC "plumbrun"
#define RUN_VERSION 1
#define RUN_PAGE 4096
#define RUN_SHARDS 32

enum run_state {
	RUN_LIVE = 1,		/* running, or ended without passing through exit() */
	RUN_EXITED = 2,		/* the library's destructor ran */
};

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

_Static_assert(sizeof(struct run_shard) == 64, "a cache line");
_Static_assert(sizeof(struct run_page) == RUN_PAGE, "the run file is one page");

#endif
