/*
 * unite.c - two engines as one: an object that both say is lost is one finding.
 *
 * The engines look at an allocation from two sides, and may call the same leak by
 * two names: never freed, or lost by overwriting its last pointer.  To the person
 * who reads the report it is one leak of one allocation.  Which kind it is, and
 * how it is told, is said by
 *
 *   - the value-flow engine on whether anything ever frees the object, since it
 *     sees all of the program;
 *   - for the path and the condition, the surer of the two, then the shorter.
 *
 * The path engine may also find an allocation lost in several of its callers;
 * one of them is told, and the next when that is mended.  Of equals that is the
 * first by the names of their files in the project, and then by line: neither the
 * order of the units nor the folder of the sources chooses.
 *
 * Which way this errs: two objects that one call makes are one here.
 */
#include "base/hash.h"
#include "base/mem.h"
#include "finding/priv.h"

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
	uint64_t h = hash_join(at->line, at->column);

	return hash_join(hash_join(h, at->file ? hash_str(at->file) : 0), at->function ? hash_str(at->function) : 0);
}

/* The leak of an allocation that was kept last. */
#define MAP_NAME leakmap
#define MAP_KEY const struct finding_loc *
#define MAP_VAL struct finding *
#define MAP_HASH(k) hash_place(k)
#define MAP_EQ(a, b) same_place(a, b)
#include "base/map.h"

/* Is b the one whose path should be told? */
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

static void unite(struct findings *fs, struct finding *a, struct finding *b)
{
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
