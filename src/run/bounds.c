/*
 * bounds.c - the bounds file: reading, writing, and what follows from the counts.
 *
 * The file is one JSON text, written whole or not at all.  It may come from
 * anywhere, so every member is checked when it is read; a file with a member of
 * the wrong kind, or with a site that lacks the count of a run, is refused and
 * nothing of it is used.  Computed members (stable, m, leaking, id) are written
 * for other readers and ignored here.
 *
 * Invariants (bounds_check): each site has a count for each run, its frames are in
 * modules of the file or in none, and it is found by its frames.
 */
#include "run/bounds.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

struct frames_key {
	const struct bounds_frame *v;
	uint32_t n;
};

static uint64_t key_hash(struct frames_key k);
static bool key_eq(struct frames_key a, struct frames_key b);

#define MAP_NAME frames_map
#define MAP_KEY struct frames_key
#define MAP_VAL uint32_t
#define MAP_HASH(k) key_hash(k)
#define MAP_EQ(a, b) key_eq(a, b)
#include "base/map.h"

struct bounds_index {
	struct frames_map sites;
};

static uint64_t key_hash(struct frames_key k)
{
	uint64_t h = k.n;

	for (uint32_t i = 0; i < k.n; i++)
		h = hash_join(hash_join(h, k.v[i].module), k.v[i].offset);
	return h;
}

static bool key_eq(struct frames_key a, struct frames_key b)
{
	if (a.n != b.n)
		return false;
	for (uint32_t i = 0; i < a.n; i++)
		if (a.v[i].module != b.v[i].module || a.v[i].offset != b.v[i].offset)
			return false;
	return true;
}

void bounds_init(struct bounds *b)
{
	memset(b, 0, sizeof(*b));
	arena_init(&b->arena);
	b->program = b->build_id = "";
	b->index = xcalloc(1, sizeof(*b->index));
}

void bounds_release(struct bounds *b)
{
	for (uint32_t i = 0; i < b->sites.n; i++)
		vec_release(&b->sites.v[i].runs);
	vec_release(&b->sites);
	vec_release(&b->runs);
	vec_release(&b->modules);
	if (b->index)
		frames_map_release(&b->index->sites);
	free(b->index);
	arena_release(&b->arena);
	memset(b, 0, sizeof(*b));
}

void bounds_check(const struct bounds *b)
{
	assert(b->program && b->build_id && b->index && b->index->sites.n == b->sites.n);
	for (uint32_t i = 0; i < b->modules.n; i++)
		assert(b->modules.v[i].path && b->modules.v[i].build_id);
	for (uint32_t i = 0; i < b->runs.n; i++)
		assert(b->runs.v[i].command && b->runs.v[i].ended);
	for (uint32_t i = 0; i < b->sites.n; i++) {
		const struct bounds_site *s = &b->sites.v[i];
		struct frames_key key = { s->frames, s->nframes };

		assert(s->runs.n == b->runs.n && s->nframes <= BOUNDS_MAX_DEPTH);
		for (uint32_t j = 0; j < s->nframes; j++)
			assert(s->frames[j].module == BOUNDS_NO_MODULE || s->frames[j].module < b->modules.n);
		assert(*frames_map_get(&b->index->sites, key) == i);
	}
}

uint32_t bounds_module(struct bounds *b, const char *path, const char *build_id)
{
	for (uint32_t i = 0; i < b->modules.n; i++) {
		const struct bounds_module *m = &b->modules.v[i];

		if (str_eq(m->build_id, build_id) && (*build_id || str_eq(m->path, path)))
			return i;
	}
	vec_push(&b->modules, ((struct bounds_module){ arena_strdup(&b->arena, path),
						       arena_strdup(&b->arena, build_id) }));
	return b->modules.n - 1;
}

uint32_t bounds_site(struct bounds *b, const struct bounds_frame *frames, uint32_t n)
{
	struct frames_key key = { frames, n };
	uint32_t *known = frames_map_get(&b->index->sites, key);
	struct bounds_site *s;

	assert(n <= BOUNDS_MAX_DEPTH);
	if (known)
		return *known;
	s = vec_add(&b->sites, 1);
	s->frames = key.v = arena_copy(&b->arena, frames, n * sizeof(*frames));
	s->nframes = n;
	vec_add(&s->runs, b->runs.n);
	frames_map_set(&b->index->sites, key, b->sites.n - 1);
	return b->sites.n - 1;
}

void bounds_begin_run(struct bounds *b, char *const *command, uint32_t n)
{
	struct bounds_run *r = vec_add(&b->runs, 1);

	r->command = arena_array(&b->arena, const char *, n ? n : 1);
	r->ncommand = n;
	for (uint32_t i = 0; i < n; i++)
		r->command[i] = arena_strdup(&b->arena, command[i]);
	r->ended = "";
	for (uint32_t i = 0; i < b->sites.n; i++)
		vec_add(&b->sites.v[i].runs, 1);
}

/* ---- what follows from the counts ---- */

/* The largest bound of all runs. */
static uint64_t trained_m(const struct bounds_site *s)
{
	uint64_t m = 0;

	for (uint32_t i = 0; i < s->runs.n; i++)
		m = MAX(m, s->runs.v[i].bound);
	return m;
}

uint64_t bounds_m(const struct bounds_site *s)
{
	return MAX(trained_m(s), s->raised);
}

bool bounds_is_executed(const struct bounds_site *s)
{
	for (uint32_t i = 0; i < s->runs.n; i++)
		if (s->runs.v[i].allocated)
			return true;
	return false;
}

bool bounds_is_stable(const struct bounds_site *s)
{
	const struct bounds_count *first = NULL;
	unsigned executed = 0;

	for (uint32_t i = 0; i < s->runs.n; i++) {
		const struct bounds_count *c = &s->runs.v[i];

		if (!c->allocated && !c->bound)
			continue;
		if (!first)
			first = c;
		if (c->bound != first->bound)
			return false;
		executed++;
	}
	assert(executed <= s->runs.n && (executed == 0) == (first == NULL));
	return executed >= 2 ||
	       (executed == 1 && s->runs.n == 1 && first->allocated / 2 >= first->bound);
}

bool bounds_is_leaking(const struct bounds_site *s)
{
	uint64_t m = bounds_m(s);

	for (uint32_t i = 0; i < s->runs.n; i++) {
		const struct bounds_count *c = &s->runs.v[i];

		if (c->allocated > c->freed && c->allocated - c->freed > m)
			return true;
	}
	return false;
}

void bounds_site_id(char out[17], const struct bounds *b, const struct bounds_site *s)
{
	uint64_t h = s->nframes;

	for (uint32_t i = 0; i < s->nframes; i++) {
		const struct bounds_frame *f = &s->frames[i];
		const struct bounds_module *m =
			f->module == BOUNDS_NO_MODULE ? NULL : &b->modules.v[f->module];

		assert(!m || f->module < b->modules.n);
		h = hash_join(h, f->offset);
		if (m)
			h = hash_join(h, hash_str(*m->build_id ? m->build_id : m->path));
	}
	snprintf(out, 17, "%016llx", (unsigned long long)h);
}

void bounds_summarise(struct bounds_summary *sum, const struct bounds *b)
{
	memset(sum, 0, sizeof(*sum));
	for (uint32_t i = 0; i < b->sites.n; i++) {
		const struct bounds_site *s = &b->sites.v[i];

		sum->executed += bounds_is_executed(s);
		sum->leaking += bounds_is_leaking(s);
		sum->bytes += s->bytes;
		if (bounds_is_stable(s)) {
			sum->bounded++;
			sum->bounded_bytes += s->bytes;
		}
	}
}

void bounds_validate(bool *invalid, struct bounds_summary *sum, struct bounds *b,
		     struct bounds *run)
{
	memset(invalid, 0, b->sites.n * sizeof(*invalid));
	for (uint32_t i = 0; i < run->sites.n; i++) {
		const struct bounds_site *s = &run->sites.v[i];
		struct bounds_frame frames[BOUNDS_MAX_DEPTH];
		uint32_t *at;

		assert(s->nframes <= ARRAY_LEN(frames));
		for (uint32_t j = 0; j < s->nframes; j++) {
			const struct bounds_frame *f = &s->frames[j];
			const struct bounds_module *m = f->module == BOUNDS_NO_MODULE ?
				NULL : &run->modules.v[f->module];

			frames[j].offset = f->offset;
			frames[j].module = m ? bounds_module(b, m->path, m->build_id) :
					       BOUNDS_NO_MODULE;
		}
		at = frames_map_get(&b->index->sites, (struct frames_key){ frames, s->nframes });
		if (!at || !bounds_is_stable(&b->sites.v[*at]) ||
		    trained_m(s) <= bounds_m(&b->sites.v[*at]))
			continue;
		assert(*at < b->sites.n);	/* modules may have been added, but no site */
		invalid[*at] = true;
		sum->invalidated++;
	}
}

/* ---- writing ---- */

static void write_frame(struct json_writer *w, const struct bounds_frame *f)
{
	jw_object(w);
	if (f->module != BOUNDS_NO_MODULE)
		jw_kint(w, "module", f->module);
	jw_kint(w, "offset", (int64_t)f->offset);
	jw_object_close(w);
}

static void write_counts(struct json_writer *w, const struct bounds_site *s)
{
	jw_key(w, "allocated");
	jw_array(w);
	for (uint32_t i = 0; i < s->runs.n; i++)
		jw_int(w, (int64_t)s->runs.v[i].allocated);
	jw_array_close(w);
	jw_key(w, "freed");
	jw_array(w);
	for (uint32_t i = 0; i < s->runs.n; i++)
		jw_int(w, (int64_t)s->runs.v[i].freed);
	jw_array_close(w);
	jw_key(w, "bounds");
	jw_array(w);
	for (uint32_t i = 0; i < s->runs.n; i++)
		jw_int(w, (int64_t)s->runs.v[i].bound);
	jw_array_close(w);
}

void bounds__write_head(struct json_writer *w, const struct bounds *b)
{
	jw_kstr(w, "schema", BOUNDS_SCHEMA);
	jw_kstr(w, "program", b->program);
	jw_kstr(w, "build_id", b->build_id);
	jw_kint(w, "depth", b->depth);
	jw_key(w, "runs");
	jw_array(w);
	for (uint32_t i = 0; i < b->runs.n; i++) {
		const struct bounds_run *r = &b->runs.v[i];

		jw_object(w);
		jw_key(w, "command");
		jw_array(w);
		for (uint32_t j = 0; j < r->ncommand; j++)
			jw_str(w, r->command[j]);
		jw_array_close(w);
		jw_kstr(w, "ended", r->ended);
		jw_object_close(w);
	}
	jw_array_close(w);
}

void bounds__write_site(struct json_writer *w, const struct bounds_site *s)
{
	write_counts(w, s);
	jw_kbool(w, "stable", bounds_is_stable(s));
	jw_kint(w, "m", (int64_t)bounds_m(s));
	if (s->raised)
		jw_kint(w, "raised", (int64_t)s->raised);
	jw_kint(w, "max_size", (int64_t)s->max_size);
	jw_kint(w, "bytes", (int64_t)s->bytes);
	jw_kbool(w, "leaking", bounds_is_leaking(s));
}

static void write_all(struct json_writer *w, const struct bounds *b)
{
	char id[17];

	bounds__write_head(w, b);
	jw_key(w, "modules");
	jw_array(w);
	for (uint32_t i = 0; i < b->modules.n; i++) {
		jw_object(w);
		jw_kstr(w, "path", b->modules.v[i].path);
		jw_kstr(w, "build_id", b->modules.v[i].build_id);
		jw_object_close(w);
	}
	jw_array_close(w);
	jw_key(w, "sites");
	jw_array(w);
	for (uint32_t i = 0; i < b->sites.n; i++) {
		const struct bounds_site *s = &b->sites.v[i];

		jw_object(w);
		bounds_site_id(id, b, s);
		jw_kstr(w, "id", id);
		jw_key(w, "frames");
		jw_array(w);
		for (uint32_t j = 0; j < s->nframes; j++)
			write_frame(w, &s->frames[j]);
		jw_array_close(w);
		bounds__write_site(w, s);
		jw_object_close(w);
	}
	jw_array_close(w);
}

int bounds_write(const struct bounds *b, const char *path)
{
	struct fileout o;
	struct json_writer w;

#ifdef PLUMB_DEBUG
	bounds_check(b);
#endif
	if (fileout_open(&o, path) < 0)
		return -1;
	jw_begin(&w, o.f);
	w.compact = true;
	jw_object(&w);
	write_all(&w, b);
	jw_object_close(&w);
	jw_end(&w);
	return fileout_commit(&o);
}

/* ---- reading ---- */

bool bounds__get_count(const json_t *v, uint64_t *out)
{
	if (!json_is_integer(v) || json_integer_value(v) < 0)
		return false;
	*out = (uint64_t)json_integer_value(v);
	return true;
}

int bounds__read_run(struct bounds *b, const json_t *v)
{
	const json_t *command = json_object_get(v, "command");
	const char *ended = jr_get_str(v, "ended");
	VEC(char *) words = {0};
	int ret = 0;

	if (!json_is_array(command) || !ended)
		return error_set("a run without command or ended");
	for (size_t i = 0; i < json_array_size(command) && ret == 0; i++) {
		const char *s = json_string_value(json_array_get(command, i));

		if (s)
			vec_push(&words, (char *)s);
		else
			ret = error_set("a command that is no list of strings");
	}
	if (ret == 0) {
		bounds_begin_run(b, words.v, words.n);
		vec_last(&b->runs).ended = arena_strdup(&b->arena, ended);
	}
	vec_release(&words);
	return ret;
}

static int read_module(struct bounds *b, const json_t *v)
{
	const char *path = jr_get_str(v, "path"), *id = jr_get_str(v, "build_id");

	if (!path || !id)
		return error_set("a module without path or build_id");
	/* Not bounds_module(): sites name modules by their number here. */
	vec_push(&b->modules, ((struct bounds_module){ arena_strdup(&b->arena, path),
						       arena_strdup(&b->arena, id) }));
	return 0;
}

static int read_frames(struct bounds *b, const json_t *list, struct bounds_frame *out, uint32_t *n)
{
	if (!json_is_array(list) || json_array_size(list) > BOUNDS_MAX_DEPTH)
		return error_set("a site without frames, or with too many");
	*n = (uint32_t)json_array_size(list);
	for (uint32_t i = 0; i < *n; i++) {
		const json_t *v = json_array_get(list, i), *m = json_object_get(v, "module");
		uint64_t number = BOUNDS_NO_MODULE;

		if (!bounds__get_count(json_object_get(v, "offset"), &out[i].offset) ||
		    (m && (!bounds__get_count(m, &number) || number >= b->modules.n)))
			return error_set("a frame with no offset or a module that does not exist");
		assert(number <= BOUNDS_NO_MODULE);
		out[i].module = (uint32_t)number;
	}
	return 0;
}

int bounds__read_counts(struct bounds_site *s, const json_t *v)
{
	const json_t *list[] = { json_object_get(v, "allocated"), json_object_get(v, "freed"),
				 json_object_get(v, "bounds") };

	for (size_t k = 0; k < ARRAY_LEN(list); k++)
		if (!json_is_array(list[k]) || json_array_size(list[k]) != s->runs.n)
			return error_set("a site that has not one count for each run");
	for (uint32_t i = 0; i < s->runs.n; i++) {
		struct bounds_count *c = &s->runs.v[i];

		if (!bounds__get_count(json_array_get(list[0], i), &c->allocated) ||
		    !bounds__get_count(json_array_get(list[1], i), &c->freed) ||
		    !bounds__get_count(json_array_get(list[2], i), &c->bound))
			return error_set("a count that is no number");
	}
	if (!bounds__get_count(json_object_get(v, "max_size"), &s->max_size) ||
	    !bounds__get_count(json_object_get(v, "bytes"), &s->bytes))
		return error_set("a site without max_size or bytes");
	if (json_object_get(v, "raised") && !bounds__get_count(json_object_get(v, "raised"), &s->raised))
		return error_set("raised is no number");
	return 0;
}

static int read_site(struct bounds *b, const json_t *v)
{
	struct bounds_frame frames[BOUNDS_MAX_DEPTH];
	uint32_t n = 0, before = b->sites.n, at;	/* a known site has a number below */

	if (read_frames(b, json_object_get(v, "frames"), frames, &n) < 0)
		return -1;
	at = bounds_site(b, frames, n);
	if (at < before)
		return error_set("the same site twice");
	return bounds__read_counts(&b->sites.v[at], v);
}

static int read_each(struct bounds *b, const json_t *o, const char *key, size_t max,
		     int (*read)(struct bounds *, const json_t *))
{
	const json_t *list = json_object_get(o, key);

	if (!json_is_array(list) || json_array_size(list) > max)
		return error_set("no list of %s", key);
	for (size_t i = 0; i < json_array_size(list); i++)
		if (read(b, json_array_get(list, i)) < 0)
			return -1;
	return 0;
}

static int read_all(struct bounds *b, const json_t *o)
{
	const char *schema = jr_get_str(o, "schema"), *program = jr_get_str(o, "program"),
		   *build_id = jr_get_str(o, "build_id");
	int64_t depth = 0;

	if (!schema || !str_eq(schema, BOUNDS_SCHEMA))
		return error_set("not a bounds file (no \"schema\": \"%s\")", BOUNDS_SCHEMA);
	if (!program || !build_id || !jr_get_int(o, "depth", &depth) || depth < 0 ||
	    depth > BOUNDS_MAX_DEPTH)
		return error_set("no program, build_id or depth");
	b->program = arena_strdup(&b->arena, program);
	b->build_id = arena_strdup(&b->arena, build_id);
	b->depth = (unsigned)depth;
	if (read_each(b, o, "runs", BOUNDS_MAX_RUNS, bounds__read_run) < 0 ||
	    read_each(b, o, "modules", BOUNDS_NO_MODULE - 1, read_module) < 0 ||
	    read_each(b, o, "sites", UINT32_MAX / 2, read_site) < 0)
		return -1;
	return 0;
}

int bounds_parse(struct bounds *b, const char *text, size_t n, const char *name)
{
	json_t *o = NULL;
	int ret = jr_parse(&o, text, n, name);

	if (ret == 0 && (ret = read_all(b, o)) < 0)
		error_prefix("%s: ", name);
	json_decref(o);
	if (ret < 0) {
		bounds_release(b);
		bounds_init(b);
	}
#ifdef PLUMB_DEBUG
	bounds_check(b);
#endif
	return ret;
}

int bounds_read(struct bounds *b, const char *path)
{
	struct filemap f;
	int ret;

	if (filemap_open_named(&f, path) < 0)
		return -1;
	ret = bounds_parse(b, f.p, f.n, path);
	filemap_close(&f);
	return ret;
}
