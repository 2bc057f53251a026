/*
 * unite.c - two engines as one: an object that both say is lost is one finding.
 *
 * The engines look at an allocation from two sides, and may call the same leak by
 * two names: never freed, or lost by overwriting its last pointer.  To the person
 * who reads the report that is one leak of one allocation:
 *
 *   - its kind is what the value-flow engine says, which sees all of the program and
 *     so knows whether anything ever frees the object;
 *   - its path and its condition are those of the finding with the higher confidence,
 *     then of the shorter path.
 *
 * The path engine may also find an allocation lost in several of its callers.  One of
 * them is reported, and the next one when the first is fixed.  Of equals that is the
 * first by the names of their files in the project, and then by line: neither the
 * order of the units nor the folder of the sources chooses.
 *
 * needs: findings as engines make them, with a variable ("" if there is none).
 * gives: at most one leak of the path engine for each allocation.  Errs towards too few:
 * two objects that one call makes are one here.
 */
#include "base/hash.h"
#include "base/mem.h"
#include "finding/priv.h"

#include <assert.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && str_eq(a, b));
}

static bool same_place(const struct finding_loc *a, const struct finding_loc *b)
{
	return a->line == b->line && a->column == b->column && same_text(a->file, b->file) &&
	       same_text(a->function, b->function);
}

static uint64_t hash_place(const struct finding_loc *at)
{
	uint64_t file = at->file ? hash_str(at->file) : 0;
	uint64_t function = at->function ? hash_str(at->function) : 0;

	return hash_join(hash_join(hash_join(at->line, at->column), file), function);
}

/* By allocation: the last of its leaks that stays a finding. */
#define MAP_NAME leakmap
#define MAP_KEY const struct finding_loc *
#define MAP_VAL struct finding *
#define MAP_HASH(k) hash_place(k)
#define MAP_EQ(a, b) same_place(a, b)
#include "base/map.h"

/* Is b the one whose path is to be reported? */
static bool is_better(struct findings *fs, const struct finding *a, const struct finding *b)
{
	if (a->confidence != b->confidence)
		return b->confidence > a->confidence;
	if (a->engines != b->engines)
		return b->engines & FINDING_BY_VFG;
	if (a->path.n != b->path.n)
		return b->path.n < a->path.n;
	return finding__cmp_story(fs, b, a) < 0;
}

/* Adds what b says to a; b is to be thrown away. */
static void unite(struct findings *fs, struct finding *a, struct finding *b)
{
	assert(a != b && a->variable && b->variable);
	if (is_better(fs, a, b)) {
		struct finding t = *a;

		*a = *b;
		*b = t;
	}
	if (b->engines & ~a->engines & FINDING_BY_VFG)
		a->kind = b->kind;
	a->engines |= b->engines;
	if (!*a->variable)
		a->variable = b->variable;
	vec_release(&b->path);
	vec_release(&b->edits);
}

void findings_unite(struct findings *fs)
{
	struct leakmap leaks = {0};
	uint32_t kept = 0;

	for (uint32_t i = 0; i < fs->v.n; i++) {
		struct finding *f = fs->v.v[i], **same = NULL;
		bool is_leak = finding_kind_is_leak(f->kind) && f->alloc.line;

		if (is_leak && f->engines & FINDING_BY_PATH)
			same = leakmap_get(&leaks, &f->alloc);
		if (same) {
			unite(fs, *same, f);
			continue;
		}
		if (is_leak)
			leakmap_set(&leaks, &f->alloc, f);
		fs->v.v[kept++] = f;
	}
	fs->v.n = kept;
	leakmap_release(&leaks);
}
