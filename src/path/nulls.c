/*
 * nulls.c - pointers that no caller gives as null.
 *
 * A function that makes what it is not given (`if (!table) table = table_create()`) loses it,
 * if nobody ever calls it so.  Summaries go from callees to callers only; this one
 * fact goes the other way: every call that a path gets to notes which of its pointers may be null
 * there, and when all functions are done, what goes wrong only where a parameter is null, and no call
 * has it so, does not go wrong.
 *
 * Only functions that the program calls by name, and nobody else can call, have such parameters.
 *
 * Which way it errs: calls on paths that were not looked at are not noted.  If the caller has too
 * many of them that is known, and nothing is said; what a loop does from its third round on is not.
 */
#include "path/exec.h"

/* ---- who is called by name only -------------------------------------- */

static void not_closed(const struct ir_module *m, struct bits *closed, ir_ref r)
{
	if (IR_KIND(r) == IR_R_ADDR)
		r = m->addrs.v[IR_IDX(r)].base;
	if (IR_KIND(r) == IR_R_FUNC)
		bits_unset(closed, IR_IDX(r));
}

static void find_closed(const struct engine *e, struct bits *closed)
{
	const struct ir_module *m = e->m;

	for (uint32_t i = 0; i < m->funcs.n; i++)
		if (!ir_is_decl(&m->funcs.v[i]) && !str_eq(m->funcs.v[i].name, "main") &&
		    (m->funcs.v[i].linkage == IR_L_STATIC || e->whole))
			bits_set(closed, i);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		for (uint32_t k = 0; k < m->funcs.v[i].ninsts; k++) {
			const struct ir_inst *in = &m->funcs.v[i].insts[k];

			for (uint32_t o = in->op == IR_CALL; o < in->nops; o++)
				not_closed(m, closed, in->ops[o]);
		}
	for (uint32_t i = 0; i < m->globals.n; i++)
		for (uint32_t k = 0; k < m->globals.v[i].ninits; k++)
			not_closed(m, closed, m->globals.v[i].inits[k].value);
	for (uint32_t i = 0; i < m->aliases.n; i++)
		not_closed(m, closed, m->aliases.v[i].target);
}

/* ---- what is given --------------------------------------------------- */

void nulls_note(struct exec *x, uint32_t callee, const struct sym *args, uint32_t nargs)
{
	const struct ir_func *g = &x->m->funcs.v[callee];
	struct given now = { callee, 0 };
	uint32_t i;

	for (uint32_t k = 0; k < g->nparams && k < 64; k++)
		if (g->params[k].cls == IR_C_PTR && (k >= nargs || !state_is_nonnull(&x->st, args[k])))
			now.nulls |= 1ull << k;
	for (i = 0; i < x->r->given.n && x->r->given.v[i].callee != callee; i++)
		;
	if (i == x->r->given.n)
		vec_push(&x->r->given, now);
	else
		x->r->given.v[i].nulls |= now.nulls;
}

uint64_t nulls_on_path(struct exec *x)
{
	uint64_t nulls = 0;

	for (uint32_t k = 0; k < x->f->nparams && k < 64; k++) {
		const struct sym *v = sym_env_get(&x->st.s, 0, k);

		if (v && x->f->params[k].cls == IR_C_PTR && state_is_null(&x->st, *v))
			nulls |= 1ull << k;
	}
	return nulls;
}

/* Nothing is known of what the function gives to others. */
static void give_anything(struct engine *e, uint32_t func)
{
	const struct ir_func *f = &e->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_func *g = f->insts[i].op == IR_CALL ? ir_callee(e->m, &f->insts[i]) : NULL;

		if (g)
			e->never_null[g - e->m->funcs.v] = 0;
	}
}

void nulls_find(struct engine *e)
{
	struct bits closed, called;

	bits_init(&closed, e->m->funcs.n + 1);
	bits_init(&called, e->m->funcs.n + 1);
	find_closed(e, &closed);
	memset(e->never_null, 0xff, e->m->funcs.n * sizeof(*e->never_null));
	for (uint32_t i = 0; i < e->m->funcs.n; i++) {
		const struct result *r = &e->results[i];

		if (r->cut)
			give_anything(e, i);
		for (uint32_t k = 0; k < r->given.n; k++) {
			e->never_null[r->given.v[k].callee] &= ~r->given.v[k].nulls;
			bits_set(&called, r->given.v[k].callee);
		}
	}
	for (uint32_t i = 0; i < e->m->funcs.n; i++)
		if (!bits_test(&closed, i) || !bits_test(&called, i))
			e->never_null[i] = 0;
	bits_release(&closed);
	bits_release(&called);
}
