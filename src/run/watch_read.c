/*
 * watch_read.c - the run file, read with suspicion.
 *
 * The format is runtime/runfile.h.  The process that writes the file may be running,
 * may have been killed in the middle of a record, or may have written over the file,
 * whose counters are in the memory of the watched program.  So the parts in use are
 * copied first (a mapping could shrink while it is read), each bounded by the file's
 * size, and every number that selects or repeats something is checked.  Records that
 * are not whole are left out; only a file without a valid header is refused.
 *
 * There are two kinds of counts.  The bins are exact until the last instruction;
 * staleness was measured at the last tick.  Where they differ because of newer
 * objects, these count as touched; where objects are gone, they are taken for stale
 * ones.  Both ways staleness errs to less.
 *
 * A library that is unloaded and loaded again has new addresses and so new sites
 * in the file.  Sites that are equal by (module, offset) are merged.
 */
#include "run/watch.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "../runtime/runfile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	SECTION_MAX = 1 << 30,	/* bytes of one section that we are ready to read */
	PATH_MAX_SEEN = 4096,
};

/* Where bytes come from: memory, or a file if p is NULL. */
struct input {
	const char *p;
	int fd;
	uint64_t n;
	const char *name;
};

/* Records of one section, copied. */
struct records {
	char *p;
	uint32_t stride;
	uint64_t n;
};

struct reading {
	struct input in;
	struct run_header h;
	struct records sections[RUN_SECTIONS];
	struct watch_run *r;
};

/* ---- bytes ---- */

/* Copies n bytes at `at`; false if they are not there. */
static bool fetch(const struct input *in, void *to, uint64_t at, size_t n)
{
	char *p = to;

	if (at > in->n || n > in->n - at)
		return false;
	if (in->p) {
		memcpy(to, in->p + at, n);
		return true;
	}
	while (n > 0) {
		ssize_t k = pread(in->fd, p, n, (off_t)at);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		at += (uint64_t)k;
		n -= (size_t)k;
	}
	return true;
}

/* The records in use, as many of them as are in the file.  If records are smaller than
 * those of this version, none are read. */
static void fetch_section(struct reading *g, enum run_section_kind kind, size_t size)
{
	const struct run_section *s = &g->h.sections[kind];
	struct records *out = &g->sections[kind];
	bool is_aligned = size == 1 || s->stride % 8 == 0;
	uint64_t n = s->count, room;

	assert(kind < RUN_SECTIONS && !out->p && size > 0);
	if (!s->offset || s->stride < size || !is_aligned || s->offset >= g->in.n)
		return;
	room = MIN(g->in.n - s->offset, (uint64_t)SECTION_MAX) / s->stride;
	if (n > room) {
		n = room;
		g->r->cut = true;
	}
	if (!n)
		return;
	out->p = xmalloc(n * s->stride);
	if (!fetch(&g->in, out->p, s->offset, n * s->stride)) {
		free(out->p);
		out->p = NULL;
		g->r->cut = true;
		return;
	}
	out->stride = s->stride;
	out->n = n;
}

static const void *record(const struct reading *g, enum run_section_kind kind, uint64_t i)
{
	const struct records *s = &g->sections[kind];

	assert(i < s->n);
	return s->p + i * s->stride;
}

/* A string of RUN_STRINGS, in the arena. */
static const char *string_at(struct reading *g, uint64_t at)
{
	const struct records *s = &g->sections[RUN_STRINGS];
	uint64_t n = s->n * s->stride;

	if (at >= n)
		return "";
	return arena_strndup(&g->r->arena, s->p + at, strnlen(s->p + at, MIN(n - at, PATH_MAX_SEEN)));
}

/* The sum of any two numbers; at most INT64_MAX. */
static uint64_t plus(uint64_t a, uint64_t b)
{
	const uint64_t max = INT64_MAX;

	return a > max || b > max || a + b > max ? max : a + b;
}

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

/* ---- the process ---- */

static int read_header(struct reading *g)
{
	const struct run_header *h = &g->h;

	if (!fetch(&g->in, &g->h, 0, sizeof(g->h)))
		return error_set("%s: not a run file: too short", g->in.name);
	if (memcmp(h->magic, RUN_MAGIC, sizeof(h->magic)) != 0)
		return error_set("%s: not a run file, or one that is not ready yet", g->in.name);
	if (h->version != RUN_VERSION)
		return error_set("%s: a run file of version %u, this is for version %u: "
				 "plumb and libplumb.so do not belong together",
				 g->in.name, h->version, RUN_VERSION);
	return 0;
}

static void read_command(struct reading *g)
{
	size_t n = MIN(g->h.command_size, sizeof(g->h.command));

	for (size_t at = 0; at < n;) {
		size_t len = strnlen(g->h.command + at, n - at);

		vec_push(&g->r->command, arena_strndup(&g->r->arena, g->h.command + at, len));
		at += len + 1;
	}
}

static enum watch_state state_of(uint32_t state)
{
	switch (state) {
	case RUN_EXITED: return WATCH_EXITED;
	case RUN_EXECED: return WATCH_EXECED;
	default: return WATCH_RUNNING;
	}
}

static enum watch_primitive primitive_of(uint32_t primitive)
{
	switch (primitive) {
	case RUN_PRIM_MEMFD: return WATCH_PRIM_MEMFD;
	case RUN_PRIM_ANONYMOUS: return WATCH_PRIM_ANONYMOUS;
	default: return WATCH_PRIM_NONE;
	}
}

static void read_process(struct reading *g)
{
	const struct run_header *h = &g->h;
	struct watch_run *r = g->r;

	r->pid = h->pid;
	r->parent = h->parent;
	r->state = state_of(h->state);
	r->exit_status = h->exit_status;
	r->forked = h->flags & RUN_FORKED;
	r->cut = h->flags & RUN_CUT;
	r->command_cut = h->flags & RUN_COMMAND_CUT;
	r->untracked = h->flags & RUN_UNTRACKED;
	r->primitive = primitive_of(h->primitive);
	r->started = seconds(h->start_realtime);
	r->duration = seconds(h->now);
	r->looked = seconds(h->start) + r->duration;
	r->resizes = h->resizes;
	r->failures = h->failures;
	r->bad_frees = h->bad_frees;
	r->missing_children = h->missing_children;
	r->unwatched_programs = h->unwatched_programs;
	r->peak_bytes = h->peak_bytes;
	r->heap_bytes = h->heap_bytes;
	r->ticked_bytes = h->live_bytes;
	r->touches = h->touches;
	r->merged_pages = h->merged_pages;
	r->cost = seconds(h->cost);
	r->ended = "";
	read_command(g);
}

static void read_modules(struct reading *g)
{
	for (uint64_t i = 0; i < g->sections[RUN_MODULES].n && i < RUN_NO_MODULE; i++) {
		const struct run_module *m = record(g, RUN_MODULES, i);
		struct watch_module out = { .path = string_at(g, m->path), .unloaded = m->unloaded };

		out.nbuild_id = MIN(m->build_id_size, sizeof(m->build_id));
		out.build_id = arena_copy(&g->r->arena, m->build_id, out.nbuild_id);
		vec_push(&g->r->modules, out);
	}
}

/* Adds a point unless its time is out of order, as happens while the process thins a curve out. */
static void add_point(struct watch_points *to, double when, double bytes, double stale, double duration)
{
	struct watch_point p = { when, bytes, MIN(stale, bytes) };

	if (when <= duration && (!to->n || when > vec_last(to).when))
		vec_push(to, p);
}

/* Makes the present state the last point. */
static void end_curve(struct watch_points *to, double duration, double bytes, double stale)
{
	if (to->n && vec_last(to).when >= duration)
		(void)vec_pop(to);
	add_point(to, duration, bytes, stale, duration);
	assert(to->n && vec_last(to).when == duration);
}

static void read_timeline(struct reading *g)
{
	for (uint64_t i = 0; i < g->sections[RUN_TIMELINE].n; i++) {
		const struct run_point *p = record(g, RUN_TIMELINE, i);

		add_point(&g->r->memory, seconds(p->when), (double)p->bytes, (double)p->stale_bytes,
			  g->r->duration);
	}
}

/* ---- sites ---- */

static struct run_count *count_sites(const struct reading *g)
{
	uint64_t nsites = g->sections[RUN_SITES].n;
	struct run_count *c = xcalloc(nsites + 1, sizeof(*c));

	for (uint64_t i = 1; i < g->sections[RUN_BINS].n; i++) {
		const struct run_bin *b = record(g, RUN_BINS, i);

		if (b->site < nsites)
			run_count_bin(&c[b->site], b);
	}
	return c;
}

/* How much of `stale` is stale for sure after `live`, of which it was a part, has become `now`. */
static uint64_t surely_stale(uint64_t stale, uint64_t live, uint64_t now)
{
	uint64_t gone = live > now ? live - now : 0;

	return stale > gone ? MIN(stale - gone, now) : 0;
}

/* Live objects and bytes: exact if the bins make sense, else those of the tick. */
static void set_counts(struct watch_site *out, const struct run_site *s, const struct run_count *c)
{
	out->allocations = c->allocated;
	out->frees = c->freed;
	if (c->freed <= c->allocated && c->bytes_freed <= c->bytes_allocated) {
		out->objects = c->allocated - c->freed;
		out->bytes = c->bytes_allocated - c->bytes_freed;
	} else {
		out->objects = s->objects;
		out->bytes = s->bytes;
	}
	out->objects = MIN(out->objects, (uint64_t)INT64_MAX);
	out->bytes = MIN(out->bytes, (uint64_t)INT64_MAX);
	out->stale_objects = surely_stale(s->stale_objects, s->objects, out->objects);
	out->stale_bytes = surely_stale(s->stale_bytes, s->bytes, out->bytes);
	out->peak_bytes = MAX(s->peak_bytes, out->bytes);
	assert(out->stale_objects <= out->objects && out->stale_bytes <= out->bytes);
}

/* Ages by the mean and the maximum alone. */
static void set_two_ages(struct watch_site *out)
{
	struct watch_age used = { 0, 0, (double)(out->bytes - out->stale_bytes) };
	struct watch_age stale = { 0, out->max_staleness, (double)out->stale_bytes };

	if (out->bytes > out->stale_bytes)
		vec_push(&out->ages, used);
	if (out->stale_bytes) {
		double mean = out->drag_seconds / (double)out->stale_bytes;

		stale.staleness = MIN(mean, out->max_staleness);
		vec_push(&out->ages, stale);
	}
}

static void set_ages(struct watch_site *out, const struct run_detail *d)
{
	const double max = out->max_staleness;
	double sum = 0;

	for (unsigned i = 0; d && i < RUN_BUCKETS; i++)
		sum += (double)d->hist[i];
	if (sum <= 0) {
		set_two_ages(out);
		return;
	}
	for (unsigned i = 0; i < RUN_BUCKETS; i++) {
		struct watch_age a = { seconds(run_bucket_low(i)), 0, (double)d->hist[i] };

		if (i == 0 && (double)out->bytes > sum)
			a.bytes += (double)out->bytes - sum;
		a.staleness = MIN(a.staleness, max);
		if (i > 0)
			a.upper = i + 1 < RUN_BUCKETS ? MIN(seconds(run_bucket_low(i + 1)), max) : max;
		assert(a.staleness <= a.upper);
		if (a.bytes > 0)
			vec_push(&out->ages, a);
	}
}

static const struct run_detail *detail_of(const struct reading *g, const struct run_site *s)
{
	uint32_t i = s->detail;

	return i > 0 && i < g->sections[RUN_DETAILS].n ? record(g, RUN_DETAILS, i) : NULL;
}

/* Staleness counts only where objects are left that were stale at the last tick. */
static void set_staleness(struct watch_site *out, const struct run_site *s)
{
	if (!out->stale_bytes)
		return;
	out->drag = (double)s->drag_allocations;
	out->drag_seconds = (double)s->drag / 1e3;
	out->max_staleness = seconds(s->max_staleness);
	out->max_staleness_allocations = s->max_staleness_allocations;
}

static void read_site(struct reading *g, const struct run_site *s, const struct run_count *c)
{
	const struct run_detail *d = detail_of(g, s);
	struct watch_run *r = g->r;
	struct watch_site out = { .reason = "" };

	r->allocations = plus(r->allocations, c->allocated);
	r->frees = plus(r->frees, c->freed);
	set_counts(&out, s, c);
	if (!out.objects)
		return;
	set_staleness(&out, s);
	out.max_staleness = MIN(out.max_staleness, r->duration);
	out.first = MIN(seconds(s->first), r->duration);
	out.last_grown = MIN(MAX(seconds(s->last_grown), out.first), r->duration);
	for (uint32_t i = 0; i < MIN(s->nframes, RUN_FRAMES); i++)
		vec_push(&out.raw_frames, s->frames[i]);
	set_ages(&out, d);
	for (uint32_t i = 0; d && i < MIN(d->npoints, RUN_GROWTH); i++)
		add_point(&out.growth, seconds(d->growth[i].when), (double)d->growth[i].bytes,
			  (double)d->growth[i].stale_bytes, r->duration);
	/* points of a curve are far apart where there are few of them */
	out.measured = out.growth.n > 1 ? vec_last(&out.growth).when : r->duration;
	end_curve(&out.growth, r->duration, (double)out.bytes, (double)out.stale_bytes);
	if (d && d->ntouch) {
		for (uint32_t i = 0; i < MIN(d->ntouch, RUN_TOUCH_FRAMES); i++)
			vec_push(&out.raw_touch, d->touch[i]);
		out.touch_time = MIN(seconds(d->touch_time), r->duration);
	}
	vec_push(&r->sites, out);
}

/* The same for a frame in every run: of the module by build-id or name, and the offset. */
static uint64_t frame_hash(const struct watch_run *r, uint64_t frame)
{
	uint32_t m = run_frame_module(frame);
	uint64_t h = 0;

	if (m < r->modules.n) {
		const struct watch_module *mod = &r->modules.v[m];

		h = mod->nbuild_id ? hash_bytes(mod->build_id, mod->nbuild_id, 1) : hash_str(mod->path);
	}
	return hash_join(h, run_frame_offset(frame));
}

static void set_id(const struct watch_run *r, struct watch_site *s)
{
	uint64_t h = s->raw_frames.n;

	for (uint32_t i = 0; i < s->raw_frames.n; i++)
		h = hash_join(h, frame_hash(r, s->raw_frames.v[i]));
	snprintf(s->id, sizeof(s->id), "%016llx", (unsigned long long)h);
}

/* ---- sites that are the same ---- */

static void release_site(struct watch_site *s)
{
	vec_release(&s->frames);
	vec_release(&s->touch);
	vec_release(&s->ages);
	vec_release(&s->growth);
	vec_release(&s->cdf);
	vec_release(&s->findings);
	vec_release(&s->raw_frames);
	vec_release(&s->raw_touch);
}

/* The value of a curve at a moment: that of the last point until then. */
static struct watch_point value_at(const struct watch_points *c, double when)
{
	struct watch_point p = { when, 0, 0 };

	for (uint32_t i = 0; i < c->n && c->v[i].when <= when; i++) {
		p.bytes = c->v[i].bytes;
		p.stale_bytes = c->v[i].stale_bytes;
	}
	return p;
}

static void add_curve(struct watch_points *to, const struct watch_points *from)
{
	struct watch_points sum = {0};
	uint32_t i = 0, k = 0;

	while (i < to->n || k < from->n) {
		struct watch_point a, b;
		double when;

		if (i < to->n && k < from->n)
			when = MIN(to->v[i].when, from->v[k].when);
		else
			when = i < to->n ? to->v[i].when : from->v[k].when;
		a = value_at(to, when);
		b = value_at(from, when);
		a.bytes += b.bytes;
		a.stale_bytes += b.stale_bytes;
		assert(!sum.n || when > vec_last(&sum).when);
		vec_push(&sum, a);
		while (i < to->n && to->v[i].when <= when)
			i++;
		while (k < from->n && from->v[k].when <= when)
			k++;
	}
	vec_release(to);
	*to = sum;
}

static int age_compare(const void *a, const void *b)
{
	const struct watch_age *x = a, *y = b;

	return x->staleness < y->staleness ? -1 : x->staleness > y->staleness;
}

static void merge_site(struct watch_site *to, struct watch_site *from)
{
	assert(to != from && str_eq(to->id, from->id));
	to->objects = plus(to->objects, from->objects);
	to->bytes = plus(to->bytes, from->bytes);
	to->stale_objects = plus(to->stale_objects, from->stale_objects);
	to->stale_bytes = plus(to->stale_bytes, from->stale_bytes);
	to->allocations = plus(to->allocations, from->allocations);
	to->frees = plus(to->frees, from->frees);
	to->peak_bytes = plus(to->peak_bytes, from->peak_bytes);
	to->drag += from->drag;
	to->drag_seconds += from->drag_seconds;
	to->max_staleness = MAX(to->max_staleness, from->max_staleness);
	to->max_staleness_allocations = MAX(to->max_staleness_allocations, from->max_staleness_allocations);
	to->first = MIN(to->first, from->first);
	to->last_grown = MAX(to->last_grown, from->last_grown);
	to->measured = MAX(to->measured, from->measured);
	for (uint32_t i = 0; i < from->ages.n; i++)
		vec_push(&to->ages, from->ages.v[i]);
	if (to->ages.n)
		qsort(to->ages.v, to->ages.n, sizeof(*to->ages.v), age_compare);
	add_curve(&to->growth, &from->growth);
	if (from->touch_time > to->touch_time && from->raw_touch.n) {
		vec_clear(&to->raw_touch);
		for (uint32_t i = 0; i < from->raw_touch.n; i++)
			vec_push(&to->raw_touch, from->raw_touch.v[i]);
		to->touch_time = from->touch_time;
	}
	release_site(from);
}

static bool same_frames(const struct watch_run *r, const struct watch_site *a, const struct watch_site *b)
{
	if (!str_eq(a->id, b->id) || a->raw_frames.n != b->raw_frames.n)
		return false;
	for (uint32_t i = 0; i < a->raw_frames.n; i++)
		if (frame_hash(r, a->raw_frames.v[i]) != frame_hash(r, b->raw_frames.v[i]))
			return false;
	return true;
}

#define MAP_NAME sitemap
#define MAP_KEY const char *
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

static void merge_sites(struct watch_run *r)
{
	struct sitemap by_id = {0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->sites.n; i++) {
		struct watch_site *s = &r->sites.v[i];
		uint32_t *at;

		set_id(r, s);
		at = sitemap_get(&by_id, s->id);
		assert(n <= i && (!at || *at < n));
		if (at && same_frames(r, &r->sites.v[*at], s)) {
			merge_site(&r->sites.v[*at], s);
			continue;
		}
		if (n != i)
			r->sites.v[n] = *s;
		if (!at)	/* the key must stay where it is */
			sitemap_set(&by_id, arena_strdup(&r->arena, r->sites.v[n].id), n);
		n++;
	}
	r->sites.n = n;
	sitemap_release(&by_id);
}

static void read_sites(struct reading *g)
{
	struct run_count *counts = count_sites(g);
	struct watch_run *r = g->r;

	for (uint64_t i = 0; i < g->sections[RUN_SITES].n; i++)
		read_site(g, record(g, RUN_SITES, i), &counts[i]);
	free(counts);
	merge_sites(r);
	for (uint32_t i = 0; i < r->sites.n; i++) {
		r->live_bytes = plus(r->live_bytes, r->sites.v[i].bytes);
		r->stale_bytes = plus(r->stale_bytes, r->sites.v[i].stale_bytes);
	}
	r->peak_bytes = MAX(r->peak_bytes, r->live_bytes);
	end_curve(&r->memory, r->duration, (double)r->live_bytes, (double)r->stale_bytes);
}

/* ---- invariants ---- */

static void frames_check(const struct watch_frames *v)
{
	for (uint32_t i = 0; i < v->n; i++)
		assert(v->v[i].module && v->v[i].function && v->v[i].file);
}

void watch_check(const struct watch_run *r)
{
	assert(r->ended && r->state <= WATCH_EXECED && r->primitive <= WATCH_PRIM_ANONYMOUS);
	for (uint32_t i = 0; i < r->sites.n; i++) {
		const struct watch_site *s = &r->sites.v[i];

		assert(s->kind < WATCH__KINDS && s->reason);
		assert(strlen(s->id) == 16 && strspn(s->id, "0123456789abcdef") == 16);
		assert(s->at == 0 || s->at < s->frames.n);
		assert(!s->cdf.n || !s->ages.n);
		frames_check(&s->frames);
		frames_check(&s->touch);
	}
}

static void curve_check(const struct watch_points *c, double duration)
{
	for (uint32_t i = 0; i < c->n; i++) {
		assert(c->v[i].stale_bytes <= c->v[i].bytes && c->v[i].when <= duration);
		assert(!i || c->v[i - 1].when < c->v[i].when);
	}
}

/* What holds in addition for a run from a run file, and what judging relies on. */
static __attribute__((unused)) void measures_check(const struct watch_run *r)
{
	curve_check(&r->memory, r->duration);
	for (uint32_t i = 0; i < r->sites.n; i++) {
		const struct watch_site *s = &r->sites.v[i];

		assert(s->objects > 0 && s->stale_bytes <= s->bytes && s->bytes <= s->peak_bytes);
		assert(s->stale_objects <= s->objects && s->max_staleness <= r->duration);
		assert(s->first <= s->last_grown && s->last_grown <= r->duration);
		assert(s->growth.n > 0 && s->measured <= r->duration && s->touch_time <= r->duration);
		curve_check(&s->growth, r->duration);
		for (uint32_t k = 0; k < s->ages.n; k++) {
			assert(s->ages.v[k].staleness <= s->ages.v[k].upper && s->ages.v[k].bytes > 0);
			assert(!k || s->ages.v[k - 1].staleness <= s->ages.v[k].staleness);
		}
	}
}

/* ---- all of it ---- */

static int read_all(struct watch_run **out, struct reading *g)
{
	int ret;

	if ((ret = read_header(g)) < 0)
		return ret;
	g->r = xcalloc(1, sizeof(*g->r));
	arena_init(&g->r->arena);
	read_process(g);
	/* bins first: an object that is made meanwhile is not in them, and so not counted */
	fetch_section(g, RUN_BINS, sizeof(struct run_bin));
	fetch_section(g, RUN_DETAILS, sizeof(struct run_detail));
	fetch_section(g, RUN_SITES, sizeof(struct run_site));
	fetch_section(g, RUN_MODULES, sizeof(struct run_module));
	fetch_section(g, RUN_STRINGS, 1);
	fetch_section(g, RUN_TIMELINE, sizeof(struct run_point));
	read_modules(g);
	read_timeline(g);
	read_sites(g);
	for (unsigned i = 0; i < RUN_SECTIONS; i++)
		free(g->sections[i].p);
#ifdef PLUMB_DEBUG
	watch_check(g->r);
	measures_check(g->r);
#endif
	*out = g->r;
	return 0;
}

int watch_parse(struct watch_run **out, const void *p, size_t n, const char *name)
{
	struct reading g = { .in = { .p = p, .fd = -1, .n = n, .name = name } };

	return read_all(out, &g);
}

int watch_read(struct watch_run **out, const char *path)
{
	struct reading g = { .in = { .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), .name = path } };
	struct stat st;
	int ret;

	if (g.in.fd < 0)
		return error_sys("%s", path);
	if (fstat(g.in.fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		ret = error_set("%s: not a run file", path);
		goto done;
	}
	g.in.n = (uint64_t)st.st_size;
	ret = read_all(out, &g);
done:
	close(g.in.fd);
	return ret;
}

void watch_free(struct watch_run *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; i < r->sites.n; i++)
		release_site(&r->sites.v[i]);
	vec_release(&r->sites);
	vec_release(&r->command);
	vec_release(&r->memory);
	vec_release(&r->modules);
	vec_release(&r->notes);
	arena_release(&r->arena);
	free(r);
}

void watch_note(struct watch_run *r, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		mem_exhausted(1);
	va_end(ap);
	vec_push(&r->notes, arena_strdup(&r->arena, s));
	free(s);
}

/* ---- asking ---- */

int watch_request(const char *path, double limit)
{
	const struct timespec pause = { 0, 10 * 1000 * 1000 };
	struct run_header *h = MAP_FAILED;
	double start = clock_now();
	struct stat st;
	uint64_t want;
	int fd, ret;

	if ((fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)) < 0)
		return error_sys("%s", path);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(*h)) {
		ret = error_set("%s: not a run file", path);
		goto done;
	}
	h = mmap(NULL, sizeof(*h), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (h == MAP_FAILED) {
		ret = error_sys("%s", path);
		goto done;
	}
	if (memcmp(h->magic, RUN_MAGIC, sizeof(h->magic)) != 0 || h->version != RUN_VERSION) {
		ret = error_set("%s: not a run file", path);
		goto done;
	}
	want = atomic_fetch_add(&h->request, 1) + 1;
	while ((ret = atomic_load(&h->answered) >= want) == 0 && clock_now() - start < limit)
		nanosleep(&pause, NULL);
done:
	if (h != MAP_FAILED)
		munmap(h, sizeof(*h));
	close(fd);
	return ret;
}
