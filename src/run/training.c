/*
 * training.c - the training files of one run, one for each of its processes,
 * added up.
 *
 * The files were written by the Valgrind tool through a mapping, by processes
 * that may have been killed at any moment (valgrind/trainfile.h).  Nothing in
 * them is believed: sizes are checked against the file, and a damaged file is used
 * up to the first record that cannot be right.
 *
 * A run's count of a site is the sum over its processes, its bound the largest.
 * What a forked child did is in the child's file alone, so nothing is counted
 * twice; but a child may free what its parent allocated, and then `freed` can
 * exceed `allocated`.
 */
#include "run/bounds.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "run/identity.h"

#include "../../valgrind/trainfile.h"

#include <dirent.h>

_Static_assert(BOUNDS_MAX_DEPTH >= TRAIN_MAX_DEPTH, "a site of training fits");

/* More than any program counts; sums of two of them fit into JSON's integers. */
#define SANE (UINT64_C(1) << 60)

static uint64_t sane(uint64_t x)
{
	return MIN(x, SANE);
}

struct reader {
	struct bounds *b;
	const char *p;
	size_t n;
	VEC(uint32_t) modules;		/* by number in the file: number in the bounds */
	unsigned sites;
};

static int add_module(struct reader *r, const char *p, size_t size)
{
	struct train_module m;
	const char *path = p + sizeof(m);
	char *id;

	if (size < sizeof(m))
		return -1;
	memcpy(&m, p, sizeof(m));
	if (m.id_len > sizeof(m.id) || m.path_len >= size - sizeof(m) || path[m.path_len] != 0)
		return -1;
	id = identity_hex(m.id, m.id_len);
	vec_push(&r->modules, bounds_module(r->b, path, id));
	free(id);
	return 0;
}

static int add_site(struct reader *r, const char *p, size_t size)
{
	struct bounds_frame frames[BOUNDS_MAX_DEPTH];
	struct bounds_count *c;
	struct bounds_site *s;
	struct train_site t;
	uint32_t at;

	assert(r->b->runs.n > 0);
	if (size < sizeof(t))
		return -1;
	memcpy(&t, p, sizeof(t));
	if (t.nframes > TRAIN_MAX_DEPTH || size - sizeof(t) < t.nframes * sizeof(struct train_frame))
		return -1;
	for (uint32_t i = 0; i < t.nframes; i++) {
		struct train_frame f;

		memcpy(&f, p + sizeof(t) + i * sizeof(f), sizeof(f));
		if (f.module != TRAIN_NO_MODULE && f.module >= r->modules.n)
			return -1;
		frames[i].module = f.module == TRAIN_NO_MODULE ? BOUNDS_NO_MODULE :
								 r->modules.v[f.module];
		/* Code that is in no file has an address that means nothing elsewhere. */
		frames[i].offset = f.module == TRAIN_NO_MODULE ? 0 : f.offset & INT64_MAX;
	}
	at = bounds_site(r->b, frames, t.nframes);	/* may move the sites */
	s = &r->b->sites.v[at];
	assert(s->runs.n == r->b->runs.n);
	c = &vec_last(&s->runs);
	c->allocated = MIN(c->allocated + sane(t.allocated), SANE);
	c->freed = MIN(c->freed + sane(t.freed), SANE);
	c->bound = MAX(c->bound, sane(t.bound));
	s->max_size = MAX(s->max_size, sane(t.max_size));
	s->bytes = MIN(s->bytes + sane(t.bytes), SANE);
	r->sites++;
	return 0;
}

static int add_records(struct reader *r)
{
	struct train_header h;
	size_t at = sizeof(h), end;

	if (r->n < sizeof(h))
		return error_set("too short");
	memcpy(&h, r->p, sizeof(h));
	if (memcmp(h.magic, TRAIN_MAGIC, sizeof(h.magic)) != 0 || h.version != TRAIN_VERSION)
		return error_set("not a training file of this version");
	end = MIN(h.used, r->n);
	while (at < end && end - at >= sizeof(struct train_record)) {
		struct train_record rec;
		int ret = 0;

		memcpy(&rec, r->p + at, sizeof(rec));
		if (rec.size < sizeof(rec) || rec.size > end - at)
			return error_set("damaged at byte %zu", at);
		if (rec.kind == TRAIN_MODULE)
			ret = add_module(r, r->p + at, rec.size);
		else if (rec.kind == TRAIN_SITE)
			ret = add_site(r, r->p + at, rec.size);
		if (ret < 0)
			return error_set("damaged at byte %zu", at);
		at += rec.size;
	}
	if (h.skipped)
		diag_warn("process %u: %llu sites found no room on the disk", h.pid, h.skipped);
	return 0;
}

static void add_file(struct bounds *b, const char *path)
{
	struct reader r = { .b = b };
	struct filemap f;

	if (filemap_open(&f, path) < 0) {
		diag_warn("%s", error_last());
		return;
	}
	r.p = f.p;
	r.n = f.n;
	if (add_records(&r) < 0)
		diag_warn("%s: %s; %u sites of it are used", path, error_last(), r.sites);
	vec_release(&r.modules);
	filemap_close(&f);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int bounds_add_training(struct bounds *b, const char *dir)
{
	VEC(char *) names = {0};
	struct dirent *e;
	DIR *d = opendir(dir);
	int ret = 0;

	assert(b->runs.n > 0);
	if (!d)
		return error_sys("%s", dir);
	while ((e = readdir(d)) != NULL)
		if (str_starts(e->d_name, "train."))
			vec_push(&names, path_join(dir, e->d_name));
	closedir(d);
	if (names.n == 0)
		ret = error_set("the program could not be started under Valgrind");
	else
		qsort(names.v, names.n, sizeof(*names.v), by_name);
	for (uint32_t i = 0; i < names.n; i++) {
		add_file(b, names.v[i]);
		free(names.v[i]);
	}
#ifdef PLUMB_DEBUG
	bounds_check(b);
#endif
	vec_release(&names);
	return ret;
}
