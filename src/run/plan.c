/*
 * plan.c - from bounds to the plan of a run, and back.
 *
 * The paper uses cyclic allocation at all m-bounded sites.  Two kinds have none here:
 * sites with very large objects, unless they leak, since a buffer would occupy memory
 * that the program releases, and zeroing it costs more than new pages; and the sites of
 * the dynamic linker, whose tables of threads and libraries grow with what the program
 * does, so that no training bounds their number.
 */
#include "run/plan.h"

#include "base/error.h"
#include "base/file.h"
#include "base/sbuf.h"

#include "../../runtime/cyclicfile.h"

#include <math.h>

#define LARGE_OBJECT (128u << 10)
#define LARGE_BUFFER (16u << 20)

_Static_assert(CYCLIC_FRAMES >= BOUNDS_MAX_DEPTH, "a site fits");

static bool has_all_modules(const struct bounds_site *s)
{
	for (uint32_t i = 0; i < s->nframes; i++)
		if (s->frames[i].module == BOUNDS_NO_MODULE)
			return false;
	return s->nframes > 0;
}

static bool is_linker(const struct bounds *b, const struct bounds_site *s)
{
	const char *base;

	assert(s->nframes > 0 && s->frames[0].module < b->modules.n);
	base = path_base(b->modules.v[s->frames[0].module].path);
	return str_starts(base, "ld-linux") || str_starts(base, "ld-musl") || str_eq(base, "ld.so");
}

bool plan_chooses(const struct bounds *b, const struct bounds_site *s, const struct plan_options *o)
{
	bool leaking = bounds_is_leaking(s);

	if (!bounds_is_executed(s) || !bounds_is_stable(s) || !has_all_modules(s) || is_linker(b, s))
		return false;
	if (o->only_leaking)
		return leaking;
	return leaking || (s->max_size < LARGE_OBJECT &&
			   bounds_m(s) <= LARGE_BUFFER / (s->max_size + 1));
}

static uint64_t scaled(uint64_t m, double scale)
{
	double x = ceil((double)(m ? m : 1) * scale);

	assert(scale > 0);
	return x < 1 ? 1 : (uint64_t)fmin(x, 0x1p62);
}

static void fill_entry(struct cyclic_entry *e, const struct bounds_site *s, uint32_t number,
		       const struct plan_options *o)
{
	assert(s->nframes > 0 && s->nframes <= CYCLIC_FRAMES);
	memset(e, 0, sizeof(*e));
	e->m = scaled(bounds_m(s), o->scale);
	e->max_size = s->max_size;
	e->nframes = s->nframes;
	e->number = number;
	e->leaking = bounds_is_leaking(s);
	for (uint32_t i = 0; i < s->nframes; i++) {
		e->frames[i].module = s->frames[i].module;
		e->frames[i].offset = s->frames[i].offset;
	}
}

/* By frames; a site before those whose frames begin with all of its frames. */
static int by_frames(const void *x, const void *y)
{
	const struct cyclic_entry *a = x, *b = y;

	for (uint32_t i = 0; i < a->nframes && i < b->nframes; i++) {
		const struct cyclic_frame *f = &a->frames[i], *g = &b->frames[i];

		if (f->module != g->module)
			return f->module < g->module ? -1 : 1;
		if (f->offset != g->offset)
			return f->offset < g->offset ? -1 : 1;
	}
	return a->nframes < b->nframes ? -1 : a->nframes > b->nframes;
}

static size_t parse_id(uint8_t *out, size_t max, const char *hex)
{
	size_t n = 0;
	unsigned x;

	for (; n < max && hex[0] && hex[1] && sscanf(hex, "%2x", &x) == 1; hex += 2)
		out[n++] = (uint8_t)x;
	return n;
}

int plan_write(const struct bounds *b, const struct plan_options *o, const char *path,
	       uint32_t *chosen)
{
	struct cyclic_header h = { .version = CYCLIC_VERSION };
	VEC(struct cyclic_entry) entries = {0};
	struct sbuf out = {0}, text = {0};
	int ret;

	for (uint32_t i = 0; i < b->sites.n; i++)
		if (plan_chooses(b, &b->sites.v[i], o))
			fill_entry(vec_add(&entries, 1), &b->sites.v[i], i, o);
	if (entries.n)
		qsort(entries.v, entries.n, sizeof(*entries.v), by_frames);
	assert(entries.n <= b->sites.n);
	memcpy(h.magic, CYCLIC_MAGIC, sizeof(h.magic));
	h.flags |= o->mend ? CYCLIC_MEND : 0;
	h.flags |= o->strict ? CYCLIC_STRICT : 0;
	h.flags |= o->by_path ? CYCLIC_BY_PATH : 0;
	h.depth = b->depth;
	h.nmodules = b->modules.n;
	h.nsites = entries.n;
	h.strict_rounds = o->strict;
	h.faults_allowed = o->faults;
	h.text = sizeof(h) + b->modules.n * sizeof(struct cyclic_module) +
		 entries.n * sizeof(struct cyclic_entry);
	sbuf_add(&out, &h, sizeof(h));
	for (uint32_t i = 0; i < b->modules.n; i++) {
		struct cyclic_module m = { .path = (uint32_t)text.n };

		m.id_len = (uint32_t)parse_id(m.id, sizeof(m.id), b->modules.v[i].build_id);
		sbuf_add(&out, &m, sizeof(m));
		sbuf_add(&text, b->modules.v[i].path, strlen(b->modules.v[i].path) + 1);
	}
	if (entries.n)
		sbuf_add(&out, entries.v, entries.n * sizeof(*entries.v));
	assert(out.n == h.text);
	sbuf_addc(&text, '\0');
	sbuf_add(&out, text.s, text.n);
	ret = file_write(path, out.s, out.n);
	*chosen = entries.n;
	sbuf_release(&text);
	sbuf_release(&out);
	vec_release(&entries);
	return ret;
}

int plan_read_result(struct plan_result *r, struct bounds *b, const char *path, bool *changed)
{
	const struct cyclic_entry *e;
	struct cyclic_header h;
	struct filemap f;
	int ret = 0;

	memset(r, 0, sizeof(*r));
	*changed = false;
	if (filemap_open(&f, path) < 0)
		return -1;
	if (f.n < sizeof(h)) {
		ret = error_set("%s: damaged", path);
		goto done;
	}
	memcpy(&h, f.p, sizeof(h));
	r->processes = h.processes;
	r->raised = h.raised;
	r->watched = h.watched;
	r->unwatched = h.unwatched;
	r->faults = h.faults;
	r->refused = h.refused;
	if ((f.n - sizeof(h)) / sizeof(struct cyclic_module) < h.nmodules ||
	    (f.n - sizeof(h) - h.nmodules * sizeof(struct cyclic_module)) / sizeof(*e) < h.nsites) {
		ret = error_set("%s: damaged", path);
		goto done;
	}
	e = (const void *)(f.p + sizeof(h) + h.nmodules * sizeof(struct cyclic_module));
	for (uint32_t i = 0; i < h.nsites; i++) {
		struct bounds_site *s;

		r->memory += e[i].memory;
		r->rounds += e[i].rounds;
		r->used += e[i].memory > 0;
		if (e[i].raised == 0 || e[i].number >= b->sites.n)
			continue;
		s = &b->sites.v[e[i].number];
		if (e[i].raised > bounds_m(s)) {
			/* the program can write this number; JSON holds no more */
			s->raised = MIN(e[i].raised, INT64_MAX);
			*changed = true;
		}
	}
done:
	filemap_close(&f);
	return ret;
}
