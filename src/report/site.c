/*
 * site.c - findings, runs and bounds, merged by allocation site.
 *
 * A static site and a run-time site are one if they agree on file and line of the first
 * frame that is no allocation wrapper.  The static engines know better than a stack which
 * frames are wrappers.  So a finding is looked for at each frame of a stack, from the inside
 * out (watch_find), and the stack belongs to the line of that finding; only if there is none,
 * the naming frame of the stack decides.  A finding further out than that frame means one of
 * the objects that the callee makes, and no stack says which one: the finding takes the
 * stacks that leak, not those that do not.  Two calls on one line are one site.
 *
 * Names of files come from different folders, machines and times: watch_same_place() says
 * whether two names mean the same file.  It errs in two ways: two files of one name are taken
 * for one if the same function has an allocation on the same line in both, and a file that was
 * renamed between the parts is taken for two.
 *
 * Rank: sites that leak in a run come first, then those with findings of high confidence, then
 * those that leaked in training, then bloat; among equals the one with more stale memory.  What
 * several parts agree on comes before what one part says alone.
 *
 * needs: findings_finish(), watch_judge(); all findings, runs and bounds.
 * gives: sites in the order of their ranks, with distinct ids.
 */
#include "report/site.h"

#include "base/file.h"
#include "base/hash.h"

#include <assert.h>

#define MAP_NAME line_map
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct site_lines {
	struct line_map map;	/* from key_of() to the first site with that key, plus 1 */
};

void sites_init(struct sites *t, struct findings *fs)
{
	memset(t, 0, sizeof(*t));
	t->fs = fs;
	t->lines = xcalloc(1, sizeof(*t->lines));
}

void sites_release(struct sites *t)
{
	for (uint32_t i = 0; i < t->v.n; i++) {
		vec_release(&t->v.v[i].findings);
		vec_release(&t->v.v[i].seen);
		vec_release(&t->v.v[i].bounds);
	}
	for (uint32_t i = 0; i < t->runs.n; i++)
		watch_free(t->runs.v[i]);
	for (uint32_t i = 0; i < t->trained.n; i++)
		trained_free(t->trained.v[i].t);
	vec_release(&t->v);
	vec_release(&t->runs);
	vec_release(&t->trained);
	if (t->lines)
		line_map_release(&t->lines->map);
	free(t->lines);
	memset(t, 0, sizeof(*t));
}

void sites_add_run(struct sites *t, struct watch_run *r)
{
	vec_push(&t->runs, r);
}

void sites_add_trained(struct sites *t, struct trained *x, const char *file)
{
	vec_push(&t->trained, ((struct sites_bounds){ x, file }));
}

/* ---- finding a site ---- */

/* A key that names of one file have in common, which end alike (watch_same_place()). */
static uint64_t key_of(struct sites *t, const struct site *s)
{
	if (!s->line)
		return s->offset | 1ull << 63;
	return hash_join(hash_str(path_base(finding_path(t->fs, s->file))), s->line);
}

static bool is_same(struct sites *t, const struct site *s, const struct site *want)
{
	if (s->line != want->line)
		return false;
	if (!want->line)
		return s->offset == want->offset && str_eq(path_base(s->module), path_base(want->module));
	return watch_same_place(t->fs, s->file, s->function, want->file, want->function);
}

static void make_id(struct sites *t, struct site *s)
{
	uint64_t h = s->line ? hash_join(hash_str(finding_path(t->fs, s->file)), s->line) :
			       hash_join(hash_str(path_base(s->module)), s->offset);

	snprintf(s->id, sizeof(s->id), "%016llx", (unsigned long long)h);
}

/* Of two names of a file the one below the root is shown: its source can be read. */
static void better_name(struct sites *t, struct site *s, const struct site *want)
{
	if (want->line && finding_path(t->fs, s->file)[0] == '/' && finding_path(t->fs, want->file)[0] != '/')
		s->file = want->file;
	if (!s->function[0])
		s->function = want->function;
}

/* The site at a place, made if there is none.  Pointers to sites move then. */
static struct site *site_at(struct sites *t, const struct site *want)
{
	uint32_t *first = line_map_put(&t->lines->map, key_of(t, want), NULL);
	struct site *s;

	assert(*first <= t->v.n && want->next == 0);
	for (uint32_t i = *first; i; i = t->v.v[i - 1].next)
		if (is_same(t, &t->v.v[i - 1], want)) {
			better_name(t, &t->v.v[i - 1], want);
			return &t->v.v[i - 1];
		}
	vec_push(&t->v, *want);
	s = &vec_last(&t->v);
	s->next = *first;
	*first = t->v.n;
	return s;
}

static struct site place_of_finding(const struct finding *f)
{
	return (struct site){
		.file = f->alloc.file, .line = f->alloc.line, .function = f->alloc.function, .module = "",
	};
}

static struct site place_of_frame(const struct watch_frame *f)
{
	struct site s = { .file = "", .function = f->function, .module = f->module };

	if (f->file[0] && f->line) {
		s.file = f->file;
		s.line = f->line;
	} else {
		s.offset = f->offset;
	}
	return s;
}

/* The site of a stack; leaks: of one that leaks.  NULL if the stack has no frames. */
static struct site *site_of_stack(struct sites *t, const struct watch_frames *frames, uint32_t at, bool leaks)
{
	struct watch_findings found = {0};
	struct site place, *s;
	uint32_t k;

	if (!frames->n)
		return NULL;
	assert(at < frames->n);
	k = watch_find(&found, frames, t->fs);
	place = found.n && (leaks || k <= at) ? place_of_finding(found.v[0]) : place_of_frame(&frames->v[at]);
	s = site_at(t, &place);
	vec_release(&found);
	return s;
}

/* ---- adding what is said ---- */

/* The same finding may come twice: from plumb check, and with its fix from plumb fix. */
static void add_finding(struct sites *t, const struct finding *f)
{
	struct site place = place_of_finding(f), *s = site_at(t, &place);

	assert(f->id[0]);	/* findings_finish() comes first */
	for (uint32_t i = 0; i < s->findings.n; i++)
		if (str_eq(s->findings.v[i]->id, f->id)) {
			if (s->findings.v[i]->fix == FINDING_FIX_NONE)
				s->findings.v[i] = f;
			return;
		}
	vec_push(&s->findings, f);
}

static void add_seen(struct sites *t, const struct watch_run *r, const struct watch_site *at)
{
	struct site *s = site_of_stack(t, &at->frames, at->at, at->kind != WATCH_LIVE);

	if (!s)
		return;
	vec_push(&s->seen, ((struct site_seen){ r, at }));
	s->stale_bytes = MAX(s->stale_bytes, at->stale_bytes);
	s->staleness = MAX(s->staleness, at->max_staleness);
	s->drag = MAX(s->drag, at->drag);
	if (at->kind == WATCH_LEAK)
		s->says |= SITE_LEAK;
	else if (at->kind == WATCH_BLOAT)
		s->says |= SITE_BLOAT;
}

static void add_bound(struct sites *t, const struct sites_bounds *b, const struct trained_site *at)
{
	bool leaks = bounds_is_leaking(&at->counts);
	struct site *s = NULL;

	if (bounds_is_executed(&at->counts))
		s = site_of_stack(t, &at->frames, at->at, leaks);
	if (!s)
		return;
	vec_push(&s->bounds, ((struct site_bound){ b->t, at, b->file }));
	s->trained_bytes = MAX(s->trained_bytes, at->counts.bytes);
	if (!leaks)
		return;
	s->says |= SITE_TRAINED_LEAK;
	if (bounds_is_stable(&at->counts))
		s->says |= SITE_BOUNDED;
}

static bool better_bound(const struct site_bound *a, const struct site_bound *b)
{
	bool sa = bounds_is_stable(&a->at->counts), sb = bounds_is_stable(&b->at->counts);
	bool la = bounds_is_leaking(&a->at->counts), lb = bounds_is_leaking(&b->at->counts);

	if (la != lb)
		return la;
	if (sa != sb)
		return sa;
	return bounds_m(&a->at->counts) > bounds_m(&b->at->counts);
}

const struct site_bound *site_best_bound(const struct site *s)
{
	const struct site_bound *best = NULL;

	for (uint32_t i = 0; i < s->bounds.n; i++)
		if (!best || better_bound(&s->bounds.v[i], best))
			best = &s->bounds.v[i];
	return best;
}

/* ---- verdicts and ranks ---- */

static void judge_findings(struct site *s)
{
	for (uint32_t i = 0; i < s->findings.n; i++) {
		const struct finding *f = s->findings.v[i];

		if (f->suppressed || f->in_baseline)
			continue;
		s->says |= SITE_FOUND;
		if (f->fix == FINDING_FIX_AVAILABLE)
			s->says |= SITE_PATCH;
		else if (f->fix == FINDING_FIX_REFUSED)
			s->says |= SITE_REFUSED;
	}
	if (s->says & SITE_LEAK)
		s->says &= ~(unsigned)SITE_BLOAT;
}

static unsigned confidence(const struct site *s)
{
	unsigned c = 0;

	for (uint32_t i = 0; i < s->findings.n; i++)
		if (!s->findings.v[i]->suppressed && !s->findings.v[i]->in_baseline)
			c = MAX(c, 1u + (unsigned)s->findings.v[i]->confidence);
	return c;
}

static unsigned weight(const struct site *s)
{
	unsigned w = 2 * confidence(s);

	if (s->says & SITE_LEAK)
		w += 8;
	if (s->says & SITE_TRAINED_LEAK)
		w += 3;
	if (s->says & SITE_BLOAT)
		w += 1;
	return w;
}

static int compare(double a, double b)
{
	return a > b ? -1 : a < b;
}

static int by_place(const void *pa, const void *pb)
{
	const struct site *a = pa, *b = pb;
	int c = strcmp(a->file, b->file);

	if (c == 0)
		c = a->line < b->line ? -1 : a->line > b->line;
	if (c == 0)
		c = strcmp(a->module, b->module);
	if (c == 0)
		c = a->offset < b->offset ? -1 : a->offset > b->offset;
	return c ? c : strcmp(a->function, b->function);
}

static int by_rank(const void *pa, const void *pb)
{
	const struct site *a = pa, *b = pb;
	int c = compare(weight(a), weight(b));

	if (c == 0)
		c = compare((double)a->stale_bytes, (double)b->stale_bytes);
	if (c == 0)
		c = compare(a->drag, b->drag);
	if (c == 0)
		c = compare((double)a->trained_bytes, (double)b->trained_bytes);
	if (c == 0)
		c = a->order < b->order ? -1 : 1;
	return c;
}

/* Two sites may have the same id, as files of one name have outside of the root: numbers them. */
static void part_ids(struct sites *t)
{
	struct line_map seen = {0};

	for (uint32_t i = 0; i < t->v.n; i++) {
		struct site *s = &t->v.v[i];
		uint64_t h = strtoull(s->id, NULL, 16);
		uint32_t nth = (*line_map_put(&seen, h, NULL))++;

		if (nth)
			snprintf(s->id, sizeof(s->id), "%016llx", (unsigned long long)hash_join(h, nth));
	}
	line_map_release(&seen);
}

void sites_check(const struct sites *t)
{
	struct line_map seen = {0};
	bool is_new;

	for (uint32_t i = 0; i < t->v.n; i++) {
		const struct site *s = &t->v.v[i];
		bool leaks = s->says & SITE_LEAK, trained = s->says & SITE_TRAINED_LEAK;

		assert(s->rank == i + 1 && s->order >= 1 && s->order <= t->v.n);
		assert(s->file && s->function && s->module);
		assert(!s->line || s->offset == 0);
		assert(s->findings.n + s->seen.n + s->bounds.n > 0);
		assert(!leaks || (s->seen.n && !(s->says & SITE_BLOAT)));
		assert(!trained || s->bounds.n);
		assert(!(s->says & SITE_BOUNDED) || trained);
		assert(!(s->says & (SITE_PATCH | SITE_REFUSED)) || s->says & SITE_FOUND);
		line_map_put(&seen, strtoull(s->id, NULL, 16), &is_new);
		assert(is_new);
	}
	line_map_release(&seen);
}

void sites_merge(struct sites *t)
{
	assert(t->v.n == 0);
	for (uint32_t i = 0; i < t->fs->v.n; i++)
		add_finding(t, t->fs->v.v[i]);
	for (uint32_t i = 0; i < t->runs.n; i++)
		for (uint32_t k = 0; k < t->runs.v[i]->sites.n; k++)
			add_seen(t, t->runs.v[i], &t->runs.v[i]->sites.v[k]);
	for (uint32_t i = 0; i < t->trained.n; i++)
		for (uint32_t k = 0; k < t->trained.v[i].t->sites.n; k++)
			add_bound(t, &t->trained.v[i], &t->trained.v[i].t->sites.v[k]);
	for (uint32_t i = 0; i < t->v.n; i++)
		judge_findings(&t->v.v[i]);
	if (t->v.n)
		qsort(t->v.v, t->v.n, sizeof(*t->v.v), by_place);
	for (uint32_t i = 0; i < t->v.n; i++) {
		t->v.v[i].order = i + 1;
		make_id(t, &t->v.v[i]);
	}
	part_ids(t);
	if (t->v.n)
		qsort(t->v.v, t->v.n, sizeof(*t->v.v), by_rank);
	for (uint32_t i = 0; i < t->v.n; i++)
		t->v.v[i].rank = i + 1;
#ifdef PLUMB_DEBUG
	sites_check(t);
#endif
}

unsigned sites_count(const struct sites *t, unsigned says)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < t->v.n; i++)
		n += (t->v.v[i].says & says) != 0;
	return n;
}
