/*
 * plan_errno.c - is errno still wanted behind a place?
 *
 *	if ((in = fopen(name, "r")) == NULL) {
 *		perror(name);
 *		return -1;
 *	}
 *
 * An fclose(out) before the message may change what it says.  The message itself is as good a place to free
 *behind; so of places that are equal otherwise one is taken behind which nobody asks for the errno of what
 *came before it.  That is only a preference: where there is no such place it is as before, and what is
 *returned is kept in a variable by the editor.
 *
 * errno is wanted if a way on reads it, or calls something that does so first, before something else may
 *have set it: a call that is not known to write nothing, or a store.  A function of the program that has a
 *way on which it does neither leaves it alone: `if (debugging())` before a message, or a log that is off.
 *Callers are not asked: with `return -1;` next to it, where else could it go? A function of a library sets
 *errno when it fails.  Where nobody looks at what it returned, as with `signal(SIGPIPE, old);` before the
 *message, the message is not about that call.
 *
 * Which way it errs: what sets errno in truth may leave it alone, and a pointer to a function may read it:
 *"no".
 */
#include "plan/priv.h"

#include "ir/expr.h"

/* "%m" */
static bool is_format_with_errno(const struct ir_module *m, ir_ref r)
{
	const char *s = IR_KIND(r) == IR_R_GLOBAL ? m->globals.v[IR_IDX(r)].text : NULL;

	for (; s && (s = strchr(s, '%')); s += s[1] ? 2 : 1)
		if (s[1] == 'm')
			return true;
	return false;
}

static bool uses(const struct ir_func *f, uint32_t block, uint32_t vreg)
{
	const struct ir_block *b = &f->blocks[block];

	for (uint32_t i = b->first; i < b->first + b->n; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++)
			if (f->insts[i].ops[k] == IR_VREG(vreg))
				return true;
	return false;
}

/* What a call returns is looked at in its block, or as a part of an expression with `?:` or `&&` in the
 * next. */
static bool is_looked_at(const struct ir_func *f, const struct ir_inst *call)
{
	const struct ir_block *b = &f->blocks[call->block];
	bool used = call->res != IR_NONE && uses(f, call->block, call->res);

	for (uint32_t k = 0; k < b->nsucc && call->res != IR_NONE && !used; k++)
		used = uses(f, b->succ[k], call->res);
	return used;
}

enum effect { UNKNOWN, NONE, ASKS, SETS };

static enum effect effect_from(struct fix_planner *pl, const struct ir_func *f, uint32_t inst);

/* What a function of the program does first, found once.  One that calls itself is taken to set errno there.
 */
static enum effect function_effect(struct fix_planner *pl, const struct ir_func *g)
{
	uint8_t *e = &pl->errnos[g - pl->m->funcs.v];

	if (*e == UNKNOWN) {
		*e = SETS;
		*e = effect_from(pl, g, g->blocks[0].first);
	}
	return *e;
}

static enum effect call_effect(struct fix_planner *pl, const struct ir_func *f, const struct ir_inst *in)
{
	static const char *const asks[] = { "perror", "warn", "vwarn", "err", "verr", NULL };
	static const char *const leaves[] = { "gettext",   "dgettext",	 "dcgettext", "ngettext",
					      "dngettext", "dcngettext", NULL };
	const struct ir_func *g = ir_callee(pl->m, in);

	if (!g)
		return SETS;
	if (ir_is_decl(g) && plan_is_one_of(g->name, asks))
		return ASKS;
	for (uint32_t k = 1; k < in->nops; k++)
		if (is_format_with_errno(pl->m, in->ops[k]))
			return ASKS;
	if (g->flags & IR_FN_READONLY || (ir_is_decl(g) && plan_is_one_of(g->name, leaves)))
		return NONE;
	if (ir_is_decl(g))
		return is_looked_at(f, in) ? SETS : NONE;
	return function_effect(pl, g);
}

static enum effect effect_of(struct fix_planner *pl, const struct ir_func *f, const struct ir_inst *in)
{
	if (in->op == IR_CALL)
		return call_effect(pl, f, in);
	if (in->op == IR_LOAD && expr_is_errno(pl->m, f, in->ops[0]))
		return ASKS;
	return in->op == IR_STORE && expr_is_errno(pl->m, f, in->ops[0]) ? SETS : NONE;
}

/* What comes first on the ways from the instruction on.  ASKS: one of them reads errno before it may have
 * been set.  NONE: one leads to a return and leaves it alone. */
static enum effect effect_from(struct fix_planner *pl, const struct ir_func *f, uint32_t inst)
{
	VEC(uint32_t) todo = {0};
	enum effect all = SETS;
	struct bits seen;

	bits_init(&seen, f->nblocks);
	vec_push(&todo, inst);
	while (todo.n && all != ASKS) {
		uint32_t i = vec_pop(&todo);
		const struct ir_block *b = &f->blocks[f->insts[i].block];
		enum effect e = NONE;

		for (; i < b->first + b->n && e == NONE; i++)
			e = effect_of(pl, f, &f->insts[i]);
		if (e == ASKS || (e == NONE && f->insts[b->first + b->n - 1].op == IR_RET))
			all = e;
		for (uint32_t k = 0; k < b->nsucc && e == NONE; k++)
			if (bits_set(&seen, b->succ[k]))
				vec_push(&todo, f->blocks[b->succ[k]].first);
	}
	vec_release(&todo);
	bits_release(&seen);
	return all;
}

bool errno_is_wanted(const struct plan_sim *sim, const struct plan_place *at)
{
	return effect_from(sim->pl, sim->f, fields_behind(sim, at)) == ASKS;
}

bool errno_is_asked(struct fix_planner *pl, const struct ir_func *f, uint32_t inst)
{
	return effect_from(pl, f, inst) == ASKS;
}
