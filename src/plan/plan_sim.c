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
 * A function with too many paths can be followed from a source on, with nothing known of what was before
 * (`from`): at all places that control cannot get to but by that source, the states are those there can be.
 *
 * Which way it errs: "may hold" is never too small as far as the points-to sets are
 * complete; "must hold" is by stores that we see alone, and given up at every store and call
 * that could change the cell.
 *
 * needs: points-to sets; summaries of callees (plan_summary.c), which are simulations, too.
 * gives: nodes and steps, which of them touch the object, and where it is lost.
 */
#include "plan/priv.h"

#include "base/hash.h"

enum { SOME_AT_BLOCK = 16, MANY_AT_BLOCK = 40, MOST_AT_BLOCK = 60, MAX_AT_BLOCK = 160 };

/* ---- nodes ---------------------------------------------------------------- */

#define MAP_NAME nodemap
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* Is the variable one through whose members the objects of M are reached? */
static bool leads_to_ours(const struct plan_sim *sim, uint32_t slot)
{
	for (uint32_t i = bits_next(&sim->ours, 0); i != UINT32_MAX; i = bits_next(&sim->ours, i + 1))
		if (sim->paths.v[i].slot == slot)
			return true;
	return false;
}

/* Too many states meet: all that is not about the objects of M, nor about what holds them, is forgotten; and
 * that as well, if all is to be.  What that costs is places, never safety. */
static void forget(const struct plan_sim *sim, struct plan_state *s, bool all)
{
	if (all)
		s->shown = UINT64_MAX;
	for (uint32_t i = s->n; i-- > 0;) {
		const struct plan_cell *c = &s->cells[i];
		bool ours = c->val.kind == PVAL_FRESH && sim->births.v[c->val.birth].follow;
		bool cand = c->key < sim->f->nslots &&
			    (bits_test(&sim->cand, c->key) || (!all && leads_to_ours(sim, c->key)));

		if (!cand && !ours && !(sim->keeper && c->key == sim_keeper_key(sim)) && (all || !c->via))
			pstate_set(s, c->key, (enum plan_hold)c->hold, pval_any());
	}
}

/* Some states meet: what is in members that the objects of M never get into is forgotten.  A
 * loop that fills many members would have a state for each subset of them. */
static void forget_members(const struct plan_sim *sim, struct plan_state *s)
{
	for (uint32_t i = s->n; i-- > 0 && s->cells[i].key >= sim_first_path(sim);) {
		const struct plan_cell *c = &s->cells[i];
		const struct plan_path *q = sim_key_path(sim, c->key);

		if (q && q->out == IR_NONE && c->hold == HOLD_NO &&
		    !bits_test(&sim->ours, c->key - sim_first_path(sim)))
			pstate_set(s, c->key, HOLD_NO, pval_any());
	}
}

/* More than many states meet: what is in variables that will not be read before they are set again is
 * forgotten, if that is not the object.  They cannot be released from here on. */
static void forget_dead(const struct plan_sim *sim, struct plan_state *s, uint32_t block)
{
	for (uint32_t i = s->n; i-- > 0;) {
		const struct plan_cell *c = &s->cells[i];

		if (c->key < sim->f->nslots && c->hold == HOLD_NO && sim->ssa->promoted[c->key] &&
		    !bits_test(&sim->live[block], c->key))
			pstate_set(s, c->key, HOLD_NO, pval_any());
	}
}

static uint32_t node_at(struct plan_sim *sim, uint32_t pos, struct plan_state *s)
{
	uint32_t block = sim->f->insts[pos].block;
	bool first = sim->f->blocks[block].first == pos;
	struct plan_node *n;
	uint64_t h;

	if (first && sim->per_block[block] >= SOME_AT_BLOCK)
		forget_members(sim, s);
	if (first && sim->per_block[block] >= MANY_AT_BLOCK)
		forget(sim, s, sim->per_block[block] >= 2 * MANY_AT_BLOCK);
	if (first && sim->per_block[block] >= MOST_AT_BLOCK)
		forget_dead(sim, s, block);
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

/* For plans: of a summary only the outcomes are asked. */
static void add_step(struct plan_sim *sim, uint32_t node, uint32_t to, uint32_t from_block, uint32_t to_block)
{
	struct plan_node *n = &sim->nodes.v[node];

	if (sim->pl->depth)
		return;
	for (uint32_t i = 0; i < n->steps.n; i++)
		if (n->steps.v[i].to == to && n->steps.v[i].from_block == from_block &&
		    n->steps.v[i].to_block == to_block)
			return;
	vec_push(&n->steps, ((struct plan_step){ to, from_block, to_block }));
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

/* A member of what is returned, if the variable still holds just that: the one object that a
 * call, which is in no loop, made. */
static void add_member(const struct plan_sim *sim, const struct plan_state *s, uint32_t path,
		       struct plan_outcome *o)
{
	const struct plan_path *q = &sim->paths.v[path];
	struct plan_val v = pstate_val(s, q->slot);
	struct plan_cell *out = &o->outs[q->member];

	if (o->ret.kind == PVAL_RANGE && o->ret.lo == 0 && o->ret.hi == 0) {
		out->val = pval_int(0);	/* no object, no member */
		return;
	}
	if (o->ret.kind != PVAL_FRESH || v.kind != PVAL_FRESH || v.birth != o->ret.birth ||
	    ir_comes_before(sim->f, sim->births.v[v.birth].inst, sim->births.v[v.birth].inst, IR_NONE))
		return;
	if (out->val.kind != PVAL_ANY || out->hold != HOLD_NO)
		return;	/* by another variable, too */
	out->hold = pstate_hold(s, sim_path_key(sim, path));
	out->val = pstate_val(s, sim_path_key(sim, path));
}

uint32_t plan_returned(const struct ir_func *f, const struct ir_inst *ret)
{
	uint16_t bits;

	for (uint32_t k = 0; ret->nops > 1 && k < ret->nops; k++)
		if (IR_KIND(ret->ops[k]) == IR_R_VREG &&
		    ir_vreg_class(f, IR_IDX(ret->ops[k]), &bits) == IR_C_PTR)
			return k;
	return ret->nops > 1 ? ret->nops : 0;
}

static void do_return(struct plan_sim *sim, uint32_t node, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	uint32_t part = plan_returned(sim->f, in);
	struct plan_outcome o;
	bool returned = false;

	for (uint32_t k = 0; k < in->nops; k++)
		returned |= sim_leads_to(sim, s, in->ops[k]);
	memset(&o, 0, sizeof(o));
	o.phase = (uint8_t)s->phase;
	o.doubt = (uint8_t)s->doubt;
	o.returned = returned;
	o.ret_hold = part < in->nops ? (uint8_t)sim_hold(sim, s, in->ops[part]) : HOLD_NO;
	o.ret = part < in->nops ? sim_val(sim, s, in->ops[part]) : pval_any();
	for (uint32_t i = 0; i < sim->paths.n; i++)
		if (sim->paths.v[i].out != IR_NONE) {
			o.outs[sim->paths.v[i].out].hold = pstate_hold(s, sim_path_key(sim, i));
			o.outs[sim->paths.v[i].out].val = pstate_val(s, sim_path_key(sim, i));
			returned |= o.outs[sim->paths.v[i].out].hold != HOLD_NO;
			if (pval_decide(pstate_val(s, sim->paths.v[i].slot), IR_P_EQ, 0) == 1)
				o.absent |= (uint8_t)(1U << sim->paths.v[i].out);
		} else if (sim->paths.v[i].member != IR_NONE) {
			add_member(sim, s, i, &o);
		}
	add_outcome(sim, &o);
	if (returned || lent_is_held(sim, s))
		sim_touch(&sim->nodes.v[node], s);
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
	if (sim->param != IR_NONE || sim->cell != IR_NONE) {
		struct plan_outcome o;

		memset(&o, 0, sizeof(o));
		o.phase = (uint8_t)s->phase;
		o.doubt = (uint8_t)s->doubt;
		add_outcome(sim, &o);
	}
	return true;
}

/* ---- running ----------------------------------------------------------------- */

/* Does the keeper forget the object there? */
static void clear(const struct plan_sim *sim, struct plan_state *s, uint32_t pos, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < sim->clears.n; i++)
		if (sim->clears.v[i].pos == pos && sim->clears.v[i].from == from && sim->clears.v[i].to == to)
			pstate_set(s, sim_keeper_key(sim), HOLD_NO, pval_int(0));
}

/* The condition that a block hands on to be asked in the next: the right side of && and ||; IR_NULL. */
static ir_ref handed_condition(const struct plan_sim *sim, uint32_t from, uint32_t to)
{
	const struct ir_block *b = &sim->f->blocks[to];
	const struct ir_inst *phi = &sim->f->insts[b->first], *last = &sim->f->insts[b->first + b->n - 1];

	if (phi->op != IR_PHI || phi->bits != 1 || last->op != IR_CONDBR || last->ops[0] != IR_VREG(phi->res))
		return IR_NULL;
	for (uint32_t k = 0; k < phi->ntargets; k++)
		if (phi->targets[k] == from && IR_KIND(phi->ops[k]) == IR_R_VREG)
			return phi->ops[k];
	return IR_NULL;
}

static void go_on(struct plan_sim *sim, uint32_t node, uint32_t inst, struct plan_state *s, uint32_t to)
{
	uint32_t from = sim->f->insts[inst].block;

	sim_cross(sim, s, from, to);
	clear(sim, s, IR_NONE, from, to);
	if (is_over(sim, node, inst, s))
		pstate_release(s);
	else
		add_step(sim, node, node_at(sim, sim->f->blocks[to].first, s), from, to);
}

static void end_block(struct plan_sim *sim, uint32_t node, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];

	for (uint32_t t = 0; t < in->ntargets; t++) {
		ir_ref cond = in->op == IR_BR ? handed_condition(sim, in->block, in->targets[t]) : IR_NULL;
		struct plan_state one;

		for (int taken = 0; taken < 2 && cond != IR_NULL;
		     taken++) { /* what it asks for is here, not there */
			pstate_copy(&one, s);
			if (!sim_assume(sim, &one, inst, cond, taken)) {
				pstate_release(&one);
				continue;
			}
			pstate_set(&one, sim_vreg_key(sim, IR_IDX(cond)), HOLD_NO,
				   pval_int(-taken)); /* one bit, as constants of that are */
			go_on(sim, node, inst, &one, in->targets[t]);
		}
		if (cond != IR_NULL)
			continue;
		pstate_copy(&one, s);	/* plumb-ignore: go_on() puts it into a node, or releases it */
		if (sim_leave(sim, &one, in, t))
			go_on(sim, node, inst, &one, in->targets[t]);
		else
			pstate_release(&one);
	}
	pstate_release(s);
}

static void keep(const struct plan_sim *sim, struct plan_state *s, uint32_t pos)
{
	for (uint32_t i = 0; i < sim->keeps.n; i++)
		if (sim->keeps.v[i].pos == pos && sim->keeps.v[i].slot != IR_NONE)
			pstate_set(s, sim_keeper_key(sim), pstate_hold(s, sim->keeps.v[i].slot),
				   pstate_val(s, sim->keeps.v[i].slot));
}

/* The same within the expression: what the call made is in its result. */
static void keep_result(const struct plan_sim *sim, struct plan_state *s, uint32_t call)
{
	for (uint32_t i = 0; i < sim->keeps.n; i++)
		if (sim->keeps.v[i].pos == call && sim->keeps.v[i].slot == IR_NONE) {
			ir_ref r = IR_VREG(sim->f->insts[call].res);

			pstate_set(s, sim_keeper_key(sim), sim_hold(sim, s, r), sim_val(sim, s, r));
		}
}

/* May a plan ask (place_question()) what a call returned as the last thing of its statement?  A number, or
 * whether a pointer is null. */
static bool is_result(const struct ir_inst *call, struct plan_val v)
{
	return call->op == IR_CALL && call->res != IR_NONE &&
	       (call->cls == IR_C_INT ||
		(call->cls == IR_C_PTR && (v.kind == PVAL_RANGE || v.kind == PVAL_NOT)));
}

/* A statement is over: what it computed holds nothing any more. */
static void drop_dead(const struct plan_sim *sim, struct plan_state *s, uint32_t pos)
{
	const struct ir_block *b = &sim->f->blocks[sim->f->insts[pos].block];
	const struct ir_inst *last = &sim->f->insts[pos - 1];

	for (uint32_t i = s->n; i-- > 0;) {
		uint32_t key = s->cells[i].key, vreg = key - sim->f->nslots;

		if (key < sim->f->nslots || key >= sim_first_loc(sim) || bits_test(&sim->wide, vreg))
			continue;
		if (sim->last_use[vreg] <= pos ||
		    sim->last_use[vreg] > b->first + b->n) /* all of its uses are in one block */
			pstate_set(s, key, HOLD_NO,
				   vreg == last->res && is_result(last, s->cells[i].val) ? s->cells[i].val
											 : pval_any());
	}
}

/* For a summary that wants to know whether the object was touched: was it, since this was last asked?  To
 * compare its address leaves it as it is. */
static bool is_touched(struct plan_sim *sim, uint32_t node, uint32_t inst)
{
	bool touched = sim->nodes.v[node].touches;

	if (!sim->context || !sim->context->strict)
		return false;
	sim->nodes.v[node].touches = false;
	return touched && sim->f->insts[inst].op != IR_CMP;
}

static void run_from(struct plan_sim *sim, uint32_t node, uint32_t inst, struct plan_state *s, bool first);

static void run_select(struct plan_sim *sim, uint32_t node, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];

	for (uint32_t k = 1; k <= 2; k++) {
		struct plan_state one;

		pstate_copy(&one, s);
		if (!sim_assume(sim, &one, inst, in->ops[0], k == 1)) {
			pstate_release(&one);
			continue;
		}
		sim_set_vreg(sim, &one, in, sim_hold(sim, &one, in->ops[k]), sim_val(sim, &one, in->ops[k]));
		run_from(sim, node, inst + 1, &one, false);
	}
	pstate_release(s);
}

/* Executes from an instruction on, up to the next that has nodes of its own. */
static void run_from(struct plan_sim *sim, uint32_t node, uint32_t inst, struct plan_state *s, bool first)
{
	sim->now = node;
	is_touched(sim, node, inst);
	if (first && sim->keeper) {
		clear(sim, s, inst, IR_NONE, IR_NONE);
		keep(sim, s, inst);
		if (is_over(sim, node, inst, s)) {
			pstate_release(s);
			return;
		}
	}
	for (;; inst++, first = false) {
		const struct ir_inst *in = &sim->f->insts[inst];

		if (!plan_pay(sim->pl, 1)) {
			sim->overflow = true;
			break;
		}
		if (!first && bits_test(&sim->split, inst)) {
			drop_dead(sim, s, inst);
			if (is_over(sim, node, inst - 1, s))
				break;
			add_step(sim, node, node_at(sim, inst, s), IR_NONE, IR_NONE);
			return;
		}
		if (sim->lent)
			lent_step(sim, s, inst);
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
			bool touched;

			if (in->flags & IR_F_NORETURN)
				break;
			if (in->flags & IR_F_TWICE)
				sim->odd = "it calls setjmp()";
			echo_pass(sim, s, inst);
			call_run(sim, &sim->nodes.v[node], inst, s, &out);
			touched = is_touched(sim, node, inst);
			for (uint32_t i = 0; i < out.n; i++) {
				if (touched && out.v[i].phase != PHASE_BEFORE)
					out.v[i].doubt |= DOUBT_ESCAPED;
				keep_result(sim, &out.v[i], inst);
				if (is_over(sim, node, inst, &out.v[i]))
					pstate_release(&out.v[i]);
				else
					run_from(sim, node, inst + 1, &out.v[i], false);
			}
			vec_release(&out);
			return;
		}
		if (in->op == IR_SELECT) {	/* a branch without blocks */
			run_select(sim, node, inst, s);
			return;
		}
		echo_pass(sim, s, inst);
		sim_execute(sim, &sim->nodes.v[node], inst, s);
		if (is_touched(sim, node, inst))
			s->doubt |= DOUBT_ESCAPED;
		if (is_over(sim, node, inst, s))
			break;
	}
	pstate_release(s);
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
				if (sim->nodes.v[n->steps.v[k].to].dirty &&
				    sim->nodes.v[n->steps.v[k].to].s.phase != PHASE_BEFORE) {
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
	s->first_loc = s->f->nslots + s->f->nvregs;
	s->first_path = s->first_loc + pta_nlocs(pl->p);
	s->param = s->cell = s->from = s->apart = IR_NONE;
	s->freed_at = s->escaped_at = IR_NONE;
}

static void find_births(struct plan_sim *s)
{
	for (uint32_t i = 0; i < s->f->ninsts; i++) {
		uint32_t first = s->births.n;

		summary_births(s->pl, s->func, i, s->apart, &s->births);
		for (uint32_t k = first; k < s->births.n; k++) {
			struct plan_birth *b = &s->births.v[k];

			plan_add_made(s->pl, s->func, i, &b->objs);
			if (b->origin.func != IR_NONE)
				plan_add_made(s->pl, b->origin.func, b->origin.inst, &b->objs);
			if (!b->rows && s->f->insts[i].res != IR_NONE)
				pta_add_objs(s->pl->p,
					     pta_points_to(s->pl->p, s->func, IR_VREG(s->f->insts[i].res)),
					     &b->objs);
		}
	}
}

/* Which slots does the object of this source get into? */
static void slots_of(const struct plan_sim *sim, const struct plan_birth *b, struct bits *slots)
{
	const struct ir_inst *in = &sim->f->insts[b->inst];
	const struct plan_out *o = b->rows ? &b->rows->out[b->out] : NULL;
	struct bits vregs;

	bits_init(&vregs, sim->f->nvregs + 1);
	if (o && o->param + 1 < in->nops && IR_KIND(in->ops[o->param + 1]) == IR_R_SLOT)
		bits_set(slots, IR_IDX(in->ops[o->param + 1]));
	else if ((!o || o->param == PLAN_RESULT) && in->res != IR_NONE)
		bits_set(&vregs, in->res);
	plan_spread(sim->f, &vregs, slots);
	bits_release(&vregs);
}

const struct plan_sources *sim_sources(struct fix_planner *pl, uint32_t func)
{
	struct plan_sources *x = pl->sources[func];
	struct plan_sim sim;

	assert(pl->depth == 0);
	if (x)
		return x;
	sim_init(&sim, pl, func);
	find_births(&sim);
	x = pl->sources[func] = xcalloc(1, sizeof(*x));
	x->births = sim.births;
	memset(&sim.births, 0, sizeof(sim.births));
	x->slots = xcalloc(MAX(x->births.n, 1), sizeof(*x->slots));
	for (uint32_t i = 0; i < x->births.n; i++) {
		bits_init(&x->slots[i], sim.f->nslots + 1);
		slots_of(&sim, &x->births.v[i], &x->slots[i]);
	}
	sim_release(&sim);
	return x;
}

void sim_sources_free(struct plan_sources *x)
{
	for (uint32_t i = 0; x && i < x->births.n; i++) {
		sbits_release(&x->births.v[i].objs);
		bits_release(&x->slots[i]);
	}
	if (x) {
		vec_release(&x->births);
		free(x->slots);
	}
	free(x);
}

void sim_find_births(struct plan_sim *s)
{
	const struct plan_sources *x;

	if (s->pl->depth) {
		find_births(s);
		return;
	}
	x = sim_sources(s->pl, s->func);
	s->borrowed = true;
	for (uint32_t i = 0; i < x->births.n; i++)
		vec_push(&s->births, x->births.v[i]); /* plumb-ignore: find_clears() hands its simulation to
							 run_once(), which keeps it */
}

void sim_release(struct plan_sim *s)
{
	echo_free(s);
	for (uint32_t i = 0; i < s->births.n && !s->borrowed; i++)
		sbits_release(&s->births.v[i].objs);
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
	free(s->wide_bit);
	free(s->slot_obj);
	free(s->last_use);
	free(s->per_block);
	call_spots_free(s->spots);
	vec_release(&s->births);
	vec_release(&s->outcomes);
	sbits_release(&s->objs);
	sbits_release(&s->holders);
	for (uint32_t i = 0; i < s->paths.n; i++)
		sbits_release(&s->paths.v[i].locs);
	vec_release(&s->paths);
	vec_release(&s->keeps);
	vec_release(&s->clears);
	bits_release(&s->outside);
	bits_release(&s->split);
	bits_release(&s->wide);
	bits_release(&s->cand);
	bits_release(&s->wholes);
	bits_release(&s->asked);
	bits_release(&s->brief);
	bits_release(&s->flags);
	bits_release(&s->ours);
	bits_release(&s->bases);
	own_free(s->own);
	sbits_release(&s->results);
	sbits_release(&s->puts);
}

/* What is behind the parameter is not in unknown memory. */
static void take_apart(struct plan_sim *sim)
{
	for (uint32_t i = 0; i < sim->paths.n && sim->apart != IR_NONE; i++) {
		struct plan_path *q = &sim->paths.v[i];
		struct sbits known = {0};

		if (q->out == IR_NONE || q->param != sim->apart)
			continue;
		SBITS_FOREACH(l, &q->locs)
			if (!sbits_test(&sim->pl->blobs, l))
				sbits_set(&known, l);
		if (known.n) {
			sbits_release(&q->locs);
			q->locs = known;
		}
	}
}

/* Is it asked what the function leaves to its caller, and there is nothing that it could? */
static bool leaves_nothing(const struct plan_sim *sim)
{
	if (!sim->outs || sim->cell != IR_NONE ||
	    (sim->f->ret_cls != IR_C_INT && sim->f->ret_cls != IR_C_VOID && sim->f->ret_cls != IR_C_FLOAT))
		return false;
	for (uint32_t i = 0; i < sim->paths.n; i++)
		if (sim->paths.v[i].out != IR_NONE || sim->paths.v[i].member != IR_NONE)
			return false;
	return true;
}

static bool zeroes_any(const struct plan_sim *sim)
{
	for (uint32_t i = 0; i < sim->f->nslots; i++)
		if (sim_is_zeroed(sim, i))
			return true;
	return false;
}

/* Why there is no use in following the function, or NULL. */
static const char *why_in_vain(const struct plan_sim *sim)
{
	if (leaves_nothing(sim))
		return "it leaves nothing to its caller";
	if (sim->guarded && !sim->alone && !bits_count(&sim->flags) && !sim->answers)
		return "there is nothing to be asked";
	if (sim->lent && !lent_any(sim))
		return "no memory of others holds it";
	if (sim->zeroed && !zeroes_any(sim))	/* as without, which was tried before */
		return "no variable can begin as null";
	return NULL;
}

void sim_run(struct plan_sim *sim)
{
	struct plan_state s;

	assert(sim->ssa && sim->f->nblocks);
	for (uint32_t i = 0; i < sim->births.n; i++)
		if (sim->births.v[i].follow)
			sbits_or(&sim->objs, &sim->births.v[i].objs);
	sim_scan(sim);
	take_apart(sim);
	echo_build(sim);
	if (!sim->odd)
		sim->odd = why_in_vain(sim);
	if (sim->odd)
		return;
	sim->map = xcalloc(1, sizeof(*sim->map));
	sim->per_block = xcalloc(sim->f->nblocks, sizeof(*sim->per_block));
	pstate_init(&s);
	if (sim->param != IR_NONE) {
		s.phase = PHASE_ALIVE;
		pstate_set(&s, sim_vreg_key(sim, sim->param), HOLD_MUST, pval_any());
		for (uint32_t i = 0; sim->context && i < sim->context->n; i++)
			pstate_set(&s, sim_vreg_key(sim, sim->context->given[i].param), HOLD_NO,
				   sim->context->given[i].val);
	} else if (sim->from != IR_NONE) {
		s.shown = UINT64_MAX;	/* nothing is known of what was before */
	} else {
		for (uint32_t i = 0; i < sim->f->nslots; i++)
			if (bits_test(&sim->cand, i) && !sim->f->slots[i].param)
				pstate_set(&s, i, HOLD_NO,
					   sim_is_zeroed(sim, i) ? pval_int(0)
								 : (struct plan_val) { .kind = PVAL_UNDEF });
		for (uint32_t i = 0; i < sim->paths.n; i++)	/* as the caller left it */
			if (sim->paths.v[i].out != IR_NONE)
				pstate_set(&s, sim_path_key(sim, i), HOLD_NO,
					   (struct plan_val) { .kind = PVAL_UNDEF });
	}
	assert(sim->from == IR_NONE || (sim->param == IR_NONE && sim->cell == IR_NONE && !sim->keeper));
	if (sim->keeper)
		pstate_set(&s, sim_keeper_key(sim), HOLD_NO, pval_int(0));
	if (sim->cell != IR_NONE && sim_cell_path(sim) == IR_NONE)
		sim->odd = "the memory that holds the object has no name";
	else if (sim->cell != IR_NONE) {
		s.phase = PHASE_ALIVE;
		pstate_set(&s, sim_path_key(sim, sim_cell_path(sim)), HOLD_MUST, pval_any());
	}
	node_at(sim, sim->from != IR_NONE ? sim->from : sim->f->blocks[0].first, &s);
	for (uint32_t i = 0; i < sim->nodes.n && !sim->overflow && !sim->odd; i++) {
		pstate_copy(&s, &sim->nodes.v[i].s);
		run_from(sim, i, sim->nodes.v[i].pos, &s, true);
		sim->overflow |= sim->nodes.n > PLAN_MAX_NODES;
	}
	if (!sim->pl->depth)
		find_dirty(sim);
}
