/*
 * plan_place.c - places of a function: what could be written there, and would it be safe?
 *
 * A place is an edge of the CFG or a point between two statements.  The set-based edge
 * conditions of LeakFix (II-C4, III-C) are asked of all states there are at the place: the
 * variable holds null or an object of the set, whatever path led there; where it holds the
 * object that is followed, that was neither freed nor handed on before, and nothing touches it
 * afterwards.
 */
#include "plan/priv.h"

#include "base/hash.h"
#include "ir/io.h"

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

/* A pointer at the start of a union: whatever member it was stored by, it is read by this one. */
static bool add_alternative(const struct ir_module *m, uint32_t *type, const char *before, struct sbuf *b)
{
	const struct ir_type *t = &m->types.v[*type];

	for (uint32_t i = 0; i < t->nfields; i++) {
		uint32_t to = ir_type_strip(m, t->fields[i].type);

		if (m->types.v[to].kind == IR_T_PTR && t->fields[i].offset == 0 && t->fields[i].name[0]) {
			sbuf_printf(b, "%s%s", before, t->fields[i].name);
			*type = to;
			return true;
		}
	}
	return false;
}

/* Appends the names that lead to a pointer at an offset of a struct: "name", "in.name".  Through a
 * union only at its end: what else is written there, offsets do not tell. */
bool place_member(const struct ir_module *m, uint32_t *type, uint64_t off, struct sbuf *b)
{
	bool first = true;

	for (*type = ir_type_strip(m, *type); m->types.v[*type].kind == IR_T_STRUCT;
	     *type = ir_type_strip(m, *type)) {
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
	if (off == 0 && m->types.v[*type].kind == IR_T_UNION)
		return add_alternative(m, type, first ? "" : ".", b);
	return !first && off == 0;
}

/* "p", "ctx.name", "ctx->name", "*out"; NULL if it has no such form.  *of: its type. */
const char *place_text(const struct plan_sim *sim, uint32_t key, struct arena *a, uint32_t *slot,
		       uint32_t *of)
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
		ok = m->types.v[type].kind != IR_T_UNION || add_alternative(m, &type, ".", &b);
	} else if (q && q->off == 0 && m->types.v[ir_type_strip(m, m->types.v[type].elem)].kind == IR_T_PTR) {
		sbuf_printf(&b, "*%s", x->name);
		type = m->types.v[type].elem;
		ok = true;
	} else {
		sbuf_printf(&b, "%s%s", x->name, q ? "->" : ".");
		type = q ? m->types.v[type].elem : type;
		ok = place_member(m, &type, q ? (uint64_t)q->off : off, &b);
	}
	*of = ir_type_strip(m, type);
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

bool place_declared_first(const struct plan_sim *sim, uint32_t slot)
{
	const struct ir_slot *x = &sim->f->slots[slot];

	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if ((in->op == IR_CONDBR || in->op == IR_SWITCH || in->op == IR_BR) && in->pos.line &&
		    in->pos.file == x->pos.file &&
		    (in->pos.line < x->pos.line ||
		     (in->pos.line == x->pos.line && in->pos.col < x->pos.col)))
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

/* Where a variable is known. */
struct scope {
	bool all;		/* everywhere */
	uint32_t first;		/* the first access; IR_NONE if there is none */
	uint32_t end;		/* the last line of the loop around that; 0 if there is none */
	struct bits body;	/* its blocks */
};

static void scope_init(struct scope *x, const struct plan_sim *sim, uint32_t slot)
{
	memset(x, 0, sizeof(*x));
	x->first = IR_NONE;
	x->all = sim->f->slots[slot].param || place_declared_first(sim, slot);
	if (x->all || (x->first = first_access(sim, slot)) == IR_NONE)
		return;
	bits_init(&x->body, sim->f->nblocks);
	x->end = loop_end(sim, sim->f->insts[x->first].block, &x->body);
}

static void scope_release(struct scope *x)
{
	bits_release(&x->body);
}

static bool is_in(const struct scope *x, const struct plan_sim *sim, const struct plan_place *at)
{
	const struct ir_func *f = sim->f;
	uint32_t block = at->where == FIX_EDGE ? at->from : f->insts[at->inst].block;
	uint32_t line = f->insts[f->blocks[block].first + f->blocks[block].n - 1].pos.line;

	if (x->all)
		return true;
	if (at->where == FIX_BEFORE && at->to != IR_NONE)	/* the end of the function's text */
		return false;
	if (x->first == IR_NONE || !dom_dominates(&sim->ssa->dom, f->insts[x->first].block, block))
		return false;
	if (f->insts[x->first].block == block && at->where == FIX_BEFORE && at->inst <= x->first)
		return false;
	return !x->end || bits_test(&x->body, block) || (line && line <= x->end);
}

bool place_in_scope(const struct plan_sim *sim, uint32_t slot, const struct plan_place *at)
{
	struct scope x;
	bool in;

	scope_init(&x, sim, slot);
	in = is_in(&x, sim, at);
	scope_release(&x);
	return in;
}

bool place_is_followed(const struct plan_sim *sim, const struct plan_place *at)
{
	const struct ir_func *f = sim->f;

	if (sim->from == IR_NONE)
		return true;
	if (at->where == FIX_EDGE)
		return dom_dominates(&sim->ssa->dom, f->insts[sim->from].block, at->from);
	if (f->insts[at->inst].block == f->insts[sim->from].block)
		return at->where == FIX_BEFORE ? at->inst > sim->from : at->inst >= sim->from;
	return dom_dominates(&sim->ssa->dom, f->insts[sim->from].block, f->insts[at->inst].block);
}

/* ---- is it safe? ------------------------------------------------------------------ */

bool place_is_none(const struct plan_sim *sim, struct plan_val v)
{
	for (uint32_t i = 0; i < sim->births.n && v.kind == PVAL_RANGE && v.lo == v.hi; i++)
		if (sim->births.v[i].follow && (v.lo == sim->births.v[i].none || v.lo == 0))
			return true;
	return false;
}

static enum plan_verdict judge_node(const struct plan_chooser *c, uint32_t node, uint32_t key)
{
	const struct plan_node *n = &c->sim->nodes.v[node];
	struct plan_val v = pstate_val(&n->s, key);
	enum plan_hold h = pstate_hold(&n->s, key);

	if (n->s.phase == PHASE_BEFORE) {
		if (v.kind == PVAL_UNDEF)
			return NO_INIT;
		if (place_is_none(c->sim, v) ||
		    (v.kind == PVAL_ECHO && !(c->r && c->r->nulled))) /* that will be asked */
			return SAFE;
		return v.kind == PVAL_FRESH && c->sim->births.v[v.birth].follow ? SAFE : NO_FRESH;
	}
	if (h == HOLD_NO)
		return SAFE;
	if (n->s.phase == PHASE_FREED || n->s.doubt & DOUBT_FREED)
		return NO_FREED;
	if (n->s.doubt)
		return NO_ESCAPED;
	if (c->r && c->r->nulled)
		return null_is_harmless(c->sim, node, key) ? SAFE : NO_USED;
	return n->dirty ? NO_USED : SAFE;
}

/* `p->x` may only be written where p is not null. */
static bool is_null_path(const struct plan_chooser *c, const struct plan_node *n, uint32_t key)
{
	const struct plan_path *q = sim_key_path(c->sim, key);

	return q && !c->may_be_null && pval_decide(pstate_val(&n->s, q->slot), IR_P_NE, 0) != 1;
}

enum plan_verdict place_judge(const struct plan_chooser *c, const struct plan_place *at, uint32_t key)
{
	enum plan_verdict v = SAFE;
	bool holds = false;
	uint32_t slot;

	for (uint32_t i = 0; i < at->nodes.n; i++) {
		const struct plan_node *n = &c->sim->nodes.v[at->nodes.v[i]];

		v = MIN(v, is_null_path(c, n, key) ? NO_INIT : judge_node(c, at->nodes.v[i], key));
		holds |= n->s.phase == PHASE_ALIVE && pstate_hold(&n->s, key) == HOLD_MUST;
	}
	if (v == SAFE && holds && !echo_question(c->sim, at, key, &slot))
		return NO_FRESH;
	return holds ? v : NO_HOLDER;
}

/* ---- places -------------------------------------------------------------------------- */

struct place_key {
	uint32_t where, from, to, inst;
};

#define MAP_NAME placemap
#define MAP_KEY struct place_key
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_join(hash_join((k).where, (k).from), hash_join((k).to, (k).inst))
#define MAP_EQ(a, b)                                                                                        \
	((a).where == (b).where && (a).from == (b).from && (a).to == (b).to && (a).inst == (b).inst)
#include "base/map.h"

#define MAP_NAME pairmap
#define MAP_KEY uint64_t
#define MAP_VAL bool
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* Places are added by what they are, and nodes to them: each once. */
struct finder {
	struct plan_chooser *c;
	struct placemap at;		/* their numbers */
	struct pairmap by_step;		/* the number of a place, a node of it that a step leads to */
};

static struct plan_place *place_at(struct finder *x, enum fix_where where, uint32_t from, uint32_t to,
				   uint32_t inst)
{
	struct plan_chooser *c = x->c;
	struct plan_place *p;
	bool is_new;
	uint32_t *at = placemap_put(&x->at, (struct place_key){ where, from, to, inst }, &is_new);

	if (!is_new)
		return &c->places.v[*at];
	*at = c->places.n;
	p = vec_add(&c->places, 1);
	p->guard = IR_NONE;
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

static void add_node(struct plan_place *p, uint32_t node)
{
	vec_push(&p->nodes, node);
}

/* A node that steps pass the place to get to. */
static void add_step(struct finder *x, struct plan_place *p, uint32_t node)
{
	bool is_new;

	pairmap_put(&x->by_step, (uint64_t)(p - x->c->places.v) << 32 | node, &is_new);
	if (is_new)
		add_node(p, node);
}

static bool is_loop_header(const struct plan_sim *sim, uint32_t b)
{
	for (uint32_t k = 0; k < sim->f->blocks[b].npred; k++)
		if (dom_dominates(&sim->ssa->dom, b, sim->f->blocks[b].pred[k]))
			return true;
	return false;
}

/* Is the address that of the result, or of a part of it that the block has asked for? */
static bool is_of_result(const struct ir_func *f, const struct ir_block *x, ir_ref r)
{
	for (uint32_t i = x->first; i < x->first + x->n && IR_KIND(r) == IR_R_VREG; i++)
		if (f->insts[i].op == IR_FIELD && f->insts[i].res == IR_IDX(r))
			r = f->insts[i].ops[0];
	return IR_KIND(r) == IR_R_SLOT && f->slots[IR_IDX(r)].flags & IR_S_RETVAL;
}

/* Does the block only fetch the result, which may be a struct that is returned in parts, and return it? */
static bool only_fetches(const struct plan_sim *sim, uint32_t b)
{
	const struct ir_block *x = &sim->f->blocks[b];

	for (uint32_t i = x->first; i + 1 < x->first + x->n; i++)
		if ((sim->f->insts[i].op != IR_LOAD && sim->f->insts[i].op != IR_FIELD) ||
		    !is_of_result(sim->f, x, sim->f->insts[i].ops[0]))
			return false;
	return sim->f->insts[x->first + x->n - 1].op == IR_RET;
}

/* A block that does nothing but return: where all `return` statements meet, and the end of the
 * function's text. */
static bool is_pure_return(const struct plan_sim *sim, uint32_t b)
{
	return sim->f->blocks[b].npred >= 2 && only_fetches(sim, b);
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
		return x->n > 1 && !(x->n == 2 && f->insts[x->first].op == IR_LOAD) && !only_fetches(sim, b);
	for (uint32_t i = x->first + 1; i < x->first + x->n; i++)
		if (bits_test(&sim->split, i))
			return true;
	return false;
}

/* Does the block end in a `return` of its own?  Then its jump is where that stands, and nothing
 * else of the block is. */
bool place_ends_in_return(const struct plan_sim *sim, uint32_t b)
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
static void add_function_end(struct finder *x)
{
	const struct plan_sim *sim = x->c->sim;

	for (uint32_t i = 0; i < sim->nodes.n; i++)
		for (uint32_t k = 0; k < sim->nodes.v[i].steps.n; k++) {
			const struct plan_step *st = &sim->nodes.v[i].steps.v[k];

			if (st->from_block != IR_NONE && is_pure_return(sim, st->to_block) &&
			    sim->f->blocks[st->to_block].n == 1 &&
			    !place_ends_in_return(sim, st->from_block))
				add_step(x,
					 place_at(x, FIX_BEFORE, IR_NONE, st->to_block,
						  sim->f->blocks[st->to_block].first),
					 st->to);
		}
}

/* ---- a result that nobody asks for --------------------------------------------------- */

static const struct {
	const char *text, *of;		/* behind a call; of a name */
	enum ir_pred pred;
	bool pointer;			/* is asked of one, not of a number */
} questions[] = {
	{ "< 0", "%s < 0", IR_P_SLT, false }, { "!= 0", "%s", IR_P_NE, false },
	{ "== 0", "!%s", IR_P_EQ, false },    { "!= NULL", "%s", IR_P_NE, true },
	{ "== NULL", "!%s", IR_P_EQ, true },
};

const char *place_question(const struct plan_place *at)
{
	if (at->guard != IR_NONE)
		return questions[at->question].of;
	return at->where == FIX_RESULT ? questions[at->from].text : NULL;
}

bool place_is_sure(const struct plan_chooser *c, const struct plan_place *at, uint32_t node)
{
	return at->guard == IR_NONE || pval_decide(pstate_val(&c->sim->nodes.v[node].s, at->guard),
						   questions[at->question].pred, 0) == 1;
}

/* Can the question be asked of a pointer, or of a number of so many bits?  A _Bool is never negative, though
 * the IR's is if it is true. */
static bool fits(uint32_t question, enum ir_class cls, uint32_t bits)
{
	if (cls == IR_C_PTR)
		return questions[question].pointer;
	return !questions[question].pointer && (bits > 8 || questions[question].pred != IR_P_SLT);
}

/* Is the call a statement of its own, whose result is a number, or a pointer, that is not used? */
static bool is_dropped_result(const struct plan_sim *sim, uint32_t call)
{
	const struct ir_inst *in = &sim->f->insts[call];

	if (in->op != IR_CALL || in->res == IR_NONE || (in->cls != IR_C_INT && in->cls != IR_C_PTR) ||
	    bits_test(&sim->wide, in->res))
		return false;
	for (uint32_t i = call + 1; i < sim->f->blocks[in->block].first + sim->f->blocks[in->block].n; i++)
		for (uint32_t k = 0; k < sim->f->insts[i].nops; k++)
			if (sim->f->insts[i].ops[k] == IR_VREG(in->res))
				return false;
	return true;
}

/* A callee keeps the object on some ways and tells by its result: `if (insert(t, p) < 0)`.  The place
 * is of the states on which the answer is yes, or is not known to be no. */
static void add_results(struct finder *x, uint32_t node)
{
	const struct plan_sim *sim = x->c->sim;
	const struct plan_node *n = &sim->nodes.v[node];
	uint32_t call = n->pos - 1;
	const struct ir_inst *in = &sim->f->insts[call];
	struct plan_val v = sim_val(sim, &n->s, IR_VREG(in->res));

	for (uint32_t q = 0; q < ARRAY_LEN(questions); q++)
		if (fits(q, in->cls, in->bits) && pval_decide(v, questions[q].pred, 0) != 0)
			add_node(place_at(x, FIX_RESULT, q, IR_NONE, call), node);
}

/* ---- where a number says whether there is something to be released ----------------------- */

uint32_t place_inst(const struct plan_sim *sim, const struct plan_place *at)
{
	return at->where == FIX_EDGE ? sim->f->blocks[at->from].first + sim->f->blocks[at->from].n - 1
				     : at->inst + (at->where == FIX_AFTER);
}

/* Is the place in a return statement, and behind the value that is returned? */
static bool is_returning(const struct plan_sim *sim, uint32_t slot, const struct plan_place *at)
{
	uint32_t then = place_inst(sim, at);

	for (uint32_t i = sim->f->blocks[sim->f->insts[then].block].first; i < then; i++)
		if (sim->f->insts[i].op == IR_STORE && sim->f->insts[i].ops[0] == IR_SLOT(slot) &&
		    sim->f->insts[i].pos.line)
			return true;
	return false;
}

/* A variable that places may ask. */
struct flag {
	uint32_t slot;
	struct scope scope;
	VEC(uint32_t) stores;
};
VEC_TYPE(flags, struct flag);

/* Has the variable a value, whatever way led to the place?  A callee may have set it: then that is known. */
static bool is_set(const struct plan_sim *sim, const struct flag *x, const struct plan_place *at)
{
	uint32_t then = place_inst(sim, at);

	for (uint32_t i = 0; i < x->stores.n; i++)
		if (plan_comes_first(sim->f, sim->ssa, x->stores.v[i], then))
			return true;
	for (uint32_t i = 0; i < at->nodes.n; i++) {	/* by a callee */
		struct plan_val v = pstate_val(&sim->nodes.v[at->nodes.v[i]].s, x->slot);

		if (v.kind != PVAL_RANGE && v.kind != PVAL_NOT)
			return false;
	}
	return true;
}

/* For each question that fits: the part of a place's states in which the number, or the pointer, answers
 * yes, or may do so. */
static void add_guarded(struct plan_chooser *c, uint32_t place, uint32_t key, enum ir_class cls,
			uint32_t bits)
{
	enum { MANY = ARRAY_LEN(questions) };
	struct plan_place g[MANY];
	uint32_t n = c->places.v[place].nodes.n;

	for (uint32_t q = 0; q < MANY; q++) {
		g[q] = c->places.v[place];
		memset(&g[q].nodes, 0, sizeof(g[q].nodes));
		g[q].guard = key;
		g[q].question = q;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = c->places.v[place].nodes.v[i];
		struct plan_val v = pstate_val(&c->sim->nodes.v[node].s, key);

		for (uint32_t q = 0; q < MANY; q++)
			if (fits(q, cls, bits) &&
			    (v.kind == PVAL_ANY || pval_decide(v, questions[q].pred, 0) != 0))
				add_node(&g[q], node);
	}
	for (uint32_t q = 0; q < MANY; q++)
		if (g[q].nodes.n && (g[q].nodes.n < n || g[q].where == FIX_AFTER))
			vec_push(&c->places, g[q]);
		else
			vec_release(&g[q].nodes);
}

/* Of a place before a return: the value that is returned, if that can be asked. */
static uint32_t returned_key(const struct plan_sim *sim, const struct plan_place *at)
{
	const struct ir_inst *in = at->where == FIX_BEFORE ? &sim->f->insts[at->inst] : NULL;

	return in && in->op == IR_RET && in->nops && IR_KIND(in->ops[0]) == IR_R_VREG && sim->answers
		       ? sim_vreg_key(sim, IR_IDX(in->ops[0]))
		       : IR_NONE;
}

/* Can a place ask the variable?  What is returned has a name by then, too. */
static bool can_ask(const struct plan_sim *sim, const struct flag *x, const struct plan_place *at)
{
	if (at->where == FIX_RESULT)
		return false;
	if (sim->f->slots[x->slot].flags & IR_S_RETVAL)
		return is_returning(sim, x->slot, at);
	return is_in(&x->scope, sim, at) && is_set(sim, x, at);
}

static void flags_init(struct flags *to, const struct plan_sim *sim)
{
	for (uint32_t s = 0; s < sim->f->nslots; s++)
		if (sim->f->slots[s].flags & IR_S_RETVAL ? sim->answers : bits_test(&sim->flags, s)) {
			struct flag *x = vec_add(to, 1);

			x->slot = s;
			scope_init(&x->scope, sim, s);
			for (uint32_t i = 0; i < sim->f->ninsts; i++)
				if (sim->f->insts[i].op == IR_STORE && sim->f->insts[i].ops[0] == IR_SLOT(s))
					vec_push(&x->stores, i);
		}
}

static void flags_release(struct flags *x)
{
	for (uint32_t i = 0; i < x->n; i++) {
		scope_release(&x->v[i].scope);
		vec_release(&x->v[i].stores);
	}
	vec_release(x);
}

/* A flag, a size, the result of a callee that keeps the object on some ways, in a variable, or returned. */
static void find_guarded(struct plan_chooser *c)
{
	const struct ir_func *f = c->sim->f;
	uint32_t n = c->places.n;
	struct flags flags = {0};

	flags_init(&flags, c->sim);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t key = returned_key(c->sim, &c->places.v[i]);

		if (key != IR_NONE)
			add_guarded(c, i, key, f->ret_cls, f->ret_bits);
		for (uint32_t s = 0; s < flags.n; s++)
			if (can_ask(c->sim, &flags.v[s], &c->places.v[i]))
				add_guarded(c, i, flags.v[s].slot,
					    f->slots[flags.v[s].slot].flags & IR_S_RETVAL ? f->ret_cls
											  : IR_C_INT,
					    (uint32_t)f->slots[flags.v[s].slot].size * 8);
	}
	flags_release(&flags);
}

void places_find(struct plan_chooser *c)
{
	const struct plan_sim *sim = c->sim;
	struct finder x = { .c = c };

	for (uint32_t i = 0; i < sim->nodes.n; i++) {
		const struct plan_node *n = &sim->nodes.v[i];
		uint32_t b = sim->f->insts[n->pos].block;
		const struct ir_block *in = &sim->f->blocks[b];

		for (uint32_t k = 0; k < n->steps.n; k++)
			if (n->steps.v[k].from_block != IR_NONE)
				add_step(&x,
					 place_at(&x, FIX_EDGE, n->steps.v[k].from_block,
						  n->steps.v[k].to_block, IR_NONE),
					 n->steps.v[k].to);
		if (n->pos != in->first && is_dropped_result(sim, n->pos - 1))
			add_results(&x, i);
		if (is_pure_return(sim, b))
			continue;
		if (n->pos != in->first)
			add_node(sim->f->insts[n->pos].op == IR_RET
					 ? place_at(&x, FIX_BEFORE, IR_NONE, IR_NONE, n->pos)
					 : place_at(&x, FIX_AFTER, IR_NONE, IR_NONE, n->pos - 1),
				 i);
		else if (begins_statement(sim, b) ||
			 (in->n == 1 && sim->f->insts[n->pos].op == IR_RET && in->npred == 0))
			add_node(place_at(&x, FIX_BEFORE, IR_NONE, IR_NONE, n->pos), i);
	}
	add_function_end(&x);
	placemap_release(&x.at);
	pairmap_release(&x.by_step);
	if (sim->guarded)
		find_guarded(c);
}

static bool is_of(const struct plan_place *at, uint32_t node)
{
	for (uint32_t i = 0; i < at->nodes.n; i++)
		if (at->nodes.v[i] == node)
			return true;
	return false;
}

/* Does a step pass the place? */
bool place_is_passed(const struct plan_chooser *c, const struct plan_place *at, const struct plan_step *st)
{
	if (at->guard != IR_NONE && !is_of(at, st->to))
		return false;
	if (at->where == FIX_EDGE)
		return st->from_block == at->from && st->to_block == at->to;
	if (at->to != IR_NONE)
		return st->to_block == at->to && !place_ends_in_return(c->sim, st->from_block);
	return is_of(at, st->to);
}
