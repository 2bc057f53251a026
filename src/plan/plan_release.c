/*
 * plan_release.c - what releases an object of this kind?
 *
 * LeakFix knows free() alone.  An object of a library function is released by what the model
 * names (fclose for fopen).  One that a function of the program made is released as the
 * program releases what that function makes elsewhere: by whichever function does so most
 * often, where that function can free its argument (a reference may be all that it drops) and
 * takes nothing else.  One that takes more, but does nothing with it that lasts, stands for what the library
 * names.  If the program never does, by the only function that takes a pointer to that struct and always
 * frees it; if there is none, or several, by what releases other objects of the program's own allocator
 * below (plan_alone.c), or by what the model of the library's names.
 *
 * A function that frees members as well is only called if this function did not change them
 * to something that it might not free: what it stores there is new or null.
 *
 * Which way it errs: a partner in a library that the program never calls is not known; then
 * the allocator's own partner is taken, which is right for what came from it.
 */
#include "plan/priv.h"

#include "ir/expr.h"
#include "model/hooks.h"

/* ---- who releases what ------------------------------------------------------ */

bool release_always(struct fix_planner *pl, uint32_t func, uint32_t param)
{
	const struct ir_func *g = &pl->m->funcs.v[func];
	const struct plan_summary *sum;
	bool freed = false;

	if (pta_model(pl->p, func))
		return model_frees(pta_model(pl->p, func), param + 1) &&
		       !model_frees(pta_model(pl->p, func), param + 1)->nconds;
	if (ir_is_decl(g) || param >= g->nparams || g->params[param].cls != IR_C_PTR ||
	    g->flags & IR_FN_VARIADIC)
		return false;
	sum = summary_of_param(pl, func, param);
	if (!sum->known)
		return false;
	for (uint32_t i = 0; i < sum->n; i++) {
		if (sum->out[i].phase == PHASE_FREED && !sum->out[i].doubt)
			freed = true;
		else if (sum->out[i].phase != PHASE_BEFORE)
			return false;
	}
	return freed;
}

bool release_may(struct fix_planner *pl, uint32_t func, uint32_t param)
{
	const struct ir_func *g = &pl->m->funcs.v[func];
	const struct plan_summary *sum;

	if (pta_model(pl->p, func) || ir_is_decl(g) || param >= g->nparams ||
	    g->params[param].cls != IR_C_PTR)
		return release_always(pl, func, param);
	sum = summary_of_param(pl, func, param);
	for (uint32_t i = 0; i < sum->n && sum->known; i++)
		if (sum->out[i].phase == PHASE_FREED && !sum->out[i].doubt)
			return true;
	return false;
}

/* Is the operand a parameter of the function, or a member of what one points to?  A releaser
 * releases its own that way, and tells nothing of others. */
static bool is_of_param(const struct ir_func *f, ir_ref r)
{
	const struct ir_inst *d;

	while ((d = ir_def(f, r)) && d->op != IR_CALL && d->nops) {
		if (d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT)
			return f->slots[IR_IDX(d->ops[0])].param != 0;
		r = d->ops[0];
	}
	return !d && IR_KIND(r) == IR_R_VREG;
}

/* Who is called there, also through a pointer; IR_NONE if it may be one or another. */
static uint32_t called(const struct fix_planner *pl, uint32_t func, uint32_t inst)
{
	const struct ir_func *g = ir_callee(pl->m, &pl->m->funcs.v[func].insts[inst]);
	struct pta_callees to;

	if (g)
		return (uint32_t)(g - pl->m->funcs.v);
	pta_callees(pl->p, func, inst, &to);
	return to.unknown || sbits_count(to.set) != 1 ? IR_NONE : sbits_next(to.set, 0);
}

/* May a callee release one of these, by the sets?  What it does with its argument is only asked where it
 * matters. */
static bool may_release(const struct fix_planner *pl, uint32_t func, uint32_t param, const struct sbits *locs)
{
	const struct model *md = pta_model(pl->p, func);

	return locs->n &&
	       (md ? model_frees(md, param + 1) != NULL : pta_meets(pl->p, locs, &pl->fx[func].freed));
}

/* The calls of the program that may release something, found once. */
static void find_releases(struct fix_planner *pl)
{
	pl->has_releases = true;
	for (uint32_t f = 0; f < pl->m->funcs.n; f++)
		for (uint32_t i = 0; i < pl->m->funcs.v[f].ninsts; i++) {
			const struct ir_inst *in = &pl->m->funcs.v[f].insts[i];
			uint32_t callee = in->op == IR_CALL ? called(pl, f, i) : IR_NONE;

			for (uint32_t k = 1; callee != IR_NONE && k < in->nops; k++)
				if (!is_of_param(&pl->m->funcs.v[f], in->ops[k]) &&
				    may_release(pl, callee, k - 1, pta_points_to(pl->p, f, in->ops[k])))
					vec_push(&pl->releases, ((struct plan_release){ f, i, callee, k }));
		}
}

/* ---- by how the program does it ----------------------------------------------- */

/* All objects that calls of this function make. */
static void objects_of(const struct fix_planner *pl, uint32_t maker, struct sbits *objs)
{
	for (uint32_t o = 0; o < pta_nobjs(pl->p); o++) {
		const struct pta_obj *x = pta_obj(pl->p, o);

		if (x->kind == PTA_HEAP && pl->m->funcs.v[x->func].insts[x->index].op == IR_CALL &&
		    called(pl, x->func, x->index) == maker)
			sbits_set(objs, o);
	}
}

/* Does the releaser want more than the object?  Those of libraries that models know do not count:
 * realloc() is no partner of anything. */
static bool takes_more(const struct fix_planner *pl, uint32_t func)
{
	const struct ir_func *g = &pl->m->funcs.v[func];

	return g->nparams != 1 || g->flags & IR_FN_VARIADIC;
}

/* Is what a pointer of this type points to nothing that the function takes?  One allocator makes structs of
 * many kinds: who frees one of them is no releaser of another.  Tags are compared, for a struct that a unit
 * only declares is another type to us.  type: IR_NONE if it is not known. */
static bool is_foreign(const struct ir_module *m, uint32_t func, uint32_t arg, uint32_t type)
{
	const struct ir_type *f = &m->types.v[m->funcs.v[func].type], *a, *b;

	if (type == IR_NONE || f->kind != IR_T_FUNC || arg >= f->nfields)
		return false;
	a = &m->types.v[ir_type_strip(m, type)];
	b = &m->types.v[ir_type_strip(m, f->fields[arg].type)];
	if (a->kind != IR_T_PTR || b->kind != IR_T_PTR)
		return false;
	a = &m->types.v[ir_type_strip(m, a->elem)];
	b = &m->types.v[ir_type_strip(m, b->elem)];
	if (a->kind == IR_T_INT || b->kind == IR_T_INT)	/* text is no struct */
		return a->kind == IR_T_STRUCT || b->kind == IR_T_STRUCT;
	return a != b && a->kind == IR_T_STRUCT && b->kind == IR_T_STRUCT &&
	       (!a->name[0] || !str_eq(a->name, b->name));
}

/* Is the callee a library's, and what it releases of another kind than what the source makes?  By the sets a
 * file may be plain memory, too. */
static bool is_other_kind(const struct fix_planner *pl, const struct plan_release *r,
			  const struct plan_birth *b)
{
	const struct model *md = pta_model(pl->p, r->callee);
	const struct model_effect *e = md ? model_frees(md, r->arg) : NULL;

	return e && e->resource != b->effect->value.resource;
}

/* Does the function take a pointer to anything there? */
static bool takes_any(const struct ir_module *m, uint32_t func, uint32_t arg)
{
	const struct ir_type *f = &m->types.v[m->funcs.v[func].type], *t;

	if (f->kind != IR_T_FUNC || arg >= f->nfields)
		return false;
	t = &m->types.v[ir_type_strip(m, f->fields[arg].type)];
	return t->kind == IR_T_PTR && (!t->elem || m->types.v[ir_type_strip(m, t->elem)].kind == IR_T_VOID);
}

/* ... and nothing else? */
static bool takes_any_alone(const struct ir_module *m, uint32_t func)
{
	return m->types.v[m->funcs.v[func].type].nfields == 1 && takes_any(m, func, 0);
}

/* Where the objects begin. */
static void find_starts(const struct fix_planner *pl, const struct sbits *objs, struct sbits *starts)
{
	SBITS_FOREACH(o, objs)
		for (uint32_t l = pta_obj(pl->p, o)->first_loc; l != IR_NONE; l = pta_loc(pl->p, l)->next)
			if (pta_loc(pl->p, l)->off == 0)
				sbits_set(starts, l);
}

/* Is one of these objects handed over there, from its start? */
static bool is_given(const struct fix_planner *pl, const struct plan_release *r, const struct sbits *starts)
{
	return sbits_intersects(
		starts, pta_points_to(pl->p, r->func, pl->m->funcs.v[r->func].insts[r->inst].ops[r->arg]));
}

/* Is the callee one of the program's that releases anything, and wants more than that: `dfree(p, file,
 * line)`? */
static bool is_general(const struct fix_planner *pl, const struct plan_release *r)
{
	return takes_more(pl, r->callee) && !pta_model(pl->p, r->callee) &&
	       takes_any(pl->m, r->callee, r->arg - 1);
}

/* How often a function is given such an object, and when last. */
struct tally {
	uint32_t n, last;
};

static bool is_ahead(const struct tally *a, const struct tally *b)
{
	return a->n != b->n ? a->n > b->n : a->last < b->last;
}

/* The candidate that is ahead of the others, or IR_NONE; it is none any more. */
static uint32_t next_candidate(const struct ir_module *m, struct tally *of, uint32_t *times)
{
	uint32_t best = IR_NONE;

	for (uint32_t g = 0; g < m->funcs.n; g++)
		if (of[g].n && (best == IR_NONE || is_ahead(&of[g], &of[best])))
			best = g;
	*times = best == IR_NONE ? 0 : of[best].n;
	if (best != IR_NONE)
		of[best].n = 0;
	return best;
}

/* The function that is given them most often and frees them; of equals the first to be given so many.  One
 * that does more than that is a consumer, and does not count if it frees the object alone; a destructor that
 * does more is taken if no other one is there, and will be refused.  What a function does is asked last:
 * that takes a simulation.  *times: how often. */
static uint32_t most_frequent(struct fix_planner *pl, const struct plan_birth *b,
			      const struct plan_release *r, uint32_t n, bool more, uint32_t *times)
{
	struct tally *of = xcalloc(MAX(pl->m->funcs.n, 1), sizeof(*of));
	uint32_t best, found = IR_NONE, *arg = xcalloc(MAX(pl->m->funcs.n, 1), sizeof(*arg));

	for (uint32_t i = 0; i < n; i++)
		if (more ? is_general(pl, &r[i]) : !takes_more(pl, r[i].callee)) {
			of[r[i].callee].n++;
			of[r[i].callee].last = i;
			arg[r[i].callee] = r[i].arg - 1;
		}
	while ((best = next_candidate(pl->m, of, times)) != IR_NONE) {
		bool deep, besides;

		if (!release_may(pl, best, arg[best]))
			continue;
		deep = !ir_is_decl(&pl->m->funcs.v[best]) && release_is_deep(pl, best);
		besides = acts_besides(pl, best, b->callee, IR_NONE, &pl->arena);
		if (!besides && (found == IR_NONE || deep))
			break;
		if (deep && found == IR_NONE)
			found = best;
	}
	free(of);
	free(arg);
	return best == IR_NONE ? found : best;
}

/* What releases one of these objects, to which a pointer of this type points; what the maker frees itself it
 * has not finished, and does not count.  *more: one that wants more than the object, if there is no other.
 */
static uint32_t releaser_of(struct fix_planner *pl, const struct sbits *objs, const struct plan_birth *b,
			    uint32_t type, uint32_t *more)
{
	VEC(struct plan_release) given = {0};
	struct sbits starts = {0};
	uint32_t best, times;

	find_starts(pl, objs, &starts);
	for (uint32_t i = 0; i < pl->releases.n; i++) {
		const struct plan_release *r = &pl->releases.v[i];

		if (r->func != b->callee && is_given(pl, r, &starts) &&
		    !is_foreign(pl->m, r->callee, r->arg - 1, type) && !is_other_kind(pl, r, b))
			vec_push(&given, *r);
	}
	best = most_frequent(pl, b, given.v, given.n, false, &times);
	if (best != IR_NONE && pta_model(pl->p, best)) { /* a library's, where the program has its own? */
		uint32_t own_times, own = most_frequent(pl, b, given.v, given.n, true, &own_times);

		if (own != IR_NONE && own_times > times) {
			best = IR_NONE;
			*more = own;
		}
	}
	for (uint32_t i = given.n; best == IR_NONE && *more == IR_NONE && i-- > 0;)
		if (takes_more(pl, given.v[i].callee) && !pta_model(pl->p, given.v[i].callee) &&
		    release_may(pl, given.v[i].callee, given.v[i].arg - 1))
			*more = given.v[i].callee;
	vec_release(&given);
	sbits_release(&starts);
	return best;
}

/* The same, found once for each function that makes what it returns. */
static uint32_t releaser_of_maker(struct fix_planner *pl, const struct plan_birth *b, uint32_t type,
				  uint32_t *more)
{
	struct plan_usual x = { b->callee, type, IR_NONE, IR_NONE };
	struct sbits objs = {0};

	for (uint32_t i = 0; i < pl->usual.n; i++)
		if (pl->usual.v[i].maker == b->callee && pl->usual.v[i].type == type) {
			*more = pl->usual.v[i].more;
			return pl->usual.v[i].best;
		}
	objects_of(pl, b->callee, &objs);
	x.best = releaser_of(pl, &objs, b, type, &x.more);
	sbits_release(&objs);
	vec_push(&pl->usual, x);
	*more = x.more;
	return x.best;
}

static uint32_t usual_releaser(struct fix_planner *pl, uint32_t func, const struct plan_birth *b,
			       uint32_t type, uint32_t *more)
{
	const struct ir_inst *in = &pl->m->funcs.v[func].insts[b->inst];
	struct sbits objs = {0};
	uint32_t best;

	if (!b->rows && !b->several)
		return releaser_of_maker(pl, b, type, more);
	sbits_or(&objs, &b->objs);
	if (b->rows && b->rows->out[b->out].param == IR_NONE &&
	    in->res != IR_NONE) /* a member: not what it is a member of */
		SBITS_FOREACH(l, pta_points_to(pl->p, func, IR_VREG(in->res)))
			sbits_unset(&objs, pta_loc(pl->p, l)->obj);
	best = releaser_of(pl, &objs, b, type, more);
	sbits_release(&objs);
	return best;
}

/* All objects that the allocator makes, and those that functions make which have them from it. */
static void objects_from(const struct fix_planner *pl, uint32_t allocator, struct sbits *objs)
{
	objects_of(pl, allocator, objs);
	for (uint32_t f = 0; f < pl->m->funcs.n; f++) {
		uint32_t below = f;

		for (unsigned depth = 0; depth < 4 && below != IR_NONE && below != allocator; depth++)
			below = alone_allocator(pl, below);
		if (below == allocator && f != allocator)
			objects_of(pl, f, objs);
	}
}

/* What releases most of that which the program's allocators below make, if it does so with anything.
 * Destructors count here: they tell what gives back what came from there.  *mixed: there are several
 * allocators. */
static uint32_t allocator_releaser(struct fix_planner *pl, const struct plan_birth *b, bool *mixed)
{
	VEC(struct plan_release) given = {0};
	struct sbits objs = {0}, starts = {0}, allocators = {0};
	uint32_t best, times;

	alone_allocators(pl, b->callee, b->rows != NULL, &allocators);
	*mixed = sbits_count(&allocators) != 1;
	SBITS_FOREACH(a, &allocators)
		objects_from(pl, a, &objs);
	find_starts(pl, &objs, &starts);
	for (uint32_t f = 0; f < pl->m->funcs.n; f++)
		for (uint32_t i = 0; i < pl->m->funcs.v[f].ninsts && !takes_any_alone(pl->m, f); i++) {
			const struct ir_inst *in = &pl->m->funcs.v[f].insts[i];
			struct plan_release r = {
				f, i, in->op == IR_CALL && in->nops == 2 ? called(pl, f, i) : IR_NONE, 1
			};

			if (r.callee != IR_NONE && takes_any_alone(pl->m, r.callee) &&
			    is_given(pl, &r, &starts) && !is_other_kind(pl, &r, b) &&
			    (pta_model(pl->p, r.callee) || !release_is_deep(pl, r.callee)))
				vec_push(&given, r);
		}
	best = most_frequent(pl, b, given.v, given.n, false, &times);
	vec_release(&given);
	sbits_release(&objs);
	sbits_release(&starts);
	sbits_release(&allocators);
	return best;
}

/* May the function free what it is given a pointer into, and does it keep it nowhere? */
static bool may_free_around(struct fix_planner *pl, uint32_t func, const struct sbits *objs)
{
	const struct ir_func *g = &pl->m->funcs.v[func];
	const struct plan_summary *sum;
	bool frees = false;

	if (ir_is_decl(g) || pta_model(pl->p, func) || takes_more(pl, func) ||
	    !sbits_intersects(&pl->fx[func].freed, objs))
		return false;
	sum = summary_of_param(pl, func, 0);
	for (uint32_t i = 0; i < sum->n && sum->known; i++) {
		if (sum->out[i].doubt & DOUBT_ESCAPED || sum->out[i].returned)
			return false;
		frees |= (sum->out[i].doubt & DOUBT_FREED) != 0;
	}
	return frees;
}

/* What is behind a header is released by a function that knows of it: the one that the program gives it to
 * most often. */
static uint32_t inner_releaser(struct fix_planner *pl, const struct plan_birth *b)
{
	uint32_t best = IR_NONE, best_n = 0, *count = xcalloc(MAX(pl->m->funcs.n, 1), sizeof(*count));
	struct sbits objs = {0};

	objects_of(pl, b->callee, &objs);
	sbits_or(&objs, &b->objs);
	for (uint32_t f = 0; f < pl->m->funcs.n; f++)
		for (uint32_t i = 0; i < pl->m->funcs.v[f].ninsts; i++) {
			const struct ir_inst *in = &pl->m->funcs.v[f].insts[i];
			uint32_t callee = in->op == IR_CALL && in->nops == 2 ? called(pl, f, i) : IR_NONE;

			if (callee != IR_NONE && !is_of_param(&pl->m->funcs.v[f], in->ops[1]) &&
			    pta_meets(pl->p, pta_points_to(pl->p, f, in->ops[1]), &objs) &&
			    may_free_around(pl, callee, &objs) && ++count[callee] > best_n) {
				best_n = count[callee];
				best = callee;
			}
		}
	sbits_release(&objs);
	free(count);
	return best;
}

/* The only function that takes a pointer to what this one returns and always frees it. */
static uint32_t destructor_of(struct fix_planner *pl, uint32_t maker)
{
	const struct ir_module *m = pl->m;
	const struct ir_type *t = &m->types.v[m->funcs.v[maker].type];
	uint32_t found = IR_NONE, object;

	if (t->kind != IR_T_FUNC || m->types.v[ir_type_strip(m, t->elem)].kind != IR_T_PTR)
		return IR_NONE;
	object = ir_type_strip(m, m->types.v[ir_type_strip(m, t->elem)].elem);
	if (m->types.v[object].kind != IR_T_STRUCT)
		return IR_NONE;
	for (uint32_t g = 0; g < m->funcs.n; g++) {
		const struct ir_type *x = &m->types.v[m->funcs.v[g].type];
		uint32_t p;

		if (x->kind != IR_T_FUNC || x->nfields != 1 || ir_is_decl(&m->funcs.v[g]))
			continue;
		p = ir_type_strip(m, x->fields[0].type);
		if (m->types.v[p].kind != IR_T_PTR || ir_type_strip(m, m->types.v[p].elem) != object ||
		    !release_always(pl, g, 0))
			continue;
		if (found != IR_NONE)
			return IR_NONE;
		found = g;
	}
	return found;
}

/* Does this function store anything into members of what the variable points to, but new
 * objects and null? */
static bool changes_members(const struct plan_sim *sim, uint32_t slot)
{
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i], *d;
		int64_t off = 0;

		if (in->op != IR_STORE || in->cls != IR_C_PTR || in->ops[1] == IR_NULL)
			continue;
		d = ir_def(sim->f, sim_base(sim, in->ops[0], &off));
		if (!d || d->op != IR_LOAD || d->ops[0] != IR_SLOT(slot))
			continue;
		d = ir_def(sim->f, expr_uncast(sim->f, in->ops[1]));
		if ((!d || d->op != IR_CALL) && owned_new_once(sim->pl, sim->func, i))
			continue;
		if (!d || d->op != IR_CALL)
			return true;
		for (uint32_t k = 0; k <= sim->births.n; k++) {
			if (k == sim->births.n)
				return true;
			if (&sim->f->insts[sim->births.v[k].inst] == d)
				break;
		}
	}
	return false;
}

/* A destructor of trees, or of lists, frees nothing but what it may be given itself: the children are as
 * deep as any other member. */
bool release_is_deep(const struct fix_planner *pl, uint32_t func)
{
	const struct sbits *freed = &pl->fx[func].freed;
	struct sbits own = {0};
	bool deep = false;

	pta_add_objs(pl->p, pta_points_to(pl->p, func, IR_VREG(0)), &own);
	deep = (!sbits_subset(freed, &own) || plan_leads_to(pl->p, &own, freed)) && !alone_is_all(pl, func);
	sbits_release(&own);
	return deep;
}

/* Does a function that wants more than the object do nothing that lasts but to call the library's own
 * releaser: is that its only call, and all that it writes to on the stack? */
static bool only_releases(const struct fix_planner *pl, uint32_t func, const char *releaser)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	uint32_t calls = 0;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_func *g = in->op == IR_CALL ? ir_callee(pl->m, in) : NULL;
		const struct sbits *to;

		if (in->op == IR_ASM || in->op == IR_MEMCPY || in->op == IR_MEMSET ||
		    (in->op == IR_CALL && !(g && str_eq(g->src, releaser))))
			return false;
		calls += in->op == IR_CALL;
		if (in->op != IR_STORE || IR_KIND(in->ops[0]) == IR_R_SLOT)
			continue;
		to = pta_points_to(pl->p, func, in->ops[0]);
		if (IR_KIND(in->ops[0]) != IR_R_VREG || !to->n)
			return false;
		SBITS_FOREACH(l, to)
			if (pta_obj(pl->p, pta_loc(pl->p, l)->obj)->kind != PTA_SLOT)
				return false;
	}
	return calls == 1;
}

static bool is_visible(const struct fix_planner *pl, const struct plan_sim *sim, uint32_t g)
{
	const struct ir_func *x = &pl->m->funcs.v[g];

	return x->linkage != IR_L_STATIC || x->unit == sim->f->unit;
}

/* Does it return, without any harm, if its argument is null? */
static bool takes_null_too(struct fix_planner *pl, uint32_t func)
{
	const struct plan_summary *sum =
		ir_is_decl(&pl->m->funcs.v[func]) ? NULL : summary_of_param(pl, func, 0);

	for (uint32_t i = 0; sum && sum->known && i < sum->n; i++)
		if (sum->out[i].phase == PHASE_BEFORE)
			return true;
	return false;
}

/* Does a model of ours tell what releases what the function makes?  An attribute in the source does not. */
static bool is_shipped(const struct fix_planner *pl, uint32_t func)
{
	const struct model *md = pta_model(pl->p, func);

	return md && str_ends(md->file, ".model");
}

bool release_is_plain(const struct plan_birth *b)
{
	return resource_is_memory(b->effect->value.resource);
}

/* No memory, and the model does not say what releases it: free() does not. */
static bool has_no_name(const struct plan_birth *b)
{
	return !b->effect->value.nfreers && !release_is_plain(b);
}

/* Does the function only show what others have? */
static bool only_shows(const struct model *md)
{
	bool shows = false;

	for (unsigned i = 0; md && i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];

		if (e->kind != MODEL_E_SET || e->place.base != MODEL_RETURN || e->place.nsteps)
			continue;
		if (e->value.kind == MODEL_V_NEW)
			return false;
		shows |= e->value.kind == MODEL_V_STATIC || e->value.kind == MODEL_V_UNKNOWN ||
			 e->value.kind == MODEL_V_INTO;
	}
	return shows;
}

/* Does the program give to a library's releaser what the library has shown it:
 * SSL_CTX_free(SSL_get_SSL_CTX(s))?  Then it has left its own reference there before, on purpose.  Which way
 * it errs: of all objects of the kind nothing is released any more. */
static bool gives_what_was_shown(const struct fix_planner *pl, const char *releaser)
{
	for (uint32_t f = 0; f < pl->m->funcs.n; f++)
		for (uint32_t i = 0; i < pl->m->funcs.v[f].ninsts; i++) {
			const struct ir_inst *in = &pl->m->funcs.v[f].insts[i], *d;
			const struct ir_func *g =
				in->op == IR_CALL && in->nops > 1 ? ir_callee(pl->m, in) : NULL;
			const struct ssa *s = g && str_eq(g->src, releaser) ? pta_ssa(pl->p, f) : NULL;

			if (!s)
				continue;
			d = ssa_def(s, ssa_ref(s, in->ops[1]));
			g = d && d->op == IR_CALL ? ir_callee(pl->m, d) : NULL;
			if (g && only_shows(pta_model(pl->p, (uint32_t)(g - pl->m->funcs.v))))
				return true;
		}
	return false;
}

/* The same, found once. */
static bool is_dropped_by_others(struct fix_planner *pl, const char *releaser)
{
	for (uint32_t i = 0; i < pl->shown.n; i++)
		if (str_eq(pl->shown.v[i].releaser, releaser))
			return pl->shown.v[i].given;
	vec_push(&pl->shown, ((struct plan_shown){ releaser, gives_what_was_shown(pl, releaser) }));
	return pl->shown.v[pl->shown.n - 1].given;
}

/* Does the object come out of a hook (model/hooks.h)?  Whatever is in that, free() need not be its partner.
 */
static bool is_hooked(const struct fix_planner *pl, const struct plan_birth *b)
{
	const struct ir_func *g =
		b->origin.func == IR_NONE
			? NULL
			: ir_callee(pl->m, &pl->m->funcs.v[b->origin.func].insts[b->origin.inst]);

	return g && model_is_of_hook(g->name);
}

const char *release_name(struct fix_planner *pl, const struct plan_sim *sim, const struct plan_birth *b,
			 uint32_t slot, uint32_t type, struct arena *arena, const char **why,
			 bool *takes_null, uint32_t *func)
{
	const struct model_value *v = &b->effect->value;
	const char *name = v->nfreers ? v->freers[0] : "free";
	const struct ir_func *g = &pl->m->funcs.v[b->callee];
	uint32_t r, more = IR_NONE;

	*why = NULL;
	*func = IR_NONE;
	*takes_null = str_eq(name, "free");
	if (!release_is_plain(b) && is_dropped_by_others(pl, name)) {
		*why = arena_printf(
			arena, "%s() is elsewhere given what a library only shows: it may be released so",
			name);
		return NULL;
	}
	if (!has_no_name(b) && (is_shipped(pl, b->callee) || (ir_is_decl(g) && v->nfreers)))
		return name;
	if (!pl->has_releases)
		find_releases(pl);
	r = b->inner ? inner_releaser(pl, b) : usual_releaser(pl, sim->func, b, type, &more);
	if (r == IR_NONE && b->inner) {
		*why = "nobody says what releases it: a header is before it";
		return NULL;
	}
	if (r == IR_NONE && b->several) {
		*why = "what makes it is not always the same function, and what releases it is not known";
		return NULL;
	}
	if (r == IR_NONE && !ir_is_decl(g) && !b->rows)
		r = destructor_of(pl, b->callee);
	if (r == IR_NONE && more != IR_NONE && v->nfreers && only_releases(pl, more, name))
		return name;	/* the library's own */
	if (r == IR_NONE)
		r = more;
	if (r == IR_NONE && (ir_is_decl(g) || has_no_name(b))) {
		*why = arena_printf(arena, "nobody says what releases that which %s() makes", g->src);
		return NULL;
	}
	if (r == IR_NONE && !ir_is_decl(g) && !v->nfreers) {
		bool mixed;

		r = allocator_releaser(pl, b, &mixed);
		if (r != IR_NONE && mixed && !pta_model(pl->p, r)) {
			*why = arena_printf(arena, "nobody says whether %s() releases it",
					    pl->m->funcs.v[r].src);
			return NULL;
		}
	}
	if (r == IR_NONE && !v->nfreers && is_hooked(pl, b)) {
		*why = arena_printf(arena, "nobody says what releases that which %s() makes", g->src);
		return NULL;
	}
	if (r == IR_NONE || str_eq(pl->m->funcs.v[r].src, name))
		return name;
	name = pl->m->funcs.v[r].src;
	if (!ir_is_decl(&pl->m->funcs.v[r]))
		*func = r;
	*takes_null = str_eq(name, "free") || takes_null_too(pl, r);
	if (*func != IR_NONE && (*why = acts_besides(pl, r, b->callee, sim->func, arena)))
		return NULL;
	if (takes_more(pl, r))
		*why = arena_printf(arena, "%s(), which releases it, takes more than the object", name);
	else if (!is_visible(pl, sim, r))
		*why = arena_printf(arena, "%s(), which releases it, is not visible here", name);
	else if (*func != IR_NONE && release_is_deep(pl, r) && changes_members(sim, slot))
		*why = arena_printf(arena, "%s() would also free members that are changed here", name);
	return *why ? NULL : name;
}

const char *release_is_too_much(struct arena *arena, const char *destructor)
{
	return arena_printf(arena, "%s() would also free members that may not be the object's own",
			    destructor);
}

const char *release_alone(struct fix_planner *pl, const struct plan_sim *sim, const struct plan_birth *b,
			  uint32_t destructor, struct arena *arena, const char **why, bool *takes_null)
{
	uint32_t r = alone_releaser(pl, destructor);

	if (r == IR_NONE || !is_visible(pl, sim, r)) {
		*why = release_is_too_much(arena, pl->m->funcs.v[destructor].src);
		return NULL;
	}
	if ((*why = acts_besides(pl, r, b->callee, sim->func, arena)))
		return NULL;
	*takes_null = str_eq(pl->m->funcs.v[r].src, "free") || takes_null_too(pl, r);
	return pl->m->funcs.v[r].src;
}

/* ---- by the address of the variable --------------------------------------------- */

/* Does the function, of the program, release what the pointer holds that it is given the address of, and do
 * no harm to null? */
static bool releases_behind(struct fix_planner *pl, uint32_t func)
{
	const struct plan_summary *sum = summary_of_cell(pl, func, 0, 0);
	bool frees = false, null = false;

	for (uint32_t i = 0; sum && i < sum->n; i++) {
		if (sum->out[i].doubt || sum->out[i].phase == PHASE_ALIVE)
			return false;
		frees |= sum->out[i].phase == PHASE_FREED;
		null |= sum->out[i].phase == PHASE_BEFORE;
	}
	return frees && null;
}

/* Is it called with the address of a variable that may hold one of these? */
static bool is_called_for(const struct fix_planner *pl, uint32_t callee, const struct sbits *objs)
{
	for (uint32_t f = 0; f < pl->m->funcs.n; f++)
		for (uint32_t i = 0; i < pl->m->funcs.v[f].ninsts; i++) {
			const struct ir_inst *in = &pl->m->funcs.v[f].insts[i];
			uint32_t loc;

			if (in->op != IR_CALL || in->nops != 2 || IR_KIND(in->ops[1]) != IR_R_SLOT ||
			    called(pl, f, i) != callee)
				continue;
			loc = pta_address(pl->p, f, in->ops[1]);
			if (loc != IR_NONE && pta_meets(pl->p, pta_cell(pl->p, loc), objs))
				return true;
		}
	return false;
}

uint32_t release_by_address(struct fix_planner *pl, const struct plan_sim *sim, const struct plan_birth *b,
			    uint32_t slot)
{
	const struct ir_module *m = pl->m;
	uint32_t type = ir_type_strip(m, sim->f->slots[slot].type), found = IR_NONE;
	struct sbits objs = {0};

	if (b->rows || b->inner || ir_is_decl(&m->funcs.v[b->callee]) || m->types.v[type].kind != IR_T_PTR ||
	    m->types.v[ir_type_strip(m, m->types.v[type].elem)].kind != IR_T_STRUCT)
		return IR_NONE;
	objects_of(pl, b->callee, &objs);
	for (uint32_t g = 0; g < m->funcs.n; g++) {
		const struct ir_type *x = &m->types.v[m->funcs.v[g].type];
		uint32_t p = x->kind == IR_T_FUNC && x->nfields == 1 ? ir_type_strip(m, x->fields[0].type)
								     : 0,
			 to;

		if (!p || m->types.v[p].kind != IR_T_PTR || ir_is_decl(&m->funcs.v[g]) ||
		    takes_more(pl, g) || !is_visible(pl, sim, g))
			continue;
		to = ir_type_strip(m, m->types.v[p].elem);
		if (m->types.v[to].kind != IR_T_PTR ||
		    ir_type_strip(m, m->types.v[to].elem) != ir_type_strip(m, m->types.v[type].elem) ||
		    !is_called_for(pl, g, &objs) || !releases_behind(pl, g))
			continue;
		if (found != IR_NONE) {
			found = IR_NONE;
			break;
		}
		found = g;
	}
	sbits_release(&objs);
	return found;
}

/* ---- what else the releaser wants ------------------------------------------------- */

/* The releasers of the library that want to be told again what the maker was told. */
static const struct {
	const char *releaser, *maker;
	uint32_t arg;			/* of the maker, from 1 */
} retold[] = { { "munmap", "mmap", 2 }, { "munmap", "mmap64", 2 }, { "munmap", "mremap", 3 } };

/* Does the variable have one value from its first use on, however often control gets there? */
static bool is_set_once(const struct plan_sim *sim, uint32_t slot)
{
	uint32_t stores = 0;

	if (!sim->ssa->promoted[slot] || !sim->f->slots[slot].name[0])
		return false;
	for (uint32_t i = 0; i < sim->f->ninsts; i++)
		if (sim->f->insts[i].op == IR_STORE && sim->f->insts[i].ops[0] == IR_SLOT(slot)) {
			if (ir_comes_before(sim->f, i, i, IR_NONE))
				return false;
			stores++;
		}
	return stores == 1;
}

/* Appends a number as an expression that has the same value wherever its variable is known: constants, one
 * variable, and sums and products of both without a conversion in between.  *slot: the variable, or IR_NONE.
 */
static bool add_number(const struct plan_sim *sim, ir_ref r, unsigned depth, struct sbuf *b, uint32_t *slot)
{
	const struct ir_inst *d = ir_def(sim->f, r);

	if (IR_KIND(r) == IR_R_INT && ir_int_value(sim->pl->m, r) >= 0) {
		sbuf_printf(b, "%lld", (long long)ir_int_value(sim->pl->m, r));
		return true;
	}
	if (!d || depth > 4)
		return false;
	if (d->op == IR_CAST && !depth && (d->sub == IR_CAST_ZEXT || d->sub == IR_CAST_SEXT))
		return add_number(sim, d->ops[0], depth, b, slot);
	if (d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT && is_set_once(sim, IR_IDX(d->ops[0])) &&
	    (*slot == IR_NONE || *slot == IR_IDX(d->ops[0]))) {
		*slot = IR_IDX(d->ops[0]);
		sbuf_adds(b, sim->f->slots[*slot].name);
		return true;
	}
	if (d->op != IR_BIN || (d->sub != IR_B_ADD && d->sub != IR_B_MUL))
		return false;
	sbuf_adds(b, depth ? "(" : "");
	if (!add_number(sim, d->ops[0], depth + 1, b, slot))
		return false;
	sbuf_adds(b, d->sub == IR_B_ADD ? " + " : " * ");
	if (!add_number(sim, d->ops[1], depth + 1, b, slot))
		return false;
	sbuf_adds(b, depth ? ")" : "");
	return true;
}

const char *release_more(const struct plan_sim *sim, const char *releaser, struct arena *arena,
			 const char **why, uint32_t *slot)
{
	const char *more = NULL;
	bool wants = false, ok = true;

	*slot = IR_NONE;
	for (uint32_t i = 0; i < sizeof(retold) / sizeof(*retold); i++)
		wants |= str_eq(retold[i].releaser, releaser);
	for (uint32_t i = 0; i < sim->births.n && wants && ok; i++) {
		const struct plan_birth *x = &sim->births.v[i];
		const char *maker = sim->pl->m->funcs.v[x->callee].name;
		struct sbuf b = {0};

		if (!x->follow)
			continue;
		ok = false;
		for (uint32_t k = 0; k < sizeof(retold) / sizeof(*retold) && !ok; k++)
			ok = str_eq(retold[k].releaser, releaser) && str_eq(retold[k].maker, maker) &&
			     retold[k].arg < sim->f->insts[x->inst].nops &&
			     add_number(sim, sim->f->insts[x->inst].ops[retold[k].arg], 0, &b, slot);
		ok &= !more || str_eq(more, sbuf_str(&b));
		more = arena_strdup(arena, sbuf_str(&b));
		sbuf_release(&b);
	}
	if (!ok)
		*why = arena_printf(arena, "what else %s() has to be given is not at hand", releaser);
	return !wants ? "" : ok && more ? arena_printf(arena, ", %s", more) : NULL;
}

const char *release_of_all(struct fix_planner *pl, uint32_t func, const struct sbits *objs,
			   struct arena *arena)
{
	const char *name = NULL, *why;
	uint32_t f;
	bool takes_null, same = true;
	struct plan_sim sim;

	sim_init(&sim, pl, func);
	sim_find_births(&sim);
	for (uint32_t i = 0; i < sim.births.n; i++) {
		const struct plan_birth *b = &sim.births.v[i];
		const char *one;

		if (b->rows || !sbits_intersects(&b->objs, objs))
			continue;
		one = release_name(pl, &sim, b, IR_NONE, IR_NONE, arena, &why, &takes_null, &f);
		same &= one && takes_null && (f == IR_NONE || !release_is_deep(pl, f)) &&
			(!name || str_eq(name, one));
		name = one;
	}
	sim_release(&sim);
	return same ? name : NULL;
}
