/*
 * read.c - "plumb-findings/1" back into findings.
 *
 * The file may come from anywhere: all of it is checked before anything is
 * added.  Members that this version does not know are skipped, so that a file of a
 * later 0.x can still be read.  A member that every report has, and that is missing
 * or of another type, is an error that names its place.
 *
 * gives: findings that findings_check() accepts, in the order of the file.
 */
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "finding/priv.h"
#include "ir/ir.h"

#include <assert.h>
#include <stdlib.h>

struct reader {
	struct findings *fs;
	VEC(struct finding *) v;	/* not yet in fs */
	VEC(struct finding_failure) failed;
	unsigned units;
	const json_t *coverage;		/* checked; NULL: none */
};

/* ---- members ---- */

static int missing(const char *key, const char *type)
{
	return error_set("\"%s\" is missing or no %s", key, type);
}

static int get_str(const char **out, struct reader *r, const json_t *o, const char *key)
{
	const char *s = jr_get_str(o, key);

	if (!s)
		return missing(key, "string");
	*out = arena_strdup(&r->fs->arena, s);
	return 0;
}

static int get_unsigned(unsigned *out, const json_t *o, const char *key)
{
	int64_t x;

	if (!jr_get_int(o, key, &x) || x < 0 || x > UINT32_MAX)
		return missing(key, "number from 0");
	*out = (unsigned)x;
	return 0;
}

static int get_bool(bool *out, const json_t *o, const char *key)
{
	const json_t *x = json_object_get(o, key);

	if (!json_is_boolean(x))
		return missing(key, "boolean");
	*out = json_is_true(x);
	return 0;
}

static int get_array(const json_t **out, const json_t *o, const char *key)
{
	*out = json_object_get(o, key);
	return json_is_array(*out) ? 0 : missing(key, "array");
}

/* Relative to the root in the file, absolute in the record. */
static int get_file(const char **out, struct reader *r, const json_t *o, const char *key)
{
	const char *s = jr_get_str(o, key);
	char *path;

	if (!s)
		return missing(key, "string");
	path = s[0] ? path_join(r->fs->root, s) : xstrdup("");
	*out = arena_strdup(&r->fs->arena, path);
	free(path);
	return 0;
}

/* ---- a finding ---- */

static int read_kind(struct finding *f, const json_t *o)
{
	const char *s = jr_get_str(o, "kind");

	for (unsigned k = 0; s && k < FINDING__KINDS; k++)
		if (str_eq(s, finding_kind_name(k))) {
			f->kind = k;
			return 0;
		}
	return s ? error_set("unknown kind \"%s\"", s) : missing("kind", "string");
}

static int read_confidence(struct finding *f, const json_t *o)
{
	const char *s = jr_get_str(o, "confidence");

	for (unsigned c = FINDING_LOW; s && c <= FINDING_HIGH; c++)
		if (str_eq(s, finding_confidence_name(c))) {
			f->confidence = c;
			return 0;
		}
	return s ? error_set("unknown confidence \"%s\"", s) : missing("confidence", "string");
}

/* Engines that this version does not know are skipped. */
static int read_engines(struct finding *f, const json_t *o)
{
	const json_t *list, *e;
	size_t i;

	if (get_array(&list, o, "engines") < 0)
		return -1;
	json_array_foreach(list, i, e) {
		if (!json_is_string(e))
			return missing("engines", "array of strings");
		for (unsigned b = 0; b < FINDING__ENGINES; b++)
			if (str_eq(json_string_value(e), finding_engine_name(1u << b)))
				f->engines |= 1u << b;
	}
	return 0;
}

static int read_leak(struct reader *r, struct finding *f, const json_t *o)
{
	const json_t *leak = json_object_get(o, "leak");

	if (!json_is_object(leak))
		return missing("leak", "object");
	if (get_file(&f->leak.file, r, leak, "file") < 0 ||
	    get_unsigned(&f->leak.line, leak, "line") < 0 ||
	    get_str(&f->leak.function, r, leak, "function") < 0)
		return error_prefix("leak: ");
	return 0;
}

static int read_path(struct reader *r, struct finding *f, const json_t *o)
{
	const json_t *list, *s;
	size_t i;

	if (get_array(&list, o, "path") < 0)
		return -1;
	json_array_foreach(list, i, s) {
		struct finding_step step = {0};

		if (get_file(&step.at.file, r, s, "file") < 0 ||
		    get_unsigned(&step.at.line, s, "line") < 0 ||
		    get_str(&step.message, r, s, "message") < 0)
			return error_prefix("path[%zu]: ", i);
		vec_push(&f->path, step);
	}
	return 0;
}

static int read_range(struct finding_edit *edit, const json_t *o)
{
	if (get_unsigned(&edit->line, o, "line") < 0 || get_unsigned(&edit->column, o, "column") < 0)
		return -1;
	if (get_unsigned(&edit->end_line, o, "end_line") < 0)
		return -1;
	return get_unsigned(&edit->end_column, o, "end_column");
}

static int read_edits(struct reader *r, struct finding *f, const json_t *fix)
{
	const json_t *list, *e;
	size_t i;

	if (get_array(&list, fix, "edits") < 0)
		return -1;
	json_array_foreach(list, i, e) {
		struct finding_edit edit = {0};

		if (get_file(&edit.file, r, e, "file") < 0 || read_range(&edit, e) < 0 ||
		    get_str(&edit.text, r, e, "text") < 0)
			return error_prefix("edits[%zu]: ", i);
		vec_push(&f->edits, edit);
	}
	return 0;
}

static int read_fix(struct reader *r, struct finding *f, const json_t *o)
{
	const json_t *fix = json_object_get(o, "fix");
	const char *status = jr_get_str(fix, "status");

	if (!fix)
		return 0;
	if (status && str_eq(status, "available"))
		f->fix = FINDING_FIX_AVAILABLE;
	else if (status && str_eq(status, "refused"))
		f->fix = FINDING_FIX_REFUSED;
	else
		return error_set("fix: unknown status \"%s\"", status ? status : "");
	if (get_str(&f->fix_reason, r, fix, "reason") < 0 || read_edits(r, f, fix) < 0)
		return error_prefix("fix: ");
	return 0;
}

static int read_alloc(struct reader *r, struct finding *f, const json_t *o)
{
	if (get_file(&f->alloc.file, r, o, "file") < 0 ||
	    get_unsigned(&f->alloc.line, o, "line") < 0 ||
	    get_unsigned(&f->alloc.column, o, "column") < 0 ||
	    get_str(&f->alloc.function, r, o, "function") < 0)
		return -1;
	if (get_str(&f->allocator, r, o, "allocator") < 0)
		return -1;
	return get_str(&f->variable, r, o, "variable");
}

static int read_finding(struct reader *r, struct finding *f, const json_t *o)
{
	const char *id = jr_get_str(o, "id");

	if (!id || !finding__is_id(id))
		return missing("id", "string of 16 hex digits");
	memcpy(f->id, id, sizeof(f->id));
	if (read_kind(f, o) < 0 || read_confidence(f, o) < 0 || read_engines(f, o) < 0)
		return -1;
	if (get_str(&f->resource, r, o, "resource") < 0 || read_alloc(r, f, o) < 0)
		return -1;
	if (read_leak(r, f, o) < 0 ||
	    get_str(&f->condition, r, o, "condition") < 0 ||
	    read_path(r, f, o) < 0 ||
	    get_bool(&f->suppressed, o, "suppressed") < 0)
		return -1;
	return read_fix(r, f, o);
}

/* ---- the file ---- */

static int read_units(struct reader *r, const json_t *top)
{
	const json_t *units = json_object_get(top, "units"), *failed, *x;
	size_t i;

	if (get_unsigned(&r->units, units, "analysed") < 0 || get_array(&failed, units, "failed") < 0)
		return error_prefix("units: ");
	json_array_foreach(failed, i, x) {
		struct finding_failure f = {0};

		if (get_file(&f.file, r, x, "file") < 0 || get_str(&f.error, r, x, "error") < 0)
			return error_prefix("units.failed[%zu]: ", i);
		vec_push(&r->failed, f);
	}
	return 0;
}

static const char *const name_keys[] = {
	"functions_incomplete", "units_left_out", "not_c", "libraries_not_given"
};

static struct coverage_names *names_of(struct coverage *c, unsigned key)
{
	struct coverage_names *const names[] = {
		&c->functions_incomplete, &c->units_left_out, &c->not_c, &c->libraries_not_given
	};

	static_assert(ARRAY_LEN(names) == ARRAY_LEN(name_keys), "a list for each key");
	assert(key < ARRAY_LEN(names));
	return names[key];
}

static int check_names(const json_t *o, const char *key)
{
	const json_t *list, *x;
	size_t i;

	if (get_array(&list, o, key) < 0)
		return -1;
	json_array_foreach(list, i, x)
		if (!json_is_string(x))
			return missing(key, "array of strings");
	return 0;
}

static int check_reasons(const json_t *o, unsigned cut)
{
	const json_t *list, *x;
	uint64_t sum = 0;
	unsigned count = 0;
	size_t i;

	if (get_array(&list, o, "cut_reasons") < 0)
		return -1;
	json_array_foreach(list, i, x) {
		if (!jr_get_str(x, "reason"))
			return missing("reason", "string");
		if (get_unsigned(&count, x, "count") < 0)
			return -1;
		sum += count;
	}
	return sum == cut ? 0 : error_set("the counts of \"cut_reasons\" do not sum up to \"cut\"");
}

/* o: NULL if nothing was excluded. */
static int check_excluded(const json_t *o)
{
	unsigned n;

	if (!o)
		return 0;
	if (check_names(o, "globs") < 0 || get_unsigned(&n, o, "findings") < 0 ||
	    get_unsigned(&n, o, "allocations") < 0)
		return error_prefix("coverage: excluded: ");
	return 0;
}

static int check_coverage(const json_t *o)
{
	unsigned all = 0, judged = 0, stored = 0, cut = 0;

	if (!json_is_object(o))
		return missing("coverage", "object");
	if (get_unsigned(&all, o, "allocations") < 0 || get_unsigned(&judged, o, "judged") < 0 ||
	    get_unsigned(&stored, o, "stored") < 0 || get_unsigned(&cut, o, "cut") < 0 ||
	    check_reasons(o, cut) < 0)
		return error_prefix("coverage: ");
	if ((uint64_t)judged + stored + cut != all)
		return error_set("coverage: the allocations judged, stored and cut are not all of them");
	for (unsigned k = 0; k < ARRAY_LEN(name_keys); k++)
		if (check_names(o, name_keys[k]) < 0)
			return error_prefix("coverage: ");
	return check_excluded(json_object_get(o, "excluded"));
}

static unsigned get_count(const json_t *o, const char *key)
{
	unsigned n = 0;

	get_unsigned(&n, o, key);
	return n;
}

/* Needs check_coverage().  Strings are borrowed from the JSON tree: coverage_merge() copies them. */
static void take_coverage(struct findings *fs, const json_t *o)
{
	struct coverage c = {
		.known = true,
		.allocations = get_count(o, "allocations"), .judged = get_count(o, "judged"),
		.stored = get_count(o, "stored"), .cut = get_count(o, "cut"),
	};
	const json_t *excluded = json_object_get(o, "excluded"), *x;
	size_t i;

	assert((uint64_t)c.judged + c.stored + c.cut == c.allocations);
	json_array_foreach(json_object_get(o, "cut_reasons"), i, x) {
		struct coverage_reason reason = { jr_get_str(x, "reason"), get_count(x, "count") };

		assert(reason.reason);
		vec_push(&c.cut_reasons, reason);
	}
	for (unsigned k = 0; k < ARRAY_LEN(name_keys); k++)
		json_array_foreach(json_object_get(o, name_keys[k]), i, x)
			vec_push(names_of(&c, k), json_string_value(x));
	if (excluded) {
		c.findings_excluded = get_count(excluded, "findings");
		c.allocations_excluded = get_count(excluded, "allocations");
	}
	json_array_foreach(json_object_get(excluded, "globs"), i, x)
		vec_push(&c.excluded, json_string_value(x));
	coverage_merge(fs, &c);
	coverage_release(&c);
}

static int read_all(struct reader *r, const json_t *top)
{
	const char *schema = jr_get_str(top, "schema");
	const json_t *list, *x;
	size_t i;

	if (!schema)
		return error_set("no findings of plumb: \"schema\" is missing");
	if (!str_eq(schema, "plumb-findings/1"))
		return error_set("schema \"%s\", expected \"plumb-findings/1\"", schema);
	r->coverage = json_object_get(top, "coverage");
	if (r->coverage && check_coverage(r->coverage) < 0)
		return -1;
	if (read_units(r, top) < 0 || get_array(&list, top, "findings") < 0)
		return -1;
	json_array_foreach(list, i, x) {
		struct finding *f = arena_new(&r->fs->arena, struct finding);

		f->made = f->lost = (struct finding_site){ IR_NONE, IR_NONE };
		vec_push(&r->v, f);
		if (read_finding(r, f, x) < 0)
			return error_prefix("findings[%zu]: ", i);
		finding__normalise(f);
	}
	return 0;
}

static void drop(struct reader *r)
{
	for (uint32_t i = 0; i < r->v.n; i++) {
		vec_release(&r->v.v[i]->path);
		vec_release(&r->v.v[i]->edits);
	}
	vec_clear(&r->v);
}

static void take(struct reader *r)
{
	struct findings *fs = r->fs;

	for (uint32_t i = 0; i < r->v.n; i++)
		vec_push(&fs->v, r->v.v[i]);
	for (uint32_t i = 0; i < r->failed.n; i++)
		vec_push(&fs->failed, r->failed.v[i]);
	fs->units_analysed += r->units;
	if (r->coverage)
		take_coverage(fs, r->coverage);
	vec_clear(&r->v);
#ifdef PLUMB_DEBUG
	findings_check(fs);
#endif
}

int findings_read_json(struct findings *fs, const json_t *top)
{
	struct reader r = { .fs = fs };
	int ret = read_all(&r, top);

	if (ret == 0)
		take(&r);
	drop(&r);
	vec_release(&r.v);
	vec_release(&r.failed);
	return ret;
}

int findings_read(struct findings *fs, const char *path)
{
	json_t *top = NULL;
	int ret;

	if ((ret = jr_parse_file(&top, path)) < 0)
		return ret;
	if ((ret = findings_read_json(fs, top)) < 0)
		error_prefix("%s: ", path);
	json_decref(top);
	return ret;
}
