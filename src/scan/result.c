/*
 * result.c - what is known of an entry after its job.
 *
 *	{ "schema": "plumb-scan/1", "tool_version": "...", "name": "...", "entry": "debian x name=x",
 *	  "kind": "debian", "source": "x", "version": "1.2-3", "build_system": "debian",
 *	  "why": null or the reason why nothing was analysed,
 *	  "units": 41, "lines": 23000, "programs": [ ... ], "programs_left_out": 0, "compiled_share": 1.0,
 *	  "steps": [ { "name": "build", "what": null, "end": "ok", "code": 0, "seconds": 9.1, "cpu": 8.2,
 *		       "memory": 1000000, "said": null } ],
 *	  "coverage": { "allocations": ..., "judged": ..., "stored": ..., "cut": ...,
 *			"functions_incomplete": [ names ], ... },
 *	  "findings": [ as of plumb check, with "fix" as of plumb fix ] }
 *
 * An entry has several programs, and a finding in code that they share is one finding.  The numbers of the
 * coverage are sums over the programs, in which shared code counts once for each program; the names are
 * united.
 */
#include "scan/scan.h"

#include "base/error.h"
#include "base/file.h"
#include "report/report.h"

#include <assert.h>
#include <stdlib.h>

/* null for NULL, and for what is not UTF-8. */
static json_t *text(const char *s)
{
	json_t *t = s ? json_string(s) : NULL;

	return t ? t : json_null();
}

json_t *scan_result_new(const struct scan_entry *e)
{
	json_t *r = json_object();
	char *entry = scan_entry_text(e);

	json_object_set_new(r, "schema", json_string(SCAN_SCHEMA));
	json_object_set_new(r, "tool_version", json_string(PLUMB_VERSION));
	json_object_set_new(r, "name", text(e->name));
	json_object_set_new(r, "entry", text(entry));
	json_object_set_new(r, "kind", text(scan_kind_name(e->kind)));
	json_object_set_new(r, "source", text(e->source));
	json_object_set_new(r, "version", text(e->version));
	json_object_set_new(r, "why", json_null());
	json_object_set_new(r, "steps", json_array());
	json_object_set_new(r, "coverage", json_object());
	json_object_set_new(r, "findings", json_array());
	free(entry);
	return r;
}

void scan_result_step(json_t *r, const struct scan_step *s)
{
	json_t *o = json_object();

	assert(json_is_array(json_object_get(r, "steps")));
	json_object_set_new(o, "name", text(s->name));
	json_object_set_new(o, "what", text(s->what));
	json_object_set_new(o, "end", text(scan_step_end_name(s->end)));
	json_object_set_new(o, "code", json_integer(s->code));
	json_object_set_new(o, "seconds", json_real(s->seconds));
	json_object_set_new(o, "cpu", json_real(s->cpu));
	json_object_set_new(o, "memory", json_integer((json_int_t)s->memory));
	json_object_set_new(o, "said", text(s->said));
	json_array_append_new(json_object_get(r, "steps"), o);
}

static bool same_reason(const json_t *a, const json_t *b)
{
	const char *x = jr_get_str(a, "reason"), *y = jr_get_str(b, "reason");

	return x && y && str_eq(x, y);
}

static json_int_t count_of(const json_t *o)
{
	return json_integer_value(json_object_get(o, "count"));
}

/* Adds the items that the array lacks.  Objects with the same reason are one, and their counts are added
 * up. */
static void unite(json_t *to, const json_t *from)
{
	json_t *item, *have;
	size_t i, k;

	assert(json_is_array(to) && to != from);
	json_array_foreach(from, i, item) {
		bool found = false;

		json_array_foreach(to, k, have) {
			if (json_is_object(item) && same_reason(item, have)) {
				json_object_set_new(have, "count",
						    json_integer(count_of(have) + count_of(item)));
				found = true;
			} else if (json_equal(have, item)) {
				found = true;
			}
			if (found)
				break;
		}
		if (!found)
			json_array_append(to, item);
	}
}

static void add_coverage(json_t *to, json_t *from)
{
	const char *key;
	json_t *value;

	json_object_foreach(from, key, value) {
		json_t *have = json_object_get(to, key);

		if (!have)
			json_object_set_new(to, key, json_deep_copy(value));
		else if (json_is_integer(value) && json_is_integer(have))
			json_integer_set(have, json_integer_value(have) + json_integer_value(value));
		else if (json_is_array(value) && json_is_array(have))
			unite(have, value);
	}
}

static json_t *find_id(json_t *findings, const char *id)
{
	json_t *f;
	size_t i;

	json_array_foreach(findings, i, f)
		if (jr_get_str(f, "id") && str_eq(jr_get_str(f, "id"), id))
			return f;
	return NULL;
}

void scan_result_report(json_t *r, const json_t *report, bool is_fix)
{
	json_t *findings = json_object_get(r, "findings"), *f;
	size_t i;

	assert(json_is_array(findings));
	if (!report)
		return;
	if (!is_fix)
		add_coverage(json_object_get(r, "coverage"), json_object_get(report, "coverage"));
	json_array_foreach(json_object_get(report, "findings"), i, f) {
		const char *id = jr_get_str(f, "id");
		json_t *have = id ? find_id(findings, id) : NULL;

		if (id && !have)
			json_array_append(findings, f);
		else if (have && is_fix && json_object_get(f, "fix"))
			json_object_set(have, "fix", json_object_get(f, "fix"));
	}
}

int scan_result_write(const json_t *r, const char *path)
{
	char *s = json_dumps(r, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
	int ret;

	if (!s)
		return error_set("%s: a text of the result is no UTF-8", path);
	ret = file_write(path, s, strlen(s));
	free(s);
	return ret;
}

int scan_result_read(json_t **r, const char *path)
{
	const char *schema;

	if (jr_parse_file(r, path) < 0)
		return -1;
	schema = jr_get_str(*r, "schema");
	if (schema && str_eq(schema, SCAN_SCHEMA) && jr_get_str(*r, "name") && jr_get_str(*r, "entry"))
		return 0;
	json_decref(*r);
	*r = NULL;
	return error_set("%s: not a result of plumb scan", path);
}
