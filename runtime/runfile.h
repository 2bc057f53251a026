/*
 * runfile.h - the run file: what a watched process leaves behind.
 *
 * The file named by PLUMB_RUN_FILE is mapped into the process from its start,
 * so that whatever ends the process, kill -9 included, the file holds what was
 * known until then.  It has the machine's own byte order.  A reader may map it
 * while the process runs; all numbers that change are single aligned words.
 *
 * One process, one file.  The first process takes the name as given, which must
 * not exist yet; a forked child, a program that it executes and anybody else who
 * finds the name taken writes NAME.PID, or NAME.PID.2 and so on if the same
 * process has executed another program.
 *
 * The file is best put on a memory file system (/dev/shm): stores into a mapped file on
 * a disk wait for the file system's journal now and then (a start of /bin/true: 0.9 ms
 * plain, 1.0 ms with a file in memory, 6.5 ms with one on a disk).
 *
 * The file is a header page (struct run_header) and sections, each an array of
 * records at an offset that the header tells.  The file is sparse: only the first
 * `count` records of a section are in use.  The records never move and are never
 * taken back.  A reader checks that offset + count * stride lies in the file, takes
 * the stride from the header (it may grow in later versions) and ignores sections
 * and flags it does not know.  Record 0 of RUN_SITES, RUN_DETAILS and RUN_BINS is
 * special (see there), so 0 as an index means "none".
 *
 * vocabulary
 *	site		an allocation site: the innermost return addresses of the
 *			allocating call stack
 *	bin		the counters of one site, one slot size and one thread.  The
 *			exact counts, always current: a site's count is the sum over
 *			its bins (run_count()).  A bin outlives its thread.
 *	tick		the runtime's periodic look at the heap, from within malloc.
 *			What is marked "at tick" in a record is as of the last one.
 *	staleness	time since the runtime knows an object to be untouched; a
 *			lower bound of the truth.  0: touched lately, or not known
 *	bytes		usable sizes, as malloc_usable_size() tells them
 *	allocated	counts a block that realloc has moved as a new one (and as freed)
 *	frame		a return address: module in the upper 16 bits, offset from the
 *			module's load address (address - module.bias) in the lower 48
 */
#ifndef RUNTIME_RUNFILE_H
#define RUNTIME_RUNFILE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_MAGIC "plumbrun"
#define RUN_VERSION 2
#define RUN_PAGE 4096
#define RUN_FRAMES 16		/* most frames of a site */
#define RUN_TOUCH_FRAMES 8	/* most frames of a touch */
#define RUN_BUCKETS 64		/* of a staleness histogram */
#define RUN_GROWTH 48		/* points of a site's growth */
#define RUN_COMMAND 2048	/* bytes of the command line */

enum run_state {
	RUN_LIVE = 1,		/* running, or ended without passing through exit(): whoever
				 * waited for the process knows how, if it is gone */
	RUN_EXITED = 2,		/* exit() or return from main; run_header.exit_status tells */
	RUN_EXECED = 3,		/* the process went on as another program, in another file */
};

enum run_flag {
	RUN_CUT = 1,		/* the disk was full or a section was: later records are missing */
	RUN_COMMAND_CUT = 2,	/* the command line was longer */
	RUN_FORKED = 4,		/* a fork of run_header.parent, which was watched: counts
				 * begin with what the parent had at that moment */
	RUN_UNTRACKED = 8,	/* no staleness here: the kernel or a limit did not allow it */
};

enum run_primitive {		/* how touches are seen */
	RUN_PRIM_NONE,
	RUN_PRIM_MEMFD,		/* page-table entries dropped and read back */
	RUN_PRIM_ANONYMOUS,	/* the same with shared anonymous memory; one thread only */
};

enum run_section_kind {
	RUN_MODULES,		/* struct run_module */
	RUN_STRINGS,		/* bytes; paths, each ended by a NUL */
	RUN_SITES,		/* struct run_site; site 0 is where allocations go for which
				 * there was no room: it has no frames */
	RUN_BINS,		/* struct run_bin; bin 0 is unused */
	RUN_DETAILS,		/* struct run_detail; detail 0 is unused */
	RUN_TIMELINE,		/* struct run_point, the process as a whole, oldest first */
	RUN_SECTIONS = 16,	/* room for so many kinds */
};

struct run_section {
	uint64_t offset;	/* in the file; 0: no such section */
	uint32_t stride;	/* bytes of a record */
	uint32_t unused;
	uint64_t capacity;	/* records for which there is room */
	_Atomic uint64_t count;	/* records in use */
};

struct run_header {
	char magic[8];		/* written last: without it the file is not ready */
	uint32_t version;
	uint32_t header_size;	/* sizeof(struct run_header) */
	uint32_t pid;
	uint32_t parent;	/* the process id of the parent */
	_Atomic uint32_t state;	/* enum run_state */
	_Atomic uint32_t flags;	/* enum run_flag */
	_Atomic int32_t exit_status;	/* if RUN_EXITED; -1: not known */
	uint32_t depth;		/* frames of a site that are looked at */
	_Atomic uint32_t primitive;	/* enum run_primitive */
	uint32_t page_size;
	uint64_t start_realtime;	/* ns, CLOCK_REALTIME, when the watch began */
	uint64_t start;		/* ns, CLOCK_MONOTONIC, at the same moment */
	uint64_t interval;	/* ns between points of growth at first */

	/* At tick. */
	_Atomic uint64_t now;	/* ns since start at the last tick; at the end, the duration */
	_Atomic uint64_t ticks;
	_Atomic uint64_t allocations;	/* the clock of allocation time: all allocations so far */
	_Atomic uint64_t live_bytes;
	_Atomic uint64_t peak_bytes;
	_Atomic uint64_t heap_bytes;	/* memory held for objects, fragmentation included */
	_Atomic uint64_t stale_bytes;	/* of objects with staleness > 0 */
	_Atomic uint64_t active_pages;
	_Atomic uint64_t inactive_pages;
	_Atomic uint64_t target_pages;	/* wanted size of the inactive list */
	_Atomic uint64_t touches;	/* inactive pages found touched */
	_Atomic uint64_t cost;		/* ns of CPU time spent on staleness, faults estimated */
	_Atomic uint64_t merged_pages;	/* pages given back by virtual compaction */

	/* Exact. */
	_Atomic uint64_t resizes;	/* realloc of a live block to another or the same one */
	_Atomic uint64_t failures;	/* requests answered with NULL */
	_Atomic uint64_t bad_frees;	/* free() of what is no live block; ignored */

	/* Whoever wants a tick now adds 1 to `request`; the process answers at its
	 * next allocation or sleep by setting `answered` to the value seen.  The
	 * file must be writable for the asker. */
	_Atomic uint64_t request;
	_Atomic uint64_t answered;

	/* Exact: what this file does not tell of. */
	_Atomic uint64_t missing_children;	/* forked, without a file: none could be made */
	_Atomic uint64_t unwatched_programs;	/* executed without the library: it cannot be
						 * loaded into them, or was out of their reach */

	uint64_t unused[30];
	struct run_section sections[RUN_SECTIONS];
	uint32_t command_size;	/* bytes in command */
	uint32_t unused2;
	char command[RUN_COMMAND];	/* arguments, each ended by a NUL */
};

/* A file mapped for execution, known by content: it may be unloaded and another
 * one loaded at its place, which is then another record. */
struct run_module {
	uint64_t bias;		/* address - bias is the address in the ELF file */
	uint64_t start, end;	/* where it was mapped */
	uint64_t path;		/* offset in RUN_STRINGS; absolute where known */
	uint32_t build_id_size;	/* 0: none */
	_Atomic uint32_t unloaded;	/* 1: was seen to be gone */
	uint8_t build_id[32];
};

/* The counters of a bin.  Only its thread adds to the first ones; the _remote ones
 * are added to by other threads.  Live objects: allocated - freed - freed_remote. */
struct run_bin {
	uint32_t site;
	uint32_t size;		/* bytes of each slot; 0: large objects, see bytes */
	_Atomic uint64_t allocated;
	_Atomic uint64_t freed;
	_Atomic uint64_t freed_remote;
	_Atomic uint64_t bytes_allocated;	/* only if size is 0 */
	_Atomic uint64_t bytes_freed;		/* only if size is 0; by whichever thread */
	uint64_t unused[2];	/* a bin is a cache line */
};

struct run_site {
	uint64_t id;		/* hash of the frames' raw addresses; means nothing in another run */
	uint32_t nframes;
	_Atomic uint32_t detail;	/* index in RUN_DETAILS, or 0 */
	uint64_t frames[RUN_FRAMES];	/* innermost (the caller of malloc) first */
	uint64_t first;		/* ns since start of its first allocation */

	/* At tick. */
	_Atomic uint64_t objects;	/* live */
	_Atomic uint64_t bytes;		/* live */
	_Atomic uint64_t peak_bytes;
	_Atomic uint64_t stale_objects;
	_Atomic uint64_t stale_bytes;
	_Atomic uint64_t max_staleness;		/* ns */
	_Atomic uint64_t max_staleness_allocations;
	_Atomic uint64_t drag;		/* sum of bytes x staleness, in byte-milliseconds */
	_Atomic uint64_t drag_allocations;	/* the same in byte x allocations */
	_Atomic uint64_t last_grown;	/* ns since start of the last tick at which it had
					 * allocated something since the tick before */
	uint64_t unused[3];
};

/* Memory held at a moment: one point of a curve.  When a curve is full, every
 * second point is dropped and the distance doubled. */
struct run_point {
	uint64_t when;		/* ns since start */
	uint64_t bytes;		/* live */
	uint64_t stale_bytes;
	uint64_t objects;	/* RUN_TIMELINE: bytes of heap_bytes instead */
};

/* More about a site worth it: one that has held 64 objects or 16 kB at once. */
struct run_detail {
	uint32_t site;
	_Atomic uint32_t npoints;
	_Atomic uint32_t ntouch;	/* 0: not known */
	uint32_t unused;
	uint64_t touch[RUN_TOUCH_FRAMES];	/* who touched a stale page of it last */
	uint64_t touch_time;	/* ns since start */
	_Atomic uint64_t hist[RUN_BUCKETS];	/* at tick: live bytes by staleness, see run_bucket_*() */
	struct run_point growth[RUN_GROWTH];
};

_Static_assert(sizeof(struct run_header) <= RUN_PAGE, "the header is one page");
_Static_assert(sizeof(struct run_bin) == 64, "a bin is a cache line");
_Static_assert(sizeof(struct run_site) == 256, "as documented");
_Static_assert(sizeof(struct run_module) == 72, "as documented");

/*
 * Helpers for both sides
 */

static inline uint64_t run_frame(uint32_t module, uint64_t offset)
{
	return (uint64_t)module << 48 | (offset & 0xffffffffffffu);
}

/* The module of an address that lies in none. */
#define RUN_NO_MODULE 0xffffu

static inline uint32_t run_frame_module(uint64_t frame)
{
	return (uint32_t)(frame >> 48);
}

static inline uint64_t run_frame_offset(uint64_t frame)
{
	return frame & 0xffffffffffffu;
}

/* Bucket 0 holds what is not known to be stale.  Bucket i > 0 holds staleness
 * from run_bucket_low(i) on: 1 ms, 1.5 ms, 2 ms, 3 ms, 4 ms, 6 ms, 8 ms, ... */
static inline uint64_t run_bucket_low(unsigned i)
{
	uint64_t ms = 1000000;

	if (i == 0)
		return 0;
	return (i - 1) % 2 ? (ms + ms / 2) << ((i - 1) / 2) : ms << ((i - 1) / 2);
}

static inline unsigned run_bucket(uint64_t ns)
{
	uint64_t ms = ns / 1000000;
	unsigned log, i;

	if (ms == 0)
		return 0;
	log = 63 - (unsigned)__builtin_clzll(ms);
	i = 1 + 2 * log;
	if (ns >= run_bucket_low(i + 1))
		i++;
	return i < RUN_BUCKETS ? i : RUN_BUCKETS - 1;
}

struct run_count {
	uint64_t allocated, freed;	/* objects */
	uint64_t bytes_allocated, bytes_freed;
};

/* Adds a bin to *c. */
static inline void run_count_bin(struct run_count *c, const struct run_bin *b)
{
	uint64_t a = b->allocated, f = b->freed + b->freed_remote;

	c->allocated += a;
	c->freed += f;
	c->bytes_allocated += b->size ? a * b->size : b->bytes_allocated;
	c->bytes_freed += b->size ? f * b->size : b->bytes_freed;
}

/* The exact count of a site, or of all sites if site is UINT32_MAX.  bins is the
 * section's start, n its number of records. */
static inline struct run_count run_count(const void *bins, uint64_t n, uint32_t stride,
					 uint32_t site)
{
	struct run_count c = { 0, 0, 0, 0 };

	for (uint64_t i = 1; i < n; i++) {
		const struct run_bin *b =
			(const struct run_bin *)((const char *)bins + i * stride);

		if (site == UINT32_MAX || b->site == site)
			run_count_bin(&c, b);
	}
	return c;
}

#endif
