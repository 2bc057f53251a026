/*
 * baseline.c - findings that were there before do not count.
 *
 * A baseline is a report of ours, JSON or SARIF; only the ids in it are read.
 * Findings that the report shows as suppressed are part of the baseline like the
 * others: if a comment is removed and the leak stays, no new finding is reported.
 *
 * needs: findings_finish().
 * gives: f->in_baseline.  A file that is no baseline marks nothing.
 */
#include "base/error.h"
#include "base/json.h"
#include "finding/priv.h"

#include <assert.h>

#define MAP_NAME idset
#define MAP_KEY const char *
#define MAP_VAL bool
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

/* Keys point into the JSON tree, which must live longer than the ids. */
static int add_id(struct idset *ids, const char *id)
{
	if (!id || !finding__is_id(id))
		return error_set("a finding has no id of 16 hex digits");
	idset_set(ids, id, true);
	return 0;
}

static int read_json(struct idset *ids, const json_t *top)
{
	const json_t *list = json_object_get(top, "findings"), *f;
	size_t i;

	if (!json_is_array(list))
		return error_set("no array \"findings\"");
	json_array_foreach(list, i, f)
		if (add_id(ids, jr_get_str(f, "id")) < 0)
			return -1;
	return 0;
}

static int read_run(struct idset *ids, const json_t *run)
{
	const json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
	const json_t *results = json_object_get(run, "results"), *r;
	const char *tool = jr_get_str(driver, "name");
	size_t i;

	if (!tool || !str_eq(tool, "plumb"))
		return error_set("SARIF of another tool: %s", tool ? tool : "without name");
	if (!json_is_array(results))
		return error_set("no array \"results\"");
	json_array_foreach(results, i, r)
		if (add_id(ids, jr_get_str(json_object_get(r, "partialFingerprints"), "plumb/v1")) < 0)
			return -1;
	return 0;
}

static int read_sarif(struct idset *ids, const json_t *runs)
{
	const json_t *run;
	size_t i;

	json_array_foreach(runs, i, run)
		if (read_run(ids, run) < 0)
			return -1;
	return 0;
}

static int read_ids(struct idset *ids, const json_t *top)
{
	const char *schema = jr_get_str(top, "schema");
	const json_t *runs = json_object_get(top, "runs");

	if (schema && str_eq(schema, "plumb-findings/1"))
		return read_json(ids, top);
	if (schema)
		return error_set("schema \"%s\", expected \"plumb-findings/1\"", schema);
	if (json_is_array(runs))
		return read_sarif(ids, runs);
	return error_set("neither findings of plumb in JSON nor in SARIF");
}

int findings_baseline(struct findings *fs, const char *path)
{
	struct idset ids = {0};
	json_t *top = NULL;
	int ret;

	if ((ret = jr_parse_file(&top, path)) < 0)
		goto done;
	if ((ret = read_ids(&ids, top)) < 0) {
		error_prefix("%s: no baseline: ", path);
		goto done;
	}
	fs->has_baseline = true;
	for (uint32_t i = 0; i < fs->v.n; i++) {
		struct finding *f = fs->v.v[i];

		assert(f->id[0]);	/* findings_finish() comes first */
		if (!idset_get(&ids, f->id))
			continue;
		f->in_baseline = true;
		if (!f->suppressed)
			f->suppress_reason = "baseline";
		f->suppressed = true;
	}
done:
	idset_release(&ids);
	json_decref(top);
	return ret;
}
