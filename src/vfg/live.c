/*
 * live.c - which values of a function can still matter at a block.
 *
 * Liveness as in any compiler, but only of leaves: values that the walker keeps
 * (phis, loads, results of calls, parameters).  All others are computed from
 * these when asked for, so a use of `a + b` is a use of a and of b.  And only
 * uses that decide where control goes count: a value that is merely printed, or
 * a pointer that is merely gone through, makes no path different.  Two exceptions:
 * a pointer that a function is called by, and one that is chosen among variables
 * (`p = n ? &a : &b`).
 *
 * Memory is live while a load that decides anything can still go through the
 * pointer or variable that it was reached by.
 */
#include "vfg/live.h"

enum { MAX_DEPTH = 40, FEW = 64, MAX_BITS = 1 << 26 };

bool live_is_leaf(const struct ssa *s, ir_ref r)
{
	const struct ir_inst *d;

	if (IR_KIND(r) != IR_R_VREG)
		return false;
	d = ssa_def(s, r);
	if (!d)
		return true;
	switch (d->op) {
	case IR_BIN:
	case IR_CMP:
	case IR_CAST:
	case IR_FIELD:
	case IR_ELEM:
	case IR_INDEX:
	case IR_COPY:
	case IR_SELECT:
		return false;
	default:
		return true;
	}
}

#define MAP_NAME depths
#define MAP_KEY uint32_t
#define MAP_VAL int
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct leaves {
	const struct ssa *s;
	void (*leaf)(uint32_t value, void *arg);
	void *arg;
	uint32_t n;		/* values looked at */
	struct depths seen;	/* and how far away, once there are many */
};

/* Were we here before, and not further away?  Values that are used twice at each of many levels, as
 * ciphers and hashes are full of them, would be looked at for ever.  Most are made from two or
 * three: these cost nothing. */
static bool was_seen(struct leaves *x, uint32_t value, int depth)
{
	bool is_new;
	int *at;

	if (++x->n <= FEW)
		return false;
	at = depths_put(&x->seen, value, &is_new);
	if (!is_new && *at <= depth)
		return true;
	*at = depth;
	return false;
}

static void find_leaves(struct leaves *x, ir_ref r, int depth)
{
	const struct ir_inst *d;

	r = ssa_ref(x->s, r);
	if (IR_KIND(r) != IR_R_VREG || depth > MAX_DEPTH)
		return;
	if (live_is_leaf(x->s, r)) {
		x->leaf(IR_IDX(r), x->arg);
		return;
	}
	if (was_seen(x, IR_IDX(r), depth))
		return;
	d = ssa_def(x->s, r);
	for (uint32_t k = 0; k < d->nops; k++)
		find_leaves(x, d->ops[k], depth + 1);
}

void live_leaves(const struct ssa *s, ir_ref r, void (*leaf)(uint32_t value, void *arg), void *arg)
{
	struct leaves x = { .s = s, .leaf = leaf, .arg = arg };

	find_leaves(&x, r, 0);
	depths_release(&x.seen);
}

static void use_leaf(uint32_t value, void *arg)
{
	bits_set(arg, value);
}

static void use(const struct ssa *s, ir_ref r, struct bits *into)
{
	live_leaves(s, r, use_leaf, into);
}

ir_ref live_root(const struct ir_module *m, const struct ssa *s, ir_ref r)
{
	for (int depth = 0; depth < MAX_DEPTH; depth++) {
		const struct ir_inst *d;

		r = ssa_ref(s, r);
		if (IR_KIND(r) == IR_R_ADDR)
			return m->addrs.v[IR_IDX(r)].base;
		d = ssa_def(s, r);
		if (!d || (d->op != IR_FIELD && d->op != IR_ELEM && d->op != IR_INDEX && d->op != IR_CAST))
			break;
		r = d->ops[0];
	}
	return r;
}

bool live_is_choice(const struct ssa *s, ir_ref r)
{
	const struct ir_inst *d = ssa_def(s, r);
	const ir_ref *args;
	uint32_t n;

	if (ssa_is_phi(s, r)) {
		args = ssa_phi(s, r)->args;
		n = s->f->blocks[ssa_phi(s, r)->block].npred;
	} else if (d && d->op == IR_PHI) {
		args = d->ops;
		n = d->nops;
	} else {
		return false;
	}
	for (uint32_t k = 0; k < n; k++) {
		ir_ref x = ssa_ref(s, args[k]);

		if (IR_KIND(x) == IR_R_SLOT || IR_KIND(x) == IR_R_GLOBAL || IR_KIND(x) == IR_R_ADDR)
			return true;
	}
	return false;
}

bool live_may_enter(const struct ir_module *m, const struct ir_inst *in)
{
	const struct ir_func *callee = in->op == IR_CALL ? ir_callee(m, in) : NULL;

	return in->op == IR_CALL && (!callee || !ir_is_decl(callee));
}

/* Does the walker look at the operands? */
static bool looks(const struct vfg *g, const struct ir_inst *in)
{
	const struct ir_func *callee;

	switch (in->op) {
	case IR_LOAD:
	case IR_STORE:
	case IR_CONDBR:
	case IR_SWITCH:
	case IR_RET:
		return true;
	case IR_CALL:
		callee = ir_callee(g->m, in);
		return !callee || !ir_is_decl(callee) || callee->flags & IR_FN_READONLY;
	default:
		return false;
	}
}

/* Does it decide by them where to go, here or in a callee or caller?  (What a
 * callee other than an allocator does with numbers it is given is left out: paths
 * that differ in nothing else are taken for one, and a leak may be missed.) */
static bool is_deciding(const struct live *l, const struct vfg *g, const struct ir_inst *in)
{
	const struct ir_func *callee;

	if (in->op == IR_CONDBR || in->op == IR_SWITCH || in->op == IR_RET)
		return true;
	if (l->deep && (in->op == IR_STORE || live_may_enter(g->m, in)))
		return true;
	if (in->op != IR_CALL || !(callee = ir_callee(g->m, in)))
		return false;
	return callee->flags & IR_FN_READONLY || pta_wrapper(g->p, (uint32_t)(callee - g->m->funcs.v));
}

/* The operands that it decides by. */
static void deciding_uses(const struct live *l, const struct vfg *g, const struct ssa *s,
			  const struct ir_inst *in, struct bits *into)
{
	for (uint32_t k = in->op == IR_CALL; is_deciding(l, g, in) && k < in->nops; k++)
		use(s, in->ops[k], into);
	if (in->op == IR_CALL && !ir_callee(g->m, in))
		use(s, in->ops[0], into);
	if ((in->op == IR_LOAD || in->op == IR_STORE) && in->cls == IR_C_PTR &&
	    live_is_choice(s, live_root(g->m, s, in->ops[0])))
		use(s, in->ops[0], into);
}

/* The values that phis of `to` take if control comes from `from`; of those phis
 * only that are in `of`, unless that is NULL. */
static void phi_uses(const struct ssa *s, uint32_t from, uint32_t to, const struct bits *of,
		     struct bits *live)
{
	const struct ir_func *f = s->f;

	for (uint32_t k = 0; k < f->blocks[to].npred; k++) {
		if (f->blocks[to].pred[k] != from)
			continue;
		for (uint32_t p = s->phi_row[to]; p < s->phi_row[to + 1]; p++)
			if (!of || bits_test(of, f->nvregs + p))
				use(s, s->phis[p].args[k], live);
	}
	for (uint32_t i = f->blocks[to].first; f->insts[i].op == IR_PHI; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++)
			if (f->insts[i].targets[k] == from && (!of || bits_test(of, f->insts[i].res)))
				use(s, f->insts[i].ops[k], live);
}

static void all_phi_uses(const struct ssa *s, const struct bits *of, struct bits *into)
{
	for (uint32_t b = 0; b < s->f->nblocks; b++)
		for (uint32_t k = 0; k < s->f->blocks[b].npred; k++)
			phi_uses(s, s->f->blocks[b].pred[k], b, of, into);
}

static void find_asked(struct live *l, const struct vfg *g, const struct ssa *s)
{
	const struct ir_func *f = s->f;
	uint32_t before;

	bits_init(&l->asked, s->nvalues);
	bits_init(&l->decides, s->nvalues);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		for (uint32_t k = 0; looks(g, &f->insts[i]) && k < f->insts[i].nops; k++)
			use(s, f->insts[i].ops[k], &l->asked);
		deciding_uses(l, g, s, &f->insts[i], &l->decides);
	}
	all_phi_uses(s, NULL, &l->asked);
	do {
		before = bits_count(&l->decides);
		all_phi_uses(s, &l->decides, &l->decides);
	} while (bits_count(&l->decides) > before);
}

/* What is live at the begin of b, behind its phis, given what is at its end. */
static void through_block(struct live *l, const struct vfg *g, const struct ssa *s,
			  uint32_t b, struct bits *live, struct bits *loads)
{
	const struct ir_func *f = s->f;

	for (uint32_t i = f->blocks[b].first + f->blocks[b].n; i-- > f->blocks[b].first;) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op == IR_LOAD && bits_test(&l->decides, in->res))
			bits_set(loads, *rootmap_get(&l->roots, live_root(g->m, s, in->ops[0])));
		if (in->res != IR_NONE && in->op != IR_PHI)
			bits_unset(live, in->res);
		deciding_uses(l, g, s, in, live);
		for (uint32_t k = 1; l->deep && in->op == IR_CALL && is_deciding(l, g, in) &&
		     k < in->nops; k++) {
			const uint32_t *n = rootmap_get(&l->roots, live_root(g->m, s, in->ops[k]));

			if (n)
				bits_set(loads, *n);
		}
	}
}

/* What is live behind the phis of `to` is so before them, except for these. */
static void before_phis(const struct ssa *s, uint32_t to, struct bits *live)
{
	const struct ir_func *f = s->f;

	for (uint32_t p = s->phi_row[to]; p < s->phi_row[to + 1]; p++)
		bits_unset(live, f->nvregs + p);
	for (uint32_t i = f->blocks[to].first; f->insts[i].op == IR_PHI; i++)
		bits_unset(live, f->insts[i].res);
}

static void number_root(struct live *l, ir_ref root)
{
	bool is_new;
	uint32_t *n = rootmap_put(&l->roots, root, &is_new);

	if (is_new)
		*n = l->roots.n - 1;
}

static void number_roots(struct live *l, const struct vfg *g, const struct ssa *s)
{
	for (uint32_t i = 0; i < s->f->ninsts; i++) {
		const struct ir_inst *in = &s->f->insts[i];

		if (in->op == IR_LOAD && bits_test(&l->decides, in->res))
			number_root(l, live_root(g->m, s, in->ops[0]));
		for (uint32_t k = 1; l->deep && live_may_enter(g->m, in) && k < in->nops; k++)
			number_root(l, live_root(g->m, s, in->ops[k]));
	}
}

static void find_live(struct live *l, const struct vfg *g, const struct ssa *s)
{
	const struct ir_func *f = s->f;
	struct bits now, next, loads;
	bool changed = true;

	l->in = xcalloc(f->nblocks, sizeof(*l->in));
	l->loads = xcalloc(f->nblocks, sizeof(*l->loads));
	for (uint32_t b = 0; b < f->nblocks; b++) {
		bits_init(&l->in[b], s->nvalues);
		bits_init(&l->loads[b], l->roots.n + 1);
	}
	bits_init(&now, s->nvalues);
	bits_init(&next, s->nvalues);
	bits_init(&loads, l->roots.n + 1);
	while (changed) {
		changed = false;
		for (uint32_t i = s->dom.nreach; i-- > 0;) {
			uint32_t b = s->dom.order[i];

			bits_zero(&now);
			bits_zero(&loads);
			for (uint32_t k = 0; k < f->blocks[b].nsucc; k++) {
				bits_copy(&next, &l->in[f->blocks[b].succ[k]]);
				before_phis(s, f->blocks[b].succ[k], &next);
				bits_or(&now, &next);
				bits_or(&loads, &l->loads[f->blocks[b].succ[k]]);
				phi_uses(s, b, f->blocks[b].succ[k], &l->decides, &now);
			}
			through_block(l, g, s, b, &now, &loads);
			changed |= bits_or(&l->in[b], &now);
			changed |= bits_or(&l->loads[b], &loads);
		}
	}
	bits_release(&now);
	bits_release(&next);
	bits_release(&loads);
}

static void find_far(struct live *l, const struct vfg *g, uint32_t func)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct vflow *fl = &g->flow[func];
	VEC(uint32_t) queue = {0};

	l->far = xmalloc(f->nblocks * sizeof(*l->far));
	memset(l->far, 0xff, f->nblocks * sizeof(*l->far));
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (f->insts[f->blocks[b].first + f->blocks[b].n - 1].op == IR_RET &&
		    fl->ends[b] == IR_NONE) {
			l->far[b] = 0;
			vec_push(&queue, b);
		}
	for (uint32_t head = 0; head < queue.n; head++) {
		const struct ir_block *b = &f->blocks[queue.v[head]];

		for (uint32_t k = 0; k < b->npred; k++)
			if (l->far[b->pred[k]] == IR_NONE && fl->ends[b->pred[k]] == IR_NONE) {
				l->far[b->pred[k]] = l->far[queue.v[head]] + 1;
				vec_push(&queue, b->pred[k]);
			}
	}
	vec_release(&queue);
}

/* What one callee writes there, another may ask for. */
static void find_handed(struct live *l, const struct vfg *g, const struct ssa *s)
{
	const struct ir_func *f = s->f;
	struct bits once;

	bits_init(&once, f->nslots);
	bits_init(&l->handed, f->nslots);
	for (uint32_t i = 0; l->deep && i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		for (uint32_t k = 1; in->op == IR_CALL && live_may_enter(g->m, in) && k < in->nops; k++) {
			ir_ref root = live_root(g->m, s, in->ops[k]);

			if (IR_KIND(root) == IR_R_SLOT && !bits_set(&once, IR_IDX(root)))
				bits_set(&l->handed, IR_IDX(root));
		}
	}
	bits_release(&once);
}

void live_init(struct live *l, const struct vfg *g, uint32_t func, bool deep)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(g->p, func);
	struct dom post;

	memset(l, 0, sizeof(*l));
	l->nblocks = f->nblocks;
	l->deep = deep;
	find_asked(l, g, s);
	number_roots(l, g, s);
	find_handed(l, g, s);
	l->too_large = (uint64_t)f->nblocks * s->nvalues > MAX_BITS;
	if (!l->too_large)
		find_live(l, g, s);
	find_far(l, g, func);
	dom_init_post(&post, f);
	dom_frontier(&post, &l->dep_row, &l->dep);
	dom_release(&post);
	l->loop = xmalloc(f->nblocks * sizeof(*l->loop));
	memset(l->loop, 0xff, f->nblocks * sizeof(*l->loop));
	/* a natural loop before another with this header */
	for (uint32_t i = g->flow[func].nrounds; i-- > 0;)
		l->loop[g->flow[func].loops[i].header] = i;
}

void live_release(struct live *l)
{
	for (uint32_t b = 0; !l->too_large && b < l->nblocks; b++) {
		bits_release(&l->in[b]);
		bits_release(&l->loads[b]);
	}
	free(l->in);
	free(l->loads);
	free(l->far);
	free(l->loop);
	free(l->dep_row);
	free(l->dep);
	rootmap_release(&l->roots);
	bits_release(&l->asked);
	bits_release(&l->handed);
	bits_release(&l->decides);
	memset(l, 0, sizeof(*l));
}
