/*
 * visible.c - N of rule [I-CALL] in Figure 3: what of a callee's side effects a
 * caller can see.
 *
 * Points-to sets do not know contexts: a function to which each of its callers
 * passes the address of a local modifies the locals of all.  A call of that function
 * can concern only the locals that exist while the caller runs: the caller's own, and
 * those of functions that may have called the caller, directly or not.  We do not ask
 * which of these can be reached from the arguments of the call: more def-use
 * chains than in the paper, never fewer.
 *
 * Locals that were passed to unknown code are not tracked, so that calls from unknown
 * code do not count here.
 */
#include "mssa/priv.h"

static void pass_down(struct mssa *s, uint32_t func)
{
	const struct ir_func *f = &s->m->funcs.v[func];
	const struct pta_callback *cb;
	uint32_t n = pta_callbacks(s->p, func, &cb);

	for (uint32_t i = 0; i < f->ninsts; i++) {
		struct pta_callees c;

		if (f->insts[i].op != IR_CALL)
			continue;
		pta_callees(s->p, func, i, &c);
		SBITS_FOREACH(g, c.set)
			if (!ir_is_decl(&s->m->funcs.v[g]) && g != func)
				sbits_or(&s->visible[g], &s->visible[func]);
	}
	for (uint32_t i = 0; i < n; i++)
		if (!ir_is_decl(&s->m->funcs.v[cb[i].callee]) && cb[i].callee != func)
			sbits_or(&s->visible[cb[i].callee], &s->visible[func]);
}

void mssa__find_visible(struct mssa *s)
{
	uint32_t n;
	const uint32_t *order = pta_bottom_up(s->p, &n);
	struct sbits always = {0};

	s->visible = xcalloc(MAX(s->m->funcs.n, 1), sizeof(*s->visible));
	for (uint32_t l = bits_next(&s->tracked, 0); l != UINT32_MAX; l = bits_next(&s->tracked, l + 1)) {
		const struct pta_obj *o = pta_obj(s->p, pta_loc(s->p, l)->obj);

		sbits_set(o->kind == PTA_SLOT ? &s->visible[o->func] : &always, l);
	}
	/* Callers first; within a component everybody may have called everybody. */
	for (uint32_t end = n, first; end > 0; end = first) {
		uint32_t comp = pta_component(s->p, order[end - 1]);
		struct sbits all = {0};

		for (first = end; first > 0 && pta_component(s->p, order[first - 1]) == comp;)
			sbits_or(&all, &s->visible[order[--first]]);
		assert(first < end);
		for (uint32_t i = first; i < end; i++) {
			sbits_or(&s->visible[order[i]], &all);
			pass_down(s, order[i]);
		}
		if (!ir_is_decl(&s->m->funcs.v[order[first]]))
			sbits_or(&all, &always);
		shares_put(&s->shares, &all);
		for (uint32_t i = first; i < end; i++)
			sbits_borrow(&s->visible[order[i]], &all);
	}
	sbits_release(&always);
}
