/*
 * plan_sim.c - one function on all paths, with one object followed: the abstract CFG of
 * LeakFix (section II-B), unfolded by what is known on each path.
 *
 * The paper labels the statements of a procedure with the allocations that they may use and
 * free, and treats each loop body as a procedure of its own to tell the objects of different
 * rounds apart (II-C5, Algorithm 1).  Here one instance is followed instead: whenever a
 * source is executed and none is followed yet, there are two states, one in which this is the
 * object and one in which it is not.  A later execution makes another object.  So loops need
 * no extraction, and objects that live from one round to the next are right as well.
 *
 * What is known on a path: which cells hold the object, for sure or perhaps; what flags,
 * return codes and pointers are by the branches taken (null tests, II-C1); which variables
 * were never set (definitely initialised, II-C1).  Paths that meet in equal states go on as
 * one.  Too many states at one place first forget numbers, then the function is given up.
 *
 * Which way it errs: "may hold" is never too small as far as the points-to sets are
 * complete; "must hold" is by stores that we see alone, and given up at every store and call
 * that could change the cell.
 *
 * needs: points-to sets; summaries of callees (plan_summary.c), which are simulations, too.
 * gives: nodes and steps, which of them touch the object, and where it is lost.
 */
#include "fix/plan.h"

#include "base/hash.h"

enum { MAX_NODES = 20000, MANY_AT_BLOCK = 40, MAX_AT_BLOCK = 160 };

/* ---- keys ---------------------------------------------------------------- */

uint32_t sim_vreg_key(const struct plan_sim *s, uint32_t vreg)
{
	return s->f->nslots + vreg;
}

static uint32_t first_loc_key(const struct plan_sim *s)
{
	return s->f->nslots + s->f->nvregs;
}

static bool is_scalar(const struct plan_sim *s, uint32_t slot)
{
	const struct ir_slot *x = &s->f->slots[slot];

	return s->ssa->promoted[slot] || (x->size && x->size <= 8 && !(x->flags & IR_S_DYNAMIC) &&
					  s->pl->m->types.v[ir_type_strip(s->pl->m, x->type)].kind != IR_T_STRUCT &&
					  s->pl->m->types.v[ir_type_strip(s->pl->m, x->type)].kind != IR_T_UNION &&
					  s->pl->m->types.v[ir_type_strip(s->pl->m, x->type)].kind != IR_T_ARRAY);
}

uint32_t sim_loc_key(const struct plan_sim *s, uint32_t loc)
{
	const struct pta_loc *l = pta_loc(s->pl->p, loc);
	const struct pta_obj *o = pta_obj(s->pl->p, l->obj);

	if (o->kind == PTA_SLOT && o->func == s->func && is_scalar(s, o->index))
		return o->index;
	return first_loc_key(s) + loc;
}

static uint32_t first_path_key(const struct plan_sim *s)
{
	return first_loc_key(s) + pta_nlocs(s->pl->p);
}

uint32_t sim_path_key(const struct plan_sim *s, uint32_t path)
{
	return first_path_key(s) + path;
}

const struct plan_path *sim_key_path(const struct plan_sim *s, uint32_t key)
{
	return key >= first_path_key(s) ? &s->paths.v[key - first_path_key(s)] : NULL;
}

/* The object of the points-to analysis that a cell of memory is in, or IR_NONE. */
static uint32_t key_object(const struct plan_sim *s, uint32_t key)
{
	uint32_t loc;

	if (key >= first_path_key(s))
		return IR_NONE;
	if (key >= first_loc_key(s))
		return pta_loc(s->pl->p, key - first_loc_key(s))->obj;
	if (key >= s->f->nslots || s->ssa->promoted[key])
		return IR_NONE;
	loc = pta_address(s->pl->p, s->func, IR_SLOT(key));
	return loc == IR_NONE ? IR_NONE : pta_loc(s->pl->p, loc)->obj;
}

static bool is_outside(const struct plan_sim *s, uint32_t obj)
{
	const struct pta_obj *o = pta_obj(s->pl->p, obj);

	if ((o->kind == PTA_SLOT || o->kind == PTA_HEAP) && o->func == s->func)
		return bits_test(&s->outside, obj);
	return true;
}

/* The base that members are taken of; *off grows by where they are. */
static ir_ref base_of(const struct plan_sim *s, ir_ref addr, int64_t *off)
{
	const struct ir_inst *d;

	while ((d = ir_def(s->f, addr)) && (d->op == IR_FIELD || d->op == IR_COPY || (d->op == IR_CAST && d->sub == IR_CAST_BITCAST))) {
		if (d->op == IR_FIELD)
			*off += d->imm;
		addr = d->ops[0];
	}
	return addr;
}

/* The path that an address, used by an instruction, is of: the variable still holds what was
 * read of it. */
static uint32_t path_at(const struct plan_sim *s, ir_ref addr, uint32_t inst)
{
	int64_t off = 0;
	const struct ir_inst *d = ir_def(s->f, base_of(s, addr, &off));
	uint32_t load;

	if (!d || d->op != IR_LOAD || IR_KIND(d->ops[0]) != IR_R_SLOT || d->block != s->f->insts[inst].block)
		return IR_NONE;
	load = (uint32_t)(d - s->f->insts);
	for (uint32_t i = load; i < inst; i++)
		if (s->f->insts[i].op == IR_STORE && s->f->insts[i].ops[0] == d->ops[0])
			return IR_NONE;
	for (uint32_t i = 0; i < s->paths.n; i++)
		if (s->paths.v[i].slot == IR_IDX(d->ops[0]) && s->paths.v[i].off == off)
			return sim_path_key(s, i);
	return IR_NONE;
}

uint32_t sim_exact(const struct plan_sim *s, ir_ref addr, int64_t off)
{
	uint32_t loc;

	addr = base_of(s, addr, &off);
	if (IR_KIND(addr) != IR_R_SLOT)
		return IR_NONE;
	if (s->f->slots[IR_IDX(addr)].flags & IR_S_DYNAMIC)
		return IR_NONE;
	if (s->ssa->promoted[IR_IDX(addr)])
		return off ? IR_NONE : IR_IDX(addr);
	loc = pta_address(s->pl->p, s->func, addr);
	if (loc == IR_NONE || is_outside(s, pta_loc(s->pl->p, loc)->obj))
		return IR_NONE;
	if (is_scalar(s, IR_IDX(addr)))
		return off ? IR_NONE : IR_IDX(addr);
	if (pta_obj(s->pl->p, pta_loc(s->pl->p, loc)->obj)->collapsed || (loc = pta_loc_at(s->pl->p, loc, off)) == IR_NONE ||
	    (int64_t)pta_loc(s->pl->p, loc)->off != off)
		return IR_NONE;
	return first_loc_key(s) + loc;
}

/* ---- values -------------------------------------------------------------- */

enum plan_hold sim_hold(const struct plan_sim *sim, const struct plan_state *s, ir_ref r)
{
	if (s->phase == PHASE_BEFORE || IR_KIND(r) != IR_R_VREG)
		return HOLD_NO;
	return pstate_hold(s, sim_vreg_key(sim, IR_IDX(r)));
}

struct plan_val sim_val(const struct plan_sim *sim, const struct plan_state *s, ir_ref r)
{
	switch (IR_KIND(r)) {
	case IR_R_VREG:
		return pstate_val(s, sim_vreg_key(sim, IR_IDX(r)));
	case IR_R_INT:
		return pval_int(ir_int_value(sim->pl->m, r));
	case IR_R_SPECIAL:
		if (r == IR_NULL)
			return pval_int(0);
		return r == IR_UNDEF ? (struct plan_val){ .kind = PVAL_UNDEF } : pval_any();
	case IR_R_SLOT:
	case IR_R_GLOBAL:
	case IR_R_FUNC:
	case IR_R_ADDR:
		return (struct plan_val){ .kind = PVAL_OTHER };
	}
	return pval_any();
}

static void set_vreg(const struct plan_sim *sim, struct plan_state *s, const struct ir_inst *in, enum plan_hold h, struct plan_val v)
{
	if (in->res != IR_NONE)
		pstate_set(s, sim_vreg_key(sim, in->res), s->phase == PHASE_BEFORE ? HOLD_NO : h, v);
}

bool sim_reaches(const struct plan_sim *sim, const struct plan_state *s, ir_ref r)
{
	struct bits objs = {0};
	bool found = false;

	if (s->phase == PHASE_BEFORE)
		return false;
	for (uint32_t i = 0; i < s->n && !found; i++) {
		const struct plan_path *q = sim_key_path(sim, s->cells[i].key);
		uint32_t o = key_object(sim, s->cells[i].key);

		if (s->cells[i].hold == HOLD_NO || (o == IR_NONE && !(q && q->out != IR_NONE)))
			continue;
		if (!objs.w) {
			bits_init(&objs, pta_nobjs(sim->pl->p));
			effects_reach(sim->pl, pta_points_to(sim->pl->p, sim->func, r), &objs);
		}
		found = o != IR_NONE && bits_test(&objs, o);
		if (q)
			SBITS_FOREACH(l, &q->locs)
				found |= bits_test(&objs, pta_loc(sim->pl->p, l)->obj);
	}
	bits_release(&objs);
	return found;
}

void sim_escape(struct plan_sim *sim, struct plan_state *s, uint32_t inst)
{
	s->doubt |= DOUBT_ESCAPED;
	if (sim->escaped_at == IR_NONE)
		sim->escaped_at = inst;
}

/* What is known of the memory of a path no longer holds. */
static void drop_path(struct plan_sim *sim, struct plan_state *s, uint32_t key, uint32_t inst)
{
	if (pstate_hold(s, key) != HOLD_NO && sim_key_path(sim, key)->out != IR_NONE)
		sim_escape(sim, s, inst);
	pstate_set(s, key, HOLD_NO, pval_any());
}

/* Paths whose memory a write to these locs may change; the one with key `but` is left. */
static void drop_paths(struct plan_sim *sim, struct plan_state *s, const struct sbits *locs, uint32_t but, uint32_t inst)
{
	for (uint32_t i = s->n; i-- > 0 && s->cells[i].key >= first_path_key(sim);) {
		const struct plan_path *q = sim_key_path(sim, s->cells[i].key), *b = but == IR_NONE ? NULL : sim_key_path(sim, but);

		if (s->cells[i].key != but && !(b && b->slot == q->slot) && sbits_intersects(locs, &q->locs))
			drop_path(sim, s, s->cells[i].key, inst);
	}
}

void sim_drop_freed(struct plan_sim *sim, struct plan_state *s, const struct sbits *objs, uint32_t inst)
{
	for (uint32_t i = s->n; i-- > 0 && s->cells[i].key >= first_path_key(sim);) {
		bool hit = false;

		SBITS_FOREACH(l, &sim_key_path(sim, s->cells[i].key)->locs)
			hit |= sbits_test(objs, pta_loc(sim->pl->p, l)->obj);
		if (hit)
			drop_path(sim, s, s->cells[i].key, inst);
	}
}

void sim_blur(struct plan_sim *sim, struct plan_state *s, const struct sbits *locs)
{
	drop_paths(sim, s, locs, IR_NONE, IR_NONE);
	for (uint32_t i = 0; i < s->n;) {
		struct plan_cell *c = &s->cells[i];
		uint32_t n = s->n, obj = key_object(sim, c->key);
		bool hit = false;

		if (obj != IR_NONE && c->key < first_loc_key(sim)) {
			for (uint32_t l = pta_obj(sim->pl->p, obj)->first_loc; l != IR_NONE && !hit; l = pta_loc(sim->pl->p, l)->next)
				hit = sbits_test(locs, l);
		} else if (obj != IR_NONE) {	/* no path has an object here */
			hit = sbits_test(locs, c->key - first_loc_key(sim));
		}
		if (hit)
			pstate_set(s, c->key, MIN((enum plan_hold)c->hold, HOLD_MAY), pval_any());
		i += s->n == n;
	}
}

/* ---- instructions -------------------------------------------------------- */

static void touch(struct plan_node *n, const struct plan_state *s)
{
	if (s->phase != PHASE_BEFORE)
		n->touches = true;
}

static bool is_whole(const struct plan_sim *sim, uint32_t key, const struct ir_inst *in)
{
	return key >= sim->f->nslots || !sim->f->slots[key].size || sim->f->slots[key].size * 8 == in->bits ||
	       (in->cls == IR_C_PTR && sim->f->slots[key].size == 8);
}

static void do_load(struct plan_sim *sim, struct plan_node *n, const struct ir_inst *in, struct plan_state *s)
{
	uint32_t key = sim_exact(sim, in->ops[0], 0);
	uint32_t path = key == IR_NONE ? path_at(sim, in->ops[0], (uint32_t)(in - sim->f->insts)) : IR_NONE;
	enum plan_hold h = HOLD_NO;

	if (key != IR_NONE) {
		bool whole = is_whole(sim, key, in) && !(in->flags & IR_F_VOLATILE);

		h = pstate_hold(s, key);
		set_vreg(sim, s, in, whole ? h : MIN(h, HOLD_MAY), whole ? pstate_val(s, key) : pval_any());
		return;
	}
	if (sim_hold(sim, s, in->ops[0]) != HOLD_NO)
		touch(n, s);
	if (s->phase != PHASE_BEFORE)
		SBITS_FOREACH(l, pta_points_to(sim->pl->p, sim->func, in->ops[0]))
			if (pstate_hold(s, sim_loc_key(sim, l)) != HOLD_NO)
				h = HOLD_MAY;
	if (path != IR_NONE && pstate_hold(s, path) != HOLD_NO)
		h = in->flags & IR_F_VOLATILE ? HOLD_MAY : pstate_hold(s, path);
	set_vreg(sim, s, in, h, path == IR_NONE || in->flags & IR_F_VOLATILE ? pval_any() : pstate_val(s, path));
}

/* What others can see gets a pointer to the object, or to memory that leads to it. */
static bool leads_to_object(const struct plan_sim *sim, const struct plan_state *s, ir_ref v)
{
	return sim_hold(sim, s, v) != HOLD_NO || sim_reaches(sim, s, v);
}

static void weak_store(struct plan_sim *sim, struct plan_state *s, uint32_t inst, const struct sbits *pts, ir_ref v)
{
	enum plan_hold h = sim_hold(sim, s, v);
	struct plan_val val = sim_val(sim, s, v);
	bool any = false;

	SBITS_FOREACH(l, pts) {
		uint32_t key = sim_loc_key(sim, l);
		enum plan_hold old = pstate_hold(s, key);

		any = true;
		if (is_outside(sim, pta_loc(sim->pl->p, l)->obj)) {
			if (leads_to_object(sim, s, v))
				sim_escape(sim, s, inst);
			continue;
		}
		if (h == HOLD_NO && old == HOLD_NO && !pstate_find(s, key))
			continue;
		pstate_set(s, key, h == HOLD_MUST && old == HOLD_MUST ? HOLD_MUST : h != HOLD_NO || old != HOLD_NO ? HOLD_MAY : HOLD_NO,
			  pval_join(pstate_val(s, key), val));
	}
	if (!any && leads_to_object(sim, s, v))
		sim_escape(sim, s, inst);
}

static bool keeps_value(const struct plan_sim *sim, uint32_t key)
{
	return key >= sim->f->nslots || bits_test(&sim->cand, key) || bits_test(&sim->asked, key);
}

static bool is_zeroed(const struct plan_sim *sim, ir_ref v)
{
	const struct ir_inst *d = ir_def(sim->f, v);
	const struct ir_func *g;
	const struct model_effect *e;

	while (d && (d->op == IR_COPY || d->op == IR_CAST))
		d = ir_def(sim->f, d->ops[0]);
	g = d && d->op == IR_CALL ? ir_callee(sim->pl->m, d) : NULL;
	e = g && ir_is_decl(g) && pta_model(sim->pl->p, (uint32_t)(g - sim->pl->m->funcs.v))
	    ? model_allocates(pta_model(sim->pl->p, (uint32_t)(g - sim->pl->m->funcs.v))) : NULL;
	return e && e->value.zeroed;
}

/* The variable points elsewhere from now on; all is null behind it if calloc made that. */
static void redirect(struct plan_sim *sim, struct plan_state *s, uint32_t inst, uint32_t slot)
{
	bool zero = is_zeroed(sim, sim->f->insts[inst].ops[1]);

	for (uint32_t i = 0; i < sim->paths.n; i++) {
		if (sim->paths.v[i].slot != slot)
			continue;
		drop_path(sim, s, sim_path_key(sim, i), inst);
		if (zero)
			pstate_set(s, sim_path_key(sim, i), HOLD_NO, pval_int(0));
	}
}

/* A store through a variable: its memory is known by that from now on.  True: nobody else need
 * know of it. */
static bool path_store(struct plan_sim *sim, struct plan_state *s, uint32_t inst, uint32_t path)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	enum plan_hold h = sim_hold(sim, s, in->ops[1]);
	bool out = sim_key_path(sim, path)->out != IR_NONE;

	if (in->flags & (IR_F_VOLATILE | IR_F_MAYBE)) {
		drop_path(sim, s, path, inst);
		return false;
	}
	pstate_set(s, path, out || h == HOLD_MUST ? h : HOLD_NO, sim_val(sim, s, in->ops[1]));
	return out && !sim_reaches(sim, s, in->ops[1]);
}

static void do_store(struct plan_sim *sim, struct plan_node *n, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	uint32_t key = sim_exact(sim, in->ops[0], 0);
	uint32_t path = key == IR_NONE ? path_at(sim, in->ops[0], inst) : IR_NONE;
	enum plan_hold h = sim_hold(sim, s, in->ops[1]);

	if (sim_hold(sim, s, in->ops[0]) != HOLD_NO)
		touch(n, s);
	if (key != IR_NONE && !(in->flags & IR_F_MAYBE)) {
		bool whole = is_whole(sim, key, in) && !(in->flags & IR_F_VOLATILE);

		if (key < sim->f->nslots)
			redirect(sim, s, inst, key);
		pstate_set(s, key, whole ? h : MAX(MIN(h, HOLD_MAY), MIN(pstate_hold(s, key), HOLD_MAY)),
			  whole && keeps_value(sim, key) ? sim_val(sim, s, in->ops[1]) : pval_any());
		return;
	}
	drop_paths(sim, s, pta_points_to(sim->pl->p, sim->func, in->ops[0]), path, inst);
	if (path != IR_NONE && path_store(sim, s, inst, path))
		return;
	weak_store(sim, s, inst, pta_points_to(sim->pl->p, sim->func, in->ops[0]), in->ops[1]);
}

static void do_memcpy(struct plan_sim *sim, struct plan_node *n, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	const struct sbits *dst = pta_points_to(sim->pl->p, sim->func, in->ops[0]);
	struct sbits all = {0};
	bool held = false;

	if (sim_hold(sim, s, in->ops[0]) != HOLD_NO || sim_hold(sim, s, in->ops[1]) != HOLD_NO)
		touch(n, s);
	held = sim_reaches(sim, s, in->ops[1]);
	SBITS_FOREACH(l, dst)
		for (uint32_t k = pta_obj(sim->pl->p, pta_loc(sim->pl->p, l)->obj)->first_loc; k != IR_NONE; k = pta_loc(sim->pl->p, k)->next)
			sbits_set(&all, k);
	sim_blur(sim, s, &all);
	if (held && !all.n)
		sim_escape(sim, s, inst);
	if (held)
		SBITS_FOREACH(l, &all) {
			if (is_outside(sim, pta_loc(sim->pl->p, l)->obj))
				sim_escape(sim, s, inst);
			else
				pstate_set(s, sim_loc_key(sim, l), HOLD_MAY, pval_any());
		}
	sbits_release(&all);
}

/* memset(&x, 0, sizeof(x)) makes all members null. */
static void do_memset(struct plan_sim *sim, struct plan_node *n, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	struct sbits all = {0};
	bool whole = IR_KIND(in->ops[0]) == IR_R_SLOT && !sim->ssa->promoted[IR_IDX(in->ops[0])] &&
		     IR_KIND(in->ops[1]) == IR_R_INT && ir_int_value(sim->pl->m, in->ops[1]) == 0 &&
		     IR_KIND(in->ops[2]) == IR_R_INT && sim->f->slots[IR_IDX(in->ops[0])].size &&
		     (uint64_t)ir_int_value(sim->pl->m, in->ops[2]) >= sim->f->slots[IR_IDX(in->ops[0])].size;

	if (sim_hold(sim, s, in->ops[0]) != HOLD_NO)
		touch(n, s);
	SBITS_FOREACH(l, pta_points_to(sim->pl->p, sim->func, in->ops[0]))
		for (uint32_t k = pta_obj(sim->pl->p, pta_loc(sim->pl->p, l)->obj)->first_loc; k != IR_NONE; k = pta_loc(sim->pl->p, k)->next)
			sbits_set(&all, k);
	sim_blur(sim, s, &all);
	if (whole)
		SBITS_FOREACH(l, &all)
			if (!is_outside(sim, pta_loc(sim->pl->p, l)->obj) && !pta_obj(sim->pl->p, pta_loc(sim->pl->p, l)->obj)->collapsed)
				pstate_set(s, sim_loc_key(sim, l), HOLD_NO, pval_int(0));
	sbits_release(&all);
}

static struct plan_val cast_val(const struct ir_inst *in, struct plan_val v)
{
	int64_t max;

	switch ((enum ir_cast)in->sub) {
	case IR_CAST_BITCAST:
	case IR_CAST_SEXT:
	case IR_CAST_INTTOPTR:
	case IR_CAST_PTRTOINT:
		return v.kind == PVAL_RANGE || in->sub == IR_CAST_BITCAST ? v : pval_any();
	case IR_CAST_ZEXT:
		if (in->from == 1 && v.kind != PVAL_RANGE)
			return pval_range(0, 1);
		return v.kind == PVAL_RANGE && v.lo >= 0 ? v : pval_any();
	case IR_CAST_TRUNC:
		if (in->bits == 0 || in->bits > 62)
			return pval_any();
		max = in->bits == 1 ? 1 : (INT64_C(1) << (in->bits - 1)) - 1;
		return v.kind == PVAL_RANGE && v.lo >= 0 && v.hi <= max ? v : pval_any();
	default:
		return pval_any();
	}
}

static void do_cmp(struct plan_sim *sim, struct plan_node *n, const struct ir_inst *in, struct plan_state *s)
{
	struct plan_val a = sim_val(sim, s, in->ops[0]), b = sim_val(sim, s, in->ops[1]);
	int d = -1;

	if (sim_hold(sim, s, in->ops[0]) != HOLD_NO || sim_hold(sim, s, in->ops[1]) != HOLD_NO)
		touch(n, s);
	if (b.kind == PVAL_RANGE && b.lo == b.hi) {
		if (sim_hold(sim, s, in->ops[0]) == HOLD_MUST && s->nonnull && b.lo == 0 && (in->sub == IR_P_EQ || in->sub == IR_P_NE))
			d = in->sub == IR_P_NE;
		else
			d = pval_decide(a, (enum ir_pred)in->sub, b.lo);
	}
	set_vreg(sim, s, in, HOLD_NO, d < 0 ? pval_any() : pval_int(d));
}

static void do_values(struct plan_sim *sim, struct plan_node *n, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	enum plan_hold h = HOLD_NO;

	switch (in->op) {
	case IR_FIELD:
	case IR_ELEM:
	case IR_INDEX:
		set_vreg(sim, s, in, MIN(sim_hold(sim, s, in->ops[0]), HOLD_MAY), pval_any());
		break;
	case IR_COPY:
		set_vreg(sim, s, in, sim_hold(sim, s, in->ops[0]), sim_val(sim, s, in->ops[0]));
		break;
	case IR_CAST:
		h = sim_hold(sim, s, in->ops[0]);
		set_vreg(sim, s, in, in->sub == IR_CAST_BITCAST ? h : MIN(h, HOLD_MAY), cast_val(in, sim_val(sim, s, in->ops[0])));
		break;
	case IR_CMP:
		do_cmp(sim, n, in, s);
		break;
	case IR_SELECT: {
		struct plan_val c = sim_val(sim, s, in->ops[0]);

		if (c.kind == PVAL_RANGE && c.lo == c.hi) {
			ir_ref r = in->ops[c.lo ? 1 : 2];

			set_vreg(sim, s, in, sim_hold(sim, s, r), sim_val(sim, s, r));
			break;
		}
		h = MIN(MAX(sim_hold(sim, s, in->ops[1]), sim_hold(sim, s, in->ops[2])), HOLD_MAY);
		set_vreg(sim, s, in, h, pval_join(sim_val(sim, s, in->ops[1]), sim_val(sim, s, in->ops[2])));
		break;
	}
	case IR_BIN:
		for (uint32_t k = 0; k < 2; k++)
			if (sim_hold(sim, s, in->ops[k]) != HOLD_NO)
				h = HOLD_MAY;
		set_vreg(sim, s, in, h, pval_any());
		break;
	case IR_EXTRACT:
	case IR_OPAQUE:
		for (uint32_t k = 0; k < in->nops; k++)
			if (sim_hold(sim, s, in->ops[k]) != HOLD_NO)
				h = HOLD_MAY;
		set_vreg(sim, s, in, h, pval_any());
		break;
	case IR_ASM:
		for (uint32_t k = 0; k < in->nops; k++)
			if (leads_to_object(sim, s, in->ops[k])) {
				touch(n, s);
				sim_escape(sim, s, inst);
			} else {
				sim_blur(sim, s, pta_points_to(sim->pl->p, sim->func, in->ops[k]));
			}
		set_vreg(sim, s, in, HOLD_NO, pval_any());
		break;
	default:
		set_vreg(sim, s, in, HOLD_NO, pval_any());
		break;
	}
}

/* ---- nodes ---------------------------------------------------------------- */

#define MAP_NAME nodemap
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* Numbers that branches ask for are forgotten. */
static void forget_numbers(const struct plan_sim *sim, struct plan_state *s)
{
	for (uint32_t i = s->n; i-- > 0;) {
		const struct plan_cell *c = &s->cells[i];

		if (c->val.kind == PVAL_RANGE && c->key < sim->f->nslots && !bits_test(&sim->cand, c->key))
			pstate_set(s, c->key, (enum plan_hold)c->hold, pval_any());
	}
}

static uint32_t node_at(struct plan_sim *sim, uint32_t pos, struct plan_state *s)
{
	uint32_t block = sim->f->insts[pos].block;
	bool first = sim->f->blocks[block].first == pos;
	struct plan_node *n;
	uint64_t h;

	if (first && sim->per_block[block] >= MANY_AT_BLOCK)
		forget_numbers(sim, s);
	h = hash_mix(pstate_hash(s) ^ hash_mix(pos));
	for (;; h++) {
		bool is_new;
		uint32_t *id = nodemap_put(sim->map, h, &is_new);

		if (is_new) {
			*id = sim->nodes.n;
			break;
		}
		if (sim->nodes.v[*id].pos == pos && pstate_equal(&sim->nodes.v[*id].s, s)) {
			pstate_release(s);
			return *id;
		}
	}
	if (first && ++sim->per_block[block] > MAX_AT_BLOCK)
		sim->overflow = true;
	n = vec_add(&sim->nodes, 1);
	n->pos = pos;
	n->s = *s;
	n->end_inst = IR_NONE;
	pstate_init(s);
	return sim->nodes.n - 1;
}

static void add_step(struct plan_sim *sim, uint32_t node, uint32_t to, uint32_t from_block, uint32_t to_block)
{
	struct plan_node *n = &sim->nodes.v[node];

	for (uint32_t i = 0; i < n->steps.n; i++)
		if (n->steps.v[i].to == to && n->steps.v[i].from_block == from_block && n->steps.v[i].to_block == to_block)
			return;
	vec_push(&n->steps, ((struct plan_step){ to, from_block, to_block }));
}

/* ---- edges ---------------------------------------------------------------- */

/* Is the slot not written between an instruction and the end of its block? */
static bool is_kept(const struct plan_sim *sim, uint32_t slot, uint32_t inst)
{
	const struct ir_block *b = &sim->f->blocks[sim->f->insts[inst].block];

	for (uint32_t i = inst + 1; i < b->first + b->n; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op == IR_STORE && in->ops[0] == IR_SLOT(slot))
			return false;
		if (!sim->ssa->promoted[slot] && (in->op == IR_CALL || in->op == IR_STORE || in->op == IR_MEMCPY || in->op == IR_ASM))
			return false;
	}
	return true;
}

static bool refine_key(struct plan_state *s, uint32_t key, bool pointer, enum ir_pred pred, int64_t c)
{
	struct plan_val v = pstate_val(s, key);

	if (v.kind == PVAL_ANY && pointer)
		v = (struct plan_val){ .kind = PVAL_RANGE, .lo = 0, .hi = INT64_MAX };
	if (!pval_refine(&v, pred, c))
		return false;
	if (pointer && v.kind == PVAL_RANGE && v.lo == 0 && v.hi == INT64_MAX)
		v = pval_any();
	pstate_set(s, key, pstate_hold(s, key), v);
	return true;
}

/* `v pred c` holds from here on, in this block's end.  False: it cannot. */
static bool assume(struct plan_sim *sim, struct plan_state *s, uint32_t block, ir_ref v, enum ir_pred pred, int64_t c)
{
	const struct ir_inst *d = ir_def(sim->f, v);
	const struct ir_block *b = &sim->f->blocks[block];
	uint16_t bits;
	bool pointer;

	if (IR_KIND(v) != IR_R_VREG)
		return true;
	pointer = ir_vreg_class(sim->f, IR_IDX(v), &bits) == IR_C_PTR;
	if (c == 0 && sim_hold(sim, s, v) == HOLD_MUST && (pred == IR_P_EQ || pred == IR_P_NE)) {
		if (pred == IR_P_EQ && s->nonnull)
			return false;
		if (pred == IR_P_EQ)
			pstate_no_object(s);
		else
			s->nonnull = 1;
	}
	if (!refine_key(s, sim_vreg_key(sim, IR_IDX(v)), pointer, pred, c))
		return false;
	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		const struct ir_inst *in = &sim->f->insts[i];
		uint32_t slot = IR_NONE;

		if ((in->op == IR_LOAD && in->res == IR_IDX(v)) || (in->op == IR_STORE && in->ops[1] == v))
			slot = IR_KIND(in->ops[0]) == IR_R_SLOT ? IR_IDX(in->ops[0]) : IR_NONE;
		if (slot == IR_NONE || !is_scalar(sim, slot) || !is_whole(sim, slot, in) || in->flags & IR_F_VOLATILE ||
		    !is_kept(sim, slot, i) || !keeps_value(sim, slot))
			continue;
		if (!refine_key(s, slot, pointer, pred, c))
			return false;
	}
	if (d && d->op == IR_CAST && (d->sub == IR_CAST_SEXT || d->sub == IR_CAST_BITCAST || (d->sub == IR_CAST_ZEXT && c >= 0 &&
	    (pred == IR_P_EQ || pred == IR_P_NE))))
		return assume(sim, s, block, d->ops[0], pred, c);
	return true;
}

/* The condition has this outcome.  False: it cannot. */
static bool assume_cond(struct plan_sim *sim, struct plan_state *s, uint32_t block, ir_ref cond, bool taken, int depth)
{
	const struct ir_inst *d = ir_def(sim->f, cond);
	struct plan_val v = sim_val(sim, s, cond);
	struct plan_val b;
	enum ir_pred pred;

	if (v.kind == PVAL_RANGE && v.lo == v.hi && (v.lo != 0) != taken)
		return false;
	if (!d || depth > 8)
		return true;
	if (d->op == IR_CAST && (d->sub == IR_CAST_TRUNC || d->sub == IR_CAST_ZEXT) && (d->bits == 1 || d->from == 1)) {
		const struct ir_inst *x = ir_def(sim->f, d->ops[0]);

		if (d->sub == IR_CAST_TRUNC && x && x->op == IR_LOAD)	/* a _Bool */
			return assume(sim, s, block, d->ops[0], taken ? IR_P_EQ : IR_P_NE, 1) &&
			       assume(sim, s, block, d->ops[0], taken ? IR_P_NE : IR_P_EQ, 0);
		return assume_cond(sim, s, block, d->ops[0], taken, depth + 1);
	}
	if (d->op == IR_BIN && d->sub == IR_B_XOR && d->bits == 1)
		return assume_cond(sim, s, block, d->ops[0], !taken, depth + 1);
	if (d->op != IR_CMP)
		return true;
	b = sim_val(sim, s, d->ops[1]);
	if (b.kind != PVAL_RANGE || b.lo != b.hi)
		return true;
	pred = taken ? (enum ir_pred)d->sub : pval_negate((enum ir_pred)d->sub);
	if (b.lo == 0 && (pred == IR_P_EQ || pred == IR_P_NE)) {
		const struct ir_inst *x = ir_def(sim->f, d->ops[0]);

		if (x && ((x->op == IR_CAST && x->sub == IR_CAST_ZEXT && x->from == 1) || x->op == IR_CMP) &&
		    !assume_cond(sim, s, block, x->op == IR_CMP ? d->ops[0] : x->ops[0], pred == IR_P_NE, depth + 1))
			return false;
	}
	return assume(sim, s, block, d->ops[0], pred, b.lo);
}

/* Leaves the block by target number t.  False: that way cannot be taken. */
static bool leave(struct plan_sim *sim, struct plan_state *s, const struct ir_inst *in, uint32_t t)
{
	struct plan_val v;

	switch (in->op) {
	case IR_CONDBR:
		if (in->targets[0] == in->targets[1])
			return true;
		return assume_cond(sim, s, in->block, in->ops[0], t == 0, 0);
	case IR_SWITCH:
		if (t) {
			if (IR_KIND(in->ops[t]) != IR_R_INT)
				return true;
			for (uint32_t k = 0; k < in->ntargets; k++)	/* another case, or the default, with the same target */
				if (k != t && in->targets[k] == in->targets[t])
					return true;
			return assume(sim, s, in->block, in->ops[0], IR_P_EQ, ir_int_value(sim->pl->m, in->ops[t]));
		}
		v = sim_val(sim, s, in->ops[0]);
		for (uint32_t k = 1; k < in->ntargets; k++)
			if (IR_KIND(in->ops[k]) == IR_R_INT && v.kind == PVAL_RANGE && v.lo == v.hi && in->targets[k] != in->targets[0] &&
			    v.lo == ir_int_value(sim->pl->m, in->ops[k]))
				return false;
		return true;
	default:
		return true;
	}
}

/* What a block's successors need not know is dropped, and phis get their values. */
static void cross(struct plan_sim *sim, struct plan_state *s, uint32_t from, uint32_t to)
{
	const struct ir_block *b = &sim->f->blocks[to];
	VEC(struct plan_cell) phis = {0};
	struct plan_state kept;

	for (uint32_t i = b->first; i < b->first + b->n && sim->f->insts[i].op == IR_PHI; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		for (uint32_t k = 0; k < in->ntargets; k++)
			if (in->targets[k] == from)
				vec_push(&phis, ((struct plan_cell){ sim_vreg_key(sim, in->res), sim_hold(sim, s, in->ops[k]),
								     sim_val(sim, s, in->ops[k]) }));
	}
	pstate_init(&kept);
	kept.phase = s->phase;
	kept.nonnull = s->nonnull;
	kept.doubt = s->doubt;
	for (uint32_t i = 0; i < s->n; i++) {
		struct plan_cell c = s->cells[i];

		if (c.key >= sim->f->nslots && c.key < first_loc_key(sim) && !bits_test(&sim->wide, c.key - sim->f->nslots))
			continue;
		if (c.key < sim->f->nslots && !bits_test(&sim->cand, c.key) && !bits_test(&sim->live[to], c.key))
			c.val = pval_any();
		pstate_set(&kept, c.key, (enum plan_hold)c.hold, c.val);
	}
	for (uint32_t i = 0; i < phis.n; i++)
		pstate_set(&kept, phis.v[i].key, (enum plan_hold)phis.v[i].hold, phis.v[i].val);
	vec_release(&phis);
	pstate_release(s);
	*s = kept;
}

/* ---- ends ------------------------------------------------------------------ */

static void end_node(struct plan_sim *sim, uint32_t node, enum plan_end end, uint32_t inst)
{
	struct plan_node *n = &sim->nodes.v[node];

	if (n->end == END_NOT || end == END_LOST) {
		n->end = (uint8_t)end;
		n->end_inst = inst;
	}
}

static void add_outcome(struct plan_sim *sim, const struct plan_outcome *o)
{
	for (uint32_t i = 0; i < sim->outcomes.n; i++)
		if (memcmp(&sim->outcomes.v[i], o, sizeof(*o)) == 0)
			return;
	vec_push(&sim->outcomes, *o);
}

static void do_return(struct plan_sim *sim, uint32_t node, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	struct plan_outcome o;
	bool returned = false;

	for (uint32_t k = 0; k < in->nops; k++)
		returned |= leads_to_object(sim, s, in->ops[k]);
	memset(&o, 0, sizeof(o));
	o.phase = (uint8_t)s->phase;
	o.doubt = (uint8_t)s->doubt;
	o.ret_hold = in->nops ? (uint8_t)sim_hold(sim, s, in->ops[0]) : HOLD_NO;
	if (returned && o.ret_hold == HOLD_NO && s->phase != PHASE_BEFORE)
		o.doubt |= DOUBT_ESCAPED;
	o.ret = in->nops ? sim_val(sim, s, in->ops[0]) : pval_any();
	for (uint32_t i = 0; i < sim->paths.n; i++)
		if (sim->paths.v[i].out != IR_NONE) {
			o.outs[sim->paths.v[i].out].hold = pstate_hold(s, sim_path_key(sim, i));
			o.outs[sim->paths.v[i].out].val = pstate_val(s, sim_path_key(sim, i));
			returned |= o.outs[sim->paths.v[i].out].hold != HOLD_NO;
		}
	add_outcome(sim, &o);
	if (returned)
		touch(&sim->nodes.v[node], s);
	else if (s->phase == PHASE_ALIVE && !s->doubt)
		end_node(sim, node, END_RETURN, inst);
}

/* Nobody holds it any more: it is lost, or its story is over. */
static bool is_over(struct plan_sim *sim, uint32_t node, uint32_t inst, const struct plan_state *s)
{
	if (s->phase == PHASE_BEFORE || pstate_holds_any(s))
		return false;
	if (s->phase == PHASE_ALIVE && !s->doubt)
		end_node(sim, node, END_LOST, inst);
	if (sim->param != IR_NONE) {
		struct plan_outcome o;

		memset(&o, 0, sizeof(o));
		o.phase = (uint8_t)s->phase;
		o.doubt = (uint8_t)s->doubt;
		add_outcome(sim, &o);
	}
	return true;
}

/* ---- running ----------------------------------------------------------------- */

static void end_block(struct plan_sim *sim, uint32_t node, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];

	for (uint32_t t = 0; t < in->ntargets; t++) {
		struct plan_state one;
		uint32_t to = in->targets[t];

		pstate_copy(&one, s);
		if (!leave(sim, &one, in, t)) {
			pstate_release(&one);
			continue;
		}
		cross(sim, &one, in->block, to);
		if (is_over(sim, node, inst, &one)) {
			pstate_release(&one);
			continue;
		}
		to = node_at(sim, sim->f->blocks[to].first, &one);
		add_step(sim, node, to, in->block, in->targets[t]);
	}
	pstate_release(s);
}

/* Executes from an instruction on, up to the next that has nodes of its own. */
static void run_from(struct plan_sim *sim, uint32_t node, uint32_t inst, struct plan_state *s, bool first)
{
	for (;; inst++, first = false) {
		const struct ir_inst *in = &sim->f->insts[inst];

		if (!first && bits_test(&sim->split, inst)) {
			add_step(sim, node, node_at(sim, inst, s), IR_NONE, IR_NONE);
			return;
		}
		if (in->op == IR_RET) {
			do_return(sim, node, inst, s);
			break;
		}
		if (in->op == IR_UNREACHABLE)
			break;
		if (ir_is_term(in)) {
			if (in->op == IR_GOTO)
				sim->odd = "it jumps to computed labels";
			end_block(sim, node, inst, s);
			return;
		}
		if (in->op == IR_CALL) {
			struct plan_states out = {0};

			if (in->flags & IR_F_NORETURN)
				break;
			if (in->flags & IR_F_TWICE)
				sim->odd = "it calls setjmp()";
			call_run(sim, &sim->nodes.v[node], inst, s, &out);
			for (uint32_t i = 0; i < out.n; i++)
				if (is_over(sim, node, inst, &out.v[i]))
					pstate_release(&out.v[i]);
				else
					run_from(sim, node, inst + 1, &out.v[i], false);
			vec_release(&out);
			return;
		}
		switch (in->op) {
		case IR_LOAD: do_load(sim, &sim->nodes.v[node], in, s); break;
		case IR_STORE: do_store(sim, &sim->nodes.v[node], inst, s); break;
		case IR_MEMCPY:
		case IR_VACOPY: do_memcpy(sim, &sim->nodes.v[node], inst, s); break;
		case IR_MEMSET: do_memset(sim, &sim->nodes.v[node], inst, s); break;
		case IR_PHI: break;	/* by cross() */
		default: do_values(sim, &sim->nodes.v[node], inst, s); break;
		}
		if (is_over(sim, node, inst, s))
			break;
	}
	pstate_release(s);
}

/* ---- what the function is like ------------------------------------------------ */

static void find_wide(struct plan_sim *sim)
{
	bits_init(&sim->wide, sim->f->nvregs + 1);
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++) {
			const struct ir_inst *d = ir_def(sim->f, in->ops[k]);

			if (IR_KIND(in->ops[k]) == IR_R_VREG && (!d || d->block != in->block))
				bits_set(&sim->wide, IR_IDX(in->ops[k]));
		}
	}
}

/* Slots that a copy of what sources make may get into. */
static void find_candidates(struct plan_sim *sim)
{
	struct bits made;
	bool more = true;

	bits_init(&sim->cand, sim->f->nslots + 1);
	bits_init(&made, sim->f->nvregs + 1);
	if (sim->param != IR_NONE)
		bits_set(&made, sim->param);
	for (uint32_t i = 0; i < sim->births.n; i++) {
		const struct ir_inst *in = &sim->f->insts[sim->births.v[i].inst];
		const struct plan_rows *r = sim->births.v[i].rows;
		const struct plan_out *o = r ? &r->out[sim->births.v[i].out] : NULL;
		uint32_t key;

		if (!o && in->res != IR_NONE)
			bits_set(&made, in->res);
		else if (o && o->param + 1 < in->nops && (key = sim_exact(sim, in->ops[o->param + 1], o->off)) < sim->f->nslots)
			bits_set(&sim->cand, key);
	}
	while (more) {
		more = false;
		for (uint32_t i = 0; i < sim->f->ninsts; i++) {
			const struct ir_inst *in = &sim->f->insts[i];
			bool from = false;

			for (uint32_t k = in->op == IR_STORE; k < in->nops && (in->op == IR_COPY || in->op == IR_CAST || in->op == IR_PHI ||
				     in->op == IR_SELECT || in->op == IR_STORE); k++)
				from |= IR_KIND(in->ops[k]) == IR_R_VREG && bits_test(&made, IR_IDX(in->ops[k]));
			if (in->op == IR_LOAD && IR_KIND(in->ops[0]) == IR_R_SLOT)
				from = bits_test(&sim->cand, IR_IDX(in->ops[0]));
			if (from && in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT)
				more |= bits_set(&sim->cand, IR_IDX(in->ops[0]));
			else if (from && in->res != IR_NONE)
				more |= bits_set(&made, in->res);
		}
	}
	bits_release(&made);
}

/* The parameter that a slot holds all the time, or IR_NONE. */
static uint32_t param_of(const struct plan_sim *sim, uint32_t slot)
{
	uint32_t param = IR_NONE;

	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op != IR_STORE || in->ops[0] != IR_SLOT(slot))
			continue;
		if (param != IR_NONE || IR_KIND(in->ops[1]) != IR_R_VREG || IR_IDX(in->ops[1]) >= sim->f->nparams || in->block != 0)
			return IR_NONE;
		param = IR_IDX(in->ops[1]);
	}
	return param;
}

static void add_path(struct plan_sim *sim, uint32_t slot, int64_t off, bool stored, uint32_t *nouts)
{
	struct plan_path *q = NULL;

	for (uint32_t i = 0; i < sim->paths.n && !q; i++)
		if (sim->paths.v[i].slot == slot && sim->paths.v[i].off == off)
			q = &sim->paths.v[i];
	if (!q) {
		q = vec_add(&sim->paths, 1);
		q->slot = slot;
		q->off = off;
		q->out = IR_NONE;
		q->param = param_of(sim, slot);
		for (uint32_t i = 0; i < sim->f->ninsts; i++)
			if (sim->f->insts[i].op == IR_STORE && sim->f->insts[i].ops[0] == IR_SLOT(slot))
				SBITS_FOREACH(l, pta_points_to(sim->pl->p, sim->func, sim->f->insts[i].ops[1])) {
					uint32_t at = pta_loc_at(sim->pl->p, l, off);

					if (at != IR_NONE)
						sbits_set(&q->locs, at);
				}
	}
	if (stored && sim->outs && q->param != IR_NONE && q->out == IR_NONE && *nouts < PLAN_MAX_OUTS)
		q->out = (*nouts)++;
}

/* Pointers in memory that the function reaches through variables. */
static void find_paths(struct plan_sim *sim)
{
	enum { MAX_PATHS = 64 };
	uint32_t nouts = 0;

	for (uint32_t i = 0; i < sim->f->ninsts && sim->paths.n < MAX_PATHS; i++) {
		const struct ir_inst *in = &sim->f->insts[i], *d;
		int64_t off = 0;

		if ((in->op != IR_LOAD && in->op != IR_STORE) || in->cls != IR_C_PTR)
			continue;
		d = ir_def(sim->f, base_of(sim, in->ops[0], &off));
		if (d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT && sim->ssa->promoted[IR_IDX(d->ops[0])])
			add_path(sim, IR_IDX(d->ops[0]), off, in->op == IR_STORE, &nouts);
	}
}

static void ask_for(struct plan_sim *sim, ir_ref r)
{
	const struct ir_inst *d = ir_def(sim->f, r);

	while (d && d->op == IR_CAST)
		d = ir_def(sim->f, d->ops[0]);
	if (d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT && is_scalar(sim, IR_IDX(d->ops[0])))
		bits_set(&sim->asked, IR_IDX(d->ops[0]));
}

static void find_asked(struct plan_sim *sim)
{
	bits_init(&sim->asked, sim->f->nslots + 1);
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op == IR_CMP && (IR_KIND(in->ops[1]) == IR_R_INT || in->ops[1] == IR_NULL))
			ask_for(sim, in->ops[0]);
		else if (in->op == IR_SWITCH || in->op == IR_CONDBR)
			ask_for(sim, in->ops[0]);
		else if (in->op == IR_RET && in->nops)	/* for outcomes */
			ask_for(sim, in->ops[0]);
	}
	/* what is copied to an asked one */
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < sim->f->ninsts; i++) {
			const struct ir_inst *in = &sim->f->insts[i], *d;

			if (in->op != IR_STORE || IR_KIND(in->ops[0]) != IR_R_SLOT || !bits_test(&sim->asked, IR_IDX(in->ops[0])))
				continue;
			d = ir_def(sim->f, in->ops[1]);
			while (d && d->op == IR_CAST)
				d = ir_def(sim->f, d->ops[0]);
			if (d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT && is_scalar(sim, IR_IDX(d->ops[0])))
				more |= bits_set(&sim->asked, IR_IDX(d->ops[0]));
		}
	}
}

/* Backwards: which asked slots are read before they are set? */
static void find_live(struct plan_sim *sim)
{
	const struct ir_func *f = sim->f;
	bool more = true;

	sim->live = xcalloc(f->nblocks, sizeof(*sim->live));
	for (uint32_t b = 0; b < f->nblocks; b++)
		bits_init(&sim->live[b], f->nslots + 1);
	while (more) {
		more = false;
		for (uint32_t b = f->nblocks; b-- > 0;) {
			struct bits now;

			bits_init(&now, f->nslots + 1);
			for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
				bits_or(&now, &sim->live[f->blocks[b].succ[k]]);
			for (uint32_t i = f->blocks[b].first + f->blocks[b].n; i-- > f->blocks[b].first;) {
				const struct ir_inst *in = &f->insts[i];

				if (in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT && sim->ssa->promoted[IR_IDX(in->ops[0])])
					bits_unset(&now, IR_IDX(in->ops[0]));
				else if (in->op != IR_STORE)
					for (uint32_t k = 0; k < in->nops; k++)
						if (IR_KIND(in->ops[k]) == IR_R_SLOT && bits_test(&sim->asked, IR_IDX(in->ops[k])))
							bits_set(&now, IR_IDX(in->ops[k]));
			}
			more |= bits_or(&sim->live[b], &now);
			bits_release(&now);
		}
	}
}

static void find_outside(struct plan_sim *sim)
{
	bits_init(&sim->outside, pta_nobjs(sim->pl->p));
	bits_or(&sim->outside, &sim->pl->outlives);
	for (uint32_t k = 0; k < sim->f->nparams; k++)
		effects_reach(sim->pl, pta_points_to(sim->pl->p, sim->func, IR_VREG(k)), &sim->outside);
}

/* Is nothing computed before an instruction needed at or behind it?  Then a statement ends
 * before it. */
static bool is_boundary(const struct plan_sim *sim, uint32_t inst)
{
	const struct ir_block *b = &sim->f->blocks[sim->f->insts[inst].block];

	for (uint32_t i = inst; i < b->first + b->n; i++)
		for (uint32_t k = 0; k < sim->f->insts[i].nops; k++) {
			ir_ref r = sim->f->insts[i].ops[k];
			uint32_t d = IR_KIND(r) == IR_R_VREG ? sim->f->def[IR_IDX(r)] : IR_NONE;

			if (d != IR_NONE && d < inst && d >= b->first)
				return false;
		}
	for (uint32_t i = b->first; i < inst; i++)
		if (sim->f->insts[i].res != IR_NONE && bits_test(&sim->wide, sim->f->insts[i].res))
			return false;
	return true;
}

static void find_splits(struct plan_sim *sim)
{
	const struct ir_func *f = sim->f;

	bits_init(&sim->split, f->ninsts + 1);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		bits_set(&sim->split, f->blocks[b].first);
		for (uint32_t i = f->blocks[b].first + 1; i < f->blocks[b].first + f->blocks[b].n; i++) {
			uint8_t before = f->insts[i - 1].op;

			if (f->insts[i].op == IR_RET ||
			    ((before == IR_STORE || before == IR_CALL || before == IR_MEMCPY || before == IR_MEMSET) && is_boundary(sim, i)))
				bits_set(&sim->split, i);
		}
	}
}

static void find_dirty(struct plan_sim *sim)
{
	bool more = true;

	for (uint32_t i = 0; i < sim->nodes.n; i++)
		sim->nodes.v[i].dirty = sim->nodes.v[i].touches;
	while (more) {
		more = false;
		for (uint32_t i = sim->nodes.n; i-- > 0;) {
			struct plan_node *n = &sim->nodes.v[i];

			for (uint32_t k = 0; k < n->steps.n && !n->dirty; k++)
				if (sim->nodes.v[n->steps.v[k].to].dirty && sim->nodes.v[n->steps.v[k].to].s.phase != PHASE_BEFORE) {
					n->dirty = true;
					more = true;
				}
		}
	}
}

void sim_init(struct plan_sim *s, struct fix_planner *pl, uint32_t func)
{
	memset(s, 0, sizeof(*s));
	s->pl = pl;
	s->func = func;
	s->f = &pl->m->funcs.v[func];
	s->ssa = pta_ssa(pl->p, func);
	s->param = IR_NONE;
	s->freed_at = s->escaped_at = IR_NONE;
}

void sim_release(struct plan_sim *s)
{
	for (uint32_t i = 0; i < s->nodes.n; i++) {
		pstate_release(&s->nodes.v[i].s);
		vec_release(&s->nodes.v[i].steps);
	}
	vec_release(&s->nodes);
	if (s->map)
		nodemap_release(s->map);
	free(s->map);
	for (uint32_t b = 0; s->live && b < s->f->nblocks; b++)
		bits_release(&s->live[b]);
	free(s->live);
	free(s->per_block);
	vec_release(&s->births);
	vec_release(&s->outcomes);
	sbits_release(&s->objs);
	for (uint32_t i = 0; i < s->paths.n; i++)
		sbits_release(&s->paths.v[i].locs);
	vec_release(&s->paths);
	bits_release(&s->outside);
	bits_release(&s->split);
	bits_release(&s->wide);
	bits_release(&s->cand);
	bits_release(&s->asked);
}

void sim_run(struct plan_sim *sim)
{
	struct plan_state s;

	assert(sim->ssa && sim->f->nblocks);
	find_outside(sim);
	find_wide(sim);
	find_candidates(sim);
	find_paths(sim);
	find_asked(sim);
	find_live(sim);
	find_splits(sim);
	sim->map = xcalloc(1, sizeof(*sim->map));
	sim->per_block = xcalloc(sim->f->nblocks, sizeof(*sim->per_block));
	pstate_init(&s);
	if (sim->param != IR_NONE) {
		s.phase = PHASE_ALIVE;
		pstate_set(&s, sim_vreg_key(sim, sim->param), HOLD_MUST, pval_any());
	} else {
		for (uint32_t i = 0; i < sim->f->nslots; i++)
			if (bits_test(&sim->cand, i) && !sim->f->slots[i].param)
				pstate_set(&s, i, HOLD_NO, (struct plan_val){ .kind = PVAL_UNDEF });
		for (uint32_t i = 0; i < sim->paths.n; i++)	/* as the caller left it */
			if (sim->paths.v[i].out != IR_NONE)
				pstate_set(&s, sim_path_key(sim, i), HOLD_NO, (struct plan_val){ .kind = PVAL_UNDEF });
	}
	node_at(sim, sim->f->blocks[0].first, &s);
	for (uint32_t i = 0; i < sim->nodes.n && !sim->overflow && !sim->odd; i++) {
		pstate_copy(&s, &sim->nodes.v[i].s);
		run_from(sim, i, sim->nodes.v[i].pos, &s, true);
		sim->overflow |= sim->nodes.n > MAX_NODES;
	}
	find_dirty(sim);
}
