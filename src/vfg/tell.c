/*
 * tell.c - a leak, told as a path that a person can follow.
 *
 * FREED is not always true: one assignment of branch conditions makes it false
 * (a way through the BDD to FALSE).  Control is followed from the allocation
 * along that assignment; branches that it does not mention do not matter, and
 * are taken towards the end of the function.  On the way it is noted which local
 * variables hold the object: if the last one is overwritten, that is the leak.
 */
#include "vfg/detect.h"

#include "base/sbuf.h"
#include "ir/expr.h"
#include "ir/io.h"

enum { MAX_STEPS = 2000, MAX_FRAMES = 16 };

struct story {
	const struct vfg *g;
	struct findings *fs;
	struct finding *f;
	struct detect *d;
	const struct vsource *src;
	int8_t *value;			/* by variable: -1 not in the assignment, else its value */
	uint32_t nvars;
	uint32_t func, inst;		/* where we are */
	vnode node;			/* what holds the object here */
	VEC(uint32_t) holders;		/* slots */
	VEC(uint32_t) visited;		/* blocks of this function */
	uint32_t *far;			/* by block: steps to a return */
	bool in_memory;			/* it is also held by something that is no plain variable */
	uint32_t last_stop;		/* the last instruction of the block before this one */
};

static struct finding_loc location(const struct story *s, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &s->g->m->funcs.v[func];
	const struct ir_pos *p = &f->insts[inst].pos;

	return (struct finding_loc){ p->file == IR_NONE ? NULL : s->g->m->files.v[p->file], p->line, p->col, f->src };
}

/* Some assignment under which the guard is false. */
static void choose(struct story *s, bdd freed)
{
	struct guards *gd = detect_guards(s->d);

	s->nvars = gd->info.n;
	s->value = xmalloc(MAX(s->nvars, 1));
	memset(s->value, -1, MAX(s->nvars, 1));
	while (freed != BDD_FALSE) {
		uint32_t var;
		bdd low, high;

		assert(freed != BDD_TRUE);
		bdd_top(gd->bdd, freed, &var, &low, &high);
		/* the shorter way: a constant if there is one */
		if (low == BDD_FALSE || (high != BDD_FALSE && low != BDD_TRUE)) {
			s->value[var] = 0;
			freed = low;
		} else {
			s->value[var] = 1;
			freed = high;
		}
	}
}

/* ---- conditions in words --------------------------------------------- */

static bool var_text(const struct story *s, uint32_t var, bool value, struct sbuf *out)
{
	const struct guard_var *v = &detect_guards(s->d)->info.v[var];
	const struct ir_func *f = &s->g->m->funcs.v[v->func];
	const struct ir_inst *in = &f->insts[v->inst];

	if (in->op == IR_CONDBR)
		return ir_expr_cond(out, s->g->m, f, in->ops[0], value != v->flip);
	if (in->op == IR_SWITCH) {
		bool ok = ir_expr(out, s->g->m, f, in->ops[0]);

		sbuf_adds(out, value ? " == " : " != ");
		return ir_expr(out, s->g->m, f, in->ops[v->target]) && ok;
	}
	return false;
}

/* Is the branch behind us when the object is made? */
static bool is_before(const struct story *s, const struct guard_var *v)
{
	const struct ir_func *f = &s->g->m->funcs.v[v->func];
	uint32_t here = f->insts[v->inst].block;

	return v->func == s->src->func && here != f->insts[s->src->inst].block &&
	       dom_dominates(&pta_ssa(s->g->p, v->func)->dom, here, f->insts[s->src->inst].block);
}

/* The conditions of the assignment, in the order of the program. */
static void tell_condition(struct story *s)
{
	struct sbuf all = {0}, one = {0};

	for (uint32_t v = 0; v < s->nvars; v++) {
		if (s->value[v] < 0 || is_before(s, &detect_guards(s->d)->info.v[v]))
			continue;
		sbuf_clear(&one);
		if (!var_text(s, v, s->value[v], &one))
			continue;
		sbuf_printf(&all, "%s%s", all.n ? " && " : "", sbuf_str(&one));
	}
	s->f->condition = arena_strdup(&s->fs->arena, sbuf_str(&all));
	sbuf_release(&all);
	sbuf_release(&one);
}

/* ---- walking --------------------------------------------------------- */

static int8_t var_value(const struct story *s, uint32_t inst, uint32_t target, bool *flip)
{
	const struct guards *gd = detect_guards(s->d);

	for (uint32_t v = 0; v < s->nvars; v++) {
		const struct guard_var *i = &gd->info.v[v];

		if (i->func == s->func && i->inst == inst && i->ctx == 0 && i->target == target) {
			*flip = i->flip;
			return s->value[v];
		}
	}
	return -1;
}

static bool was_visited(const struct story *s, uint32_t block)
{
	for (uint32_t i = 0; i < s->visited.n; i++)
		if (s->visited.v[i] == block)
			return true;
	return false;
}

/* Steps from each block to the nearest return. */
static void measure(struct story *s)
{
	const struct ir_func *f = &s->g->m->funcs.v[s->func];
	const struct vflow *fl = &s->g->flow[s->func];
	uint32_t head = 0;

	free(s->far);
	s->far = xmalloc(f->nblocks * sizeof(*s->far));
	memset(s->far, 0xff, f->nblocks * sizeof(*s->far));
	vec_clear(&s->visited);		/* borrowed as the queue */
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (f->insts[f->blocks[b].first + f->blocks[b].n - 1].op == IR_RET && fl->ends[b] == IR_NONE) {
			s->far[b] = 0;
			vec_push(&s->visited, b);
		}
	for (; head < s->visited.n; head++) {
		const struct ir_block *b = &f->blocks[s->visited.v[head]];

		for (uint32_t k = 0; k < b->npred; k++)
			if (s->far[b->pred[k]] == IR_NONE && fl->ends[b->pred[k]] == IR_NONE) {
				s->far[b->pred[k]] = s->far[s->visited.v[head]] + 1;
				vec_push(&s->visited, b->pred[k]);
			}
	}
	vec_clear(&s->visited);
}

/* Is a guard open under the assignment?  What it leaves open is. */
static bool is_open(const struct story *s, bdd guard)
{
	const struct guards *gd = detect_guards(s->d);

	while (guard > BDD_TRUE) {
		uint32_t var;
		bdd low, high;

		bdd_top(gd->bdd, guard, &var, &low, &high);
		if (var < s->nvars && s->value[var] >= 0)
			guard = s->value[var] ? high : low;
		else
			guard = high == BDD_FALSE ? low : high;
	}
	return guard == BDD_TRUE;
}

/* The target to go to: open, and nearest to a return; not again where we were. */
static uint32_t pick(const struct story *s, const struct ir_inst *in)
{
	uint32_t best = IR_NONE, least = IR_NONE, before = s->visited.n ? vec_last(&s->visited) : IR_NONE;
	struct guard_start start = { s->node, 0, IR_NONE };

	for (uint32_t t = 0; t < in->ntargets; t++) {
		uint32_t far = s->far[in->targets[t]];

		if (!is_open(s, guards_edge(detect_guards(s->d), &start, before, in->block, in->targets[t])))
			continue;
		if (far != IR_NONE && was_visited(s, in->targets[t]))
			far += 100000;
		if (best == IR_NONE || far < least) {
			best = t;
			least = far;
		}
	}
	return best;
}

static void tell_branch(struct story *s, uint32_t inst, uint32_t target)
{
	const struct ir_func *f = &s->g->m->funcs.v[s->func];
	const struct ir_inst *in = &f->insts[inst];
	struct finding_loc at = location(s, s->func, inst);
	struct sbuf text = {0};
	bool flip = false;

	if (in->op == IR_CONDBR && var_value(s, inst, 0, &flip) >= 0) {
		if (ir_expr_cond(&text, s->g->m, f, in->ops[0], target == 0))
			finding_add_step(s->fs, s->f, &at, "taken when `%s`", sbuf_str(&text));
	} else if (in->op == IR_SWITCH && ir_expr(&text, s->g->m, f, in->ops[0])) {
		if (!target) {
			finding_add_step(s->fs, s->f, &at, "no case fits `%s`", sbuf_str(&text));
		} else {
			sbuf_adds(&text, " == ");
			ir_expr(&text, s->g->m, f, in->ops[target]);
			finding_add_step(s->fs, s->f, &at, "goes to the case `%s`", sbuf_str(&text));
		}
	}
	sbuf_release(&text);
}

static bool holds(const struct story *s, ir_ref r)
{
	const struct ssa *ssa = pta_ssa(s->g->p, s->func);

	r = ssa_ref(ssa, r);
	if (IR_KIND(r) != IR_R_VREG)
		return false;
	return s->node == VNODE_VALUE(s->func, IR_IDX(r)) ||
	       (IR_IDX(r) >= s->g->m->funcs.v[s->func].nvregs &&
		vfg__may_hold(s->g, VNODE_VALUE(s->func, IR_IDX(r)), s->src->obj));
}

/* A store: is it the last holder that is overwritten? */
static bool overwrites(struct story *s, const struct ir_inst *in)
{
	const struct ssa *ssa = pta_ssa(s->g->p, s->func);
	uint32_t slot = IR_IDX(in->ops[0]);

	if (IR_KIND(in->ops[0]) != IR_R_SLOT || !ssa->promoted[slot]) {
		s->in_memory |= holds(s, in->ops[1]);
		return false;
	}
	for (uint32_t i = 0; i < s->holders.n; i++) {
		if (s->holders.v[i] != slot)
			continue;
		if (holds(s, in->ops[1]))
			return false;
		s->holders.v[i] = vec_last(&s->holders);
		s->holders.n--;
		return !s->holders.n && !s->in_memory;
	}
	if (holds(s, in->ops[1]))
		vec_push(&s->holders, slot);
	return false;
}

/* Returned to a caller that does not free it: the story goes on there. */
static bool go_to_caller(struct story *s, const struct ir_inst *ret)
{
	const struct vfg *g = s->g;

	if (ret->nops != 1 || !holds(s, ret->ops[0]) || pta_is_entry(g->p, s->func))
		return false;
	for (uint32_t k = g->caller_row[s->func]; k < g->caller_row[s->func + 1]; k++) {
		struct vsite at = g->callers[k];
		const struct ir_inst *call = &g->m->funcs.v[at.func].insts[at.inst];
		struct finding_loc where;
		enum verdict v;
		bdd freed;

		if (call->res == IR_NONE || call->cls == IR_C_AGG)
			continue;
		v = detect_node(s->d, s->src, VNODE_VALUE(at.func, call->res), &freed);
		if (v != VERDICT_NEVER && v != VERDICT_SOMETIMES)
			continue;
		free(s->value);
		choose(s, freed);
		s->node = VNODE_VALUE(at.func, call->res);
		s->func = at.func;
		s->inst = at.inst;
		vec_clear(&s->holders);
		measure(s);
		s->in_memory = false;
		where = location(s, at.func, at.inst);
		finding_add_step(s->fs, s->f, &where, "returned to %s()", g->m->funcs.v[at.func].src);
		return true;
	}
	return false;
}

static void end_at(struct story *s, uint32_t inst)
{
	s->f->leak = location(s, s->func, inst);
	if (!s->f->leak.line)
		s->f->leak = s->f->alloc;
}

/* Follows control to the leak. */
static void walk(struct story *s)
{
	const char *var = s->f->variable;
	int frames = 0;

	for (int steps = 0; steps < MAX_STEPS; steps++) {
		const struct ir_func *f = &s->g->m->funcs.v[s->func];
		const struct ir_inst *in = &f->insts[++s->inst];
		uint32_t t;

		if (in->op == IR_STORE && overwrites(s, in)) {
			s->f->kind = FINDING_OVERWRITTEN;
			end_at(s, s->inst);
			finding_add_step(s->fs, s->f, &s->f->leak, "`%s` is overwritten here: its old value is lost", var);
			return;
		}
		if (in->op == IR_RET) {
			if (frames++ < MAX_FRAMES && go_to_caller(s, in))
				continue;
			end_at(s, s->last_stop != IR_NONE && f->blocks[in->block].npred > 1 ? s->last_stop : s->inst);
			if (*var)
				finding_add_step(s->fs, s->f, &s->f->leak, "`%s` is not freed: the last pointer to it ends here",
						 var);
			else
				finding_add_step(s->fs, s->f, &s->f->leak, "not freed when the function ends here");
			return;
		}
		if (!ir_is_term(in))
			continue;
		t = in->ntargets ? pick(s, in) : IR_NONE;
		if (t == IR_NONE)
			break;
		if (in->ntargets > 1)
			tell_branch(s, s->inst, t);
		vec_push(&s->visited, in->block);
		s->last_stop = s->inst;
		if (was_visited(s, in->targets[t])) {
			end_at(s, s->inst);
			finding_add_step(s->fs, s->f, &s->f->leak, "the loop goes round without freeing it");
			return;
		}
		s->inst = f->blocks[in->targets[t]].first - 1;
	}
	end_at(s, s->inst);
}

/* ---- the finding ----------------------------------------------------- */

/* What the call stores it in: the variable or member that the caller gave. */
static bool name_handed(struct story *s, const struct pta_handout *h, uint32_t callee, struct sbuf *b)
{
	const struct ir_module *m = s->g->m;
	const struct ir_func *f = &m->funcs.v[s->src->func], *g = &m->funcs.v[callee];
	const struct ir_inst *call = &f->insts[s->src->inst];
	const struct ir_type *t = &m->types.v[g->type];
	struct sbuf path = {0};
	uint32_t type;
	bool ok;

	ok = h->param + 1 < call->nops && ir_expr_lvalue(b, m, f, call->ops[h->param + 1]);
	if (ok && h->off && t->kind == IR_T_FUNC && h->param < t->nfields) {
		type = m->types.v[ir_type_strip(m, t->fields[h->param].type)].elem;
		ok = expr_path(&path, m, &type, (uint64_t)h->off);
		if (ok && sbuf_str(b)[0] == '*') {
			char *p = xstrdup(sbuf_str(b) + 1);

			sbuf_clear(b);
			sbuf_printf(b, "%s->%s", p, sbuf_str(&path) + (sbuf_str(&path)[0] == '.'));
			free(p);
		} else if (ok) {
			sbuf_adds(b, sbuf_str(&path));
		}
	}
	sbuf_release(&path);
	return ok;
}

/* The name of what the object is put into first: a variable or a place; if the
 * result is not kept anywhere, the call itself. */
static void name_variable(struct story *s)
{
	const struct ir_func *f = &s->g->m->funcs.v[s->src->func];
	const struct ir_inst *call = &f->insts[s->src->inst];
	const struct ssa *ssa = pta_ssa(s->g->p, s->src->func);
	uint32_t callee;
	const struct pta_handout *h = vfg__handout(s->g, s->src, &callee);
	struct sbuf b = {0};
	bool ok = false;

	if (h && h->param != IR_NONE)
		ok = name_handed(s, h, callee, &b);
	for (uint32_t i = s->src->inst + 1; !ok && i < f->ninsts && call->res != IR_NONE && !VNODE_IS_DEF(s->node); i++)
		if (f->insts[i].op == IR_STORE && ssa_ref(ssa, f->insts[i].ops[1]) == IR_VREG(call->res) &&
		    !(IR_KIND(f->insts[i].ops[0]) == IR_R_SLOT && f->slots[IR_IDX(f->insts[i].ops[0])].flags & IR_S_RETVAL))
			ok = ir_expr_lvalue(&b, s->g->m, f, f->insts[i].ops[0]);
	for (uint32_t k = 1; !ok && VNODE_IS_DEF(s->node) && k < call->nops; k++) {
		/* through an argument: the one whose memory it went to */
		SBITS_FOREACH(l, pta_points_to(s->g->p, s->src->func, call->ops[k]))
			if (!ok && mssa_tracked(s->g->s, l)) {
				sbuf_clear(&b);
				ok = ir_expr_lvalue(&b, s->g->m, f, call->ops[k]);
			}
	}
	if (!ok && call->res != IR_NONE && !VNODE_IS_DEF(s->node)) {
		sbuf_clear(&b);
		ok = ir_expr(&b, s->g->m, f, IR_VREG(call->res));
	}
	s->f->variable = arena_strdup(&s->fs->arena, ok ? sbuf_str(&b) : "");
	sbuf_release(&b);
}

void vfg__tell(struct findings *fs, struct detect *d, const struct vsource *src, enum verdict v, bdd freed)
{
	struct story s = { .g = detect_guards(d)->g, .fs = fs, .d = d, .src = src, .func = src->func,
			   .inst = src->inst, .last_stop = IR_NONE };
	const struct ir_inst *call = &s.g->m->funcs.v[src->func].insts[src->inst];
	const struct ir_func *callee = ir_callee(s.g->m, call);
	const struct pta_obj *o = pta_obj(s.g->p, src->obj);
	struct vnodes start = {0};
	struct finding *f = finding_new(fs);

	vfg__start(s.g, src, &start);
	s.node = start.v[0];
	vec_release(&start);
	s.f = f;
	f->kind = v == VERDICT_NEVER ? FINDING_NEVER_FREED : FINDING_CONDITIONAL;
	f->resource = o->effect->value.resource->name;
	f->alloc = location(&s, src->func, src->inst);
	f->allocator = callee ? callee->src : o->root != IR_NONE ? s.g->m->funcs.v[o->root].src : "an allocator";
	f->condition = "";
	f->engines = FINDING_BY_VFG;
	f->confidence = FINDING_MEDIUM;
	name_variable(&s);
	finding_add_step(fs, f, &f->alloc, "allocated here by %s", f->allocator);
	choose(&s, freed);
	tell_condition(&s);
	measure(&s);
	walk(&s);
	free(s.value);
	free(s.far);
	vec_release(&s.holders);
	vec_release(&s.visited);
}
