/*
 * skip.c - branches that make no difference.
 *
 * Most branches of real code decide what is printed, counted or compared, and
 * come together again without having touched anything that a leak depends on.
 * With k of them in a row there are 2^k paths that a detector need not tell
 * apart; the paper walks them all, and lives with short functions.
 *
 * A branch is skipped if nothing that lies between it and the block where its
 * ways meet again (its immediate post-dominator) can be noticed afterwards: no
 * store but to variables that are dead there, no call but of functions that do
 * nothing to memory and always return, no value that is used later.  The path
 * goes on where the ways meet, and nothing is assumed of the condition, so that
 * a later branch on the same condition is still decided freely.
 *
 * Which way this errs: that a pointer was used in between, and so is not null,
 * is not known afterwards; a path may be taken for feasible that is not.
 */
#include "path/exec.h"

#include "ir/dom.h"
#include "path/keep.h"

enum { MAX_REGION = 60 };

struct region {
	struct exec *x;
	struct bits in;
	VEC(uint32_t) blocks;
	uint32_t meet;
};

/* Does the model say that nothing happens but that a value is returned? */
static bool is_harmless_model(const struct model *md)
{
	if (md->noreturn)
		return false;
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];

		if (e->kind == MODEL_E_HOLD)
			continue;
		if (e->kind != MODEL_E_SET || e->place.base != MODEL_RETURN || e->place.nsteps ||
		    e->value.kind == MODEL_V_NEW)
			return false;
	}
	return true;
}

static bool is_harmless_call(const struct exec *x, const struct ir_inst *in)
{
	const struct ir_func *g = ir_callee(x->m, in);
	const struct model *md;
	const struct summary *s;

	if (!g || in->flags & (IR_F_NORETURN | IR_F_TWICE) || g->flags & (IR_FN_NORETURN | IR_FN_TWICE))
		return false;
	if (!ir_is_decl(g)) {
		s = keep_summary(x->e, (uint32_t)(g - x->m->funcs.v));
		return s->done && s->cases.n && summary_is_plain(s);
	}
	md = model_find(x->e->models, g->name);
	return md ? is_harmless_model(md) : g->flags & IR_FN_READONLY;
}

static bool is_dead_store(const struct region *r, const struct ir_inst *in)
{
	ir_ref a = in->ops[0];

	return IR_KIND(a) == IR_R_SLOT && bits_test(&r->x->flow.plain, IR_IDX(a)) && r->x->flow.live &&
	       !bits_test(&r->x->flow.live[r->meet], IR_IDX(a));
}

static bool is_harmless(const struct region *r, const struct ir_inst *in)
{
	if (in->res != IR_NONE && bits_test(&r->x->flow.far, in->res) &&
	    flow_is_live_vreg(&r->x->flow, r->meet, in->res))
		return false;
	switch ((enum ir_opcode)in->op) {
	case IR_STORE:
		return is_dead_store(r, in);
	case IR_CALL:
		return is_harmless_call(r->x, in);
	case IR_MEMCPY:
	case IR_MEMSET:
	case IR_ASM:
	case IR_VASTART:
	case IR_VACOPY:
	case IR_VAARG:
	case IR_ALLOCA:
	case IR_RET:
	case IR_GOTO:
	case IR_UNREACHABLE:
		return false;
	case IR_LOAD:
		return !(in->flags & IR_F_VOLATILE);
	default:
		return true;
	}
}

static bool add(struct region *r, uint32_t b)
{
	if (b == r->meet || !bits_set(&r->in, b))
		return true;
	if (r->blocks.n == MAX_REGION)
		return false;
	vec_push(&r->blocks, b);
	return true;
}

/* All blocks on the ways from the branch to where they meet. */
static bool find_region(struct region *r, uint32_t b)
{
	const struct ir_func *f = r->x->f;
	bool ok = true;

	for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
		ok = ok && add(r, f->blocks[b].succ[k]);
	for (uint32_t i = 0; ok && i < r->blocks.n; i++) {
		const struct ir_block *c = &f->blocks[r->blocks.v[i]];

		for (uint32_t j = c->first; j < c->first + c->n && ok; j++)
			ok = is_harmless(r, &f->insts[j]);
		for (uint32_t k = 0; k < c->nsucc && ok; k++)
			ok = add(r, c->succ[k]);
	}
	return ok;
}

void skip_find(struct exec *x)
{
	const struct ir_func *f = x->f;
	struct region r = { .x = x };
	struct dom post;

	x->skip = xmalloc(MAX(f->nblocks, 1) * sizeof(*x->skip));
	memset(x->skip, 0xff, f->nblocks * sizeof(*x->skip));
	if (!x->flow.live)
		return;
	dom_init_post(&post, f);
	bits_init(&r.in, f->nblocks);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		if (f->blocks[b].nsucc < 2 || !dom_reachable(&post, b))
			continue;
		r.meet = post.idom[b];
		if (r.meet >= f->nblocks || r.meet == b || f->insts[f->blocks[r.meet].first].op == IR_PHI)
			continue;
		bits_zero(&r.in);
		vec_clear(&r.blocks);
		if (find_region(&r, b))
			x->skip[b] = r.meet;
	}
	bits_release(&r.in);
	vec_release(&r.blocks);
	dom_release(&post);
}
