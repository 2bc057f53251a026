/*
 * watch_judge.c - which site is a leak, which is bloat, and which comes first.
 *
 * Rank.  By drag, as in Section 7 of Novark, Berger and Zorn, "Efficiently and
 * Precisely Locating Memory Leaks and Bloat" (PLDI 2009): bytes times staleness,
 * in allocation time, over all live objects of a site.  Allocation time stands
 * still in a program that no longer allocates; then drag in seconds decides.
 *
 * Kind.  In the paper the reader of the curves decides: staleness spread along
 * the diagonal means a leak that grows steadily, a jump means memory that was
 * allocated at once and is not used.  Here the rule below decides, so that a
 * script can ask for leaks.  Since a person acts on it, the rule asks for evidence
 * and says `live` wherever there is too little: a short run, a small site, few
 * points, memory that is used now and then.  So it errs to `live`: a leak may be
 * called that, and its rank by drag still shows it; memory that the program uses
 * should never be called `leak`.
 *
 * Let D be the run's duration, F the time of the site's first allocation, L its life
 * from F until its staleness was last measured (the end, or shortly before if the
 * program was killed), and "old" the bytes untouched for at least a tenth of L.
 *
 *	too little to tell	L below MIN_LIFE or a tenth of D, old below MIN_BYTES.
 *		If L is that short, or the site has less than MIN_BYTES in all, its
 *		bytes count as not judged: a report of "no leaks" must name them
 *
 *	leak	its stale memory grew steadily until now:
 *		- it allocated in the last quarter of L,
 *		- stale bytes rose in each of the last three quarters of L by at
 *		  least a twentieth of their present number, and an eighth of the
 *		  old bytes is untouched for half of L (a table that the program
 *		  walks through from time to time has no bytes as old); where there
 *		  are too few points for that, staleness must be spread: a fifth of
 *		  the old bytes in each half of L,
 *		- old is at least half of the live bytes, or (stale objects among
 *		  many hot ones) stale bytes rose by quarters and live bytes did
 *		  not fall.
 *
 *	bloat	allocated at once and not used since:
 *		- large enough: MIN_BLOAT, and a thousandth of all live memory,
 *		- nine tenths of the live bytes were there after a third of L,
 *		- half of the live bytes at least are untouched for 0.4 L,
 *		- some frame of it belongs to more than the C or C++ library.
 *
 *	live	everything else
 *
 * The stale bytes of a growing table that is read all the time stay near zero: by the
 * second point it is no leak however long it grows.  A cache whose old part is never
 * read again is a leak by this rule, since a run shows no difference.
 */
#include "run/watch.h"

#include <assert.h>
#include <stdio.h>

enum {
	MIN_BYTES = 4096,	/* less than a page: staleness is watched by page */
	MIN_BLOAT = 16384,	/* every program has many smaller ones */
	MIN_POINTS = 4,		/* of a curve, to be judged by quarters */
};

#define MIN_LIFE 1.5		/* seconds */

const char *watch_kind_name(enum watch_kind k)
{
	static const char *const names[] = { "live", "bloat", "leak" };

	assert(k < WATCH__KINDS);
	return names[k];
}

unsigned watch_count(const struct watch_run *r, enum watch_kind k)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < r->sites.n; i++)
		n += r->sites.v[i].kind == k;
	return n;
}

/* ---- measures ---- */

/* Live bytes that are untouched for at least so long; within a bucket they are
 * taken to be spread evenly. */
static double bytes_older(const struct watch_site *s, double staleness)
{
	double sum = 0;

	for (uint32_t i = 0; i < s->ages.n; i++) {
		const struct watch_age *a = &s->ages.v[i];

		assert(a->staleness <= a->upper);
		if (a->staleness >= staleness)
			sum += a->bytes;
		else if (a->upper > staleness)
			sum += a->bytes * (a->upper - staleness) / (a->upper - a->staleness);
	}
	return MIN(sum, (double)s->bytes);
}

/* Adds a point, unless the curve has reached it already. */
static void cdf_point(struct watch_points *out, double x, double share)
{
	assert(!out->n || x >= vec_last(out).when);
	if (!out->n || x > vec_last(out).when || share > vec_last(out).bytes)
		vec_push(out, ((struct watch_point){ x, share, 0 }));
}

void watch_cdf(struct watch_points *out, const struct watch_site *s)
{
	double total = 0, sum = 0;

	for (uint32_t i = 0; i < s->cdf.n; i++)
		vec_push(out, s->cdf.v[i]);
	for (uint32_t i = 0; i < s->ages.n; i++)
		total += s->ages.v[i].bytes;
	for (uint32_t i = 0; i < s->ages.n; i++) {
		const struct watch_age *a = &s->ages.v[i];

		if (i == 0 && a->upper > 0)
			cdf_point(out, 0, 0);
		if (a->upper > 0)
			cdf_point(out, MAX(a->staleness, vec_last(out).when), sum / total);
		sum += a->bytes;
		cdf_point(out, MAX(a->upper, out->n ? vec_last(out).when : 0), sum / total);
	}
	if (out->n)
		vec_last(out).bytes = 1;	/* rounding aside, it is */
}

/* The curve at a moment, straight between two points; 0 before the first. */
static struct watch_point curve_at(const struct watch_points *c, double when)
{
	struct watch_point a, b;
	double part;

	if (!c->n || when < c->v[0].when)
		return (struct watch_point){ when, 0, 0 };
	for (uint32_t i = 1; i < c->n; i++) {
		if (c->v[i].when < when)
			continue;
		a = c->v[i - 1];
		b = c->v[i];
		assert(a.when < b.when && a.when <= when);
		part = (when - a.when) / (b.when - a.when);
		return (struct watch_point){ when, a.bytes + part * (b.bytes - a.bytes),
					     a.stale_bytes + part * (b.stale_bytes - a.stale_bytes) };
	}
	return vec_last(c);
}

struct life {
	double first, length;
	double bytes;		/* live at its end */
	double old;		/* of them untouched for a tenth of it */
};

/* ---- the rule ---- */

static bool too_young(const struct watch_run *r, const struct life *l)
{
	return l->length < MIN_LIFE || l->length < r->duration / 10;
}

static bool too_little(const struct watch_run *r, const struct life *l)
{
	return r->untracked || too_young(r, l) || l->old < MIN_BYTES;
}

static bool rose_by_quarters(const struct watch_site *s, const struct life *l)
{
	double before = curve_at(&s->growth, l->first + l->length / 4).stale_bytes;
	double least = (double)s->stale_bytes / 20;

	assert(l->length >= MIN_LIFE);		/* else there was too little to tell */
	for (int quarter = 2; quarter <= 4; quarter++) {
		double now = curve_at(&s->growth, l->first + l->length * quarter / 4).stale_bytes;

		if (now < before + least)
			return false;
		before = now;
	}
	return true;
}

static bool spread_in_time(const struct watch_site *s, const struct life *l)
{
	double half = bytes_older(s, l->length / 2);

	return half >= l->old / 5 && l->old - half >= l->old / 5;
}

static uint32_t points_since(const struct watch_site *s, double when)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->growth.n; i++)
		n += s->growth.v[i].when >= when;
	return n;
}

static bool is_leak(const struct watch_site *s, const struct life *l)
{
	bool has_points = points_since(s, l->first) >= MIN_POINTS, grew;

	if (s->last_grown < l->first + l->length * 3 / 4)
		return false;
	if (has_points)
		grew = rose_by_quarters(s, l) && bytes_older(s, l->length / 2) >= l->old / 8;
	else
		grew = spread_in_time(s, l);
	if (!grew)
		return false;
	if (l->old >= l->bytes / 2)
		return true;
	return has_points && l->bytes >= curve_at(&s->growth, l->first + l->length / 2).bytes;
}

static bool is_bloat(const struct watch_run *r, const struct watch_site *s, const struct life *l)
{
	double third = l->first + l->length / 3;
	bool is_large = l->old >= MAX(MIN_BLOAT, (double)r->live_bytes / 1000);
	bool is_early;

	if (points_since(s, l->first) >= 3)
		is_early = curve_at(&s->growth, third).bytes >= 0.9 * l->bytes;
	else
		is_early = s->last_grown <= third;
	return is_large && is_early && bytes_older(s, 0.4 * l->length) >= l->bytes / 2;
}

/* All frames are wrappers, none is the program's: buffers that libraries make at their start. */
static bool is_library_only(const struct watch_site *s)
{
	const struct watch_frame *f = watch_site_frame(s);

	return f && f->wrapper;
}

static void judge(struct watch_run *r, struct watch_site *s)
{
	struct life l = { .first = s->first, .length = s->measured - s->first };
	double share;

	assert(s->growth.n > 0 && s->first <= r->duration && s->measured <= r->duration);
	l.bytes = MIN(curve_at(&s->growth, s->measured).bytes, (double)s->bytes);
	l.old = MIN(bytes_older(s, l.length / 10), l.bytes);
	share = l.bytes > 0 ? 100 * l.old / l.bytes : 0;
	s->kind = WATCH_LIVE;
	if (too_young(r, &l) || s->bytes < MIN_BYTES)
		r->unjudged_bytes += MIN(s->bytes, r->live_bytes - MIN(r->live_bytes, r->unjudged_bytes));
	if (too_little(r, &l) && !s->stale_bytes) {
		s->reason = "in use, as far as is known";
	} else if (too_little(r, &l)) {
		s->reason = "too little or too short to tell";
	} else if (is_leak(s, &l)) {
		s->kind = WATCH_LEAK;
		s->reason = arena_printf(&r->arena,
					 "grows steadily; %.0f%% of it untouched for %.1f s or more",
					 share, l.length / 10);
	} else if (is_bloat(r, s, &l) && is_library_only(s)) {
		s->reason = "stale, but the C or C++ library keeps it for itself";
	} else if (is_bloat(r, s, &l)) {
		double unused = 100 * bytes_older(s, 0.4 * l.length) / l.bytes;

		s->kind = WATCH_BLOAT;
		s->reason = arena_printf(&r->arena,
					 "allocated early and then left alone; %.0f%% of it untouched "
					 "for %.1f s or more", MIN(unused, 100), 0.4 * l.length);
	} else {
		s->reason = share >= 50 ? "stale, but it neither grows steadily nor was allocated at once" :
					  "most of it is in use";
	}
}

/* ---- rank ---- */

static int rank_compare(const void *a, const void *b)
{
	const struct watch_site *x = a, *y = b;

	if (x->drag != y->drag)
		return x->drag > y->drag ? -1 : 1;
	if (x->drag_seconds != y->drag_seconds)
		return x->drag_seconds > y->drag_seconds ? -1 : 1;
	if (x->stale_bytes != y->stale_bytes)
		return x->stale_bytes > y->stale_bytes ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return strcmp(x->id, y->id);
}

bool watch_is_short(const struct watch_run *r)
{
	return r->duration < MIN_LIFE;
}

void watch_judge(struct watch_run *r)
{
	r->unjudged_bytes = 0;
	for (uint32_t i = 0; i < r->sites.n; i++)
		judge(r, &r->sites.v[i]);
	if (r->sites.n)
		qsort(r->sites.v, r->sites.n, sizeof(*r->sites.v), rank_compare);
	for (uint32_t i = 0; i < r->sites.n; i++)
		r->sites.v[i].rank = i + 1;
#ifdef PLUMB_DEBUG
	watch_check(r);
#endif
}
