/*
 * run_json.c - "plumb-run/1", as the design has it: all members, in its order.
 *
 * The schema is tests/report/plumb-run-1.schema.json.  Beyond the design: how the
 * process ended, memory over time, notes, and of a site its reason, which frame
 * names it, drag in seconds, stale objects and the static findings that it meets.
 *
 * A point [x, y] of "cdf" says that a share y of the site's live bytes has a
 * staleness of x seconds or less, as in Figure 10 of the Hound paper; the last
 * point is [max_staleness, 1].
 */
#include "report/priv.h"

#include "base/json.h"
#include "report/run.h"

#include <assert.h>

static void write_frame(struct json_writer *w, struct findings *fs, const struct watch_frame *f)
{
	jw_object(w);
	jw_kstr(w, "module", f->module);
	jw_kint(w, "offset", (int64_t)f->offset);
	jw_kstr(w, "function", f->function);
	jw_kstr(w, "file", f->file[0] ? finding_path(fs, f->file) : "");
	jw_kint(w, "line", f->line);
	if (f->inlined)
		jw_kbool(w, "inlined", true);
	jw_object_close(w);
}

static void write_frames(struct json_writer *w, struct findings *fs, const char *key,
			 const struct watch_frames *v)
{
	jw_key(w, key);
	jw_array(w);
	for (uint32_t i = 0; i < v->n; i++)
		write_frame(w, fs, &v->v[i]);
	jw_array_close(w);
}

static void kcount(struct json_writer *w, const char *key, uint64_t x)
{
	jw_kint(w, key, (int64_t)MIN(x, (uint64_t)INT64_MAX));
}

static void knum(struct json_writer *w, const char *key, double x)
{
	jw_key(w, key);
	jw_num(w, x);
}

static void write_pair(struct json_writer *w, double x, double y)
{
	jw_array(w);
	jw_num(w, x);
	jw_num(w, y);
	jw_array_close(w);
}

/* Curves are long: on one line each. */
static void begin_curve(struct json_writer *w, const char *key)
{
	assert(!w->compact);
	jw_key(w, key);
	jw_array(w);
	w->compact = true;
}

static void end_curve(struct json_writer *w)
{
	jw_array_close(w);
	w->compact = false;
}

static void write_cdf(struct json_writer *w, const struct watch_site *s)
{
	struct watch_points cdf = {0};

	watch_cdf(&cdf, s);

	begin_curve(w, "cdf");
	for (uint32_t i = 0; i < cdf.n; i++)
		write_pair(w, cdf.v[i].when, cdf.v[i].bytes);
	end_curve(w);
	vec_release(&cdf);
}

static void write_curve(struct json_writer *w, const char *key, const struct watch_points *c, bool stale)
{
	begin_curve(w, key);
	for (uint32_t i = 0; i < c->n; i++)
		write_pair(w, c->v[i].when, stale ? c->v[i].stale_bytes : c->v[i].bytes);
	end_curve(w);
}

static void write_findings(struct json_writer *w, const struct watch_site *s)
{
	if (!s->findings.n)
		return;
	jw_key(w, "findings");
	jw_array(w);
	for (uint32_t i = 0; i < s->findings.n; i++)
		jw_str(w, s->findings.v[i]->id);
	jw_array_close(w);
}

static void write_site(struct json_writer *w, struct findings *fs, const struct watch_site *s)
{
	jw_object(w);
	jw_kstr(w, "id", s->id);
	jw_kint(w, "rank", s->rank);
	jw_kstr(w, "kind", watch_kind_name(s->kind));
	jw_kstr(w, "reason", s->reason);
	write_frames(w, fs, "frames", &s->frames);
	jw_kint(w, "site_frame", s->at);
	write_frames(w, fs, "last_touch", &s->touch);
	if (s->touch.n)
		knum(w, "last_touch_time", s->touch_time);
	kcount(w, "objects", s->objects);
	kcount(w, "bytes", s->bytes);
	kcount(w, "stale_objects", s->stale_objects);
	kcount(w, "stale_bytes", s->stale_bytes);
	kcount(w, "allocations", s->allocations);
	kcount(w, "frees", s->frees);
	kcount(w, "peak_bytes", s->peak_bytes);
	knum(w, "first", s->first);
	knum(w, "last_grown", s->last_grown);
	knum(w, "drag", s->drag);
	knum(w, "drag_seconds", s->drag_seconds);
	knum(w, "max_staleness", s->max_staleness);
	kcount(w, "max_staleness_allocations", s->max_staleness_allocations);
	write_cdf(w, s);
	write_curve(w, "growth", &s->growth, false);
	write_curve(w, "stale_growth", &s->growth, true);
	write_findings(w, s);
	jw_object_close(w);
}

static void write_strings(struct json_writer *w, const char *key, const char *const *v, uint32_t n)
{
	jw_key(w, key);
	jw_array(w);
	for (uint32_t i = 0; i < n; i++)
		jw_str(w, v[i]);
	jw_array_close(w);
}

void report__run_json(struct watch_run *r, struct findings *fs, FILE *f)
{
	struct json_writer w;

	jw_begin(&w, f);
	jw_object(&w);
	jw_kstr(&w, "schema", "plumb-run/1");
	jw_kstr(&w, "tool_version", PLUMB_VERSION);
	write_strings(&w, "command", r->command.v, r->command.n);
	jw_kint(&w, "pid", r->pid);
	knum(&w, "duration", r->duration);
	kcount(&w, "allocations", r->allocations);
	kcount(&w, "peak_bytes", r->peak_bytes);
	kcount(&w, "live_bytes", r->live_bytes);
	kcount(&w, "stale_bytes", r->stale_bytes);
	kcount(&w, "unjudged_bytes", r->unjudged_bytes);
	jw_kstr(&w, "ended", r->ended);
	write_strings(&w, "notes", r->notes.v, r->notes.n);
	write_curve(&w, "memory", &r->memory, false);
	write_curve(&w, "stale_memory", &r->memory, true);
	jw_key(&w, "sites");
	jw_array(&w);
	for (uint32_t i = 0; i < r->sites.n; i++)
		write_site(&w, fs, &r->sites.v[i]);
	jw_array_close(&w);
	jw_object_close(&w);
	jw_end(&w);
}
