/*
 * pta.c - the analysis from one end to the other, and the questions to it.
 */
#include "pta/facts.h"
#include "pta/priv.h"

#include "base/clock.h"
#include "base/sbuf.h"

/* Work that the solver may do: so much for any program, and so much for each instruction. */
enum { BASE_BUDGET = 150000000, INST_BUDGET = 600 };

/* A body in the program beats a library's model of the same name. */
static void find_models(struct pta *p)
{
	p->model = arena_array(&p->arena, const struct model *, p->m->funcs.n);
	for (uint32_t i = 0; i < p->m->funcs.n; i++)
		if (ir_is_decl(&p->m->funcs.v[i]))
			p->model[i] = model_find(p->models, p->m->funcs.v[i].name);
}

static void make_ssa(struct pta *p)
{
	double start = clock_now();

	p->ssa = xcalloc(MAX(p->m->funcs.n, 1), sizeof(*p->ssa));
	for (uint32_t i = 0; i < p->m->funcs.n; i++)
		if (!ir_is_decl(&p->m->funcs.v[i]))
			ssa_init(&p->ssa[i], &p->m->funcs.v[i]);
	p->stats.seconds_ssa = clock_now() - start;
}

/* The points-to sets of all nodes; the rest of the nodes is forgotten. */
static void freeze_sets(struct pta *p)
{
	uint32_t n;

	for (uint32_t i = 0; i < p->nodes.n; i++) {
		struct node *x = &p->nodes.v[i];

		if (x->rep == i && !x->share)
			x->share = shares_put(&p->shares, &x->pts);
		p->stats.copy_edges += sbits_count(&x->succ);
		sbits_release(&x->pts);
		sbits_release(&x->fresh);
		sbits_release(&x->succ);
		vec_release(&x->cons);
	}
	n = shares_number(&p->shares);
	memset(vec_add(&p->sets, n), 0, n * sizeof(*p->sets.v));
	p->set_of = xcalloc(MAX(p->nodes.n, 1), sizeof(*p->set_of));
	for (uint32_t i = 0; i < p->nodes.n; i++) {
		const struct share *x = p->nodes.v[pta__rep(p, i)].share;

		assert(x && x->number < n);
		sbits_borrow(&p->sets.v[x->number], &x->set);
		p->set_of[i] = x->number;
	}
	p->stats.nodes = p->nodes.n;
	vec_release(&p->nodes);
}

/* What only the solver needs. */
static void forget_constraints(struct pta *p)
{
	freeze_sets(p);
	for (uint32_t i = 0; i < p->copies.n; i++) {
		sbits_release(&p->copies.v[i].from);
		sbits_release(&p->copies.v[i].to);
		vec_release(&p->copies.v[i].cells);
	}
	vec_release(&p->copies);
	vec_release(&p->callbacks);
	u64map_release(&p->leaf_node);
	conmap_release(&p->con_node);
	conmap_release(&p->copy_at);
	conmap_release(&p->copy_cell_at);
	pta__objects_forget(p);
}

struct pta *pta_new(const struct ir_module *m, const struct model_set *models)
{
	struct pta *p = xcalloc(1, sizeof(*p));
	double start;

	p->m = m;
	p->models = models;
	arena_init(&p->arena);
	p->called_back = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->called_back));
	find_models(p);
	make_ssa(p);
	start = clock_now();
	p->budget = BASE_BUDGET;
	for (uint32_t i = 0; i < m->funcs.n; i++)
		p->budget += (uint64_t)INST_BUDGET * m->funcs.v[i].ninsts;
	pta__find_int_holders(p);
	pta__objects_init(p);
	pta__find_casts(p);
	pta__find_wrappers(p);
	pta__constrain(p);
	pta__solve(p);
#ifdef PLUMB_DEBUG
	pta__check_solver(p);
#endif
	pta__fold_views(p);
	forget_constraints(p);
	pta__order_functions(p);
#ifdef PLUMB_DEBUG
	pta__check(p);
#endif
	p->stats.seconds_solve = clock_now() - start;
	return p;
}

void pta_free(struct pta *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->m->funcs.n; i++) {
		if (!ir_is_decl(&p->m->funcs.v[i]))
			ssa_release(&p->ssa[i]);
		vec_release(&p->called_back[i]);
	}
	free(p->ssa);
	free(p->called_back);
	free(p->set_of);
	vec_release(&p->sets);
	shares_release(&p->shares);
	for (uint32_t i = 0; i < p->sites.n; i++)
		sbits_release(&p->sites.v[i].callees);
	vec_release(&p->sites);
	u64map_release(&p->addr_node);
	sbits_release(&p->int_holders);
	sbits_release(&p->int_carriers);
	u64map_release(&p->site_at);
	pta__objects_release(p);
	arena_release(&p->arena);
	free(p);
}

/* ---- questions ------------------------------------------------------- */

const struct ir_module *pta_module(const struct pta *p)
{
	return p->m;
}

const struct model_set *pta_models(const struct pta *p)
{
	return p->models;
}

const struct ssa *pta_ssa(const struct pta *p, uint32_t func)
{
	trace_note(FACT_INSIDE, func, 0);
	return ir_is_decl(&p->m->funcs.v[func]) ? NULL : &p->ssa[func];
}

static const struct sbits *set_of(const struct pta *p, uint32_t node)
{
	assert(p->set_of && node < p->stats.nodes);
	return &p->sets.v[p->set_of[node]];
}

static const struct sbits empty;

uint32_t pta_address(const struct pta *p, uint32_t func, ir_ref r)
{
	int64_t off = 0;
	uint32_t obj = IR_NONE;
	const uint32_t *at;

	if (IR_KIND(r) == IR_R_ADDR) {
		off = p->m->addrs.v[IR_IDX(r)].offset;
		r = p->m->addrs.v[IR_IDX(r)].base;
	}
	switch (IR_KIND(r)) {
	case IR_R_SLOT:
		at = u64map_get(&p->slot_obj, PTA_KEY(func, IR_IDX(r)));
		obj = at ? *at : IR_NONE;
		break;
	case IR_R_GLOBAL:
		obj = p->global_obj[IR_IDX(r)];
		break;
	case IR_R_FUNC:
		obj = p->func_obj[IR_IDX(r)];
		break;
	default:
		break;
	}
	if (obj == IR_NONE)
		return IR_NONE;
	return pta__find_loc(p, obj, off);
}

uint32_t pta_loc_at(const struct pta *p, uint32_t loc, int64_t offset)
{
	return pta__find_loc(p, p->locs.v[loc].layout, (int64_t)p->locs.v[loc].off + offset);
}

const struct sbits *pta_points_to(const struct pta *p, uint32_t func, ir_ref r)
{
	const uint32_t *at;
	uint32_t loc;

	r = ssa_ref(&p->ssa[func], r);
	if (IR_KIND(r) == IR_R_VREG) {
		assert(IR_IDX(r) < p->ssa[func].nvalues);
		trace_note(FACT_POINTS_TO, func, IR_IDX(r));
		return set_of(p, p->value_node[func] + IR_IDX(r));
	}
	trace_note(FACT_INSIDE, func, 0);
	loc = pta_address(p, func, r);
	at = loc == IR_NONE ? NULL : u64map_get(&p->addr_node, loc);
	return at ? set_of(p, *at) : &empty;
}

const struct sbits *pta_cell(const struct pta *p, uint32_t loc)
{
	trace_note(FACT_OTHER, 0, 0);
	return set_of(p, p->locs.v[loc].node);
}

void pta_reach(const struct pta *p, const struct sbits *locs, struct bits *objs)
{
	VEC(uint32_t) todo = {0};
	struct bits walked;	/* sets: many cells share theirs */

	bits_init(&walked, p->sets.n);
	SBITS_FOREACH(l, locs)
		if (bits_set(objs, pta_loc(p, l)->obj))
			vec_push(&todo, pta_loc(p, l)->obj);
	while (todo.n) {
		uint32_t o = vec_pop(&todo);

		for (uint32_t c = pta_obj(p, o)->first_loc; c != IR_NONE; c = pta_loc(p, c)->next) {
			const struct sbits *cell = pta_cell(p, c);

			if (!bits_set(&walked, p->set_of[p->locs.v[c].node]))
				continue;
			SBITS_FOREACH(l, cell)
				if (bits_set(objs, pta_loc(p, l)->obj))
					vec_push(&todo, pta_loc(p, l)->obj);
		}
	}
	bits_release(&walked);
	vec_release(&todo);
}

bool pta_is_text_copy(const struct pta *p, uint32_t func, uint32_t inst)
{
	return u64map_get(&p->text_copies, PTA_KEY(func, inst)) != NULL;
}

void pta_add_objs(const struct pta *p, const struct sbits *locs, struct sbits *objs)
{
	SBITS_FOREACH(l, locs)
		sbits_set(objs, pta_loc(p, l)->obj);
}

bool pta_meets(const struct pta *p, const struct sbits *locs, const struct sbits *objs)
{
	SBITS_FOREACH(l, locs)
		if (sbits_test(objs, pta_loc(p, l)->obj))
			return true;
	return false;
}

const struct sbits *pta_given_away(const struct pta *p)
{
	trace_note(FACT_OTHER, 0, 0);
	return set_of(p, p->given_away);
}

const struct pta_loc *pta_loc(const struct pta *p, uint32_t loc)
{
	assert(loc < p->locs.n);
	return &p->locs.v[loc];
}

const struct pta_obj *pta_obj(const struct pta *p, uint32_t obj)
{
	assert(obj < p->objs.n);
	trace_note(FACT_OBJECT, obj, 0);
	return &p->objs.v[obj];
}

uint32_t pta_nlocs(const struct pta *p)
{
	return p->locs.n;
}

uint32_t pta_nobjs(const struct pta *p)
{
	return p->objs.n;
}

static const struct site *find_site(const struct pta *p, uint32_t func, uint32_t inst)
{
	const uint32_t *at = u64map_get(&p->site_at, PTA_KEY(func, inst));

	return at ? &p->sites.v[*at] : NULL;
}

void pta_callees(const struct pta *p, uint32_t func, uint32_t inst, struct pta_callees *out)
{
	const struct site *s = find_site(p, func, inst);

	trace_note(FACT_INSIDE, func, 0);
	out->set = s ? &s->callees : &empty;
	out->unknown = s && s->unknown;
}

uint32_t pta_callbacks(const struct pta *p, uint32_t func, const struct pta_callback **out)
{
	trace_note(FACT_INSIDE, func, 0);
	*out = p->called_back[func].v;
	return p->called_back[func].n;
}

const struct model *pta_model(const struct pta *p, uint32_t func)
{
	trace_note(FACT_HEAD, func, 0);
	return p->model[func];
}

const struct pta_wrapper *pta_wrapper(const struct pta *p, uint32_t func)
{
	trace_note(FACT_HEAD, func, 0);
	return p->wrapper[func];
}

bool pta_hands_out(const struct pta *p, uint32_t func, uint32_t store)
{
	const struct pta_wrapper *w = p->wrapper[func];

	trace_note(FACT_INSIDE, func, 0);
	for (uint32_t k = 0; w && k < w->nouts; k++)
		for (uint32_t i = 0; i < w->out[k].n; i++)
			if (w->out[k].made[i].store == store)
				return true;
	return false;
}

void pta_handed_to(const struct pta *p, uint32_t func, uint32_t inst, const struct pta_handout *h,
		   struct sbits *out)
{
	const struct ir_inst *in = &p->m->funcs.v[func].insts[inst];

	trace_note(FACT_INSIDE, func, 0);
	if (h->param == IR_NONE || h->param + 1 >= in->nops)
		return;
	SBITS_FOREACH(l, pta_points_to(p, func, in->ops[h->param + 1])) {
		uint32_t at = pta_loc_at(p, l, h->off);

		if (at != IR_NONE)
			sbits_set(out, at);
	}
}

uint32_t pta_varargs(const struct pta *p, uint32_t func)
{
	trace_note(FACT_HEAD, func, 0);
	return p->vararg_obj[func];
}

bool pta_is_entry(const struct pta *p, uint32_t func)
{
	trace_note(FACT_INSIDE, func, 0);
	return p->entry[func];
}

bool pta_is_source(const struct pta *p, uint32_t obj)
{
	const struct pta_obj *o = pta_obj(p, obj);

	if (o->kind != PTA_HEAP || !o->effect || o->first_loc == IR_NONE)
		return false;
	return dom_reachable(&pta_ssa(p, o->func)->dom, p->m->funcs.v[o->func].insts[o->index].block);
}

enum pta_blob pta_blob(const struct pta *p, uint32_t obj)
{
	return p->objs.v[obj].kind == PTA_BLOB ? (enum pta_blob)p->objs.v[obj].index : PTA_B__COUNT;
}

void pta_get_stats(const struct pta *p, struct pta_stats *s)
{
	*s = p->stats;
	s->objects = p->objs.n;
	s->locs = p->locs.n;
	s->unknown_calls = 0;
	for (uint32_t i = 0; i < p->sites.n; i++)
		s->unknown_calls += p->sites.v[i].unknown;
}
