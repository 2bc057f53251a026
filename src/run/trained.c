/*
 * trained.c - bounds with names, from either form of "plumb-bounds/1".
 *
 * The file that training writes has addresses, the JSON that `plumb bounds` prints has
 * names.  The former is turned into the latter by that command's own code, so that there
 * is one reader here.  Members that follow from the counts (m, stable, leaking) are not
 * read but computed again, as in bounds.c.
 */
#include "run/trained.h"

#include "base/error.h"
#include "base/json.h"

/* ---- names for the file of training ---- */

/* The text that `plumb bounds --format json` prints for the file of training; for free(). */
static int print_named(char **text, size_t *n, const json_t *top)
{
	char *plain = json_dumps(top, JSON_COMPACT);
	struct bounds b;
	FILE *f = NULL;
	int ret;

	bounds_init(&b);
	if (!plain) {
		ret = error_set("it has strings that cannot be written");
		goto done;
	}
	if ((ret = bounds_parse(&b, plain, strlen(plain), "bounds")) < 0)
		goto done;
	if (!(f = open_memstream(text, n)))
		mem_exhausted(1);
	bounds_print_json(&b, f);
	if (fclose(f) != 0)
		mem_exhausted(1);
done:
	bounds_release(&b);
	free(plain);
	return ret;
}

static int name_frames(json_t **out, const json_t *top)
{
	char *text = NULL;
	size_t n = 0;
	int ret = print_named(&text, &n, top);

	if (ret == 0)
		ret = jr_parse(out, text, n, "bounds");
	free(text);
	return ret;
}

/* ---- reading ---- */

static int read_site(struct trained *t, const json_t *o, const char *root)
{
	struct trained_site *s = vec_add(&t->sites, 1);

	assert(t->b.sites.n == 0);		/* counts and frames are in t->sites */
	vec_add(&s->counts.runs, t->b.runs.n);
	if (watch_read_frames(&s->frames, &t->b.arena, json_object_get(o, "frames"), root) < 0)
		return -1;
	return bounds__read_counts(&s->counts, o);
}

static int read_all(struct trained *t, const json_t *top, const char *root)
{
	const json_t *runs = json_object_get(top, "runs"), *sites = json_object_get(top, "sites"), *o;
	const char *program = jr_get_str(top, "program");
	bool has_lists = json_is_array(runs) && json_is_array(sites);
	size_t i;

	if (!program || !has_lists || json_array_size(runs) > BOUNDS_MAX_RUNS)
		return error_set("\"program\", \"runs\" or \"sites\" is missing");
	t->b.program = arena_strdup(&t->b.arena, program);
	json_array_foreach(runs, i, o)
		if (bounds__read_run(&t->b, o) < 0)
			return error_prefix("runs[%zu]: ", i);
	json_array_foreach(sites, i, o)
		if (read_site(t, o, root) < 0)
			return error_prefix("sites[%zu]: ", i);
	return 0;
}

int trained_read(struct trained **out, const json_t *top, const char *root)
{
	struct trained *t = xcalloc(1, sizeof(*t));
	json_t *named = NULL;
	int ret = 0;

	bounds_init(&t->b);
	if (json_object_get(top, "modules"))
		ret = name_frames(&named, top);
	if (ret == 0)
		ret = read_all(t, named ? named : top, root);
	if (ret == 0)
		*out = t;
	else
		trained_free(t);
	json_decref(named);
	return ret;
}

void trained_mark_wrappers(struct trained *t, const struct model_set *models)
{
	for (uint32_t i = 0; i < t->sites.n; i++) {
		struct trained_site *s = &t->sites.v[i];

		s->at = watch_mark_frames(&s->frames, models);
		assert(s->at == 0 || s->at < s->frames.n);
	}
}

void trained_free(struct trained *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->sites.n; i++) {
		vec_release(&t->sites.v[i].counts.runs);
		vec_release(&t->sites.v[i].frames);
	}
	vec_release(&t->sites);
	bounds_release(&t->b);
	free(t);
}
