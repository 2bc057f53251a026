/*
 * model.c - a set of models, its invariants, and the questions of the engines.
 *
 * A set only grows; a model that is replaced stays in the arena, since an engine may hold it.
 */
#include "model/model.h"

#include "base/error.h"
#include "base/file.h"
#include "model/priv.h"

#include <dirent.h>

struct model_set *model_set_new(void)
{
	struct model_set *s = xcalloc(1, sizeof(*s));

	arena_init(&s->arena);
	resources_init(&s->resources);
	return s;
}

void model_set_free(struct model_set *s)
{
	if (!s)
		return;
	model_index_release(&s->by_name);
	vec_release(&s->models);
	resources_release(&s->resources);
	arena_release(&s->arena);
	free(s);
}

void model__add(struct model_set *s, const struct model *m)
{
	bool is_new;
	uint32_t *slot = model_index_put(&s->by_name, m->name, &is_new);

	if (is_new) {
		*slot = s->models.n;
		vec_push(&s->models, m);
	} else {
		assert(*slot < s->models.n && str_eq(s->models.v[*slot]->name, m->name));
		s->models.v[*slot] = m;
	}
}

/* ---- invariants ---- */

static void place_check(const struct model_place *p)
{
	bool has_arg = p->base == MODEL_ARG || p->base == MODEL_ARGS_FROM;

	assert(p->base <= MODEL_GLOBAL);
	assert(has_arg ? p->arg >= 1 && p->arg <= MODEL_MAX_ARG : p->arg == 0);
	assert((p->base == MODEL_GLOBAL) == (p->global != NULL));
	assert(p->nsteps <= MODEL_MAX_STEPS && (p->nsteps > 0) == (p->steps != NULL));
	for (unsigned i = 0; i < p->nsteps; i++)
		assert(!p->steps[i].field || p->steps[i].offset == 0);
}

static void value_check(const struct model_value *v)
{
	bool is_new = v->kind == MODEL_V_NEW;

	assert(v->kind <= MODEL_V_INT);
	assert(is_new == (v->resource != NULL));
	assert(is_new || !(v->nonnull || v->zeroed || v->used || v->nfreers));
	assert((v->nfreers > 0) == (v->freers != NULL));
	assert(!v->in || v->kind == MODEL_V_STATIC || v->kind == MODEL_V_UNKNOWN);
	assert(v->kind == MODEL_V_INT || v->value == 0);
	place_check(&v->place);
}

static void cond_check(const struct model_cond *c)
{
	assert(c->cmp <= MODEL_LACKS && c->place.base != MODEL_ARGS_FROM);
	assert(!c->null || ((c->cmp == MODEL_EQ || c->cmp == MODEL_NE) && c->value == 0));
	place_check(&c->place);
}

static void effect_check(const struct model_effect *e)
{
	bool may_have_to = e->kind == MODEL_E_KEEP || e->kind == MODEL_E_HOLD || e->kind == MODEL_E_COPY;

	assert(e->kind <= MODEL_E_NORETURN);
	place_check(&e->place);
	if (e->kind == MODEL_E_SET) {
		value_check(&e->value);
		assert(e->place.nsteps || e->place.base == MODEL_RETURN || e->place.base == MODEL_GLOBAL);
	}
	assert((e->kind == MODEL_E_FREE) == (e->resource != NULL));
	assert(e->has_to ? may_have_to : e->kind != MODEL_E_COPY);
	place_check(&e->to);
	assert(!e->later || e->kind == MODEL_E_CALL || (e->kind == MODEL_E_HOLD && !e->has_to));
	assert(e->kind == MODEL_E_CALL || !e->nargs);
	for (unsigned i = 0; i < e->nargs; i++) {
		value_check(&e->args[i]);
		assert(!e->args[i].nfreers);
	}
	assert(e->kind != MODEL_E_NORETURN || e->nconds);
	for (unsigned i = 0; i < e->nconds; i++)
		cond_check(&e->conds[i]);
}

void model_check(const struct model *m)
{
	assert(m->name && *m->name && m->file);
	assert((m->neffects > 0) == (m->effects != NULL));
	for (unsigned i = 0; i < m->neffects; i++)
		effect_check(&m->effects[i]);
}

void model_set_check(const struct model_set *s)
{
	resources_check(&s->resources);
	assert(s->models.n == s->by_name.n);
	for (uint32_t i = 0; i < s->models.n; i++) {
		model_check(s->models.v[i]);
		assert(*model_index_get(&s->by_name, s->models.v[i]->name) == i);
	}
}

/* ---- files ---- */

int model_parse_file(struct model_set *s, const char *path)
{
	char *text = NULL;
	size_t n = 0;
	int ret;

	if ((ret = file_read_named(&text, &n, path)) < 0)
		return ret;
	ret = model_parse(s, text, n, path);
	free(text);
	return ret;
}

VEC_TYPE(names, char *);

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the *.model files of a folder, sorted. */
static int list_models(struct names *out, const char *dir)
{
	struct dirent *e;
	DIR *d = opendir(dir);

	if (!d)
		return error_sys("%s", dir);
	while ((e = readdir(d)))
		if (e->d_name[0] != '.' && str_ends(e->d_name, ".model"))
			vec_push(out, xstrdup(e->d_name));
	closedir(d);
	if (!out->n)
		return error_set("%s: no file *.model there", dir);
	qsort(out->v, out->n, sizeof(*out->v), by_text);
	return 0;
}

int model_parse_dir(struct model_set *s, const char *dir)
{
	struct names names = {0};
	int ret = list_models(&names, dir);

	for (uint32_t i = 0; ret == 0 && i < names.n; i++) {
		char *path = path_join(dir, names.v[i]);

		ret = model_parse_file(s, path);
		free(path);
	}
	for (uint32_t i = 0; i < names.n; i++)
		free(names.v[i]);
	vec_release(&names);
#ifdef PLUMB_DEBUG
	model_set_check(s);
#endif
	return ret;
}

/* Where the shipped models lie, as seen from the folder of the executable. */
static const char *const shipped_dirs[] = {
	"models",			/* beside it, as make links them */
	"../models",			/* build/plumb in the source tree */
	"../share/plumb/models",	/* installed */
};

int model_load_shipped(struct model_set *s)
{
	const char *env = getenv("PLUMB_MODELS");
	char *exe, *dir = NULL;
	int ret;

	if (env && *env)
		return is_dir(env) ? model_parse_dir(s, env) : model_parse_file(s, env);
	exe = path_exe_dir();
	for (size_t i = 0; i < ARRAY_LEN(shipped_dirs) && !dir; i++) {
		char *path = path_join(exe, shipped_dirs[i]);

		dir = path_normal(path);
		free(path);
		if (!is_dir(dir)) {
			free(dir);
			dir = NULL;
		}
	}
	if (dir)
		ret = model_parse_dir(s, dir);
	else
		ret = error_set("%s: no folder of library models beside this program "
				"(PLUMB_MODELS can name one)", exe);
	free(dir);
	free(exe);
	return ret;
}

/* ---- looking up ---- */

uint64_t model_set_digest(const struct model_set *s)
{
	return s->digest;
}

const struct model *model_find(const struct model_set *s, const char *name)
{
	const uint32_t *i = model_index_get(&s->by_name, name);

	return i ? s->models.v[*i] : NULL;
}

unsigned model_count(const struct model_set *s)
{
	return s->models.n;
}

const struct model *model_at(const struct model_set *s, unsigned i)
{
	assert(i < s->models.n);
	return s->models.v[i];
}

const struct resources *model_resources(const struct model_set *s)
{
	return &s->resources;
}

const struct model_effect *model_allocates(const struct model *m)
{
	for (unsigned i = 0; i < m->neffects; i++) {
		const struct model_effect *e = &m->effects[i];

		if (e->kind == MODEL_E_SET && e->value.kind == MODEL_V_NEW && model__is_return(&e->place))
			return e;
	}
	return NULL;
}

const struct model_effect *model_frees(const struct model *m, unsigned arg)
{
	for (unsigned i = 0; i < m->neffects; i++) {
		const struct model_effect *e = &m->effects[i];

		if (e->kind == MODEL_E_FREE && model_place_is_arg(&e->place, arg))
			return e;
	}
	return NULL;
}

bool model_writes(const struct model *m, unsigned arg)
{
	for (unsigned i = 0; i < m->neffects; i++) {
		const struct model_effect *e = &m->effects[i];

		if (e->kind == MODEL_E_HOLD)
			continue;
		if (e->kind == MODEL_E_CALL || (e->has_to && model_place_begins_at(&e->to, arg)) ||
		    (e->kind != MODEL_E_COPY && model_place_begins_at(&e->place, arg)))
			return true;
	}
	return false;
}

static bool value_names(const struct model_value *v, unsigned arg)
{
	return model_value_depends(v) && model_place_begins_at(&v->place, arg);
}

/* Does the effect name the argument, other than as the place that it is about? */
static bool names_arg(const struct model_effect *e, unsigned arg)
{
	bool named = (e->has_to && model_place_begins_at(&e->to, arg)) || value_names(&e->value, arg);

	for (unsigned i = 0; i < e->nargs; i++)
		named |= value_names(&e->args[i], arg);
	for (unsigned i = 0; i < e->nconds; i++)
		named |= model_place_begins_at(&e->conds[i].place, arg);
	return named;
}

const struct model_effect *model_stores_result(const struct model *m)
{
	for (unsigned i = 0; i < m->neffects; i++) {
		const struct model_effect *e = &m->effects[i];
		bool is_behind_arg = e->place.base == MODEL_ARG && e->place.nsteps;

		if (e->kind == MODEL_E_SET && is_behind_arg &&
		    e->value.kind == MODEL_V_PLACE && model__is_return(&e->value.place))
			return e;
	}
	return NULL;
}

/* *argN, for any N */
static bool is_deref_of_arg(const struct model_place *p)
{
	return p->base == MODEL_ARG && p->nsteps == 1 && model__is_deref(&p->steps[0]);
}

/* new memory, without `freed by` */
static bool is_plain_memory(const struct model_value *v)
{
	return v->kind == MODEL_V_NEW && !v->nfreers && resource_is_memory(v->resource);
}

bool model_only_sets(const struct model *m, unsigned arg)
{
	bool sets = false;

	for (unsigned i = 0; i < m->neffects; i++) {
		const struct model_effect *e = &m->effects[i];

		if (names_arg(e, arg))
			return false;
		if (e->kind == MODEL_E_NORETURN || !model_place_begins_at(&e->place, arg))
			continue;
		if (e->kind != MODEL_E_SET || !is_deref_of_arg(&e->place) || !is_plain_memory(&e->value))
			return false;
		sets = true;
	}
	return sets;
}

/* ---- comparing ---- */

static bool text_equal(const char *a, const char *b)
{
	return a == b || (a && b && str_eq(a, b));
}

static bool place_equal(const struct model_place *a, const struct model_place *b)
{
	if (a->base != b->base || a->arg != b->arg || !text_equal(a->global, b->global) ||
	    a->nsteps != b->nsteps)
		return false;
	for (unsigned i = 0; i < a->nsteps; i++) {
		const struct model_step *s = &a->steps[i], *t = &b->steps[i];

		if (!text_equal(s->field, t->field) || s->offset != t->offset ||
		    s->any != t->any)
			return false;
	}
	return true;
}

static bool freers_equal(const struct model_value *a, const struct model_value *b)
{
	if (a->nfreers != b->nfreers)
		return false;
	for (unsigned i = 0; i < a->nfreers; i++)
		if (!str_eq(a->freers[i], b->freers[i]))
			return false;
	return true;
}

static bool value_equal(const struct model_value *a, const struct model_value *b)
{
	bool same_flags = a->in == b->in && a->nonnull == b->nonnull && a->zeroed == b->zeroed &&
			  a->used == b->used;

	if (a->kind != b->kind || !same_flags || a->value != b->value)
		return false;
	return resource_equal(a->resource, b->resource) && freers_equal(a, b) &&
	       place_equal(&a->place, &b->place);
}

static bool conds_equal(const struct model_effect *a, const struct model_effect *b)
{
	if (a->nconds != b->nconds)
		return false;
	for (unsigned i = 0; i < a->nconds; i++) {
		const struct model_cond *c = &a->conds[i], *d = &b->conds[i];

		if (c->cmp != d->cmp || c->null != d->null || c->value != d->value ||
		    !place_equal(&c->place, &d->place))
			return false;
	}
	return true;
}

unsigned model_alternatives(const struct model_effect *e, unsigned n)
{
	unsigned k = 1;

	assert(n > 0);
	if (e->kind != MODEL_E_SET)
		return 1;
	while (k < n && e[k].kind == MODEL_E_SET && place_equal(&e[k].place, &e->place) &&
	       conds_equal(&e[k], e))
		k++;
	return k;
}

static bool args_equal(const struct model_effect *a, const struct model_effect *b)
{
	if (a->nargs != b->nargs)
		return false;
	for (unsigned i = 0; i < a->nargs; i++)
		if (!value_equal(&a->args[i], &b->args[i]))
			return false;
	return true;
}

static bool effect_equal(const struct model_effect *a, const struct model_effect *b)
{
	if (a->kind != b->kind || a->has_to != b->has_to || a->later != b->later)
		return false;
	if (!place_equal(&a->place, &b->place) || !place_equal(&a->to, &b->to))
		return false;
	return resource_equal(a->resource, b->resource) && value_equal(&a->value, &b->value) &&
	       args_equal(a, b) && conds_equal(a, b);
}

bool model_equal(const struct model *a, const struct model *b)
{
	if (!str_eq(a->name, b->name) || a->override != b->override ||
	    a->noreturn != b->noreturn || a->neffects != b->neffects)
		return false;
	for (unsigned i = 0; i < a->neffects; i++)
		if (!effect_equal(&a->effects[i], &b->effects[i]))
			return false;
	return true;
}

bool model_place_begins_at(const struct model_place *p, unsigned arg)
{
	assert(p->base != MODEL_ARG || (p->arg >= 1 && p->arg <= MODEL_MAX_ARG));
	return (p->base == MODEL_ARG && p->arg == arg) || (p->base == MODEL_ARGS_FROM && p->arg <= arg);
}

bool model_place_is_arg(const struct model_place *p, unsigned arg)
{
	return p->nsteps == 0 && model_place_begins_at(p, arg);
}

bool model_value_depends(const struct model_value *v)
{
	return v->kind == MODEL_V_PLACE || v->kind == MODEL_V_INTO || v->in;
}

bool model_value_is_arg(const struct model_value *v, unsigned arg)
{
	return (v->kind == MODEL_V_PLACE || v->kind == MODEL_V_INTO) && model_place_is_arg(&v->place, arg);
}

bool model_cond_holds(const struct model_cond *c, int64_t x)
{
	switch (c->cmp) {
	case MODEL_EQ: return x == c->value;
	case MODEL_NE: return x != c->value;
	case MODEL_LT: return x < c->value;
	case MODEL_LE: return x <= c->value;
	case MODEL_GT: return x > c->value;
	case MODEL_GE: return x >= c->value;
	case MODEL_HAS: return (x & c->value) != 0;
	case MODEL_LACKS: return (x & c->value) == 0;
	}
	return false;
}
