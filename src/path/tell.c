/*
 * tell.c - a path on which something goes wrong, told to a person.
 *
 * From the allocation on: the branches that what becomes of the object depends
 * on, in source text; the calls that did something; where the last pointer to
 * it is lost.
 */
#include "path/exec.h"

#include "base/sbuf.h"
#include "ir/io.h"

enum { MAX_TOLD = 8 };

struct story {
	const struct engine *e;
	const struct ir_func *fn;
	uint32_t func;
	const struct wrong *w;
	const struct site *site;	/* may be NULL */
	struct findings *fs;
	struct finding *f;
	uint32_t from;			/* first step behind the allocation */
	bool *told;			/* by step */
};

static struct finding_loc location(const struct engine *e, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &e->m->funcs.v[func];

	return finding_at(e->m, f, &f->insts[inst]);
}

/* ---- which branches matter ------------------------------------------- */

static bool gets_to(const struct ir_func *f, uint32_t block, uint32_t inst)
{
	return block == f->insts[inst].block || ir_comes_before(f, f->blocks[block].first, inst, IR_NONE);
}

/* Would the other way have led to where the object is freed or handed on, and this one does
 * not? */
static bool matters(const struct story *s, const struct step *x)
{
	const struct ir_inst *in = &s->fn->insts[x->inst];

	if (!s->site)
		return true;
	for (uint32_t i = bits_next(&s->site->settled, 0); i != UINT32_MAX;
	     i = bits_next(&s->site->settled, i + 1)) {
		if (gets_to(s->fn, in->targets[x->target], i))
			continue;
		for (uint32_t t = 0; t < in->ntargets; t++)
			if (t != x->target && gets_to(s->fn, in->targets[t], i))
				return true;
	}
	return false;
}

static void choose(struct story *s)
{
	uint32_t n = 0;

	for (uint32_t i = s->from; i < s->w->steps.n; i++) {
		const struct step *x = &s->w->steps.v[i];

		s->told[i] = x->kind == STEP_BRANCH && (x->open || s->site) && matters(s, x);
		n += s->told[i];
	}
	/* Nothing decides it alone: the last ones, then. */
	for (uint32_t i = s->w->steps.n; !n && i-- > s->from;)
		if (s->w->steps.v[i].kind == STEP_BRANCH && s->w->steps.v[i].open) {
			uint32_t later = 0;

			for (uint32_t k = i + 1; k < s->w->steps.n; k++)
				later += s->told[k];
			s->told[i] = later < MAX_TOLD;
		}
}

/* ---- text ------------------------------------------------------------ */

static void tell_branch(struct story *s, const struct step *x, struct sbuf *all)
{
	const struct ir_inst *in = &s->fn->insts[x->inst];
	struct sbuf text = {0};

	finding_add_branch(s->fs, s->f, s->e->m, s->fn, in, x->target);
	if (finding_branch_text(s->fs, &text, s->e->m, s->fn, in, x->target) &&
	    !strstr(sbuf_str(all), sbuf_str(&text)))
		sbuf_printf(all, "%s%s", all->n ? " && " : "", sbuf_str(&text));
	sbuf_release(&text);
}

static bool is_return_slot(const struct ir_func *f, ir_ref r)
{
	return IR_KIND(r) == IR_R_SLOT && f->slots[IR_IDX(r)].flags & IR_S_RETVAL;
}

/* The variable that the object is first put into. */
static void name_variable(struct story *s)
{
	const struct ir_inst *call = &s->fn->insts[s->w->call];
	struct sbuf b = {0};
	bool ok = false;

	for (uint32_t i = s->w->call + 1; i < s->fn->ninsts && !ok && call->res != IR_NONE; i++) {
		const struct ir_inst *in = &s->fn->insts[i];
		ir_ref v = in->op == IR_STORE ? in->ops[1] : IR_NULL;
		const struct ir_inst *d = ir_def(s->fn, v);

		if (d && (d->op == IR_CAST || d->op == IR_COPY))
			v = d->ops[0];
		if (v == IR_VREG(call->res) && !is_return_slot(s->fn, in->ops[0]))
			ok = ir_expr_lvalue(&b, s->e->m, s->fn, in->ops[0]);
	}
	for (uint32_t k = 1; k < call->nops && !ok; k++) {
		sbuf_clear(&b);
		if (IR_KIND(call->ops[k]) == IR_R_SLOT && s->w->made.effect &&
		    s->w->made.effect->place.base != MODEL_RETURN)
			ok = ir_expr_lvalue(&b, s->e->m, s->fn, call->ops[k]);
	}
	s->f->variable = arena_strdup(&s->fs->arena, ok ? sbuf_str(&b) : "");
	sbuf_release(&b);
}

static const struct site *find_site(const struct engine *e, uint32_t func, const struct wrong *w)
{
	const struct result *r = &e->results[func];

	for (uint32_t i = 0; i < r->sites.n; i++) {
		struct snew *made = &r->sites.v[i].made;

		if (r->sites.v[i].call == w->call && made->inst == w->made.inst &&
		    made->func == w->made.func && made->nth == w->made.nth)
			return &r->sites.v[i];
	}
	return NULL;
}

/* ---- findings -------------------------------------------------------- */

static void tell_end(struct story *s)
{
	const char *freed = resource_words(s->f->resource).freed, *var = s->f->variable;
	struct finding_loc at = location(s->e, s->func, s->w->at);

	s->f->leak = at.line ? at : s->f->alloc;
	s->f->lost = (struct finding_site){ s->func, s->w->at };
	if (s->w->kind == WRONG_DOUBLE_FREE)
		finding_add_step(s->fs, s->f, &s->f->leak, "%s a second time here", freed);
	else if (s->w->kind == WRONG_USE_AFTER_FREE)
		finding_add_step(s->fs, s->f, &s->f->leak, "used here, after it was %s", freed);
	else if (s->w->at == s->w->call)
		finding_add_step(s->fs, s->f, &s->f->leak, "the result is not kept anywhere");
	else if (*var && s->w->kind == WRONG_OVERWRITTEN)
		finding_add_step(s->fs, s->f, &s->f->leak, "`%s` is overwritten here: its old value is lost",
				 var);
	else if (*var)
		finding_add_step(s->fs, s->f, &s->f->leak,
				 "`%s` is not %s: the last pointer to it ends here", var, freed);
	else
		finding_add_step(s->fs, s->f, &s->f->leak, "not %s when the last pointer to it ends here",
				 freed);
}

/* Is `call` the one that freed the object first?  Else it is the one that made it. */
static bool is_freed(const struct wrong *w)
{
	return w->kind == WRONG_DOUBLE_FREE || w->kind == WRONG_USE_AFTER_FREE;
}

static void begin(struct story *s)
{
	const struct wrong *w = s->w;
	struct finding *f = s->f;
	bool made = w->made.func != IR_NONE;

	f->resource = made && w->made.effect ? w->made.effect->value.resource->name : "memory";
	f->made = (struct finding_site){ s->func, w->call };
	if (made)
		f->made = (struct finding_site){ w->made.func, w->made.inst };
	f->alloc = location(s->e, f->made.func, f->made.inst);
	f->allocator = made ? w->made.allocator : "";
	f->engines = FINDING_BY_PATH;
	f->confidence = w->exact ? FINDING_HIGH : FINDING_MEDIUM;
	f->condition = "";
	name_variable(s);
	if (made)
		finding_add_step(s->fs, f, &f->alloc, "%s here by %s", resource_words(f->resource).got,
				 f->allocator);
	if (made && !is_freed(w) && (w->made.func != s->func || w->made.inst != w->call)) {
		struct finding_loc at = location(s->e, s->func, w->call);

		finding_add_step(s->fs, f, &at, "handed to %s()", s->fn->src);
	}
}

/* ---- is there a free for it? ------------------------------------------ */

static bool call_frees(const struct engine *e, const struct ir_inst *in, uint32_t arg)
{
	const struct ir_func *g = ir_callee(e->m, in);
	const struct model *md;
	const struct summary *s;

	if (!g)
		return false;
	if (ir_is_decl(g)) {
		md = model_find(e->models, g->name);
		for (unsigned i = 0; md && i < md->neffects; i++)
			if (md->effects[i].kind == MODEL_E_FREE &&
			    model_place_is_arg(&md->effects[i].place, arg))
				return true;
		return false;
	}
	s = &e->sums[g - e->m->funcs.v];
	for (uint32_t i = 0; i < s->cases.n; i++)
		for (uint32_t k = 0; k < s->cases.v[i].effects.n; k++) {
			const struct seffect *f = &s->cases.v[i].effects.v[k];

			if (f->kind == SEFF_FREE && f->place.base == PLACE_ARG &&
			    f->place.index + 1 == arg && !f->place.nsteps)
				return true;
		}
	return false;
}

static uint32_t slot_of(const struct ir_func *f, ir_ref r)
{
	const struct ir_inst *d = ir_def(f, r);

	while (d && (d->op == IR_CAST || d->op == IR_COPY))
		d = ir_def(f, d->ops[0]);
	return d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT ? IR_IDX(d->ops[0]) : IR_NONE;
}

/* Is the variable that the object was put into freed somewhere behind, though on no path that we
 * found?  It was meant to be freed, then. */
static bool is_meant_to_be_freed(const struct story *s)
{
	const struct ir_func *f = s->fn;
	const struct ir_inst *call = &f->insts[s->w->call];
	struct bits slots;
	bool found = false;

	if (s->w->made.func != s->func || s->w->made.inst != s->w->call ||
	    (s->w->made.effect && s->w->made.effect->place.base != MODEL_RETURN))
		return false;
	bits_init(&slots, f->nslots + 1);
	for (uint32_t i = 0; i < f->ninsts && call->res != IR_NONE; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_inst *d = in->op == IR_STORE ? ir_def(f, in->ops[1]) : NULL;

		while (d && (d->op == IR_CAST || d->op == IR_COPY))
			d = ir_def(f, d->ops[0]);
		if (d == call && IR_KIND(in->ops[0]) == IR_R_SLOT)
			bits_set(&slots, IR_IDX(in->ops[0]));
	}
	for (uint32_t i = 0; i < f->ninsts && !found; i++)
		for (uint32_t k = 1; f->insts[i].op == IR_CALL && k < f->insts[i].nops && !found; k++) {
			uint32_t slot = slot_of(f, f->insts[i].ops[k]);

			found = slot != IR_NONE && bits_test(&slots, slot) &&
				call_frees(s->e, &f->insts[i], k) &&
				ir_comes_before(f, s->w->call, i, IR_NONE);
		}
	bits_release(&slots);
	return found;
}

/* Was it freed on some path of the function that made it, before it got here? */
static bool is_freed_where_made(const struct story *s)
{
	const struct snew *n = &s->w->made;
	const struct result *r;

	if (n->func == IR_NONE || n->func == s->func)
		return false;
	r = &s->e->results[n->func];
	for (uint32_t i = 0; i < r->sites.n; i++)
		if (r->sites.v[i].call == n->inst && r->sites.v[i].freed)
			return true;
	return false;
}

static enum finding_kind kind_of(const struct story *s)
{
	switch ((enum wrong_kind)s->w->kind) {
	case WRONG_DOUBLE_FREE: return FINDING_DOUBLE_FREE;
	case WRONG_USE_AFTER_FREE: return FINDING_USE_AFTER_FREE;
	case WRONG_OVERWRITTEN: return FINDING_OVERWRITTEN;
	case WRONG_LEAK: break;
	}
	if (s->site && (s->site->freed || s->site->escaped))
		return FINDING_CONDITIONAL;
	return is_meant_to_be_freed(s) || is_freed_where_made(s) ? FINDING_CONDITIONAL : FINDING_NEVER_FREED;
}

static void tell_freed(struct story *s)
{
	struct finding_loc at = location(s->e, s->func, s->w->call);

	finding_add_step(s->fs, s->f, &at, "%s here", resource_words(s->f->resource).freed);
}

/* Only behind, that is: in a loop they may come in any order. */
static bool comes_behind(const struct ir_func *f, uint32_t inst, uint32_t of)
{
	return ir_comes_before(f, of, inst, IR_NONE) && !ir_comes_before(f, inst, of, IR_NONE);
}

void path__tell(const struct engine *e, uint32_t func, const struct wrong *w, struct findings *fs)
{
	struct story s = { .e = e, .fn = &e->m->funcs.v[func], .func = func, .w = w, .fs = fs,
			   .f = finding_new(fs) };
	struct sbuf all = {0};
	bool freed;

	s.site = find_site(e, func, w);
	s.f->kind = kind_of(&s);
	s.told = xcalloc(w->steps.n + 1, sizeof(*s.told));
	for (uint32_t i = 0; i < w->steps.n; i++)
		if (w->steps.v[i].kind == STEP_MADE && w->steps.v[i].inst == w->call)
			s.from = i + 1;
	begin(&s);
	if (s.f->kind != FINDING_NEVER_FREED)
		choose(&s);
	freed = is_freed(w) && w->made.func != IR_NONE;
	for (uint32_t i = s.from; i < w->steps.n; i++) {
		if (!s.told[i])
			continue;
		if (freed && comes_behind(s.fn, w->steps.v[i].inst, w->call)) {
			tell_freed(&s);
			freed = false;
		}
		tell_branch(&s, &w->steps.v[i], &all);
	}
	if (freed)
		tell_freed(&s);
	s.f->condition = arena_strdup(&fs->arena, sbuf_str(&all));
	tell_end(&s);
	free(s.told);
	sbuf_release(&all);
}
