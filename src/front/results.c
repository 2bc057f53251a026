/*
 * results.c - the file of the cache that holds what engines found out in earlier runs.
 */
#include "front/results.h"

#include "front/cache.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/hash.h"

#include <assert.h>
#include <unistd.h>

#define NO_FILE "-"

static void add_path(struct hash128 *h, const char *path)
{
	char *full = path ? path_absolute(path) : NULL;

	hash128_str(h, full ? full : NO_FILE);
	free(full);
}

static char *find_path(const struct cache *c, const struct front_options *o, uint64_t salt)
{
	struct hash128 h = cache_base(c);
	char key[CACHE_KEY_SIZE];

	hash128_str(&h, "results");
	hash128_add(&h, &salt, sizeof(salt));
	add_path(&h, o->compdb);
	add_path(&h, ".");
	for (unsigned i = 0; i < o->ninputs; i++)
		add_path(&h, o->inputs[i]);
	for (unsigned i = 0; i < o->ncflags; i++)
		hash128_str(&h, o->cflags[i]);
	hash128_hex(&h, key);
	return cache_path(c, key, ".res");
}

void front_results_open(struct front_results *r, const struct front_options *o, uint64_t salt)
{
	memset(r, 0, sizeof(*r));
	if (o->no_cache || !(r->cache = cache_new(o->cache_dir, o->cache_limit, "")))
		return;
	r->path = find_path(r->cache, o, salt);
	r->store = store_new();
	if (!file_exists(r->path) || filemap_open(&r->map, r->path) < 0) {
		memset(&r->map, 0, sizeof(r->map));
		return;
	}
	cache_touch(r->path);
	if (store_parse(r->store, r->map.p, r->map.n) < 0) {
		diag_verbose("%s: damaged cache entry, removed: %s", r->path, error_last());
		unlink(r->path);
	}
}

void front_results_close(struct front_results *r)
{
	struct sbuf b = {0};

	assert(!r->store == !r->cache && !r->path == !r->cache);
	if (r->store && store_has_new(r->store)) {
		store_print(r->store, &b);
		cache_write(r->cache, r->path, b.s, b.n);
	}
	sbuf_release(&b);
	store_free(r->store);
	if (r->map.p)
		filemap_close(&r->map);
	cache_free(r->cache);
	free(r->path);
	memset(r, 0, sizeof(*r));
}
