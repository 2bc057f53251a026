/*
 * make.c - a unit's IR record: compiled, written, and put into the cache.
 *
 * A record also says how its unit was compiled, so that plumb fix can compile the
 * unit again when all it has is an object or a program.
 */
#include "front/unit.h"

#include "front/cache.h"
#include "front/flags.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/sbuf.h"
#include "ir/build.h"
#include "ir/io.h"

#include <assert.h>
#include <signal.h>
#include <sys/wait.h>

/* The language, then the flags, each followed by a newline.  Paths have no newline in practice; if a
 * flag has one, nothing is said. */
void unit_note_flags(struct ir_module *m, const struct unit *u)
{
	struct sbuf b = {0};
	bool plain = true;

	sbuf_adds(&b, u->preprocessed ? "cpp-output\n" : "c\n");
	for (uint32_t i = 0; i < u->flags.n; i++) {
		plain &= !strchr(u->flags.v[i], '\n');
		sbuf_printf(&b, "%s\n", u->flags.v[i]);
	}
	if (plain && m->units.n == 1)
		m->units.v[0].flags = ir_intern(m, sbuf_str(&b));
	sbuf_release(&b);
}

/* The record may be anybody's: its flags are read like those of a database, by cmd_parse(), which leaves out
 * whatever could do harm. */
bool unit_read_flags(struct unit *u, const struct ir_unit *iu)
{
	const char *p = iu->flags, *end;
	struct args words = {0};
	struct cmd cmd;

	assert(!u->file && !u->flags.n);
	if (!*p || !*iu->path || iu->dir[0] != '/')
		return false;
	for (bool first = true; (end = strchr(p, '\n')); first = false, p = end + 1) {
		if (first)
			u->preprocessed = strncmp(p, "c\n", 2) != 0;
		else
			args_push_n(&words, p, (size_t)(end - p));
	}
	cmd_parse(&cmd, words.v, words.n);
	args_add(&u->flags, &cmd.flags);
	cmd_release(&cmd);
	args_release(&words);
	u->file = xstrdup(iu->path);
	u->path = path_join(iu->dir, iu->path);
	u->dir = xstrdup(iu->dir);
	unit_check(u);
	return true;
}

bool unit_from_flags(struct unit *u, const struct ir_module *m)
{
	return m->units.n == 1 && unit_read_flags(u, &m->units.v[0]);
}

int unit_record(struct sbuf *out, struct unit_times *times, const struct unit *u, const char *clang,
		struct cache *cache, struct args *files)
{
	int64_t moment = cache ? cache_moment(cache, u) : 0;
	struct unit_made made;
	size_t start = out->n;
	char key[CACHE_KEY_SIZE];
	int ret;

	if ((ret = unit_make(&made, u, clang)) < 0)
		return ret;
	unit_note_flags(made.module, u);
	ir_write(made.module, out);
	assert(out->n > start);
	if (cache) {
		cache_key(cache, u, key);
		cache_put(cache, key, &made.files, moment, out->s + start, out->n - start);
	}
	if (files)
		args_add(files, &made.files);
	*times = made.times;
	unit_made_release(&made);
	return 0;
}

char *unit_crash_text(int status, uint64_t limit)
{
	/* LLVM aborts when it gets no memory, mem.c leaves with code 2 */
	bool memory = limit && ((WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) ||
				(WIFEXITED(status) && WEXITSTATUS(status) == 2));

	if (!memory)
		return xasprintf("the front end crashed: %s", proc_status_text(status));
	return xasprintf("the front end crashed: %s (it may take %llu MiB of memory: --memory-limit)",
			 proc_status_text(status), (unsigned long long)limit >> 20);
}
