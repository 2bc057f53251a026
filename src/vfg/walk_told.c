/*
 * walk_told.c - what another engine knows of the numbers that a call leaves behind.
 *
 *	if (parse(text, &n) < 0)
 *		return;
 *	for (i = 0; i < n; i++)
 *		...
 *
 * A call that is not entered may write anything to `n`.  The other engine has walked the
 * function and may know that n is not zero, unless the text is empty; what it should know of
 * the text it asks of the path (see struct vfg_second).
 *
 * Only variables of the caller's that are numbers, and that the call gets the address of once, are asked
 * for: what has two names may be written by the other.
 */
#include "vfg/walker.h"

struct call_asked {
	struct walker *w;
	const struct spot *at;
	const struct ir_inst *in;
};

/* What is known of a value that the call is given, or of what is reached from it. */
static bool known_before(void *arg, uint32_t param, const int64_t *off, uint32_t n, struct sym_range *out)
{
	struct call_asked *a = arg;
	struct sym v;

	if (param + 1 >= a->in->nops)
		return false;
	v = walk__eval(a->w, a->at->fr, a->in->ops[param + 1]);
	for (uint32_t i = 0; i < n; i++) {
		const struct sym_cell *c = sym_mem_get(&a->w->s,
						       sym_index(&a->w->s, v, sym_const(1), off[i]));

		if (!c)
			return false;
		v = c->v;
	}
	*out = (struct sym_range){ sym_refined(&a->w->s, v).lo, sym_refined(&a->w->s, v).hi,
				   sym_truth(&a->w->s, v) == 1 };
	return true;
}

static bool nothing_known(void *arg, uint32_t param, const int64_t *off, uint32_t n, struct sym_range *out)
{
	(void)arg, (void)param, (void)off, (void)n, (void)out;
	return false;
}

/* Is it the address of a number, which the call is given once? */
static bool is_number(const struct vfg *g, uint32_t func, const struct ir_inst *in, uint32_t op)
{
	const struct ir_module *m = g->m;
	const struct ssa *s = pta_ssa(g->p, func);
	ir_ref r = ssa_ref(s, in->ops[op]);

	if (IR_KIND(r) != IR_R_SLOT ||
	    m->types.v[ir_type_strip(m, m->funcs.v[func].slots[IR_IDX(r)].type)].kind != IR_T_INT)
		return false;
	for (uint32_t k = 1; k < in->nops; k++)
		if (k != op && live_root(m, s, in->ops[k]) == r)
			return false;
	return true;
}

struct question {		/* to another engine, about a call */
	const struct vfg_second *second;
	sym_at_fn *at;		/* what is known before the call */
	void *arg;
};

/* The numbers that a call is said to leave behind. */
static void find_told(const struct vfg *g, const struct question *q, uint32_t func, const struct ir_inst *in,
		      struct walk_told *out)
{
	const struct vfg_second *second = q->second;
	const struct ir_func *callee = second && in->op == IR_CALL ? ir_callee(g->m, in) : NULL;

	out->n = 0;
	if (!callee || ir_is_decl(callee))
		return;
	for (uint32_t k = 1; k < in->nops && out->n < WALK_MAX_TOLD; k++)
		if (is_number(g, func, in, k) &&
		    second->leaves(second->arg, (uint32_t)(callee - g->m->funcs.v), k - 1, q->at, q->arg,
				   &out->v[out->n].range))
			out->v[out->n++].op = k;
}

bool walker_is_told(const struct vfg *g, const struct vfg_second *second, uint32_t func)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	struct question q = { second, nothing_known, NULL };
	struct walk_told told = {0};

	for (uint32_t i = 0; i < f->ninsts && !told.n; i++)
		find_told(g, &q, func, &f->insts[i], &told);
	return told.n;
}

void walk__ask_second(struct walker *w, const struct spot *at, const struct ir_inst *in,
		      struct walk_told *out)
{
	struct call_asked a = { w, at, in };
	struct question q = { w->second, known_before, &a };

	find_told(w->g, &q, at->fr->func, in, out);
}

void walk__believe_second(struct walker *w, const struct spot *at, const struct ir_inst *in,
			  uint64_t salt, const struct walk_told *told)
{
	for (uint32_t i = 0; i < told->n; i++) {
		ir_ref op = in->ops[told->v[i].op];
		const struct sym_range *r = &told->v[i].range;
		struct sym v = sym_between(hash_join(salt, told->v[i].op), r->lo, r->hi);

		walk__set_origin(w, v, WALK_GUESS_WRITTEN);
		if (r->not_zero)
			sym_assume(&w->s, v, true);
		walk__store_memory(w, at->fr, op, walk__eval(w, at->fr, op), v, true);
	}
}
