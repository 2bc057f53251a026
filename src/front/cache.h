/*
 * cache.h - IR records of units that were compiled before.
 */
#ifndef FRONT_CACHE_H
#define FRONT_CACHE_H

#include "front/args.h"

#include "base/file.h"
#include "base/hash.h"

struct cache;
struct unit;

#define CACHE_KEY_SIZE 33	/* 32 hex digits and a NUL */

/* The cache in dir (NULL: $PLUMB_CACHE_DIR, else $XDG_CACHE_HOME/plumb, else
 * ~/.cache/plumb), for units made by this clang.  limit in bytes, 0: 1 GiB.  NULL
 * if there is none: no place for it, or the environment turns it off by an empty
 * PLUMB_CACHE_DIR, or (then a warning says so) somebody else can write there. */
struct cache *cache_new(const char *dir, uint64_t limit, const char *clang);

/* Says which folders may lie where others could replace them; by default none. */
void cache_allow(bool (*safe)(const char *dir));
/* Also brings the cache below its limit, if it is time to look. */
void cache_free(struct cache *c);

/* The name by which the unit's entry is found. */
void cache_key(const struct cache *c, const struct unit *u, char key[CACHE_KEY_SIZE]);

/* A record that is still good: none of the files it was made from has changed. */
struct cache_hit {
	struct filemap record;
	char *path;
};

/* The files that the record was made from are added to files, unless that is NULL. */
bool cache_get(struct cache *c, const char *key, struct cache_hit *hit, struct args *files);
void cache_hit_release(struct cache_hit *hit);
/* The record turned out to be damaged: removes it.  Then release it. */
void cache_hit_remove(struct cache_hit *hit);

/* The moment for cache_put(), to be taken before the source is read: later than the stamps of the source
 * and of all files that were written before cache_new().  Waits for the next tick of the clock if
 * necessary. */
int64_t cache_moment(const struct cache *c, const struct unit *u);

/* Stores a record that was made from these files since that moment.  Never an
 * error: what cannot be stored is left out (a file changed meanwhile, disk full). */
void cache_put(struct cache *c, const char *key, const struct args *files, int64_t moment,
	       const void *record, size_t n);
/* A record of so many bytes was stored by a worker process. */
void cache_note(struct cache *c, uint64_t bytes);

/* For others who store files there: what all names depend on (this plumb, the environment); the
 * path of a file, for free(); a mark for the clean-up that the file was used; writing it, whole or
 * not at all. */
struct hash128 cache_base(const struct cache *c);
char *cache_path(const struct cache *c, const char *name, const char *ext);
void cache_touch(const char *path);
int cache_write(struct cache *c, const char *path, const void *p, size_t n);

#endif
