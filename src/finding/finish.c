/*
 * finish.c - from what engines found to what is reported: merged, sorted, named.
 *
 * Two findings merge if they are of one kind and name the same allocation (file,
 * line, column, function, allocator), the same leak place (file and line) and
 * the same variable.  A finding without leak place or without variable merges
 * with one that has them; one whose allocation has no place merges with none.
 * That errs on the side of reporting a leak twice: what one macro allocates at one
 * column for two variables, or two places where the same object is lost, stay two
 * findings.  So do an object that one engine calls never freed and another
 * conditional.
 *
 * Of two that merge, the one with the higher confidence gives the path, the
 * condition and the leak place; if the confidence is the same, the one with the
 * shorter path.
 *
 * Everything is a function of the set of findings, not of the order in which
 * engines gave them: they are sorted by all that they say before anything else.
 *
 * An id is made of what the program says of the allocation (site.c), and of the
 * last part of its file's name: neither the folder in which plumb runs nor the one
 * where the sources lie may change the id.  Findings that are equal in all that get
 * a running number: two leak places of one call, two calls that one macro makes, and
 * functions of one name in files of one name.  If the first of them is fixed, the
 * second takes over its id.  As a set the ids are right: a baseline neither hides a
 * new finding nor reveals an old one; only which of them is meant may be wrong.
 *
 * needs: findings of the engines, or of earlier calls.
 * gives: findings that findings_check() accepts, in order, with distinct ids.
 */
#include "base/file.h"
#include "base/hash.h"
#include "finding/priv.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- gaps ---- */

static void fill(const char **s, const char *def)
{
	if (!*s)
		*s = def;
}

/* No source has so many lines, and programs that read reports have 32-bit integers. */
static void bound(unsigned *x)
{
	if (*x >= INT_MAX)
		*x = 0;
}

static void fill_loc(struct finding_loc *at)
{
	fill(&at->file, "");
	fill(&at->function, "");
	bound(&at->line);
	bound(&at->column);
}

static bool has_place(const struct finding_loc *at)
{
	return at->file && at->file[0] && at->line;
}

/* A finding without allocation is about what its path begins with. */
static void place_alloc(struct finding *f)
{
	if (!has_place(&f->alloc) && f->path.n && has_place(&f->path.v[0].at))
		f->alloc = f->path.v[0].at;
}

void finding__normalise(struct finding *f)
{
	fill(&f->resource, "memory");
	fill(&f->allocator, "");
	fill(&f->variable, "");
	fill(&f->condition, "");
	fill(&f->fix_reason, "");
	for (uint32_t i = 0; i < f->path.n; i++) {
		fill_loc(&f->path.v[i].at);
		fill(&f->path.v[i].message, "");
	}
	for (uint32_t i = 0; i < f->edits.n; i++) {
		struct finding_edit *e = &f->edits.v[i];

		fill(&e->file, "");
		fill(&e->text, "");
		bound(&e->line);
		bound(&e->column);
		bound(&e->end_line);
		bound(&e->end_column);
	}
	place_alloc(f);
	fill_loc(&f->alloc);
	if (!has_place(&f->leak) && f->path.n && has_place(&f->path.v[f->path.n - 1].at))
		f->leak = f->path.v[f->path.n - 1].at;
	if (!has_place(&f->leak))
		f->leak = f->alloc;
	fill_loc(&f->leak);
}

/* ---- order ---- */

static int cmp_num(unsigned a, unsigned b)
{
	return a < b ? -1 : a > b;
}

static const char *or_empty(const char *s)
{
	return s ? s : "";
}

static int cmp_str(const char *a, const char *b)
{
	return strcmp(or_empty(a), or_empty(b));
}

/* The empty string after all others. */
static int cmp_str_empty_last(const char *a, const char *b)
{
	bool has_a = a && a[0], has_b = b && b[0];

	return has_a != has_b ? has_b - has_a : cmp_str(a, b);
}

static int cmp_file(struct findings *fs, const char *a, const char *b)
{
	return strcmp(finding_path(fs, a), finding_path(fs, b));
}

#define RETURN_IF_DIFFERENT(expr) do { int r_ = (expr); if (r_) return r_; } while (0)

/* The allocation and the kind: what findings must share to be merged. */
static int cmp_site(struct findings *fs, const struct finding *a, const struct finding *b)
{
	RETURN_IF_DIFFERENT(cmp_file(fs, a->alloc.file, b->alloc.file));
	RETURN_IF_DIFFERENT(cmp_num(a->alloc.line, b->alloc.line));
	RETURN_IF_DIFFERENT(cmp_num(a->alloc.column, b->alloc.column));
	RETURN_IF_DIFFERENT(cmp_num(a->kind, b->kind));
	RETURN_IF_DIFFERENT(cmp_str(a->alloc.function, b->alloc.function));
	return cmp_str(a->allocator, b->allocator);
}

/* Findings without leak place come last. */
static int cmp_leak(struct findings *fs, const struct finding *a, const struct finding *b)
{
	bool has_a = has_place(&a->leak), has_b = has_place(&b->leak);

	if (has_a != has_b)
		return has_b - has_a;
	if (!has_a)
		return 0;
	RETURN_IF_DIFFERENT(cmp_file(fs, a->leak.file, b->leak.file));
	return cmp_num(a->leak.line, b->leak.line);
}

static int cmp_paths(struct findings *fs, const struct finding *a, const struct finding *b)
{
	RETURN_IF_DIFFERENT(cmp_num(a->path.n, b->path.n));
	for (uint32_t i = 0; i < a->path.n; i++) {
		const struct finding_step *s = &a->path.v[i], *t = &b->path.v[i];

		RETURN_IF_DIFFERENT(cmp_file(fs, s->at.file, t->at.file));
		RETURN_IF_DIFFERENT(cmp_num(s->at.line, t->at.line));
		RETURN_IF_DIFFERENT(cmp_num(s->at.column, t->at.column));
		RETURN_IF_DIFFERENT(cmp_str(s->message, t->message));
	}
	return 0;
}

int finding__cmp_story(struct findings *fs, const struct finding *a, const struct finding *b)
{
	RETURN_IF_DIFFERENT(cmp_leak(fs, a, b));
	RETURN_IF_DIFFERENT(cmp_str_empty_last(a->variable, b->variable));
	RETURN_IF_DIFFERENT(cmp_num(b->confidence, a->confidence));
	RETURN_IF_DIFFERENT(cmp_paths(fs, a, b));
	RETURN_IF_DIFFERENT(cmp_str(a->condition, b->condition));
	RETURN_IF_DIFFERENT(cmp_num(a->leak.column, b->leak.column));
	RETURN_IF_DIFFERENT(cmp_str(a->leak.function, b->leak.function));
	RETURN_IF_DIFFERENT(cmp_str(a->resource, b->resource));
	RETURN_IF_DIFFERENT(cmp_num(a->engines, b->engines));
	return cmp_num(b->fix, a->fix);
}

static int cmp_findings(const void *pa, const void *pb, void *ctx)
{
	const struct finding *a = *(struct finding *const *)pa, *b = *(struct finding *const *)pb;
	struct findings *fs = ctx;

	RETURN_IF_DIFFERENT(cmp_site(fs, a, b));
	return finding__cmp_story(fs, a, b);
}

static void check_order(struct findings *fs)
{
#ifdef PLUMB_DEBUG
	for (uint32_t i = 1; i < fs->v.n; i++)
		assert(cmp_findings(&fs->v.v[i - 1], &fs->v.v[i], fs) <= 0);
#endif
	(void)fs;
}

static void sort(struct findings *fs)
{
	if (fs->v.n)
		qsort_r(fs->v.v, fs->v.n, sizeof(*fs->v.v), cmp_findings, fs);
	check_order(fs);
}

static int cmp_failures(const void *pa, const void *pb)
{
	const struct finding_failure *a = pa, *b = pb;

	RETURN_IF_DIFFERENT(cmp_str(a->file, b->file));
	return cmp_str(a->error, b->error);
}

/* ---- merging ---- */

static bool same_leak(struct findings *fs, const struct finding *a, const struct finding *b)
{
	const char *va = or_empty(a->variable), *vb = or_empty(b->variable);

	assert(cmp_site(fs, a, b) == 0);
	if (!has_place(&a->alloc))
		return false;
	if (has_place(&a->leak) && has_place(&b->leak) && cmp_leak(fs, a, b) != 0)
		return false;
	return !va[0] || !vb[0] || str_eq(va, vb);
}

/* Is the path of b the one to report? */
static bool has_better_path(const struct finding *a, const struct finding *b)
{
	if (!b->path.n || !a->path.n)
		return b->path.n > 0;
	if (a->confidence != b->confidence)
		return b->confidence > a->confidence;
	return b->path.n < a->path.n;
}

#define SWAP(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)

/* Puts what b knows into a; b is to be thrown away. */
static void merge(struct finding *a, struct finding *b)
{
	assert(a != b && a->kind == b->kind);
	if (has_better_path(a, b)) {
		SWAP(a->path, b->path);
		SWAP(a->condition, b->condition);
		SWAP(a->leak, b->leak);
		SWAP(a->lost, b->lost);
	}
	if (!has_place(&a->leak))
		a->leak = b->leak;
	if (!a->condition || !a->condition[0])
		a->condition = b->condition;
	if (!a->variable || !a->variable[0])
		a->variable = b->variable;
	if (!a->resource)
		a->resource = b->resource;
	if (!a->site)
		a->site = b->site;
	a->engines |= b->engines;
	a->confidence = MAX(a->confidence, b->confidence);
	a->in_baseline |= b->in_baseline;
	if (b->fix != FINDING_FIX_NONE && a->fix != FINDING_FIX_AVAILABLE &&
	    (a->fix == FINDING_FIX_NONE || b->fix == FINDING_FIX_AVAILABLE)) {
		a->fix = b->fix;
		a->fix_reason = b->fix_reason;
		SWAP(a->edits, b->edits);
	}
	vec_release(&b->path);
	vec_release(&b->edits);
}

/* Needs the findings sorted: those of one site are together, and begin with those that
 * have a leak place and a variable. */
static void merge_all(struct findings *fs)
{
	uint32_t kept = 0, site = 0;	/* site: first one kept of the present site */

	for (uint32_t i = 0; i < fs->v.n; i++) {
		struct finding *f = fs->v.v[i];
		uint32_t k;

		if (kept == 0 || cmp_site(fs, fs->v.v[site], f) != 0)
			site = kept;
		for (k = site; k < kept; k++)
			if (same_leak(fs, fs->v.v[k], f))
				break;
		if (k < kept)
			merge(fs->v.v[k], f);
		else
			fs->v.v[kept++] = f;
	}
	assert(kept <= fs->v.n && (kept > 0) == (fs->v.n > 0));
	fs->v.n = kept;
}

/* ---- ids ---- */

#define MAP_NAME countmap
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* Leaks of one object are one thing, whether an engine takes it to be freed on no
 * path or on some. */
static const char *kind_class(enum finding_kind k)
{
	return finding_kind_is_leak(k) ? "leak" : finding_kind_name(k);
}

static uint64_t fingerprint(const struct finding *f)
{
	struct hash128 h;

	assert(f->alloc.file && f->alloc.function && f->allocator && f->variable);
	hash128_init(&h);
	hash128_str(&h, path_base(f->alloc.file));
	hash128_str(&h, f->alloc.function);
	hash128_str(&h, kind_class(f->kind));
	if (f->site) {
		hash128_str(&h, f->site);
	} else {
		hash128_str(&h, f->allocator);
		hash128_str(&h, f->variable);
	}
	return h.a;
}

static void give_ids(struct findings *fs)
{
	struct countmap seen = {0};

	for (uint32_t i = 0; i < fs->v.n; i++) {
		struct finding *f = fs->v.v[i];
		uint64_t h = fingerprint(f);
		uint32_t number = (*countmap_put(&seen, h, NULL))++;

		snprintf(f->id, sizeof(f->id), "%016llx", (unsigned long long)hash_join(h, number));
	}
	countmap_release(&seen);
}

bool finding__is_id(const char *s)
{
	return strlen(s) == 16 && strspn(s, "0123456789abcdef") == 16;
}

void findings_finish(struct findings *fs)
{
	for (uint32_t i = 0; i < fs->v.n; i++)
		place_alloc(fs->v.v[i]);
	sort(fs);
	merge_all(fs);
	for (uint32_t i = 0; i < fs->v.n; i++)
		finding__normalise(fs->v.v[i]);
	sort(fs);	/* merging has filled gaps, and gaps sort last */
	give_ids(fs);
	finding__suppress(fs);
	coverage_finish(&fs->coverage);
	if (fs->failed.n)
		qsort(fs->failed.v, fs->failed.n, sizeof(*fs->failed.v), cmp_failures);
#ifdef PLUMB_DEBUG
	findings_check(fs);
#endif
}
