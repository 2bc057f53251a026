/*
 * plan_alone.c - what gives back the object, and nothing else?
 *
 * A program that has an allocator of its own has a releaser of its own: one that counts, or that stands for
 * another library's in another build.  What came from that allocator goes back by that releaser, never by
 * free(), even if free() is what it calls in this build.  Three questions, where free() would be the easy
 * answer:
 *
 *   does a function release its argument alone?  The points-to sets say that each caller of such a releaser
 * may free all that anybody ever gives to it; the text of the caller says it better
 *
 *   what does a destructor that frees too much call, in the end, for the object itself?
 *
 *   what does a function that makes objects call, to have them?  What releases other objects of that
 * allocator releases these, too, if nobody releases them
 *
 * Which way it errs: only values that have one origin are followed.  Whoever does it in a more roundabout
 * way is said to free more than its argument, to give it back by nothing that is known, or to have no
 * allocator.
 */
#include "plan/priv.h"

enum { MAX_DEPTH = 6 };

/* Is the call given what the function is given, alone? */
static bool passes_on(const struct fix_planner *pl, uint32_t func, const struct ir_inst *call)
{
	return call->nops == 2 && pta_origin(pl->p, func, call->ops[1]) == IR_VREG(0);
}

static bool may_free_something(const struct fix_planner *pl, uint32_t func)
{
	const struct model *md = pta_model(pl->p, func);

	for (uint32_t k = 1; md && k <= pl->m->funcs.v[func].nparams; k++)
		if (model_frees(md, k))
			return true;
	return !md && pl->fx[func].freed.n;
}

static bool frees_only(const struct fix_planner *pl, uint32_t func, unsigned depth)
{
	const struct ir_func *f = &pl->m->funcs.v[func];

	if (depth > MAX_DEPTH || ir_is_decl(f))
		return depth <= MAX_DEPTH && pta_model(pl->p, func);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_func *g = f->insts[i].op == IR_CALL ? ir_callee(pl->m, &f->insts[i]) : NULL;

		if (f->insts[i].op != IR_CALL ||
		    (g && !may_free_something(pl, (uint32_t)(g - pl->m->funcs.v))))
			continue;
		if (!g || !passes_on(pl, func, &f->insts[i]) ||
		    !frees_only(pl, (uint32_t)(g - pl->m->funcs.v), depth + 1))
			return false;
	}
	return true;
}

bool alone_is_all(const struct fix_planner *pl, uint32_t func)
{
	return frees_only(pl, func, 0);
}

static uint32_t last(struct fix_planner *pl, uint32_t func, unsigned depth)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	uint32_t found = IR_NONE;

	for (uint32_t i = 0; i < f->ninsts && depth < MAX_DEPTH; i++) {
		const struct ir_func *callee =
			f->insts[i].op == IR_CALL ? ir_callee(pl->m, &f->insts[i]) : NULL;
		uint32_t g = callee ? (uint32_t)(callee - pl->m->funcs.v) : IR_NONE;

		if (!callee || !passes_on(pl, func, &f->insts[i]) || !release_may(pl, g, 0))
			continue;
		if (!pta_model(pl->p, g) && release_is_deep(pl, g))
			g = last(pl, g, depth + 1);
		if (g == IR_NONE || (found != IR_NONE && found != g))
			return IR_NONE;
		found = g;
	}
	return found;
}

uint32_t alone_releaser(struct fix_planner *pl, uint32_t destructor)
{
	return last(pl, destructor, 0);
}

uint32_t alone_allocator(const struct fix_planner *pl, uint32_t maker)
{
	const struct ir_func *f = &pl->m->funcs.v[maker];
	uint32_t found = IR_NONE;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_func *g = NULL;
		const struct ir_inst *d;

		if (f->insts[i].op != IR_RET || f->insts[i].nops != 1)
			continue;
		d = ssa_def(pta_ssa(pl->p, maker), pta_origin(pl->p, maker, f->insts[i].ops[0]));
		if (d && d->op == IR_CALL)
			g = ir_callee(pl->m, d);
		if (!g || ir_is_decl(g) || (found != IR_NONE && g != &pl->m->funcs.v[found]))
			return IR_NONE;
		found = (uint32_t)(g - pl->m->funcs.v);
	}
	return found;
}

/* Does the call make an object, by what the points-to analysis found? */
static bool makes(const struct fix_planner *pl, uint32_t func, uint32_t inst)
{
	bool made = false;

	for (unsigned k = 0; k < PTA_MAX_OUTS; k++)
		made |= pta_heap_at(pl->p, func, inst, k) != IR_NONE;
	return made;
}

void alone_allocators(const struct fix_planner *pl, uint32_t maker, bool out, struct sbits *found)
{
	const struct ir_func *f = &pl->m->funcs.v[maker];
	uint32_t below;

	if (!out) {
		for (unsigned depth = 0;
		     depth < MAX_DEPTH && (below = alone_allocator(pl, maker)) != IR_NONE; depth++)
			maker = below;
		sbits_set(found, maker);
		return;
	}
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_func *g = f->insts[i].op == IR_CALL ? ir_callee(pl->m, &f->insts[i]) : NULL;

		if (g && makes(pl, maker, i))
			alone_allocators(pl, (uint32_t)(g - pl->m->funcs.v), false, found);
	}
}
