/*
 * results.h - the file of the cache that holds what engines found out about a
 * program in earlier runs (base/store.h).
 *
 * It is found by what the user named (inputs, database, flags) and by a number
 * that stands for whatever else separates the engines' results.  The engines
 * decide which of its contents still hold.
 */
#ifndef FRONT_RESULTS_H
#define FRONT_RESULTS_H

#include "front/front.h"

#include "base/file.h"
#include "base/store.h"

struct cache;

struct front_results {
	struct store *store;	/* NULL: there is no cache */
	struct filemap map;
	struct cache *cache;
	char *path;
};

/* Never an error: what cannot be read is as if it were not there.  A file that is damaged is
 * removed. */
void front_results_open(struct front_results *r, const struct front_options *o, uint64_t salt);
/* Writes what was used and added, if anything was added. */
void front_results_close(struct front_results *r);

#endif
