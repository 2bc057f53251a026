/*
 * finding.c - the finding record, its names, and where the project's root is.
 *
 * Strings of findings live in the arena of their `struct findings`.  Vectors of
 * steps and edits have memory of their own, which findings_release() releases.
 */
#include "finding/finding.h"

#include "base/file.h"
#include "base/mem.h"
#include "finding/priv.h"
#include "ir/ir.h"

#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static const struct {
	const char *name, *title;
	bool is_leak;
} kinds[FINDING__KINDS] = {
	[FINDING_NEVER_FREED] = { "never-freed", "memory is never freed", true },
	[FINDING_CONDITIONAL] = { "conditional", "memory is not freed on some paths", true },
	[FINDING_OVERWRITTEN] = { "overwritten", "the last pointer to memory is overwritten", true },
	[FINDING_STALE] = { "stale", "memory is kept but no longer used", true },
	[FINDING_DOUBLE_FREE] = { "double-free", "memory is freed twice", false },
	[FINDING_USE_AFTER_FREE] = { "use-after-free", "memory is used after it was freed", false },
};

const char *finding_kind_name(enum finding_kind k)
{
	assert((unsigned)k < FINDING__KINDS);
	return kinds[k].name;
}

const char *finding_kind_title(enum finding_kind k)
{
	assert((unsigned)k < FINDING__KINDS);
	return kinds[k].title;
}

bool finding_kind_is_leak(enum finding_kind k)
{
	assert((unsigned)k < FINDING__KINDS);
	return kinds[k].is_leak;
}

const char *finding_confidence_name(enum finding_confidence c)
{
	static const char *const names[] = { "low", "medium", "high" };

	assert((unsigned)c < ARRAY_LEN(names));
	return names[c];
}

const char *finding_engine_name(unsigned bit)
{
	switch (bit) {
	case FINDING_BY_VFG: return "vfg";
	case FINDING_BY_PATH: return "path";
	case FINDING_BY_RUN: return "run";
	}
	assert(!"one engine");
	return "";
}

/* ---- invariants ---- */

static void check_loc(const struct finding_loc *at)
{
	assert(at->file && at->function);
	assert(at->line < INT_MAX && at->column < INT_MAX);
}

static void check_finding(const struct finding *f)
{
	assert((unsigned)f->kind < FINDING__KINDS && (unsigned)f->confidence <= FINDING_HIGH);
	assert(f->resource && f->allocator && f->variable && f->condition && f->fix_reason);
	assert(finding__is_id(f->id));
	assert(f->made.inst == IR_NONE || f->made.func != IR_NONE);
	assert(f->lost.inst == IR_NONE || f->lost.func != IR_NONE);
	assert(f->suppressed || (!f->in_baseline && !f->suppress_reason));
	check_loc(&f->alloc);
	check_loc(&f->leak);
	assert(!f->alloc.file[0] || !f->alloc.line || (f->leak.file[0] && f->leak.line));
	for (uint32_t i = 0; i < f->path.n; i++) {
		check_loc(&f->path.v[i].at);
		assert(f->path.v[i].message);
	}
	for (uint32_t i = 0; i < f->edits.n; i++) {
		const struct finding_edit *e = &f->edits.v[i];

		assert(e->file && e->text);
		assert(e->line < INT_MAX && e->end_line < INT_MAX);
	}
}

void findings_check(const struct findings *fs)
{
	for (uint32_t i = 0; i < fs->v.n; i++)
		check_finding(fs->v.v[i]);
	coverage_check(&fs->coverage);
}

const char *finding_path(struct findings *fs, const char *file)
{
	return source_shown(fs, file);
}

/* The nearest folder at or above the current one that has a .git (a folder, or
 * a file in a linked work tree); the current folder if there is none. */
static const char *find_root(struct arena *a)
{
	char *cwd = path_absolute("."), *dir = xstrdup(cwd);
	const char *root = NULL;

	do {
		char *git = path_join(dir, ".git");

		if (file_exists(git))
			root = arena_strdup(a, dir);
		free(git);
	} while (!root && path_up(&dir));
	if (!root)
		root = arena_strdup(a, cwd);
	free(cwd);
	free(dir);
	return root;
}

void findings_init(struct findings *fs)
{
	memset(fs, 0, sizeof(*fs));
	arena_init(&fs->arena);
	fs->sources = source_cache_new();
	fs->root = find_root(&fs->arena);
}

void findings_release(struct findings *fs)
{
	for (uint32_t i = 0; i < fs->v.n; i++) {
		vec_release(&fs->v.v[i]->path);
		vec_release(&fs->v.v[i]->edits);
	}
	vec_release(&fs->v);
	vec_release(&fs->failed);
	coverage_release(&fs->coverage);
	source_cache_free(fs->sources);
	exclusion_free(fs->exclusion);
	arena_release(&fs->arena);
	memset(fs, 0, sizeof(*fs));
}

struct finding *finding_new(struct findings *fs)
{
	struct finding *f = arena_new(&fs->arena, struct finding);

	f->made = f->lost = (struct finding_site){ IR_NONE, IR_NONE };
	vec_push(&fs->v, f);
	return f;
}

void finding_add_step(struct findings *fs, struct finding *f, const struct finding_loc *at,
		      const char *fmt, ...)
{
	struct finding_step step = { .at = *at };
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		mem_exhausted(strlen(fmt));
	va_end(ap);
	step.message = arena_strdup(&fs->arena, s);
	free(s);
	vec_push(&f->path, step);
}

unsigned findings_count(const struct findings *fs)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < fs->v.n; i++)
		n += !fs->v.v[i]->suppressed && !fs->v.v[i]->in_baseline && !fs->v.v[i]->elsewhere;
	return n;
}

const char *finding_failure_rest(const char *file, const char *error)
{
	const char *colon = error ? strchr(error, ':') : NULL;
	size_t n = colon ? (size_t)(colon - error) : 0;
	size_t all = file ? strlen(file) : 0;
	bool is_end = n && n <= all && memcmp(file + all - n, error, n) == 0;

	return is_end && (n == all || file[all - n - 1] == '/') ? colon : NULL;
}
