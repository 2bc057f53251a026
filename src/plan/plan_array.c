/*
 * plan_array.c - objects that a loop has put into an array are released by a loop.
 *
 * Past LeakFix, which has no word for the elements of an array.  One store fills the array:
 *
 *	for (i = 0; i < n; i++)
 *		v[i] = make();
 *
 * What is filled at a place is told by the order of three kinds of instruction on the ways there: i is
 * set to zero, the element is stored, i grows by one.  If they take turns, v[0] .. v[i - 1] are filled
 * before the store, v[0] .. v[i] behind it.  A second turn, another store to i, to v or into the array,
 * and nothing is known any more.
 *
 * The loop may be put where the array itself is freed, or ends with its function, if what is stored is new
 * each time and stored nowhere else, nothing that could free an element is on any way through the place, and
 * no element is touched behind it.
 *
 * Which way it errs: "could free", "nowhere else" and "touched" are asked of points-to sets: a refusal.
 */
#include "plan/priv.h"

#include "ir/expr.h"

enum {	/* how far the array is filled, on some way */
	FILL_NOT   = 1,		/* nothing is, and i is anything */
	FILL_EMPTY = 2,		/* i is 0 */
	FILL_BELOW = 4,		/* v[0] .. v[i - 1] */
	FILL_WITH  = 8,		/* v[0] .. v[i] */
	FILL_ODD   = 16,	/* who knows */
};

struct array {
	struct fix_planner *pl;
	uint32_t func;
	const struct ir_func *f;
	uint32_t store;			/* the instruction that fills it */
	uint32_t base, index;		/* slots */
	ir_ref root;			/* what elements are taken of */
	bool pointer;			/* base is a variable that points to it, else it is it */
	int64_t within, off; /* of the array in what base is or points to, of the pointer in an element */
	uint64_t step;
	struct sbits objs, arrays;
	uint8_t *in;			/* FILL_... at the start of each block, once flow() has run */
};

/* ---- what is an element? ------------------------------------------------------------ */

/* The address as base, index and offset.  False: it has no such form. */
static bool parse(struct array *a, ir_ref addr)
{
	const struct ssa *ssa = pta_ssa(a->pl->p, a->func);
	const struct ir_inst *d, *x;

	a->off = a->within = 0;
	d = ir_def(a->f, plan_base(a->f, addr, &a->off));
	if (!d || (d->op != IR_INDEX && d->op != IR_ELEM) || a->off < 0)
		return false;
	a->step = (uint64_t)d->imm;
	x = ir_def(a->f, d->ops[1]);
	while (x && x->op == IR_CAST && (x->sub == IR_CAST_SEXT || x->sub == IR_CAST_ZEXT))
		x = ir_def(a->f, x->ops[0]);
	if (!x || x->op != IR_LOAD || IR_KIND(x->ops[0]) != IR_R_SLOT || !ssa->promoted[IR_IDX(x->ops[0])])
		return false;
	a->index = IR_IDX(x->ops[0]);
	a->root = plan_base(a->f, d->ops[0], &a->within);
	x = ir_def(a->f, a->root);
	a->pointer =
		x && x->op == IR_LOAD && IR_KIND(x->ops[0]) == IR_R_SLOT && ssa->promoted[IR_IDX(x->ops[0])];
	a->base = a->pointer ? IR_IDX(x->ops[0]) : IR_KIND(a->root) == IR_R_SLOT ? IR_IDX(a->root) : IR_NONE;
	return a->base != IR_NONE && a->within >= 0 && a->f->slots[a->base].name[0] &&
	       a->f->slots[a->index].name[0] && !(a->f->slots[a->base].flags & (IR_S_TEMP | IR_S_RETVAL));
}

static bool is_same_element(const struct array *a, ir_ref addr)
{
	struct array b = { .pl = a->pl, .func = a->func, .f = a->f };

	return parse(&b, addr) && b.base == a->base && b.index == a->index && b.off == a->off &&
	       b.within == a->within && b.step == a->step;
}

static void add_objects(const struct array *a, ir_ref r, struct sbits *out)
{
	pta_add_objs(a->pl->p, pta_points_to(a->pl->p, a->func, r), out);
}

static bool leads_to(const struct array *a, ir_ref r, const struct sbits *objs)
{
	return pta_meets(a->pl->p, pta_points_to(a->pl->p, a->func, r), objs);
}

/* ---- how far is it filled? ------------------------------------------------------------ */

static bool is_increment(const struct array *a, ir_ref r)
{
	const struct ir_inst *d = ir_def(a->f, r), *x = d && d->op == IR_BIN ? ir_def(a->f, d->ops[0]) : NULL;

	return x && d->sub == IR_B_ADD && x->op == IR_LOAD && x->ops[0] == IR_SLOT(a->index) &&
	       IR_KIND(d->ops[1]) == IR_R_INT && ir_int_value(a->pl->m, d->ops[1]) == 1;
}

/* Is it the same array, moved by realloc()? */
static bool is_moved(const struct array *a, ir_ref r)
{
	const struct ir_inst *d = owned_maker(a->pl, a->func, r), *x;
	const struct ir_func *g = d ? ir_callee(a->pl->m, d) : NULL;
	const struct model *md = g ? pta_model(a->pl->p, (uint32_t)(g - a->pl->m->funcs.v)) : NULL;

	x = d && d->nops > 1 ? ir_def(a->f, expr_uncast(a->f, d->ops[1])) : NULL;
	if (!md || !model_frees(md, 1) || !model_allocates(md))
		return false;
	return x && x->op == IR_LOAD && x->ops[0] == IR_SLOT(a->base);
}

static uint8_t after(const struct array *a, uint32_t inst, uint8_t s)
{
	const struct ir_inst *in = &a->f->insts[inst];
	uint8_t out = 0;

	if (inst == a->store)
		return (uint8_t)((s & (FILL_EMPTY | FILL_BELOW) ? FILL_WITH : 0) |
				 (s & (FILL_NOT | FILL_WITH | FILL_ODD) ? FILL_ODD : 0));
	if (in->op != IR_STORE ||
	    (in->ops[0] != IR_SLOT(a->index) && !(a->pointer && in->ops[0] == IR_SLOT(a->base))))
		return s;
	if (in->ops[0] != IR_SLOT(a->index) && is_moved(a, in->ops[1]))
		return s;
	if (in->ops[0] != IR_SLOT(a->index))	/* another array */
		return (uint8_t)((s & (FILL_NOT | FILL_EMPTY)) |
				 (s & (FILL_BELOW | FILL_WITH | FILL_ODD) ? FILL_ODD : 0));
	if (IR_KIND(in->ops[1]) == IR_R_INT && ir_int_value(a->pl->m, in->ops[1]) == 0)
		out = (uint8_t)((s & (FILL_NOT | FILL_EMPTY) ? FILL_EMPTY : 0) |
				(s & (FILL_BELOW | FILL_WITH | FILL_ODD) ? FILL_ODD : 0));
	else if (is_increment(a, in->ops[1]))
		out = (uint8_t)((s & FILL_WITH ? FILL_BELOW : 0) |
				(s & (FILL_BELOW | FILL_ODD) ? FILL_ODD : 0));
	else
		out = (uint8_t)(s & (FILL_BELOW | FILL_WITH | FILL_ODD) ? FILL_ODD : 0);
	return (uint8_t)(out | (s & (FILL_NOT | FILL_EMPTY) && !(out & FILL_EMPTY) ? FILL_NOT : 0));
}

static uint8_t at_end(const struct array *a, uint32_t b)
{
	uint8_t s = a->in[b];

	for (uint32_t i = a->f->blocks[b].first; i < a->f->blocks[b].first + a->f->blocks[b].n; i++)
		s = after(a, i, s);
	return s;
}

/* What is known on the way from one block to another: an element that is null need not be released. */
static uint8_t on_edge(const struct array *a, uint32_t from, uint32_t to)
{
	const struct ir_inst *br = &a->f->insts[a->f->blocks[from].first + a->f->blocks[from].n - 1];
	const struct ir_inst *c = br->op == IR_CONDBR && br->targets[0] != br->targets[1]
					  ? ir_def(a->f, br->ops[0])
					  : NULL,
			     *x;
	uint8_t s = at_end(a, from);

	if (!c || c->op != IR_CMP || c->ops[1] != IR_NULL || (c->sub != IR_P_EQ && c->sub != IR_P_NE) ||
	    to != br->targets[c->sub == IR_P_EQ ? 0 : 1])
		return s;
	x = ir_def(a->f, c->ops[0]);
	if (c->ops[0] == a->f->insts[a->store].ops[1] ||
	    (x && x->op == IR_LOAD && is_same_element(a, x->ops[0])))
		return (uint8_t)((s & ~FILL_WITH) | (s & FILL_WITH ? FILL_BELOW : 0));
	return s;
}

static void flow(struct array *a)
{
	a->in = xcalloc(a->f->nblocks, sizeof(*a->in));
	a->in[0] = FILL_NOT;
	for (bool more = true; more;) {
		more = false;
		for (uint32_t b = 0; b < a->f->nblocks; b++)
			for (uint32_t k = 0; k < a->f->blocks[b].nsucc && a->in[b]; k++) {
				uint32_t to = a->f->blocks[b].succ[k];
				uint8_t s = a->in[to] | on_edge(a, b, to);

				more |= s != a->in[to];
				a->in[to] = s;
			}
	}
}

static uint8_t fill_at(const struct array *a, const struct plan_place *at)
{
	uint32_t b;
	uint8_t s;

	if (at->where == FIX_EDGE)
		return on_edge(a, at->from, at->to);
	b = a->f->insts[at->inst].block;
	s = a->in[b];
	for (uint32_t i = a->f->blocks[b].first; i < at->inst + (at->where == FIX_AFTER); i++)
		s = after(a, i, s);
	return s;
}

static bool array_init(struct array *a, struct fix_planner *pl, uint32_t func, uint32_t store)
{
	memset(a, 0, sizeof(*a));
	a->pl = pl;
	a->func = func;
	a->f = &pl->m->funcs.v[func];
	a->store = store;
	if (a->f->insts[store].op != IR_STORE || a->f->insts[store].cls != IR_C_PTR ||
	    !parse(a, a->f->insts[store].ops[0]))
		return false;
	add_objects(a, a->f->insts[store].ops[1], &a->objs);
	add_objects(a, a->f->insts[store].ops[0], &a->arrays);
	return true;
}

static void array_release(struct array *a)
{
	sbits_release(&a->objs);
	sbits_release(&a->arrays);
	free(a->in);
}

/* ---- is it safe? ----------------------------------------------------------------------- */

/* Another member of the same elements? */
static bool is_other_member(const struct array *a, ir_ref addr)
{
	struct array b = { .pl = a->pl, .func = a->func, .f = a->f };

	return parse(&b, addr) && b.base == a->base && b.within == a->within && b.step == a->step &&
	       b.off != a->off && b.step > 8;
}

/* Nothing but the one store, and zeroes before it, get into the array; its elements and it stay here. */
static bool check_array(const struct array *a, uint32_t at)
{
	const struct pta *p = a->pl->p;

	if (!owned_new_once(a->pl, a->func, a->store) || !sbits_count(&a->objs) ||
	    sbits_intersects(&a->objs, &a->arrays))
		return false;
	SBITS_FOREACH(o, &a->objs)
		if (pta_obj(p, o)->kind != PTA_HEAP || pta_obj(p, o)->common)
			return false;
	for (uint32_t o = 0; o < pta_nobjs(p); o++) {
		uint8_t kind = pta_obj(p, o)->kind;

		if (sbits_test(&a->arrays, o) ||
		    (kind != PTA_HEAP && kind != PTA_GLOBAL && kind != PTA_SLOT) ||
		    (kind == PTA_SLOT && pta_ssa(p, pta_obj(p, o)->func)->promoted[pta_obj(p, o)->index]))
			continue;
		for (uint32_t l = pta_obj(p, o)->first_loc; l != IR_NONE; l = pta_loc(p, l)->next)
			if (pta_meets(p, pta_cell(p, l), &a->objs))
				return false;
	}
	for (uint32_t i = 0; i < a->f->ninsts; i++) {
		const struct ir_inst *in = &a->f->insts[i];

		if (in->op == IR_STORE && i != a->store && IR_KIND(in->ops[0]) != IR_R_SLOT &&
		    ((in->cls == IR_C_PTR && leads_to(a, in->ops[0], &a->arrays) &&
		      !is_other_member(a, in->ops[0])) ||
		     (leads_to(a, in->ops[1], &a->arrays) && ir_comes_before(a->f, i, at, IR_NONE))))
			return false;
		if (in->op == IR_MEMCPY &&
		    (leads_to(a, in->ops[0], &a->arrays) || leads_to(a, in->ops[1], &a->arrays)))
			return false;
		if (in->op == IR_MEMSET && leads_to(a, in->ops[0], &a->arrays) &&
		    ir_comes_before(a->f, a->store, i, IR_NONE))
			return false;
	}
	return true;
}

static bool may_free(const struct array *a, uint32_t func, const struct ir_inst *in)
{
	const struct model *md = pta_model(a->pl->p, func);

	if (!md)
		return sbits_intersects(&a->pl->fx[func].freed, &a->objs);
	for (uint32_t k = 1; k < in->nops; k++)
		if (model_frees(md, k) && leads_to(a, in->ops[k], &a->objs))
			return true;
	return false;
}

/* May the callee keep one of its arguments? */
static bool may_keep(const struct array *a, uint32_t func)
{
	const struct model *md = pta_model(a->pl->p, func);

	if (!md)
		return ir_is_decl(&a->pl->m->funcs.v[func]);
	for (unsigned i = 0; i < md->neffects && !model_frees(md, 1); i++)
		if (md->effects[i].kind == MODEL_E_KEEP || md->effects[i].kind == MODEL_E_HOLD ||
		    md->effects[i].kind == MODEL_E_REF || md->effects[i].kind == MODEL_E_COPY)
			return true;
	return false;
}

/* No call on a way through the place frees elements, or may have kept them. */
static bool check_call(const struct array *a, uint32_t inst, uint32_t at)
{
	const struct ir_inst *in = &a->f->insts[inst];
	bool before = ir_comes_before(a->f, inst, at, IR_NONE),
	     behind = inst == at || ir_comes_before(a->f, at, inst, IR_NONE), given = false;
	struct pta_callees to;

	if (!before && !behind)
		return true;
	for (uint32_t k = 1; k < in->nops; k++)
		given |= leads_to(a, in->ops[k], &a->objs) || leads_to(a, in->ops[k], &a->arrays);
	pta_callees(a->pl->p, a->func, inst, &to);
	if ((to.unknown || !sbits_count(to.set)) && given)
		return false;
	SBITS_FOREACH(g, to.set)
		if (may_free(a, g, in) || (given && before && may_keep(a, g)))
			return false;
	return true;
}

static bool check_function(const struct array *a, uint32_t at)
{
	for (uint32_t i = 0; i < a->f->ninsts; i++) {
		const struct ir_inst *in = &a->f->insts[i];

		if (in->op == IR_CALL && !check_call(a, i, at))
			return false;
		for (uint32_t k = 0; k < in->nops; k++)
			if (IR_KIND(in->ops[k]) == IR_R_VREG && leads_to(a, in->ops[k], &a->objs) &&
			    (i == at || ir_comes_before(a->f, at, i, IR_NONE)))
				return false;
	}
	return true;
}

/* ---- the text ----------------------------------------------------------------------------- */

/* "v[", "x->v[", and with the index, "].name". */
static const char *element(const struct array *a, const char *index, struct arena *arena)
{
	const struct ir_module *m = a->pl->m;
	uint32_t type = ir_type_strip(m, a->f->slots[a->base].type);
	const char *text = a->f->slots[a->base].name;
	struct sbuf b = {0};
	bool ok = true;

	if (a->pointer) {
		if (m->types.v[type].kind != IR_T_PTR)
			return NULL;
		type = ir_type_strip(m, m->types.v[type].elem);
	}
	if (!a->pointer || m->types.v[type].kind == IR_T_STRUCT) {
		bool is_struct = m->types.v[type].kind == IR_T_STRUCT;
		uint32_t outer = type;

		if (is_struct && a->pointer && m->types.v[outer].size == a->step && a->within == 0) {
			/* an array of structs: x[i].name */
		} else if (is_struct) {
			const struct ir_field *x = ir_field_at(m, type, (uint64_t)a->within);

			if (!x || !x->name[0] || x->offset != (uint64_t)a->within)
				return NULL;
			text = arena_printf(arena, "%s%s%s", text, a->pointer ? "->" : ".", x->name);
			type = ir_type_strip(m, x->type);
			if (m->types.v[type].kind != IR_T_ARRAY)
				return NULL;
			type = ir_type_strip(m, m->types.v[type].elem);
		} else if (m->types.v[type].kind == IR_T_ARRAY && a->within == 0) {
			type = ir_type_strip(m, m->types.v[type].elem);
		} else {
			return NULL;
		}
	} else if (a->within) {
		return NULL;
	}
	if (m->types.v[type].kind == IR_T_STRUCT)
		ok = m->types.v[type].size == a->step && place_member(m, &type, (uint64_t)a->off, &b);
	else
		ok = m->types.v[type].kind == IR_T_PTR && a->step == 8 && a->off == 0;
	if (ok)
		text = arena_printf(arena, "%s[%s]%s%s", text, index, b.n ? "." : "", sbuf_str(&b));
	sbuf_release(&b);
	return ok && m->types.v[ir_type_strip(m, type)].kind == IR_T_PTR ? text : NULL;
}

/* How the counter of the plan's own loop is declared: like the index, which must stay as it is for the
 * sake of other plans. */
static const char *counter_type(const struct array *a)
{
	const struct ir_type *t = &a->pl->m->types.v[ir_type_strip(a->pl->m, a->f->slots[a->index].type)];

	if (t->kind != IR_T_INT || (t->size != 4 && t->size != 8))
		return NULL;
	if (t->size == 4)
		return t->flags & IR_TF_UNSIGNED ? "unsigned" : "int";
	return t->flags & IR_TF_UNSIGNED ? "size_t" : "long";
}

/* Is the array still what it was, and filled so far, when control leaves the loop for this block? */
static bool stays(const struct array *a, uint32_t from, uint32_t to)
{
	uint32_t first = a->f->blocks[to].first;
	bool same = true;

	for (uint32_t i = 0; i < a->f->ninsts && same; i++)
		same = !(a->pointer && a->f->insts[i].op == IR_STORE &&
			 a->f->insts[i].ops[0] == IR_SLOT(a->base) &&
			 (i == first || ir_comes_before(a->f, first, i, IR_NONE)));
	return same && !(on_edge(a, from, to) & ~(FILL_EMPTY | FILL_BELOW)) && first != a->store &&
	       !ir_comes_before(a->f, first, a->store, IR_NONE);
}

/* The number that the index has reached when its loop is over, as text; NULL. */
static const char *bound(const struct array *a, uint32_t at, struct arena *arena, uint32_t *slot)
{
	const struct ssa *ssa = pta_ssa(a->pl->p, a->func);
	uint32_t block = a->f->insts[at].block;

	for (uint32_t b = 0; b < a->f->nblocks; b++) {
		const struct ir_inst *br = &a->f->insts[a->f->blocks[b].first + a->f->blocks[b].n - 1], *c,
				     *x, *n;
		bool changed = false;

		c = br->op == IR_CONDBR ? ir_def(a->f, br->ops[0]) : NULL;
		if (!c || c->op != IR_CMP || (c->sub != IR_P_SLT && c->sub != IR_P_ULT) ||
		    br->targets[0] == br->targets[1] || a->f->blocks[br->targets[1]].npred != 1 ||
		    !dom_dominates(&ssa->dom, br->targets[1], block) || !stays(a, b, br->targets[1]))
			continue;
		x = ir_def(a->f, c->ops[0]);
		if (!x || x->op != IR_LOAD || x->ops[0] != IR_SLOT(a->index))
			continue;
		if (IR_KIND(c->ops[1]) == IR_R_INT) {
			*slot = IR_NONE;
			return arena_printf(arena, "%lld", (long long)ir_int_value(a->pl->m, c->ops[1]));
		}
		n = ir_def(a->f, c->ops[1]);
		if (!n || n->op != IR_LOAD || IR_KIND(n->ops[0]) != IR_R_SLOT ||
		    !ssa->promoted[IR_IDX(n->ops[0])])
			continue;
		for (uint32_t i = 0; i < a->f->ninsts; i++)
			changed |= a->f->insts[i].op == IR_STORE && a->f->insts[i].ops[0] == n->ops[0] &&
				   ir_comes_before(a->f, (uint32_t)(br - a->f->insts), i, IR_NONE);
		if (changed)
			continue;
		*slot = IR_IDX(n->ops[0]);
		return a->f->slots[*slot].name;
	}
	return NULL;
}

/* Is the index declared in the head of its loop?  Then it ends with that. */
static bool is_in_head(const struct array *a)
{
	const struct ir_pos *x = &a->f->slots[a->index].pos;

	for (uint32_t i = 0; i < a->f->ninsts; i++) {
		const struct ir_pos *p = &a->f->insts[i].pos;

		if (a->f->insts[i].op == IR_BR && p->line == x->line && p->col < x->col && p->file == x->file)
			return true;
	}
	return false;
}

static const char *write_loop(const struct array *a, const struct plan_place *at, uint32_t inst,
			      const char *release, struct arena *arena, uint32_t *more)
{
	const char *last = a->f->slots[a->index].name, *one = element(a, "plumb_i", arena),
		   *type = counter_type(a);
	uint8_t s = fill_at(a, at);
	bool with = s & FILL_WITH;
	struct plan_sim sim;

	sim_init(&sim, a->pl, a->func);
	*more = a->index;
	if (s & (FILL_NOT | FILL_ODD) || is_in_head(a) || !place_in_scope(&sim, a->index, at)) {
		last = bound(a, inst, arena, more);
		with = false;
	}
	if (!last || !one || !type)
		return NULL;
	return arena_printf(arena, "for (%s plumb_i = 0; plumb_i %s %s; plumb_i++)\n\t%s(%s);", type,
			    with ? "<=" : "<", last, release, one);
}

bool array_is_element(struct fix_planner *pl, uint32_t func, uint32_t call)
{
	const struct ir_func *f = &pl->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *d;
		int64_t off = 0;

		if (f->insts[i].op != IR_STORE || f->insts[i].cls != IR_C_PTR ||
		    owned_maker(pl, func, f->insts[i].ops[1]) != &f->insts[call])
			continue;
		d = ir_def(f, plan_base(f, f->insts[i].ops[0], &off));
		if (d && (d->op == IR_INDEX || d->op == IR_ELEM))
			return true;
	}
	return false;
}

/* NULL: not safe; "": nothing to do. */
static const char *loop_at(struct array *a, const struct plan_place *at, uint32_t inst, struct arena *arena,
			   uint32_t *more, const char **release)
{
	uint8_t s;

	if (!a->in)
		flow(a);
	s = fill_at(a, at);
	if (!(s & ~(FILL_NOT | FILL_EMPTY)))
		return "";
	if (s & ~(FILL_EMPTY | FILL_BELOW) && s != FILL_WITH && !bound(a, inst, arena, more))
		return NULL;
	if (!check_array(a, inst) || !check_function(a, inst) ||
	    !(*release = release_of_all(a->pl, a->func, &a->objs, arena)))
		return NULL;
	return write_loop(a, at, inst, *release, arena, more);
}

const char *array_text(struct fix_planner *pl, uint32_t func, uint32_t slot, const struct plan_place *at,
		       uint32_t inst, struct arena *arena, uint32_t *more)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const char *all = NULL, *release;
	bool ok = true;

	for (uint32_t i = 0; i < f->ninsts && ok; i++) {
		const char *one = "";
		struct array a;

		if (array_init(&a, pl, func, i) && a.pointer && a.base == slot)
			one = loop_at(&a, at, inst, arena, more, &release);
		array_release(&a);
		ok = one != NULL;
		if (ok && one[0])
			all = all ? arena_printf(arena, "%s\n%s", all, one) : one;
	}
	return ok ? all : NULL;
}

/* ---- a plan for the elements ----------------------------------------------------------------- */

static void push_loop(const struct array *a, const struct plan_place *at, const char *text, uint32_t more,
		      const char *release, struct fix_plan *plan)
{
	struct fix_insertion in = { .where = at->where,
				    .func = a->func,
				    .from = at->from,
				    .to = at->to,
				    .inst = at->inst,
				    .text = text };

	vec_push(&in.names, ((struct fix_name){ a->f->slots[a->base].name, a->base }));
	if (more != IR_NONE)
		vec_push(&in.names, ((struct fix_name){ a->f->slots[more].name, more }));
	vec_push(&in.names, ((struct fix_name){ release, IR_NONE }));
	vec_push(&plan->in, in);
}

static void try_place(struct array *a, const struct plan_place *at, uint32_t inst, struct arena *arena,
		      struct fix_plan *plan)
{
	const char *release = NULL, *text;
	uint32_t more;

	text = loop_at(a, at, inst, arena, &more, &release);
	if (text && text[0])
		push_loop(a, at, text, more, release, plan);
}

static bool frees_array(const struct array *a, const struct ir_inst *in)
{
	const struct ir_func *g = in->op == IR_CALL ? ir_callee(a->pl->m, in) : NULL;
	const struct model *md = g ? pta_model(a->pl->p, (uint32_t)(g - a->pl->m->funcs.v)) : NULL;
	const struct ir_inst *d = in->nops == 2 ? ir_def(a->f, expr_uncast(a->f, in->ops[1])) : NULL;

	return md && model_frees(md, 1) && d && d->op == IR_LOAD && d->ops[0] == IR_SLOT(a->base);
}

static void try_exits(struct array *a, uint32_t ret, struct arena *arena, struct fix_plan *plan)
{
	const struct ir_block *x = &a->f->blocks[a->f->insts[ret].block];

	for (uint32_t k = 0; k < x->npred && x->n <= 2; k++) {
		struct plan_place at = { .where = FIX_EDGE,
					 .from = x->pred[k],
					 .to = a->f->insts[ret].block,
					 .inst = IR_NONE,
					 .guard = IR_NONE };

		try_place(a, &at, x->first, arena, plan);
	}
	if (x->n > 2 || !x->npred) {
		struct plan_place at = {
			.where = FIX_BEFORE, .from = IR_NONE, .to = IR_NONE, .inst = ret, .guard = IR_NONE
		};

		try_place(a, &at, ret, arena, plan);
	}
}

bool array_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan)
{
	uint32_t func = f->lost.func, made = pta_heap_at(p->p, f->made.func, f->made.inst, 0);
	const struct ir_func *fn = &p->m->funcs.v[func];

	plan->refused = "no variable holds the object where it is lost";
	for (uint32_t s = 0; s < fn->ninsts && !plan->in.n && made != IR_NONE; s++) {
		struct array a;

		if (array_init(&a, p, func, s) && sbits_test(&a.objs, made))
			for (uint32_t i = 0; i < fn->ninsts; i++) {
				struct plan_place at = { .where = FIX_BEFORE,
							 .from = IR_NONE,
							 .to = IR_NONE,
							 .inst = i,
							 .guard = IR_NONE };

				if (a.pointer && frees_array(&a, &fn->insts[i]))
					try_place(&a, &at, i, arena, plan);
				else if (!a.pointer && fn->insts[i].op == IR_RET)
					try_exits(&a, i, arena, plan);
			}
		array_release(&a);
	}
	if (plan->in.n)
		plan->refused = NULL;
	return !plan->refused;
}
