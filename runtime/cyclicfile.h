/*
 * cyclicfile.h - the plan: which sites get cyclic buffers, and what became of it.
 *
 * `plumb run` writes the plan from the bounds file and names it in PLUMB_CYCLIC.
 * The library maps it, shared and writable, in every process of the run: what the
 * processes learn (bounds raised, memory used) is kept there, whatever ends
 * them, and `plumb run` takes it into the bounds file afterwards.
 *
 * The file: struct cyclic_header, modules, sites, then text (paths), in the
 * machine's own byte order.  Sites are sorted by their frames, (module, offset)
 * after (module, offset), a site before one that it is the beginning of.
 */
#ifndef RUNTIME_CYCLICFILE_H
#define RUNTIME_CYCLICFILE_H

#include <stdatomic.h>
#include <stdint.h>

#define CYCLIC_MAGIC "plumbcyc"
#define CYCLIC_VERSION 2
#define CYCLIC_FRAMES 16
#define CYCLIC_ENV "PLUMB_CYCLIC"

enum cyclic_flag {
	CYCLIC_MEND = 1,	/* room behind the bound, watched by sample; where training
				 * saw no leak, what is not freed is not overlaid */
	CYCLIC_STRICT = 2,	/* every page is watched in every round */
	CYCLIC_BY_PATH = 4,	/* modules that have changed are known by their name */
};

struct cyclic_header {
	char magic[8];
	uint32_t version, flags;
	uint32_t depth;			/* frames of a site */
	uint32_t nmodules, nsites;
	uint32_t strict_rounds;		/* reuses that a touched object is spared */
	uint64_t text;			/* offset of the paths in the file */
	_Atomic uint64_t processes;	/* that have read the plan */
	_Atomic uint64_t raised;	/* times that a bound was found too small */
	_Atomic uint64_t watched;	/* pages looked at */
	_Atomic uint64_t unwatched;	/* pages that could not be */
	/* failure-oblivious execution */
	uint64_t faults_allowed;	/* in a second; 0: as many as the library likes */
	_Atomic uint64_t faults, refused;
};

struct cyclic_module {
	uint32_t id_len;
	uint32_t path;			/* in the text; ends with NUL */
	uint8_t id[32];
};

struct cyclic_frame {
	uint32_t module, unused;
	uint64_t offset;		/* of the return address */
};

struct cyclic_entry {
	uint64_t m;			/* at least 1 */
	uint64_t max_size;
	uint32_t nframes;
	uint32_t number;		/* of the site in the bounds file */
	uint32_t leaking;		/* it leaked in training */
	uint32_t unused;
	struct cyclic_frame frames[CYCLIC_FRAMES];
	_Atomic uint64_t rounds;	/* times that a buffer of it was begun anew */
	_Atomic uint64_t raised;	/* 0, or the bound that was found to be needed */
	_Atomic uint64_t memory;	/* bytes of its buffers, of all processes */
};

#endif
