/*
 * runimage.h - run files made by hand, for tests of their reader.
 *
 *	struct image im;
 *	image_init(&im, 12.0);			a run of 12 seconds
 *	uint32_t m = image_module(&im, "/bin/prog", NULL, 0);
 *	uint32_t s = image_site(&im, 2, run_frame(m, 0x1234), run_frame(m, 0x2345));
 *	image_steady(&im, s, 900, 80);		a leak
 *	image_finish(&im);			im.bytes is the file
 *
 * Sections are laid out with room to spare, as the library does.
 */
#ifndef TESTS_RUNIMAGE_H
#define TESTS_RUNIMAGE_H

#include "base/mem.h"
#include "base/sbuf.h"
#include "base/vec.h"
#include "../runtime/runfile.h"

#include <stdarg.h>

struct image {
	struct run_header h;
	VEC(struct run_module) modules;
	VEC(struct run_site) sites;
	VEC(struct run_bin) bins;
	VEC(struct run_detail) details;
	VEC(struct run_point) timeline;
	struct sbuf strings;
	struct sbuf bytes;		/* the file */
};

static inline uint64_t image_ns(double s)
{
	return (uint64_t)(s * 1e9);
}

static inline void image_init(struct image *im, double duration)
{
	static const char command[] = "prog\0--flag";

	memset(im, 0, sizeof(*im));
	memcpy(im->h.magic, RUN_MAGIC, sizeof(im->h.magic));
	im->h.version = RUN_VERSION;
	im->h.header_size = sizeof(im->h);
	im->h.pid = 4711;
	im->h.parent = 1;
	im->h.state = RUN_EXITED;
	im->h.primitive = RUN_PRIM_MEMFD;
	im->h.depth = 4;
	im->h.page_size = 4096;
	im->h.start_realtime = 1700000000000000000u;
	im->h.now = image_ns(duration);
	memcpy(im->h.command, command, sizeof(command));
	im->h.command_size = sizeof(command);
	sbuf_addc(&im->strings, '\0');
	vec_add(&im->modules, 1);
	vec_add(&im->sites, 1);
	vec_add(&im->bins, 1);
	vec_add(&im->details, 1);
}

static inline void image_release(struct image *im)
{
	vec_release(&im->modules);
	vec_release(&im->sites);
	vec_release(&im->bins);
	vec_release(&im->details);
	vec_release(&im->timeline);
	sbuf_release(&im->strings);
	sbuf_release(&im->bytes);
}

static inline uint32_t image_module(struct image *im, const char *path, const void *id, size_t nid)
{
	struct run_module *m = vec_add(&im->modules, 1);

	m->path = im->strings.n;
	sbuf_add(&im->strings, path, strlen(path) + 1);
	m->build_id_size = (uint32_t)nid;
	if (nid)
		memcpy(m->build_id, id, nid);
	return im->modules.n - 1;
}

/* n frames follow, innermost first. */
static inline uint32_t image_site(struct image *im, unsigned n, ...)
{
	struct run_site *s = vec_add(&im->sites, 1);
	va_list ap;

	va_start(ap, n);
	s->nframes = n;
	for (unsigned i = 0; i < n; i++)
		s->frames[i] = va_arg(ap, uint64_t);
	va_end(ap);
	return im->sites.n - 1;
}

/* So many objects of so many bytes, allocated and freed. */
static inline void image_count(struct image *im, uint32_t site, uint64_t allocated, uint64_t freed, uint32_t size)
{
	struct run_bin *b = vec_add(&im->bins, 1);
	struct run_site *s = &im->sites.v[site];

	b->site = site;
	b->size = size;
	b->allocated = allocated;
	b->freed = freed / 2;
	b->freed_remote = freed - freed / 2;
	s->objects += allocated - freed;
	s->bytes += (allocated - freed) * size;
	s->peak_bytes = MAX(s->peak_bytes, s->bytes);
	im->h.allocations += allocated;
}

static inline struct run_detail *image_detail(struct image *im, uint32_t site)
{
	struct run_detail *d;

	if (im->sites.v[site].detail)
		return &im->details.v[im->sites.v[site].detail];
	d = vec_add(&im->details, 1);
	d->site = site;
	im->sites.v[site].detail = im->details.n - 1;
	return d;
}

static inline void image_point(struct image *im, uint32_t site, double when, double bytes, double stale)
{
	struct run_detail *d = image_detail(im, site);

	if (d->npoints < RUN_GROWTH)
		d->growth[d->npoints++] = (struct run_point){ image_ns(when), (uint64_t)bytes, (uint64_t)stale, 0 };
}

/* So many of the site's live bytes are stale for so many seconds. */
static inline void image_stale(struct image *im, uint32_t site, uint64_t bytes, double seconds)
{
	struct run_detail *d = image_detail(im, site);
	struct run_site *s = &im->sites.v[site];
	uint64_t size = s->objects ? MAX(s->bytes / s->objects, 1) : 1;

	d->hist[run_bucket(image_ns(seconds))] += bytes;
	s->stale_bytes += bytes;
	s->stale_objects += bytes / size;
	s->max_staleness = MAX(s->max_staleness, image_ns(seconds));
	s->max_staleness_allocations = s->max_staleness / 1000000;	/* one in a ms */
	s->drag += (uint64_t)((double)bytes * seconds * 1e3);
	s->drag_allocations += (uint64_t)((double)bytes * seconds * 1e3);
}

static inline double image_duration(const struct image *im)
{
	return (double)im->h.now / 1e9;
}

enum { IMAGE_STEPS = 40 };

/* A leak: so many objects, one after another all the time, touched when made. */
static inline void image_steady(struct image *im, uint32_t site, uint64_t objects, uint32_t size)
{
	double d = image_duration(im), total = (double)objects * size;

	image_count(im, site, objects, 0, size);
	im->sites.v[site].first = image_ns(d / IMAGE_STEPS);
	im->sites.v[site].last_grown = im->h.now;
	for (unsigned i = 1; i <= IMAGE_STEPS; i++) {
		double part = (double)i / IMAGE_STEPS;

		image_point(im, site, part * d, part * total, MAX(part - 0.05, 0) * total);
		if (i > 2)
			image_stale(im, site, (uint64_t)(total / IMAGE_STEPS), (part - 0.05) * d);
	}
}

/* Bloat: allocated at the beginning and not touched since. */
static inline void image_bloat(struct image *im, uint32_t site, uint64_t objects, uint32_t size)
{
	double d = image_duration(im), total = (double)objects * size;

	image_count(im, site, objects, 0, size);
	im->sites.v[site].first = image_ns(d / 100);
	im->sites.v[site].last_grown = image_ns(d / 50);
	for (unsigned i = 1; i <= IMAGE_STEPS; i++)
		image_point(im, site, d * i / IMAGE_STEPS, total, i > 4 ? total : 0);
	image_stale(im, site, (uint64_t)total, 0.9 * d);
}

/* A table that grows and is read all the time. */
static inline void image_hot(struct image *im, uint32_t site, uint64_t objects, uint32_t size)
{
	double d = image_duration(im), total = (double)objects * size;

	image_count(im, site, objects + objects / 3, objects / 3, size);
	im->sites.v[site].first = image_ns(d / 50);
	im->sites.v[site].last_grown = im->h.now;
	for (unsigned i = 1; i <= IMAGE_STEPS; i++)
		image_point(im, site, d * i / IMAGE_STEPS, total * i / IMAGE_STEPS, 0);
	image_detail(im, site)->hist[0] += (uint64_t)total;
}

static inline void image__section(struct image *im, enum run_section_kind kind, const void *p, uint64_t n,
				  uint32_t stride)
{
	struct run_section *s = &im->h.sections[kind];

	while (im->bytes.n % 64)
		sbuf_addc(&im->bytes, '\0');
	s->offset = im->bytes.n;
	s->stride = stride;
	s->count = n;
	s->capacity = n + 1;
	if (n)
		sbuf_add(&im->bytes, p, n * stride);
	for (uint32_t i = 0; i < stride; i++)
		sbuf_addc(&im->bytes, '\0');
}

static inline void image_finish(struct image *im)
{
	sbuf_clear(&im->bytes);
	for (unsigned i = 0; i < RUN_PAGE; i++)
		sbuf_addc(&im->bytes, '\0');
	image__section(im, RUN_MODULES, im->modules.v, im->modules.n, sizeof(*im->modules.v));
	image__section(im, RUN_STRINGS, im->strings.s, im->strings.n, 1);
	image__section(im, RUN_SITES, im->sites.v, im->sites.n, sizeof(*im->sites.v));
	image__section(im, RUN_BINS, im->bins.v, im->bins.n, sizeof(*im->bins.v));
	image__section(im, RUN_DETAILS, im->details.v, im->details.n, sizeof(*im->details.v));
	image__section(im, RUN_TIMELINE, im->timeline.v, im->timeline.n, sizeof(*im->timeline.v));
	memcpy(im->bytes.s, &im->h, sizeof(im->h));
}

#endif
