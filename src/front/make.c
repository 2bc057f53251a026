/*
 * make.c - a unit's record, from the cache or made.
 */
#include "front/unit.h"

#include "front/cache.h"

#include "base/sbuf.h"
#include "ir/io.h"

#include <assert.h>

int unit_record(struct sbuf *out, struct unit_times *times, const struct unit *u, const char *clang,
		struct cache *cache)
{
	int64_t moment = cache ? cache_moment(u) : 0;
	struct unit_made made;
	size_t start = out->n;
	char key[CACHE_KEY_SIZE];
	int ret;

	if ((ret = unit_make(&made, u, clang)) < 0)
		return ret;
	ir_write(made.module, out);
	assert(out->n > start);
	if (cache) {
		cache_key(cache, u, key);
		cache_put(cache, key, &made.files, moment, out->s + start, out->n - start);
	}
	*times = made.times;
	unit_made_release(&made);
	return 0;
}
