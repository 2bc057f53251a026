/*
 * plan_select.c - at which places is the object released?  LeakFix, section III-C.
 *
 * A place is an edge of the CFG or a point between two statements.  The set-based edge
 * conditions (II-C4) are asked of all states there are at the place: the variable holds null
 * or an object of the set, whatever path led there; where it holds the object that is
 * followed, that was neither freed nor handed on before, and nothing touches it afterwards.
 *
 * Of the places where a release is safe we choose those that together cut every way on which
 * the object is lost, no two on one way.  The paper's Algorithm 2 takes the earliest; we take
 * the one that ends most ways first, and of equals the earliest: fewer insertions, which are
 * read by people.
 */
#include "fix/plan.h"

#include "ir/expr.h"
#include "ir/io.h"

/* Why a place will not do, from the least to the most promising. */
enum verdict {
	NO_HOLDER,		/* no variable holds it */
	NO_FRESH,		/* the variable may hold something else */
	NO_INIT,		/* ... or nothing */
	NO_SCOPE,		/* the variable is not known there */
	NO_FREED,		/* may be freed already */
	NO_ESCAPED,		/* others have it */
	NO_USED,		/* used afterwards */
	NO_RELEASER,
	SAFE,
};

struct place {
	enum fix_where where;
	uint32_t from, to;	/* EDGE; with from IR_NONE: all edges to `to` by which the function falls off its end */
	uint32_t inst;		/* BEFORE, AFTER */
	uint32_t pos;		/* for the order: its block's number in reverse post-order, then within */
	uint32_t sub;
	VEC(uint32_t) nodes;
};

struct option {			/* a release at a place */
	const struct place *at;
	uint32_t key;
};

struct chooser {
	struct plan_request *r;
	const struct plan_sim *sim;
	VEC(struct place) places;
	VEC(struct option) options;
	VEC(struct option) chosen;
	enum verdict best;	/* of places that do not do */
	uint32_t best_key;
	const char *why;	/* of the releaser */
};

/* ---- the text of a cell ------------------------------------------------------ */

static bool cell_slot(const struct plan_sim *sim, uint32_t key, uint32_t *slot, uint32_t *off)
{
	uint32_t first = sim_first_loc(sim);

	*off = 0;
	if (key < sim->f->nslots) {
		*slot = key;
		return true;
	}
	if (key >= first && key < sim_first_path(sim)) {
		const struct pta_loc *l = pta_loc(sim->pl->p, key - first);
		const struct pta_obj *o = pta_obj(sim->pl->p, l->obj);

		*slot = o->index;
		*off = l->off;
		return o->kind == PTA_SLOT && o->func == sim->func;
	}
	return false;
}

/* Appends the names that lead to a pointer at an offset of a struct: "name", "in.name".  Not
 * through unions: what else is written there, offsets do not tell. */
static bool add_member(const struct ir_module *m, uint32_t *type, uint64_t off, struct sbuf *b)
{
	bool first = true;

	for (*type = ir_type_strip(m, *type); m->types.v[*type].kind == IR_T_STRUCT; *type = ir_type_strip(m, *type)) {
		const struct ir_field *x = ir_field_at(m, *type, off);

		if (!x || x->bit_size || off < x->offset)
			return false;
		if (x->name[0]) {
			sbuf_printf(b, "%s%s", first ? "" : ".", x->name);
			first = false;
		}
		off -= x->offset;
		*type = x->type;
	}
	return !first && off == 0;
}

/* "p", "ctx.name", "ctx->name", "*out"; NULL if it has no such form. */
static const char *cell_text(const struct plan_sim *sim, uint32_t key, struct arena *a, uint32_t *slot, bool *pointer)
{
	const struct ir_module *m = sim->pl->m;
	const struct plan_path *q = sim_key_path(sim, key);
	const struct ir_slot *x;
	struct sbuf b = {0};
	uint32_t off = 0, type;
	bool ok;

	if (q)
		*slot = q->slot;
	else if (!cell_slot(sim, key, slot, &off))
		return NULL;
	x = &sim->f->slots[*slot];
	if (!x->name[0] || x->flags & (IR_S_TEMP | IR_S_RETVAL | IR_S_DYNAMIC))
		return NULL;
	type = ir_type_strip(m, x->type);
	if (q && (m->types.v[type].kind != IR_T_PTR || q->off < 0))
		return NULL;
	if (key < sim->f->nslots) {
		sbuf_adds(&b, x->name);
		ok = true;
	} else if (q && q->off == 0 && m->types.v[ir_type_strip(m, m->types.v[type].elem)].kind == IR_T_PTR) {
		sbuf_printf(&b, "*%s", x->name);
		type = m->types.v[type].elem;
		ok = true;
	} else {
		sbuf_printf(&b, "%s%s", x->name, q ? "->" : ".");
		type = q ? m->types.v[type].elem : type;
		ok = add_member(m, &type, q ? (uint64_t)q->off : off, &b);
	}
	*pointer = m->types.v[ir_type_strip(m, type)].kind == IR_T_PTR;
	{
		const char *text = ok ? arena_strdup(a, sbuf_str(&b)) : NULL;

		sbuf_release(&b);
		return text;
	}
}

/* ---- scopes -------------------------------------------------------------------- */

/* The variable's block is not in the IR.  What is taken for its scope: all of the function if
 * it is declared before the first branch, else what is dominated by the first access, and in
 * the lines of the same loop.  Too small a scope costs a place; too large a one is seen by
 * the editor. */
static uint32_t first_access(const struct plan_sim *sim, uint32_t slot)
{
	uint32_t found = IR_NONE;

	for (uint32_t i = 0; i < sim->f->ninsts; i++)
		for (uint32_t k = 0; k < sim->f->insts[i].nops; k++) {
			uint32_t b = sim->f->insts[i].block;

			if (sim->f->insts[i].ops[k] != IR_SLOT(slot) || !dom_reachable(&sim->ssa->dom, b))
				continue;
			if (found == IR_NONE || dom_dominates(&sim->ssa->dom, b, sim->f->insts[found].block))
				found = found == IR_NONE || b != sim->f->insts[found].block ? i : found;
			else if (!dom_dominates(&sim->ssa->dom, sim->f->insts[found].block, b)) {
				/* of two that are apart: where their ways part */
				uint32_t d = b;

				while (!dom_dominates(&sim->ssa->dom, d, sim->f->insts[found].block))
					d = sim->ssa->dom.idom[d];
				found = sim->f->blocks[d].first;
			}
		}
	return found;
}

static bool is_before_branches(const struct plan_sim *sim, const struct ir_slot *x)
{
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if ((in->op == IR_CONDBR || in->op == IR_SWITCH || in->op == IR_BR) && in->pos.line && in->pos.file == x->pos.file &&
		    (in->pos.line < x->pos.line || (in->pos.line == x->pos.line && in->pos.col < x->pos.col)))
			return false;
	}
	return x->pos.line != 0;
}

/* The last line of the innermost loop around a block, as far as its instructions tell; 0 if
 * there is none. */
static uint32_t loop_end(const struct plan_sim *sim, uint32_t block, struct bits *body)
{
	const struct ir_func *f = sim->f;
	uint32_t best = IR_NONE, line = 0;
	struct bits one;

	bits_init(&one, f->nblocks);
	for (uint32_t b = 0; b < f->nblocks; b++)
		for (uint32_t k = 0; k < f->blocks[b].nsucc; k++) {
			uint32_t h = f->blocks[b].succ[k];

			if (!dom_dominates(&sim->ssa->dom, h, b) || !dom_dominates(&sim->ssa->dom, h, block))
				continue;
			bits_zero(&one);
			bits_set(&one, h);
			dom_add_latch(&one, f, b);
			if (bits_test(&one, block) && (best == IR_NONE || bits_count(&one) < best)) {
				best = bits_count(&one);
				bits_copy(body, &one);
			}
		}
	for (uint32_t b = 0; b < f->nblocks && best != IR_NONE; b++)
		for (uint32_t i = 0; bits_test(body, b) && i < f->blocks[b].n; i++)
			line = MAX(line, f->insts[f->blocks[b].first + i].pos.line);
	bits_release(&one);
	return line;
}

static bool in_scope(const struct plan_sim *sim, uint32_t slot, const struct place *at)
{
	const struct ir_func *f = sim->f;
	const struct ir_slot *x = &f->slots[slot];
	uint32_t block = at->where == FIX_EDGE ? at->from : f->insts[at->inst].block;
	uint32_t first, end, line;
	struct bits body;
	bool ok;

	if (x->param || is_before_branches(sim, x))
		return true;
	if (at->where == FIX_BEFORE && at->to != IR_NONE)	/* the end of the function's text */
		return false;
	first = first_access(sim, slot);
	if (first == IR_NONE || !dom_dominates(&sim->ssa->dom, f->insts[first].block, block))
		return false;
	if (f->insts[first].block == block && at->where == FIX_BEFORE && at->inst <= first)
		return false;
	bits_init(&body, f->nblocks);
	end = loop_end(sim, f->insts[first].block, &body);
	line = f->insts[f->blocks[block].first + f->blocks[block].n - 1].pos.line;
	ok = !end || bits_test(&body, block) || (line && line <= end);
	bits_release(&body);
	return ok;
}

/* ---- is it safe? ------------------------------------------------------------------ */

static enum verdict judge_node(const struct chooser *c, const struct plan_node *n, uint32_t key)
{
	struct plan_val v = pstate_val(&n->s, key);
	enum plan_hold h = pstate_hold(&n->s, key);

	if (n->s.phase == PHASE_BEFORE) {
		if (v.kind == PVAL_UNDEF)
			return NO_INIT;
		if (v.kind == PVAL_RANGE && v.lo == 0 && v.hi == 0)
			return SAFE;
		return v.kind == PVAL_FRESH && c->sim->births.v[v.birth].follow ? SAFE : NO_FRESH;
	}
	if (h == HOLD_NO)
		return SAFE;
	if (n->s.phase == PHASE_FREED || n->s.doubt & DOUBT_FREED)
		return NO_FREED;
	if (n->s.doubt)
		return NO_ESCAPED;
	return n->dirty ? NO_USED : SAFE;
}

/* `p->x` may only be written where p is not null. */
static bool is_null_path(const struct chooser *c, const struct plan_node *n, uint32_t key)
{
	const struct plan_path *q = sim_key_path(c->sim, key);

	return q && pval_decide(pstate_val(&n->s, q->slot), IR_P_NE, 0) != 1;
}

static enum verdict judge(const struct chooser *c, const struct place *at, uint32_t key)
{
	enum verdict v = SAFE;
	bool holds = false;

	for (uint32_t i = 0; i < at->nodes.n; i++) {
		const struct plan_node *n = &c->sim->nodes.v[at->nodes.v[i]];

		v = MIN(v, is_null_path(c, n, key) ? NO_INIT : judge_node(c, n, key));
		holds |= n->s.phase == PHASE_ALIVE && pstate_hold(&n->s, key) == HOLD_MUST;
	}
	return holds ? v : NO_HOLDER;
}

/* ---- places -------------------------------------------------------------------------- */

static struct place *place_at(struct chooser *c, enum fix_where where, uint32_t from, uint32_t to, uint32_t inst)
{
	struct place *p;

	for (uint32_t i = 0; i < c->places.n; i++) {
		p = &c->places.v[i];
		if (p->where == where && p->from == from && p->to == to && p->inst == inst)
			return p;
	}
	p = vec_add(&c->places, 1);
	p->where = where;
	p->from = from;
	p->to = to;
	p->inst = inst;
	if (where == FIX_EDGE) {
		p->pos = c->sim->ssa->dom.num[from];
		p->sub = IR_NONE;
	} else {
		p->pos = c->sim->ssa->dom.num[c->sim->f->insts[inst].block];
		p->sub = inst;
	}
	return p;
}

static void add_node(struct place *p, uint32_t node)
{
	for (uint32_t i = 0; i < p->nodes.n; i++)
		if (p->nodes.v[i] == node)
			return;
	vec_push(&p->nodes, node);
}

static bool is_loop_header(const struct plan_sim *sim, uint32_t b)
{
	for (uint32_t k = 0; k < sim->f->blocks[b].npred; k++)
		if (dom_dominates(&sim->ssa->dom, b, sim->f->blocks[b].pred[k]))
			return true;
	return false;
}

/* Does a statement begin with this block, whatever way leads here? */
static bool begins_statement(const struct plan_sim *sim, uint32_t b)
{
	const struct ir_func *f = sim->f;
	const struct ir_block *x = &f->blocks[b];
	const struct ir_inst *last = &f->insts[x->first + x->n - 1];

	if (x->npred < 2 || is_loop_header(sim, b) || f->insts[x->first].op == IR_PHI)
		return false;
	if (last->op == IR_BR && is_loop_header(sim, last->targets[0]))
		return false;
	if (last->op == IR_RET)	/* not where only the result is fetched */
		return x->n > 2 || (x->n == 2 && f->insts[x->first].op != IR_LOAD);
	for (uint32_t i = x->first + 1; i < x->first + x->n; i++)
		if (bits_test(&sim->split, i))
			return true;
	return false;
}

/* A block that does nothing but return: where all `return` statements meet, and the end of the
 * function's text. */
static bool is_pure_return(const struct plan_sim *sim, uint32_t b)
{
	const struct ir_block *x = &sim->f->blocks[b];
	const struct ir_inst *first = &sim->f->insts[x->first];

	if (x->npred < 2 || sim->f->insts[x->first + x->n - 1].op != IR_RET)
		return false;
	return x->n == 1 || (x->n == 2 && first->op == IR_LOAD && IR_KIND(first->ops[0]) == IR_R_SLOT &&
			     sim->f->slots[IR_IDX(first->ops[0])].flags & IR_S_RETVAL);
}

/* Does the block end in a `return` of its own?  Then its jump is where that stands, and nothing
 * else of the block is. */
static bool ends_in_return(const struct plan_sim *sim, uint32_t b)
{
	const struct ir_block *x = &sim->f->blocks[b];
	const struct ir_inst *br = &sim->f->insts[x->first + x->n - 1], *ret;

	if (br->op != IR_BR)
		return br->op == IR_SWITCH || br->op == IR_GOTO;
	ret = &sim->f->insts[sim->f->blocks[br->targets[0]].first];
	if (!br->pos.line || (br->pos.line == ret->pos.line && br->pos.col == ret->pos.col))
		return false;
	for (uint32_t i = x->first; i < x->first + x->n - 1; i++)
		if (sim->f->insts[i].pos.line == br->pos.line && sim->f->insts[i].pos.col == br->pos.col)
			return false;
	return true;
}

/* The end of a function without result: whatever falls off it passes there. */
static void add_function_end(struct chooser *c)
{
	const struct plan_sim *sim = c->sim;

	for (uint32_t i = 0; i < sim->nodes.n; i++)
		for (uint32_t k = 0; k < sim->nodes.v[i].steps.n; k++) {
			const struct plan_step *st = &sim->nodes.v[i].steps.v[k];

			if (st->from_block != IR_NONE && is_pure_return(sim, st->to_block) && sim->f->blocks[st->to_block].n == 1 &&
			    !ends_in_return(sim, st->from_block))
				add_node(place_at(c, FIX_BEFORE, IR_NONE, st->to_block, sim->f->blocks[st->to_block].first), st->to);
		}
}

static void find_places(struct chooser *c)
{
	const struct plan_sim *sim = c->sim;

	for (uint32_t i = 0; i < sim->nodes.n; i++) {
		const struct plan_node *n = &sim->nodes.v[i];
		uint32_t b = sim->f->insts[n->pos].block;
		const struct ir_block *x = &sim->f->blocks[b];

		for (uint32_t k = 0; k < n->steps.n; k++)
			if (n->steps.v[k].from_block != IR_NONE)
				add_node(place_at(c, FIX_EDGE, n->steps.v[k].from_block, n->steps.v[k].to_block, IR_NONE), n->steps.v[k].to);
		if (is_pure_return(sim, b))
			continue;
		if (n->pos != x->first)
			add_node(place_at(c, sim->f->insts[n->pos].op == IR_RET || sim->f->insts[n->pos].op == IR_STORE ? FIX_BEFORE : FIX_AFTER,
					  IR_NONE, IR_NONE,
					  sim->f->insts[n->pos].op == IR_RET || sim->f->insts[n->pos].op == IR_STORE ? n->pos : n->pos - 1), i);
		else if (begins_statement(sim, b) || (x->n == 1 && sim->f->insts[n->pos].op == IR_RET && x->npred == 0))
			add_node(place_at(c, FIX_BEFORE, IR_NONE, IR_NONE, n->pos), i);
	}
	add_function_end(c);
}

static void note(struct chooser *c, enum verdict v, uint32_t key)
{
	if (v > c->best) {
		c->best = v;
		c->best_key = key;
	}
}

static void find_options(struct chooser *c)
{
	for (uint32_t i = 0; i < c->places.n; i++) {
		const struct place *p = &c->places.v[i];
		struct sbits keys = {0};

		for (uint32_t k = 0; k < p->nodes.n; k++) {
			const struct plan_node *n = &c->sim->nodes.v[p->nodes.v[k]];

			for (uint32_t j = 0; j < n->s.n; j++)
				if (n->s.phase == PHASE_ALIVE && n->s.cells[j].hold == HOLD_MUST)
					sbits_set(&keys, n->s.cells[j].key);
		}
		SBITS_FOREACH(key, &keys) {
			enum verdict v = judge(c, p, key);
			uint32_t slot;
			bool pointer;

			if (!cell_text(c->sim, key, c->r->arena, &slot, &pointer))
				continue;
			if (v == SAFE && !in_scope(c->sim, slot, p))
				v = NO_SCOPE;
			note(c, v, key);
			if (v == SAFE)
				vec_push(&c->options, ((struct option){ p, key }));
		}
		sbits_release(&keys);
	}
}

/* ---- cutting ------------------------------------------------------------------------- */

static bool cuts(const struct chooser *c, const struct option *o, const struct plan_step *st)
{
	const struct plan_node *to = &c->sim->nodes.v[st->to];

	if (pstate_hold(&to->s, o->key) != HOLD_MUST)
		return false;
	if (o->at->where == FIX_EDGE)
		return st->from_block == o->at->from && st->to_block == o->at->to;
	if (o->at->to != IR_NONE)
		return st->to_block == o->at->to && !ends_in_return(c->sim, st->from_block);
	for (uint32_t i = 0; i < o->at->nodes.n; i++)
		if (o->at->nodes.v[i] == st->to)
			return true;
	return false;
}

/* Does a step not lose the object: there is none, or a chosen option releases it? */
static bool is_cut(const struct chooser *c, const struct option *extra, const struct plan_step *st)
{
	bool cut = c->sim->nodes.v[st->to].s.phase != PHASE_ALIVE;

	for (uint32_t j = 0; j < c->chosen.n && !cut; j++)
		cut = cuts(c, &c->chosen.v[j], st);
	return cut || (extra && cuts(c, extra, st));
}

/* The nodes with a living object that are reached when these options are taken. */
static void reach(const struct chooser *c, const struct option *extra, struct bits *out)
{
	const struct plan_sim *sim = c->sim;
	bool more = true;

	bits_zero(out);
	for (uint32_t i = 0; i < sim->nodes.n; i++)
		if (sim->nodes.v[i].s.phase == PHASE_BEFORE)
			bits_set(out, i);
	while (more) {
		more = false;
		for (uint32_t i = bits_next(out, 0); i != UINT32_MAX; i = bits_next(out, i + 1)) {
			const struct plan_node *n = &sim->nodes.v[i];

			for (uint32_t k = 0; k < n->steps.n; k++)
				if (!is_cut(c, extra, &n->steps.v[k]))
					more |= bits_set(out, n->steps.v[k].to);
		}
	}
}

static bool is_end(const struct chooser *c, uint32_t node)
{
	const struct plan_node *n = &c->sim->nodes.v[node];

	return n->end == END_LOST || (n->end == END_RETURN && !str_eq(c->sim->f->name, "main"));
}

/* What is left of the ways to lose it: the ends that are reached, the steps into them, and the
 * steps that lead to them. */
struct left {
	uint32_t ends, arrivals, steps;
};

static void count_left(const struct chooser *c, const struct option *extra, const struct bits *reached, struct left *l)
{
	const struct plan_sim *sim = c->sim;
	struct bits leads;
	bool more = true;

	memset(l, 0, sizeof(*l));
	bits_init(&leads, sim->nodes.n);
	for (uint32_t i = bits_next(reached, 0); i != UINT32_MAX; i = bits_next(reached, i + 1))
		if (is_end(c, i)) {
			bits_set(&leads, i);
			l->ends++;
		}
	while (more) {
		more = false;
		l->arrivals = l->steps = 0;
		for (uint32_t i = bits_next(reached, 0); i != UINT32_MAX; i = bits_next(reached, i + 1))
			for (uint32_t k = 0; k < sim->nodes.v[i].steps.n; k++) {
				const struct plan_step *st = &sim->nodes.v[i].steps.v[k];

				if (!bits_test(&leads, st->to) || is_cut(c, extra, st))
					continue;
				more |= bits_set(&leads, i);
				l->steps++;
				l->arrivals += is_end(c, st->to);
			}
	}
	bits_release(&leads);
}

static bool is_less(const struct left *a, const struct left *b)
{
	if (a->ends != b->ends)
		return a->ends < b->ends;
	return a->arrivals != b->arrivals ? a->arrivals < b->arrivals : a->steps < b->steps;
}

/* Can control get, with the object alive, from behind one option to the other? */
static bool follows(const struct chooser *c, const struct option *a, const struct option *b)
{
	const struct plan_sim *sim = c->sim;
	struct bits seen;
	bool more = true, hit = false;

	bits_init(&seen, sim->nodes.n);
	for (uint32_t i = 0; i < a->at->nodes.n; i++)
		if (pstate_hold(&sim->nodes.v[a->at->nodes.v[i]].s, a->key) == HOLD_MUST)
			bits_set(&seen, a->at->nodes.v[i]);
	while (more && !hit) {
		more = false;
		for (uint32_t i = bits_next(&seen, 0); i != UINT32_MAX; i = bits_next(&seen, i + 1)) {
			const struct plan_node *n = &sim->nodes.v[i];

			for (uint32_t k = 0; k < n->steps.n; k++) {
				if (sim->nodes.v[n->steps.v[k].to].s.phase == PHASE_BEFORE)
					continue;
				more |= bits_set(&seen, n->steps.v[k].to);
			}
		}
	}
	for (uint32_t i = 0; i < b->at->nodes.n && !hit; i++)
		hit = bits_test(&seen, b->at->nodes.v[i]) && pstate_hold(&sim->nodes.v[b->at->nodes.v[i]].s, b->key) != HOLD_NO;
	bits_release(&seen);
	return hit;
}

static bool is_compatible(const struct chooser *c, const struct option *o)
{
	for (uint32_t i = 0; i < c->chosen.n; i++)
		if (follows(c, &c->chosen.v[i], o) || follows(c, o, &c->chosen.v[i]))
			return false;
	return true;
}

static bool is_earlier(const struct option *a, const struct option *b)
{
	if (a->at->pos != b->at->pos)
		return a->at->pos < b->at->pos;
	return a->at->sub < b->at->sub;
}

/* The option that leaves least; false if none helps. */
static bool choose_one(struct chooser *c, struct bits *reached)
{
	const struct option *best = NULL;
	struct left best_left, left;
	struct bits after;

	reach(c, NULL, reached);
	count_left(c, NULL, reached, &best_left);
	bits_init(&after, c->sim->nodes.n);
	for (uint32_t i = 0; i < c->options.n && best_left.ends; i++) {
		const struct option *o = &c->options.v[i];

		if (!is_compatible(c, o))
			continue;
		reach(c, o, &after);
		count_left(c, o, &after, &left);
		if (is_less(&left, &best_left) || (best && !is_less(&best_left, &left) && is_earlier(o, best))) {
			best = o;
			best_left = left;
		}
	}
	bits_release(&after);
	if (best)
		vec_push(&c->chosen, *best);
	return best != NULL;
}

static bool any_end(const struct chooser *c, const struct bits *reached)
{
	for (uint32_t i = bits_next(reached, 0); i != UINT32_MAX; i = bits_next(reached, i + 1))
		if (is_end(c, i))
			return true;
	return false;
}

/* Is a way left that goes through the place that the finding names? */
static bool own_end_left(const struct chooser *c, const struct bits *reached)
{
	const struct finding *f = c->r->finding;
	const struct plan_sim *sim = c->sim;
	uint32_t block;
	struct bits seen;
	bool more = true, left = false;

	if (f->lost.func != sim->func || f->lost.inst >= sim->f->ninsts)
		return any_end(c, reached);
	block = sim->f->insts[f->lost.inst].block;
	bits_init(&seen, sim->nodes.n);
	for (uint32_t i = bits_next(reached, 0); i != UINT32_MAX; i = bits_next(reached, i + 1))
		if (sim->f->insts[sim->nodes.v[i].pos].block == block && sim->nodes.v[i].s.phase == PHASE_ALIVE)
			bits_set(&seen, i);
	while (more) {
		more = false;
		for (uint32_t i = bits_next(&seen, 0); i != UINT32_MAX; i = bits_next(&seen, i + 1))
			for (uint32_t k = 0; k < sim->nodes.v[i].steps.n; k++)
				if (bits_test(reached, sim->nodes.v[i].steps.v[k].to))
					more |= bits_set(&seen, sim->nodes.v[i].steps.v[k].to);
	}
	left = any_end(c, &seen);
	bits_release(&seen);
	return left;
}

/* ---- the plan ----------------------------------------------------------------------------- */

static void push_insertion(struct chooser *c, struct fix_insertion in, uint32_t slot, const char *releaser)
{
	memset(&in.names, 0, sizeof(in.names));
	vec_push(&in.names, ((struct fix_name){ c->sim->f->slots[slot].name, slot }));
	vec_push(&in.names, ((struct fix_name){ releaser, IR_NONE }));
	vec_push(&c->r->plan->in, in);
}

/* The start of a block, or the end of the function, is all the edges that lead there: the editor
 * finds the place in the text that they have in common. */
static void push_edges(struct chooser *c, struct fix_insertion in, const struct place *at, uint32_t slot,
		       const char *releaser)
{
	uint32_t b = c->sim->f->insts[at->inst].block;

	in.where = FIX_EDGE;
	in.to = b;
	in.inst = IR_NONE;
	for (uint32_t k = 0; k < c->sim->f->blocks[b].npred; k++) {
		in.from = c->sim->f->blocks[b].pred[k];
		if (dom_reachable(&c->sim->ssa->dom, in.from) && !(at->to != IR_NONE && ends_in_return(c->sim, in.from)))
			push_insertion(c, in, slot, releaser);
	}
}

/* Is there an object at the place, whatever way led there? */
static bool is_never_null(const struct chooser *c, const struct place *at, uint32_t key)
{
	for (uint32_t i = 0; i < at->nodes.n; i++) {
		const struct plan_state *s = &c->sim->nodes.v[at->nodes.v[i]].s;

		if (pval_decide(pstate_val(s, key), IR_P_NE, 0) != 1 && !(s->phase == PHASE_ALIVE && s->nonnull && pstate_hold(s, key) == HOLD_MUST))
			return false;
	}
	return true;
}

static bool is_always_fresh(const struct chooser *c, const struct place *at, uint32_t key)
{
	for (uint32_t i = 0; i < at->nodes.n; i++)
		if (pstate_val(&c->sim->nodes.v[at->nodes.v[i]].s, key).kind != PVAL_FRESH)
			return false;
	return true;
}

static bool add_insertion(struct chooser *c, const struct option *o)
{
	struct fix_insertion in = { .where = o->at->where, .func = c->sim->func, .from = o->at->from, .to = o->at->to, .inst = o->at->inst };
	const struct plan_birth *b = &c->sim->births.v[c->r->birth];
	uint32_t slot = IR_NONE;
	bool pointer = true, takes_null;
	const char *expr = cell_text(c->sim, o->key, c->r->arena, &slot, &pointer), *name;
	const struct ir_type *t = &c->sim->pl->m->types.v[ir_type_strip(c->sim->pl->m, c->sim->f->slots[slot].type)];

	name = release_name(c->sim->pl, c->sim, b, slot, c->r->arena, &c->why, &takes_null);
	if (!name)
		return false;
	if (!pointer || (b->rows && t->kind == IR_T_STRUCT && !str_eq(b->effect->value.resource->name, "memory"))) {	/* a regex_t */
		expr = arena_printf(c->r->arena, "&%s", c->sim->f->slots[slot].name);
		if (!is_always_fresh(c, o->at, o->key)) {
			c->why = arena_printf(c->r->arena, "`%s` may hold nothing to release there", c->sim->f->slots[slot].name);
			return false;
		}
	} else if (!takes_null && !is_never_null(c, o->at, o->key)) {
		in.text = arena_printf(c->r->arena, "if (%s)\n\t%s(%s);", expr, name, expr);
	}
	if (!in.text)
		in.text = arena_printf(c->r->arena, "%s(%s);", name, expr);
	if (in.where == FIX_BEFORE && c->sim->f->blocks[c->sim->f->insts[in.inst].block].first == in.inst &&
	    c->sim->f->blocks[c->sim->f->insts[in.inst].block].npred)
		push_edges(c, in, o->at, slot, name);
	else
		push_insertion(c, in, slot, name);
	return true;
}

static const char *callee_at(const struct plan_sim *sim, uint32_t inst)
{
	const struct ir_func *g = inst == IR_NONE ? NULL : ir_callee(sim->pl->m, &sim->f->insts[inst]);

	return g ? g->src : NULL;
}

static void refuse(struct chooser *c)
{
	const struct plan_sim *sim = c->sim;
	const char *freed = callee_at(sim, sim->freed_at), *kept = callee_at(sim, sim->escaped_at);
	uint32_t slot;
	bool pointer;
	const char *x = c->best == NO_HOLDER ? NULL : cell_text(sim, c->best_key, c->r->arena, &slot, &pointer);
	struct arena *a = c->r->arena;
	const char **out = &c->r->plan->refused;
	uint32_t ends = 0;

	for (uint32_t i = 0; i < sim->nodes.n; i++)
		ends += is_end(c, i);
	if (!x)
		x = "the object";
	else
		x = arena_printf(a, "`%s`", x);
	if (!ends && sim->escaped_at != IR_NONE)
		*out = kept ? arena_printf(a, "it may be kept by %s()", kept) : "it is stored where it outlives the function";
	else if (!ends && sim->freed_at != IR_NONE)
		*out = freed ? arena_printf(a, "it may already be freed by %s()", freed) : "it may already be freed";
	else if (!ends)
		*out = "no way on which it is lost was found again";
	else if (c->best == NO_HOLDER)
		*out = "no variable holds the object where it is lost";
	else if (c->best == NO_FRESH)
		*out = arena_printf(a, "%s may point to something else there", x);
	else if (c->best == NO_INIT)
		*out = arena_printf(a, "%s may not be initialised there", x);
	else if (c->best == NO_SCOPE)
		*out = arena_printf(a, "%s is out of scope where it could be freed", x);
	else if (c->best == NO_FREED)
		*out = freed ? arena_printf(a, "%s may already be freed by %s() on the way", x, freed)
			     : arena_printf(a, "%s may already be freed on the way", x);
	else if (c->best == NO_ESCAPED)
		*out = kept ? arena_printf(a, "%s may be kept by %s()", x, kept)
			    : arena_printf(a, "%s is stored where it outlives the function", x);
	else if (c->best == NO_USED)
		*out = arena_printf(a, "%s is still used afterwards", x);
	else
		*out = "no single place covers every way on which it is lost";
}

void select_places(struct plan_request *r)
{
	struct chooser c = { .r = r, .sim = r->sim, .best = NO_HOLDER, .best_key = IR_NONE };
	struct bits reached;
	bool ok = true;

	bits_init(&reached, MAX(c.sim->nodes.n, 1));
	find_places(&c);
	find_options(&c);
	while (choose_one(&c, &reached))
		;
	if (!c.chosen.n || own_end_left(&c, &reached))
		refuse(&c);
	for (uint32_t i = 0; i < c.chosen.n && !r->plan->refused && ok; i++)
		ok = add_insertion(&c, &c.chosen.v[i]);
	if (!ok) {
		for (uint32_t i = 0; i < r->plan->in.n; i++)
			vec_release(&r->plan->in.v[i].names);
		vec_clear(&r->plan->in);
		r->plan->refused = c.why;
	}
	for (uint32_t i = 0; i < c.places.n; i++)
		vec_release(&c.places.v[i].nodes);
	vec_release(&c.places);
	vec_release(&c.options);
	vec_release(&c.chosen);
	bits_release(&reached);
}
