/*
 * json.c - "plumb-findings/1", as the design has it: all members, in its order.
 *
 * The schema is tests/report/plumb-findings-1.schema.json.  "fix" is there only
 * if somebody has looked for a fix, "coverage" if somebody has counted.  Lines and
 * columns count from 1, columns in bytes; 0 is unknown.  An edit's end is exclusive.
 */
#include "report/priv.h"

#include "base/json.h"

#include <assert.h>

static void write_file(struct json_writer *w, struct findings *fs, const char *file)
{
	jw_kstr(w, "file", finding_path(fs, file));
}

static void write_units(struct json_writer *w, struct findings *fs)
{
	jw_key(w, "units");
	jw_object(w);
	jw_kint(w, "analysed", fs->units_analysed);
	jw_key(w, "failed");
	jw_array(w);
	for (uint32_t i = 0; i < fs->failed.n; i++) {
		const struct finding_failure *x = &fs->failed.v[i];

		jw_object(w);
		write_file(w, fs, x->file);
		jw_kstr(w, "error", x->error ? x->error : "");
		jw_object_close(w);
	}
	jw_array_close(w);
	jw_object_close(w);
}

static void write_names(struct json_writer *w, const char *key, const struct coverage_names *names)
{
	jw_key(w, key);
	jw_array(w);
	for (uint32_t i = 0; i < names->n; i++)
		jw_str(w, names->v[i]);
	jw_array_close(w);
}

void report__coverage(struct json_writer *w, const struct findings *fs)
{
	const struct coverage *c = &fs->coverage;

	assert(c->known && c->judged + c->stored + c->cut == c->allocations);
	jw_key(w, "coverage");
	jw_object(w);
	jw_kint(w, "allocations", c->allocations);
	jw_kint(w, "judged", c->judged);
	jw_kint(w, "stored", c->stored);
	jw_kint(w, "cut", c->cut);
	jw_key(w, "cut_reasons");
	jw_array(w);
	for (uint32_t i = 0; i < c->cut_reasons.n; i++) {
		jw_object(w);
		jw_kstr(w, "reason", c->cut_reasons.v[i].reason);
		jw_kint(w, "count", c->cut_reasons.v[i].count);
		jw_object_close(w);
	}
	jw_array_close(w);
	write_names(w, "functions_incomplete", &c->functions_incomplete);
	write_names(w, "units_left_out", &c->units_left_out);
	write_names(w, "not_c", &c->not_c);
	write_names(w, "libraries_not_given", &c->libraries_not_given);
	if (c->excluded.n) {
		jw_key(w, "excluded");
		jw_object(w);
		write_names(w, "globs", &c->excluded);
		jw_kint(w, "findings", c->findings_excluded);
		jw_kint(w, "allocations", c->allocations_excluded);
		jw_object_close(w);
	}
	jw_object_close(w);
}

static void write_path(struct json_writer *w, struct findings *fs, const struct finding *f)
{
	jw_key(w, "path");
	jw_array(w);
	for (uint32_t i = 0; i < f->path.n; i++) {
		const struct finding_step *s = &f->path.v[i];

		jw_object(w);
		write_file(w, fs, s->at.file);
		jw_kint(w, "line", s->at.line);
		jw_kstr(w, "message", s->message);
		jw_object_close(w);
	}
	jw_array_close(w);
}

static void write_engines(struct json_writer *w, const struct finding *f)
{
	jw_key(w, "engines");
	jw_array(w);
	for (unsigned b = 0; b < FINDING__ENGINES; b++)
		if (f->engines & 1u << b)
			jw_str(w, finding_engine_name(1u << b));
	jw_array_close(w);
}

static void write_fix(struct json_writer *w, struct findings *fs, const struct finding *f)
{
	if (f->fix == FINDING_FIX_NONE)
		return;
	jw_key(w, "fix");
	jw_object(w);
	jw_kstr(w, "status", f->fix == FINDING_FIX_AVAILABLE ? "available" : "refused");
	jw_kstr(w, "reason", f->fix_reason);
	jw_key(w, "edits");
	jw_array(w);
	for (uint32_t i = 0; i < f->edits.n; i++) {
		const struct finding_edit *e = &f->edits.v[i];

		jw_object(w);
		write_file(w, fs, e->file);
		jw_kint(w, "line", e->line);
		jw_kint(w, "column", e->column);
		jw_kint(w, "end_line", e->end_line);
		jw_kint(w, "end_column", e->end_column);
		jw_kstr(w, "text", e->text);
		jw_object_close(w);
	}
	jw_array_close(w);
	jw_object_close(w);
}

static void write_finding(struct json_writer *w, struct findings *fs, const struct finding *f)
{
	assert(f->id[0] && f->fix_reason);	/* findings_finish() comes first */
	jw_object(w);
	jw_kstr(w, "id", f->id);
	jw_kstr(w, "kind", finding_kind_name(f->kind));
	jw_kstr(w, "resource", f->resource);
	write_file(w, fs, f->alloc.file);
	jw_kint(w, "line", f->alloc.line);
	jw_kint(w, "column", f->alloc.column);
	jw_kstr(w, "function", f->alloc.function);
	jw_kstr(w, "allocator", f->allocator);
	jw_kstr(w, "variable", f->variable);
	jw_key(w, "leak");
	jw_object(w);
	write_file(w, fs, f->leak.file);
	jw_kint(w, "line", f->leak.line);
	jw_kstr(w, "function", f->leak.function);
	jw_object_close(w);
	jw_kstr(w, "condition", f->condition);
	write_path(w, fs, f);
	write_engines(w, f);
	jw_kstr(w, "confidence", finding_confidence_name(f->confidence));
	jw_kbool(w, "suppressed", f->suppressed);
	write_fix(w, fs, f);
	jw_object_close(w);
}

void report__json(struct findings *fs, FILE *f, const struct report_options *o)
{
	struct json_writer w;

	(void)o;
	jw_begin(&w, f);
	jw_object(&w);
	jw_kstr(&w, "schema", "plumb-findings/1");
	jw_kstr(&w, "tool_version", PLUMB_VERSION);
	write_units(&w, fs);
	if (fs->coverage.known)
		report__coverage(&w, fs);
	jw_key(&w, "findings");
	jw_array(&w);
	for (uint32_t i = 0; i < fs->v.n; i++)
		write_finding(&w, fs, fs->v.v[i]);
	jw_array_close(&w);
	jw_object_close(&w);
	jw_end(&w);
}
