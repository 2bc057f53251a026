/*
 * relevant.c - which values decide what becomes of one object.
 *
 * A block is relevant if something happens to the object there, or if what
 * happens depends on whether control comes by; then so are the branches that it
 * is control-dependent on (its post-dominance frontier), the values that these
 * ask for, and where those values are chosen: the predecessors of phis, the
 * stores to memory that is loaded.  Stores in callees are not looked for, unless
 * they are entered for that: two paths that differ only in what a callee did to
 * memory count as one.
 */
#include "vfg/relevant.h"

struct work {
	struct relevant *r;
	const struct vfg *g;
	struct live *l;
	const struct ssa *s;
	VEC(uint32_t) blocks;
	VEC(uint32_t) values;
};

static void block(struct work *w, uint32_t b)
{
	if (bits_set(&w->r->blocks, b))
		vec_push(&w->blocks, b);
}

static void add_leaf(uint32_t value, void *arg)
{
	struct work *w = arg;

	if (bits_set(&w->r->values, value))
		vec_push(&w->values, value);
}

static void value(struct work *w, ir_ref r)
{
	live_leaves(w->s, r, add_leaf, w);
}

static void phi_is_relevant(struct work *w, uint32_t at, const ir_ref *args, uint32_t n)
{
	for (uint32_t k = 0; k < w->s->f->blocks[at].npred; k++)
		block(w, w->s->f->blocks[at].pred[k]);
	for (uint32_t k = 0; k < n; k++)
		value(w, args[k]);
}

static void root_is_relevant(struct work *w, ir_ref root);

/* A call that is entered: what it returns or writes depends on what it is given. */
static void call_is_relevant(struct work *w, const struct ir_inst *in)
{
	block(w, in->block);
	for (uint32_t k = 1; k < in->nops; k++) {
		value(w, in->ops[k]);
		root_is_relevant(w, live_root(w->g->m, w->s, in->ops[k]));
	}
}

static bool is_given(struct work *w, const struct ir_inst *in, ir_ref root)
{
	for (uint32_t k = 1; k < in->nops; k++)
		if (live_root(w->g->m, w->s, in->ops[k]) == root)
			return true;
	return false;
}

/* What is in the memory that is reached by it matters. */
static void root_is_relevant(struct work *w, ir_ref root)
{
	const uint32_t *n = rootmap_get(&w->l->roots, root);
	const struct ir_func *f = w->s->f;

	if (!n || !bits_set(&w->r->roots, *n))
		return;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		if (f->insts[i].op == IR_STORE && live_root(w->g->m, w->s, f->insts[i].ops[0]) == root) {
			block(w, f->insts[i].block);
			value(w, f->insts[i].ops[1]);
		}
		if (w->l->deep && live_may_enter(w->g->m, &f->insts[i]) && is_given(w, &f->insts[i], root))
			call_is_relevant(w, &f->insts[i]);
	}
}

/* Stores to memory that is not the function's own. */
static void stores_are_relevant(struct work *w)
{
	const struct ir_func *f = w->s->f;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op == IR_STORE && IR_KIND(live_root(w->g->m, w->s, in->ops[0])) != IR_R_SLOT) {
			block(w, in->block);
			value(w, in->ops[1]);
		}
	}
}

static void value_is_relevant(struct work *w, uint32_t v)
{
	const struct ir_func *f = w->s->f;
	const struct ir_inst *d;

	if (v >= f->nvregs) {
		const struct ssa_phi *p = &w->s->phis[v - f->nvregs];

		phi_is_relevant(w, p->block, p->args, f->blocks[p->block].npred);
		return;
	}
	d = ssa_def(w->s, IR_VREG(v));
	if (!d)
		return;
	if (d->op == IR_PHI)
		phi_is_relevant(w, d->block, d->ops, d->nops);
	else if (d->op == IR_LOAD)
		root_is_relevant(w, live_root(w->g->m, w->s, d->ops[0]));
	else if (w->l->deep && live_may_enter(w->g->m, d))
		call_is_relevant(w, d);
	else if (d->op == IR_CALL && ir_callee(w->g->m, d) && ir_callee(w->g->m, d)->flags & IR_FN_READONLY)
		for (uint32_t k = 1; k < d->nops; k++)
			value(w, d->ops[k]);
}

static void block_is_relevant(struct work *w, uint32_t b)
{
	const struct ir_func *f = w->s->f;

	for (uint32_t k = w->l->dep_row[b]; k < w->l->dep_row[b + 1]; k++) {
		uint32_t on = w->l->dep[k];

		if (on < f->nblocks) {
			const struct ir_inst *br = &f->insts[f->blocks[on].first + f->blocks[on].n - 1];

			block(w, on);
			if (br->nops)
				value(w, br->ops[0]);
		}
	}
}

/* Something happens to the object here: by which of several functions, or in which
 * of several variables? */
static void choices(struct work *w, uint32_t b)
{
	const struct ir_func *f = w->s->f;

	for (uint32_t i = f->blocks[b].first; i < f->blocks[b].first + f->blocks[b].n; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op == IR_CALL && !ir_callee(w->g->m, in))
			value(w, in->ops[0]);
		if ((in->op == IR_LOAD || in->op == IR_STORE) && in->cls == IR_C_PTR &&
		    live_is_choice(w->s, live_root(w->g->m, w->s, in->ops[0])))
			value(w, in->ops[0]);
	}
}

void relevant_init(struct relevant *r, const struct vfg *g, struct live *l, uint32_t func,
		   const struct bits *deeds, bool result)
{
	struct work w = { .r = r, .g = g, .l = l, .s = pta_ssa(g->p, func) };
	const struct ir_func *f = w.s->f;

	bits_init(&r->values, w.s->nvalues);
	bits_init(&r->roots, l->roots.n + 1);
	bits_init(&r->blocks, f->nblocks);
	for (uint32_t b = bits_next(deeds, 0); b != UINT32_MAX; b = bits_next(deeds, b + 1)) {
		block(&w, b);
		choices(&w, b);
	}
	for (uint32_t i = 0; result && i < f->ninsts; i++)
		for (uint32_t k = 0; f->insts[i].op == IR_RET && k < f->insts[i].nops; k++)
			value(&w, f->insts[i].ops[k]);
	if (result && l->deep)
		stores_are_relevant(&w);
	while (w.blocks.n || w.values.n) {
		if (w.blocks.n)
			block_is_relevant(&w, vec_pop(&w.blocks));
		else
			value_is_relevant(&w, vec_pop(&w.values));
	}
	vec_release(&w.blocks);
	vec_release(&w.values);
}

void relevant_release(struct relevant *r)
{
	bits_release(&r->values);
	bits_release(&r->roots);
	bits_release(&r->blocks);
}
