/*
 * make.c - a unit's record, from the cache or made.
 */
#include "front/unit.h"

#include "front/cache.h"

#include "base/mem.h"
#include "base/proc.h"
#include "base/sbuf.h"
#include "ir/io.h"

#include <assert.h>
#include <signal.h>
#include <sys/wait.h>

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

char *unit_crash_text(int status, uint64_t limit)
{
	/* LLVM aborts when it gets no memory, mem.c leaves with code 2 */
	bool memory = limit && ((WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) ||
				(WIFEXITED(status) && WEXITSTATUS(status) == 2));

	return memory ? xasprintf("the front end crashed: %s (it may take %llu MiB of memory: --memory-limit)",
				  proc_status_text(status), (unsigned long long)limit >> 20)
		      : xasprintf("the front end crashed: %s", proc_status_text(status));
}
