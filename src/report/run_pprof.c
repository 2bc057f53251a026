/*
 * run_pprof.c - the profile format of pprof: a gzip'ed protocol buffer.
 *
 * Read by `go tool pprof`, Pyroscope, speedscope and others.  The format is
 * profile.proto of github.com/google/pprof, which has few kinds of fields (numbers,
 * strings, lists of numbers, messages): they are written by hand here.  Comments
 * name the fields of each message; the numbers are those of the format.
 *
 * A sample is a site; its values are live objects and bytes, stale objects and
 * bytes, and drag.  Viewers show stale bytes first.  Every module has a range of
 * addresses of its own, as loaded modules have, since two modules may have equal
 * offsets.
 */
#include "report/priv.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "report/run.h"

#include <assert.h>
#include <zlib.h>

enum { MODULE_BITS = 40 };	/* addresses of one module */

/* The format's numbers have 63 bits. */
static uint64_t whole(double x)
{
	return (uint64_t)MIN(MAX(x, 0), 9e18);
}

static uint64_t nanoseconds(double s)
{
	return whole(s * 1e9);
}

/* ---- protocol buffers ---- */

static void put_varint(struct sbuf *b, uint64_t x)
{
	for (; x >= 0x80; x >>= 7)
		sbuf_addc(b, (char)(x | 0x80));
	sbuf_addc(b, (char)x);
}

static void put_uint(struct sbuf *b, unsigned field, uint64_t x)
{
	assert(field > 0);
	put_varint(b, field << 3);
	put_varint(b, x);
}

static void put_bytes(struct sbuf *b, unsigned field, const void *p, size_t n)
{
	put_varint(b, field << 3 | 2);
	put_varint(b, n);
	sbuf_add(b, p, n);
}

/* A message or packed list that was put into `inner`, which is empty afterwards. */
static void put_inner(struct sbuf *b, unsigned field, struct sbuf *inner)
{
	assert(b != inner);
	put_bytes(b, field, sbuf_str(inner), inner->n);
	sbuf_clear(inner);
}

/* ---- tables ---- */

#define MAP_NAME strings
#define MAP_KEY const char *
#define MAP_VAL uint64_t
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct function_key {
	uint64_t name, file;	/* numbers of strings */
};

#define MAP_NAME functions
#define MAP_KEY struct function_key
#define MAP_VAL uint64_t
#define MAP_HASH(k) hash_join((k).name, (k).file)
#define MAP_EQ(a, b) ((a).name == (b).name && (a).file == (b).file)
#include "base/map.h"

#define MAP_NAME locations
#define MAP_KEY uint64_t
#define MAP_VAL uint64_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct profile {
	struct sbuf out;
	struct sbuf inner, list;	/* for the message that is being made */
	struct arena *arena;
	struct strings strings;
	struct functions functions;
	struct locations locations;
	struct strings mappings;
};

/* Number 0 is the empty string. */
static uint64_t string(struct profile *p, const char *s)
{
	uint64_t *at = strings_get(&p->strings, s);

	if (at)
		return *at;
	at = strings_put(&p->strings, arena_strdup(p->arena, s), NULL);
	*at = p->strings.n - 1;
	put_bytes(&p->out, 6, s, strlen(s));		/* Profile.string_table */
	return *at;
}

static uint64_t mapping(struct profile *p, const char *module)
{
	uint64_t *at = strings_get(&p->mappings, module), id, name;

	if (at)
		return *at;
	assert(p->inner.n == 0);
	name = string(p, module[0] ? module : "[unknown]");
	at = strings_put(&p->mappings, module, NULL);
	*at = id = p->mappings.n;
	put_uint(&p->inner, 1, id);			/* Mapping.id */
	put_uint(&p->inner, 2, id << MODULE_BITS);	/* memory_start */
	put_uint(&p->inner, 3, (id + 1) << MODULE_BITS);	/* memory_limit */
	put_uint(&p->inner, 5, name);			/* filename */
	put_uint(&p->inner, 7, 1);			/* has_functions */
	put_uint(&p->inner, 8, 1);			/* has_filenames */
	put_uint(&p->inner, 9, 1);			/* has_line_numbers */
	put_uint(&p->inner, 10, 1);			/* has_inline_frames */
	put_inner(&p->out, 3, &p->inner);		/* Profile.mapping */
	return id;
}

static uint64_t function(struct profile *p, struct findings *fs, const struct watch_frame *f)
{
	struct function_key k;
	struct sbuf name = {0};
	uint64_t *at;
	bool is_new;

	if (f->function[0])
		sbuf_adds(&name, f->function);
	else
		report__frame_text(&name, f);
	k.name = string(p, sbuf_str(&name));
	k.file = string(p, f->file[0] ? finding_path(fs, f->file) : "");
	sbuf_release(&name);
	at = functions_put(&p->functions, k, &is_new);
	if (!is_new)
		return *at;
	*at = p->functions.n;
	put_uint(&p->inner, 1, *at);		/* Function.id */
	put_uint(&p->inner, 2, k.name);		/* name */
	put_uint(&p->inner, 3, k.name);		/* system_name */
	put_uint(&p->inner, 4, k.file);		/* filename */
	put_inner(&p->out, 5, &p->inner);	/* Profile.function */
	return *at;
}

/* The location of the frames from n on that belong to one address; moves *n behind them. */
static uint64_t location(struct profile *p, struct findings *fs, const struct watch_frames *v, uint32_t *n)
{
	uint64_t map = mapping(p, v->v[*n].module);
	uint64_t address = map << MODULE_BITS | (v->v[*n].offset & ((1ull << MODULE_BITS) - 1));
	struct sbuf lines = {0};
	uint64_t *at, id;
	bool is_new, more;

	assert(p->list.n == 0 && p->inner.n == 0);
	at = locations_put(&p->locations, address, &is_new);
	if (is_new)
		*at = p->locations.n;
	id = *at;
	do {
		const struct watch_frame *f = &v->v[(*n)++];

		more = f->inlined && *n < v->n;
		if (!is_new)
			continue;
		put_uint(&lines, 1, function(p, fs, f));	/* Line.function_id */
		put_uint(&lines, 2, f->line);			/* line */
		put_inner(&p->list, 4, &lines);			/* Location.line */
	} while (more);
	if (is_new) {
		put_uint(&p->inner, 1, id);		/* Location.id */
		put_uint(&p->inner, 2, map);		/* mapping_id */
		put_uint(&p->inner, 3, address);	/* address */
		sbuf_add(&p->inner, sbuf_str(&p->list), p->list.n);
		put_inner(&p->out, 4, &p->inner);	/* Profile.location */
		sbuf_clear(&p->list);
	}
	sbuf_release(&lines);
	return id;
}

/* ---- samples ---- */

static const struct {
	const char *type, *unit;
} values[] = {
	{ "inuse_objects", "count" }, { "inuse_space", "bytes" },
	{ "stale_objects", "count" }, { "stale_space", "bytes" },
	{ "drag", "byte_seconds" },
};

static void put_types(struct profile *p)
{
	string(p, "");		/* must be the first */
	assert(p->strings.n == 1);
	for (unsigned i = 0; i < ARRAY_LEN(values); i++) {
		uint64_t type = string(p, values[i].type), unit = string(p, values[i].unit);

		put_uint(&p->inner, 1, type);		/* ValueType.type */
		put_uint(&p->inner, 2, unit);		/* unit */
		put_inner(&p->out, 1, &p->inner);	/* Profile.sample_type */
	}
}

static void put_sample(struct profile *p, struct findings *fs, const struct watch_site *s)
{
	struct sbuf ids = {0}, sample = {0};

	for (uint32_t i = 0; i < s->frames.n;)
		put_varint(&ids, location(p, fs, &s->frames, &i));
	put_inner(&sample, 1, &ids);		/* Sample.location_id */
	put_varint(&ids, s->objects);
	put_varint(&ids, s->bytes);
	put_varint(&ids, s->stale_objects);
	put_varint(&ids, s->stale_bytes);
	put_varint(&ids, whole(s->drag_seconds));
	put_inner(&sample, 2, &ids);		/* value */
	put_uint(&ids, 1, string(p, "kind"));	/* Label.key */
	put_uint(&ids, 2, string(p, watch_kind_name(s->kind)));	/* str */
	put_inner(&sample, 3, &ids);		/* label */
	put_inner(&p->out, 2, &sample);		/* Profile.sample */
	sbuf_release(&ids);
	sbuf_release(&sample);
}

/* ---- gzip ---- */

static int write_gzip(const struct sbuf *b, FILE *f)
{
	enum { GZIP = 16 };	/* added to the window bits: a gzip header, not zlib's */
	unsigned char piece[16384];
	z_stream z = { .next_in = (unsigned char *)b->s, .avail_in = (uInt)b->n };
	int ret;

	if (b->n > UINT32_MAX)
		return error_set("the profile is too large");
	ret = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP, 8, Z_DEFAULT_STRATEGY);
	if (ret != Z_OK)
		mem_exhausted(sizeof(z));
	do {
		z.next_out = piece;
		z.avail_out = sizeof(piece);
		ret = deflate(&z, Z_FINISH);
		fwrite(piece, 1, sizeof(piece) - z.avail_out, f);	/* errors show in ferror() */
	} while (ret == Z_OK);
	assert(ret == Z_STREAM_END);
	deflateEnd(&z);
	return 0;
}

int report__run_pprof(struct watch_run *r, struct findings *fs, FILE *f)
{
	struct profile p = { .arena = &r->arena };
	int ret;

	put_types(&p);
	for (uint32_t i = 0; i < r->sites.n; i++)
		put_sample(&p, fs, &r->sites.v[i]);
	put_uint(&p.out, 9, nanoseconds(r->started));		/* Profile.time_nanos */
	put_uint(&p.out, 10, nanoseconds(r->duration));		/* duration_nanos */
	put_uint(&p.out, 14, string(&p, "stale_space"));	/* default_sample_type */
	ret = write_gzip(&p.out, f);
	sbuf_release(&p.out);
	sbuf_release(&p.inner);
	sbuf_release(&p.list);
	strings_release(&p.strings);
	strings_release(&p.mappings);
	functions_release(&p.functions);
	locations_release(&p.locations);
	return ret;
}
