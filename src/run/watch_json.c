/*
 * watch_json.c - "plumb-run/1", which plumb watch writes, back into a run.
 *
 * The file has what people are shown, but not what only judging needs (addresses, modules,
 * ages of objects).  It may come from anywhere: if a member of the design's format is
 * missing or of another type, that is an error, with the member's place in the message.
 * Members that this version does not know are skipped.
 */
#include "run/watch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

struct reader {
	struct watch_run *r;
	const char *root;
};

/* ---- members ---- */

static int get_str(const char **out, struct arena *a, const json_t *o, const char *key)
{
	const char *s = jr_get_str(o, key);

	if (!s)
		return error_set("\"%s\" is missing or no string", key);
	*out = arena_strdup(a, s);
	return 0;
}

static int get_num(double *out, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (!json_is_number(v) || json_number_value(v) < 0)
		return error_set("\"%s\" is missing or no number from 0", key);
	*out = json_number_value(v);
	return 0;
}

static int get_count(uint64_t *out, const json_t *o, const char *key)
{
	int64_t x;

	if (!jr_get_int(o, key, &x) || x < 0)
		return error_set("\"%s\" is missing or no whole number from 0", key);
	*out = (uint64_t)x;
	return 0;
}

/* The same for members that an older version did not write: 0 if they are missing. */
static int maybe_num(double *out, const json_t *o, const char *key)
{
	return json_object_get(o, key) ? get_num(out, o, key) : 0;
}

static int maybe_count(uint64_t *out, const json_t *o, const char *key)
{
	return json_object_get(o, key) ? get_count(out, o, key) : 0;
}

static int get_strings(struct reader *rd, const json_t *o, const char *key,
		       void (*add)(struct watch_run *, const char *))
{
	const json_t *list = json_object_get(o, key), *s;
	size_t i;

	if (!json_is_array(list))
		return error_set("\"%s\" is missing or no array", key);
	json_array_foreach(list, i, s) {
		if (!json_is_string(s))
			return error_set("%s[%zu] is no string", key, i);
		add(rd->r, arena_strdup(&rd->r->arena, json_string_value(s)));
	}
	return 0;
}

static void add_word(struct watch_run *r, const char *s)
{
	vec_push(&r->command, s);
}

static void add_note(struct watch_run *r, const char *s)
{
	vec_push(&r->notes, s);
}

static bool get_pair(double *x, double *y, const json_t *p)
{
	const json_t *first = json_array_get(p, 0), *second = json_array_get(p, 1);

	if (!json_is_number(first) || !json_is_number(second))
		return false;
	*x = json_number_value(first);
	*y = json_number_value(second);
	return *x >= 0 && *y >= 0;
}

/* Points [x, y].  With `stale`, the y are the stale bytes of the points that `out` has already. */
static int get_curve(struct watch_points *out, const json_t *o, const char *key, bool stale)
{
	const json_t *list = json_object_get(o, key), *p;
	size_t i;

	if (!json_is_array(list) || (stale && json_array_size(list) != out->n))
		return error_set("\"%s\" is missing or no curve", key);
	json_array_foreach(list, i, p) {
		double x, y;

		if (!get_pair(&x, &y, p))
			return error_set("%s[%zu] is no pair of numbers from 0", key, i);
		if (stale)
			out->v[i].stale_bytes = y;
		else
			vec_push(out, ((struct watch_point){ x, y, 0 }));
	}
	return 0;
}

static int maybe_curve(struct watch_points *out, const json_t *o, const char *key, bool stale)
{
	return json_object_get(o, key) ? get_curve(out, o, key, stale) : 0;
}

/* ---- frames ---- */

static int read_frame(struct watch_frame *f, struct arena *a, const json_t *o, const char *root)
{
	const char *file = "";
	uint64_t line = 0;
	char *path;

	if (get_str(&f->module, a, o, "module") < 0 || get_count(&f->offset, o, "offset") < 0 ||
	    get_str(&f->function, a, o, "function") < 0 || get_str(&file, a, o, "file") < 0 ||
	    get_count(&line, o, "line") < 0)
		return -1;
	path = file[0] ? path_join(root, file) : xstrdup("");
	f->file = arena_strdup(a, path);
	free(path);
	f->line = (unsigned)MIN(line, UINT32_MAX);
	f->inlined = json_is_true(json_object_get(o, "inlined"));
	return 0;
}

int watch_read_frames(struct watch_frames *v, struct arena *a, const json_t *list, const char *root)
{
	const json_t *o;
	size_t i;

	if (!json_is_array(list))
		return error_set("frames are missing or no array");
	json_array_foreach(list, i, o) {
		struct watch_frame f = {0};

		if (read_frame(&f, a, o, root) < 0)
			return error_prefix("frames[%zu]: ", i);
		vec_push(v, f);
	}
	return 0;
}

/* ---- a site ---- */

static int read_kind(struct watch_site *s, const json_t *o)
{
	const char *name = jr_get_str(o, "kind");

	for (unsigned k = 0; name && k < WATCH__KINDS; k++)
		if (str_eq(name, watch_kind_name(k))) {
			s->kind = k;
			return 0;
		}
	return error_set("\"kind\" is not one of leak, bloat, live");
}

static int read_identity(struct watch_site *s, const json_t *o)
{
	const char *id = jr_get_str(o, "id");
	uint64_t rank = 0;

	if (!id || strlen(id) != 16 || strspn(id, "0123456789abcdef") != 16)
		return error_set("\"id\" is missing or not of 16 hex digits");
	memcpy(s->id, id, sizeof(s->id));
	if (get_count(&rank, o, "rank") < 0)
		return -1;
	s->rank = (unsigned)MIN(rank, UINT32_MAX);
	return read_kind(s, o);
}

static int read_stacks(struct reader *rd, struct watch_site *s, const json_t *o)
{
	uint64_t at = 0;

	if (watch_read_frames(&s->frames, &rd->r->arena, json_object_get(o, "frames"), rd->root) < 0 ||
	    maybe_count(&at, o, "site_frame") < 0)
		return -1;
	if (watch_read_frames(&s->touch, &rd->r->arena, json_object_get(o, "last_touch"), rd->root) < 0)
		return error_prefix("last_touch: ");
	if (at && at >= s->frames.n)
		return error_set("\"site_frame\" is none of the frames");
	s->at = (uint32_t)at;
	if (!json_object_get(o, "site_frame"))
		s->at = watch_mark_frames(&s->frames, NULL);
	assert(s->at == 0 || s->at < s->frames.n);
	for (uint32_t i = 0; i < s->at; i++)
		s->frames.v[i].wrapper = true;
	return 0;
}

static int read_figures(struct watch_site *s, const json_t *o)
{
	if (get_count(&s->objects, o, "objects") < 0 ||
	    get_count(&s->bytes, o, "bytes") < 0 ||
	    get_count(&s->stale_bytes, o, "stale_bytes") < 0)
		return -1;
	if (get_num(&s->drag, o, "drag") < 0 ||
	    get_num(&s->max_staleness, o, "max_staleness") < 0 ||
	    get_count(&s->max_staleness_allocations, o, "max_staleness_allocations") < 0)
		return -1;
	if (maybe_count(&s->stale_objects, o, "stale_objects") < 0 ||
	    maybe_count(&s->allocations, o, "allocations") < 0 ||
	    maybe_count(&s->frees, o, "frees") < 0 ||
	    maybe_count(&s->peak_bytes, o, "peak_bytes") < 0)
		return -1;
	if (maybe_num(&s->drag_seconds, o, "drag_seconds") < 0 ||
	    maybe_num(&s->first, o, "first") < 0 ||
	    maybe_num(&s->last_grown, o, "last_grown") < 0 ||
	    maybe_num(&s->touch_time, o, "last_touch_time") < 0)
		return -1;
	if (get_curve(&s->cdf, o, "cdf", false) < 0 || get_curve(&s->growth, o, "growth", false) < 0)
		return -1;
	return maybe_curve(&s->growth, o, "stale_growth", true);
}

static int read_site(struct reader *rd, struct watch_site *s, const json_t *o)
{
	const char *reason = jr_get_str(o, "reason");

	s->reason = arena_strdup(&rd->r->arena, reason ? reason : "");
	if (read_identity(s, o) < 0 || read_stacks(rd, s, o) < 0)
		return -1;
	return read_figures(s, o);
}

/* ---- the file ---- */

static int read_head(struct reader *rd, const json_t *top)
{
	const char *schema = jr_get_str(top, "schema"), *ended = jr_get_str(top, "ended");
	struct watch_run *r = rd->r;
	uint64_t pid = 0;

	if (!schema || !str_eq(schema, "plumb-run/1"))
		return error_set("not a run (no \"schema\": \"plumb-run/1\")");
	r->ended = arena_strdup(&r->arena, ended ? ended : "");
	if (get_strings(rd, top, "command", add_word) < 0 ||
	    get_count(&pid, top, "pid") < 0 ||
	    get_num(&r->duration, top, "duration") < 0 ||
	    get_count(&r->allocations, top, "allocations") < 0 ||
	    get_count(&r->peak_bytes, top, "peak_bytes") < 0)
		return -1;
	r->pid = (unsigned)MIN(pid, UINT32_MAX);
	if (maybe_count(&r->live_bytes, top, "live_bytes") < 0 ||
	    maybe_count(&r->stale_bytes, top, "stale_bytes") < 0 ||
	    maybe_count(&r->unjudged_bytes, top, "unjudged_bytes") < 0 ||
	    maybe_curve(&r->memory, top, "memory", false) < 0 ||
	    maybe_curve(&r->memory, top, "stale_memory", true) < 0)
		return -1;
	return json_object_get(top, "notes") ? get_strings(rd, top, "notes", add_note) : 0;
}

static int read_all(struct reader *rd, const json_t *top)
{
	const json_t *list = json_object_get(top, "sites"), *o;
	size_t i;

	if (read_head(rd, top) < 0)
		return -1;
	if (!json_is_array(list))
		return error_set("\"sites\" is missing or no array");
	json_array_foreach(list, i, o)
		if (read_site(rd, vec_add(&rd->r->sites, 1), o) < 0)
			return error_prefix("sites[%zu]: ", i);
	return 0;
}

int watch_read_json(struct watch_run **out, const json_t *top, const char *root)
{
	struct reader rd = { .r = xcalloc(1, sizeof(*rd.r)), .root = root };
	int ret;

	arena_init(&rd.r->arena);
	if ((ret = read_all(&rd, top)) < 0) {
		watch_free(rd.r);
		return ret;
	}
#ifdef PLUMB_DEBUG
	watch_check(rd.r);
#endif
	*out = rd.r;
	return 0;
}
