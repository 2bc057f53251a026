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
 * pta/nulls.c asks the same of the text instead of the paths, for the value-flow engine; it takes what is
 * loaded from memory for not null, so that here it only makes a path less sure.
 *
 * Which way it errs: calls on paths that were not looked at are not noted.  If the caller has too
 * many of them that is known, and nothing is said; what a loop does from its third round on is not.
 */
#include "path/exec.h"

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

	ir_called_by_name(e->m, &closed);
	bits_init(&called, e->m->funcs.n + 1);
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
