/*
 * plan_write.c - the statements that a plan inserts.
 */
#include "fix/plan.h"

/* ---- the plan ----------------------------------------------------------------------------- */

static void push_insertion(struct plan_chooser *c, struct fix_insertion in, uint32_t slot, const char *releaser, const char *keeper)
{
	memset(&in.names, 0, sizeof(in.names));
	vec_push(&in.names, ((struct fix_name){ keeper ? keeper : c->sim->f->slots[slot].name, slot }));
	vec_push(&in.names, ((struct fix_name){ releaser, IR_NONE }));
	vec_push(&c->r->plan->in, in);
}

bool place_is_block_start(const struct plan_chooser *c, const struct plan_place *at)
{
	const struct ir_block *b = at->where == FIX_BEFORE ? &c->sim->f->blocks[c->sim->f->insts[at->inst].block] : NULL;

	return b && b->first == at->inst && b->npred;
}

/* The start of a block, or the end of the function, is all the edges that lead there: the editor
 * finds the place in the text that they have in common. */
static void push_edges(struct plan_chooser *c, struct fix_insertion in, const struct plan_place *at, uint32_t slot,
		       const char *releaser, const char *keeper)
{
	uint32_t b = c->sim->f->insts[at->inst].block;

	in.where = FIX_EDGE;
	in.to = b;
	in.inst = IR_NONE;
	for (uint32_t k = 0; k < c->sim->f->blocks[b].npred; k++) {
		in.from = c->sim->f->blocks[b].pred[k];
		if (dom_reachable(&c->sim->ssa->dom, in.from) && !(at->to != IR_NONE && place_ends_in_return(c->sim, in.from)))
			push_insertion(c, in, slot, releaser, keeper);
	}
}

/* Is there an object at the place, whatever way led there? */
bool place_never_null(const struct plan_chooser *c, const struct plan_place *at, uint32_t key)
{
	for (uint32_t i = 0; i < at->nodes.n; i++) {
		const struct plan_state *s = &c->sim->nodes.v[at->nodes.v[i]].s;

		if (pval_decide(pstate_val(s, key), IR_P_NE, 0) != 1 && !(s->phase == PHASE_ALIVE && s->nonnull && pstate_hold(s, key) == HOLD_MUST))
			return false;
	}
	return true;
}

static bool is_always_fresh(const struct plan_chooser *c, const struct plan_place *at, uint32_t key)
{
	for (uint32_t i = 0; i < at->nodes.n; i++)
		if (pstate_val(&c->sim->nodes.v[at->nodes.v[i]].s, key).kind != PVAL_FRESH)
			return false;
	return true;
}


/* ---- a variable of the plan's own ----------------------------------------------------------- */

/* Where no variable holds the object in the end, or one that may hold something else as well: a
 * second pointer gets what the sources make, and only that is released (past LeakFix's
 * section V-C: "a conditional deallocation").  The names that it must not have are those of the
 * function; the editor and the compiler look for others. */
static const char *keeper_name(struct plan_chooser *c)
{
	const struct plan_sim *sim = c->sim;
	const char *base = sim->f->slots[sim->keeps.v[0].slot].name;

	for (unsigned n = 0;; n++) {
		const char *name = n ? arena_printf(c->r->arena, "%s_heap%u", base, n + 1) : arena_printf(c->r->arena, "%s_heap", base);
		bool taken = false;

		for (uint32_t i = 0; i < sim->f->nslots && !taken; i++)
			taken = str_eq(sim->f->slots[i].name, name);
		for (uint32_t i = 0; i < sim->pl->m->globals.n && !taken; i++)
			taken = str_eq(sim->pl->m->globals.v[i].src, name);
		for (uint32_t i = 0; i < sim->pl->m->funcs.n && !taken; i++)
			taken = str_eq(sim->pl->m->funcs.v[i].src, name);
		if (!taken)
			return name;
	}
}

static bool is_qualified(const struct plan_sim *sim, uint32_t slot)
{
	const struct ir_type *t = &sim->pl->m->types.v[ir_type_strip(sim->pl->m, sim->f->slots[slot].type)];

	return t->kind == IR_T_PTR && t->flags & IR_TF_CONST;
}

static void push_keeper(struct plan_chooser *c, struct fix_insertion in, const char *keeper, uint32_t slot, const char *releaser)
{
	memset(&in.names, 0, sizeof(in.names));
	vec_push(&in.names, ((struct fix_name){ keeper, IR_NONE }));
	if (slot != IR_NONE)
		vec_push(&in.names, ((struct fix_name){ c->sim->f->slots[slot].name, slot }));
	if (releaser)
		vec_push(&in.names, ((struct fix_name){ releaser, IR_NONE }));
	vec_push(&c->r->plan->in, in);
}

/* Is what this source makes in the variable at a place where that is released? */
static bool is_released(const struct plan_chooser *c, uint32_t birth)
{
	for (uint32_t j = 0; j < c->chosen.n; j++)
		for (uint32_t i = 0; i < c->chosen.v[j].at->nodes.n; i++) {
			struct plan_val v = pstate_val(&c->sim->nodes.v[c->chosen.v[j].at->nodes.v[i]].s, sim_keeper_key(c->sim));

			if (v.kind == PVAL_FRESH && v.birth == birth)
				return true;
		}
	return false;
}

/* Declares the variable and sets it behind each source; a release at one of these places comes
 * first. */
bool write_keeper(struct plan_chooser *c)
{
	const struct plan_sim *sim = c->sim;
	struct arena *a = c->r->arena;
	const char *k = keeper_name(c), *release, *name;
	uint32_t func;
	bool takes_null;

	name = release_name(sim->pl, sim, &sim->births.v[c->r->birth], sim->keeps.v[0].slot, a, &c->why, &takes_null, &func);
	if (!name)
		return false;
	if (func != IR_NONE && release_is_deep(sim->pl, func)) {
		c->why = arena_printf(a, "%s() would also free members that may not be the object's own", name);
		return false;
	}
	release = takes_null ? arena_printf(a, "%s(%s);", name, k) : arena_printf(a, "if (%s)\n\t%s(%s);", k, name, k);
	push_keeper(c, (struct fix_insertion){ .where = FIX_DECLARE, .func = sim->func, .from = IR_NONE, .to = IR_NONE, .inst = IR_NONE,
					       .text = arena_printf(a, "void *%s = NULL;", k) }, k, IR_NONE, NULL);
	for (uint32_t i = 0; i < sim->keeps.n; i++) {
		bool needed = is_released(c, sim->keeps.v[i].birth);
		uint32_t slot = sim->keeps.v[i].slot, at = sim->keeps.v[i].pos - 1;
		const char *set = arena_printf(a, "%s = %s%s;", k, is_qualified(sim, slot) ? "(void *)" : "", sim->f->slots[slot].name);
		bool first = false;

		for (uint32_t j = 0; j < c->chosen.n; j++)
			first |= c->chosen.v[j].at->where != FIX_EDGE && c->chosen.v[j].at->to == IR_NONE &&
				 c->chosen.v[j].at->nodes.n && sim->nodes.v[c->chosen.v[j].at->nodes.v[0]].pos == sim->keeps.v[i].pos;
		if (!needed && !first)
			continue;
		push_keeper(c, (struct fix_insertion){ .where = FIX_AFTER, .func = sim->func, .from = IR_NONE, .to = IR_NONE, .inst = at,
						       .text = !needed ? release : first ? arena_printf(a, "%s\n%s", release, set) : set },
			    k, needed ? slot : IR_NONE, first ? name : NULL);
	}
	for (uint32_t j = 0; j < c->chosen.n; j++) {
		const struct plan_place *at = c->chosen.v[j].at;
		struct fix_insertion in = { .where = at->where, .func = sim->func, .from = at->from, .to = at->to, .inst = at->inst,
					    .text = release };
		bool done = false;

		for (uint32_t i = 0; i < sim->keeps.n && at->where != FIX_EDGE && at->to == IR_NONE; i++)
			done |= sim->nodes.v[at->nodes.v[0]].pos == sim->keeps.v[i].pos;
		if (done)
			continue;
		if (place_is_block_start(c, at))
			push_edges(c, in, at, IR_NONE, name, k);
		else
			push_keeper(c, in, k, IR_NONE, name);
	}
	return true;
}

bool write_release(struct plan_chooser *c, const struct plan_option *o)
{
	struct fix_insertion in = { .where = o->at->where, .func = c->sim->func, .from = o->at->from, .to = o->at->to, .inst = o->at->inst };
	const struct plan_birth *b = &c->sim->births.v[c->r->birth];
	uint32_t slot = IR_NONE;
	uint32_t type = 0, func;
	bool takes_null;
	const char *expr = place_text(c->sim, o->key, c->r->arena, &slot, &type), *name;
	const struct ir_type *t = &c->sim->pl->m->types.v[ir_type_strip(c->sim->pl->m, c->sim->f->slots[slot].type)];

	name = release_name(c->sim->pl, c->sim, b, slot, c->r->arena, &c->why, &takes_null, &func);
	if (!name)
		return false;
	if (func != IR_NONE && release_is_deep(c->sim->pl, func) && !fields_are_owned(c, o, slot)) {
		if (b->effect->value.nfreers) {
			c->why = arena_printf(c->r->arena, "%s() would also free members that may not be the object's own", name);
			return false;
		}
		name = "free";	/* the object alone, and members that are its own */
		takes_null = true;
	}
	if (c->sim->pl->m->types.v[type].kind != IR_T_PTR || (b->rows && t->kind == IR_T_STRUCT && !str_eq(b->effect->value.resource->name, "memory"))) {	/* a regex_t */
		expr = arena_printf(c->r->arena, "&%s", c->sim->f->slots[slot].name);
		if (!is_always_fresh(c, o->at, o->key)) {
			c->why = arena_printf(c->r->arena, "`%s` may hold nothing to release there", c->sim->f->slots[slot].name);
			return false;
		}
	} else if (!takes_null && !place_never_null(c, o->at, o->key)) {
		in.text = arena_printf(c->r->arena, "if (%s)\n\t%s(%s);", expr, name, expr);
	}
	if (!in.text)
		in.text = arena_printf(c->r->arena, c->sim->pl->m->types.v[type].flags & IR_TF_CONST ? "%s((void *)%s);" : "%s(%s);", name, expr);
	if (takes_null && str_eq(name, "free"))
		in.text = arena_printf(c->r->arena, "%s%s", fields_text(c, o), in.text);
	if (place_is_block_start(c, o->at))
		push_edges(c, in, o->at, slot, name, NULL);
	else
		push_insertion(c, in, slot, name, NULL);
	return true;
}
