/*
 * plan_fields.c - an object is released: what do its members still own?
 *
 * Past LeakFix, which frees one object at a time: where the object is released by a library
 * function, members that hold objects which nobody else has are released first, at the same
 * place.  For each member a simulation of its own follows what it holds, and the same conditions
 * are asked as for the object itself.  A member that does not meet them is left alone: it was
 * released already, or belongs to somebody else.
 */
#include "plan/priv.h"

static const struct plan_place *same_place(const struct plan_chooser *c, const struct plan_place *p)
{
	for (uint32_t i = 0; i < c->places.n; i++) {
		const struct plan_place *q = &c->places.v[i];

		if (q->where == p->where && q->from == p->from && q->to == p->to && q->inst == p->inst &&
		    q->guard == p->guard && q->question == p->question)
			return q;
	}
	return NULL;
}

/* The sources whose objects the path may hold at the place; false if there are none, or they are
 * not released alike. */
static bool follow_member(const struct plan_chooser *c, const struct plan_place *at, uint32_t key,
			  struct plan_sim *sim, uint32_t *birth)
{
	*birth = IR_NONE;
	for (uint32_t i = 0; i < at->nodes.n; i++) {
		struct plan_val v = pstate_val(&c->sim->nodes.v[at->nodes.v[i]].s, key);

		if (v.kind != PVAL_FRESH || v.birth >= sim->births.n)
			continue;
		if (*birth != IR_NONE &&
		    !summary_same_releaser(sim->births.v[*birth].effect, sim->births.v[v.birth].effect))
			return false;
		*birth = v.birth;
		sim->births.v[v.birth].follow = true;
	}
	return *birth != IR_NONE;
}

/* The statement that releases one member, or NULL; "" if only `ask`ed whether it may be released.  there:
 * the object is known not to be null. */
static const char *one_member(struct plan_chooser *c, const struct plan_option *o, uint32_t path, bool ask,
			      bool there)
{
	struct plan_sim sim;
	struct plan_request r = {
		.sim = &sim, .finding = c->r->finding, .arena = c->r->arena, .plan = c->r->plan
	};
	struct plan_chooser sub = { .r = &r, .sim = &sim, .may_be_null = true };
	const struct plan_place *at;
	const char *text = NULL, *name, *expr, *why;
	struct sbuf test = {0};
	uint32_t slot, type, key, func;
	bool takes_null;

	sim_init(&sim, c->sim->pl, c->sim->func);
	sim.guarded = c->sim->guarded;
	sim.alone = c->sim->alone;
	sim_find_births(&sim);
	if (!follow_member(c, o->at, sim_path_key(c->sim, path), &sim, &r.birth))
		goto done;
	sim_run(&sim);
	if (sim.overflow || sim.odd || sim.paths.n != c->sim->paths.n)
		goto done;
	places_find(&sub);
	at = same_place(&sub, o->at);
	key = sim_path_key(&sim, path);
	expr = place_text(&sim, key, c->r->arena, &slot, &type);
	if (!at || !expr || place_judge(&sub, at, key) != SAFE)
		goto done;
	if (ask) {
		text = "";
		goto done;
	}
	name = release_name(sim.pl, &sim, &sim.births.v[r.birth], slot, type, c->r->arena, &why, &takes_null,
			    &func);
	if (!name || (func != IR_NONE && (!takes_null || release_is_deep(sim.pl, func))) ||
	    (!takes_null && !release_is_plain(&sim.births.v[r.birth])))
		goto done;
	if (!there && !place_never_null(c, o->at, o->key))
		sbuf_adds(&test, sim.f->slots[slot].name);
	if (!takes_null && !place_never_null(&sub, at, key))
		sbuf_printf(&test, "%s%s", test.n ? " && " : "", expr);
	text = arena_printf(c->r->arena, "%s%s(%s);\n",
			    test.n ? arena_printf(c->r->arena, "if (%s)\n\t", sbuf_str(&test)) : "", name,
			    expr);
done:
	for (uint32_t i = 0; i < sub.places.n; i++)
		vec_release(&sub.places.v[i].nodes);
	vec_release(&sub.places);
	sbuf_release(&test);
	sim_release(&sim);
	return text;
}

uint32_t fields_behind(const struct plan_sim *sim, const struct plan_place *at)
{
	return at->where == FIX_EDGE	? sim->f->blocks[at->to].first
	       : at->where == FIX_AFTER ? at->inst + 1
					: at->inst;
}

const char *fields_text(struct plan_chooser *c, const struct plan_option *o, bool there)
{
	struct sbuf b = {0};
	const char *all, *loop = NULL;

	for (uint32_t i = 0; i < c->sim->paths.n && o->key < c->sim->f->nslots; i++) {
		const char *one =
			c->sim->paths.v[i].slot == o->key ? one_member(c, o, i, false, there) : NULL;

		if (one)
			sbuf_adds(&b, one);
	}
	if (!b.n && o->key < c->sim->f->nslots && place_never_null(c, o->at, o->key))
		loop = array_text(c->sim->pl, c->sim->func, o->key, o->at, fields_behind(c->sim, o->at),
				  c->r->arena, &c->index);
	if (loop)
		sbuf_printf(&b, "%s\n", loop);
	all = arena_strdup(c->r->arena, sbuf_str(&b));
	sbuf_release(&b);
	return all;
}

/* Can this function itself have read the member before it gets to the place? */
static bool is_read(const struct plan_sim *sim, const struct plan_place *at, uint32_t path)
{
	uint32_t to = at->where == FIX_EDGE ? sim->f->blocks[at->to].first : at->inst;

	for (uint32_t i = 0; i < sim->f->ninsts; i++)
		if (sim->f->insts[i].op == IR_LOAD && ir_comes_before(sim->f, i, to, IR_NONE) &&
		    sim_path_at(sim, sim->f->insts[i].ops[0], i) == sim_path_key(sim, path))
			return true;
	return false;
}

/* The struct that a call is declared to give a pointer to, or 0. */
static uint32_t result_struct(const struct ir_module *m, uint32_t callee)
{
	const struct ir_type *t = &m->types.v[m->funcs.v[callee].type];
	uint32_t to;

	if (t->kind != IR_T_FUNC || m->types.v[ir_type_strip(m, t->elem)].kind != IR_T_PTR)
		return 0;
	to = ir_type_strip(m, m->types.v[ir_type_strip(m, t->elem)].elem);
	return m->types.v[to].kind == IR_T_STRUCT ? to : 0;
}

/* Is every pointer in such a struct null, or new when it is put there? */
static bool gets_only_new(struct fix_planner *pl, uint32_t type)
{
	const struct ir_type *t = &pl->m->types.v[type];
	bool ok = t->kind == IR_T_STRUCT && t->nfields;

	for (uint32_t i = 0; ok && i < t->nfields; i++) {
		uint8_t kind = pl->m->types.v[ir_type_strip(pl->m, t->fields[i].type)].kind;

		ok = kind == IR_T_INT || kind == IR_T_ENUM || kind == IR_T_FLOAT ||
		     owned_member_new(pl, type, t->fields[i].offset);
	}
	return ok;
}

/* May a member of the object point to what is no heap object, anywhere in the program?  Where the
 * points-to analysis knows too little, because all memory of an allocator's is one for it, or there is
 * memory of unknown code, it is asked what is ever stored to the members of that name. */
static bool may_borrow(const struct plan_sim *sim, uint32_t birth)
{
	const struct pta *p = sim->pl->p;
	uint32_t type = result_struct(sim->pl->m, sim->births.v[birth].callee);
	bool only_new = type && gets_only_new(sim->pl, type);

	SBITS_FOREACH(o, &sim->births.v[birth].objs) {
		uint32_t own = ir_type_strip(sim->pl->m, pta_obj(p, o)->type);

		if (only_new && (!own || own == type))
			continue;
		for (uint32_t l = pta_obj(p, o)->first_loc; l != IR_NONE; l = pta_loc(p, l)->next)
			SBITS_FOREACH(to, pta_cell(p, l)) {
				uint8_t kind = pta_obj(p, pta_loc(p, to)->obj)->kind;

				if (kind != PTA_HEAP && kind != PTA_FUNC)
					return true;
			}
	}
	return false;
}

static bool members_are_owned(struct plan_chooser *c, const struct plan_option *o, uint32_t slot,
			      uint32_t birth)
{
	const struct plan_sim *sim = c->sim;

	if (!summary_of_maker(sim->pl, sim->births.v[birth].callee)->members_known ||
	    may_borrow(sim, birth))
		return false;
	for (uint32_t i = 0; i < sim->paths.n; i++) {
		bool known = true, any = false;

		for (uint32_t k = 0; k < o->at->nodes.n; k++) {
			struct plan_val v =
				pstate_val(&sim->nodes.v[o->at->nodes.v[k]].s, sim_path_key(sim, i));

			known &= v.kind == PVAL_FRESH || pval_decide(v, IR_P_EQ, 0) == 1;
			any |= v.kind == PVAL_FRESH;
		}
		if (sim->paths.v[i].slot != slot)
			continue;
		if (known ? any && !one_member(c, o, i, true, true) : is_read(sim, o->at, i))
			return false;
	}
	return true;
}

/* Does the destructor free what is at this offset of the objects that the program gives to it? */
static bool is_freed_at(const struct pta *p, const struct sbits *given, const struct sbits *freed,
			uint32_t off)
{
	SBITS_FOREACH(o, given)
		for (uint32_t l = pta_obj(p, o)->first_loc; l != IR_NONE; l = pta_loc(p, l)->next)
			if ((pta_loc(p, l)->off == off || pta_obj(p, o)->collapsed) &&
			    pta_meets(p, pta_cell(p, l), freed))
				return true;
	return false;
}

/* The objects that a destructor is given in the program, or that are in the variables of which it is given
 * the address. */
static void find_given(const struct fix_planner *pl, uint32_t destructor, struct sbits *out)
{
	const struct ir_module *m = pl->m;
	const struct ir_type *t = &m->types.v[m->funcs.v[destructor].type];
	uint32_t to = t->kind == IR_T_FUNC && t->nfields ? ir_type_strip(m, t->fields[0].type) : 0;
	struct sbits holders = {0};

	to = to && m->types.v[to].kind == IR_T_PTR ? ir_type_strip(m, m->types.v[to].elem) : 0;
	if (!to || m->types.v[to].kind != IR_T_PTR) {
		pta_add_objs(pl->p, pta_points_to(pl->p, destructor, IR_VREG(0)), out);
		return;
	}
	pta_add_objs(pl->p, pta_points_to(pl->p, destructor, IR_VREG(0)), &holders);
	SBITS_FOREACH(o, &holders)
		for (uint32_t l = pta_obj(pl->p, o)->first_loc; l != IR_NONE; l = pta_loc(pl->p, l)->next)
			pta_add_objs(pl->p, pta_cell(pl->p, l), out);
	sbits_release(&holders);
}

/* The sets of what a destructor frees are of objects that it is given in the program.  If these are none of
 * them, it frees what is in the same members of these. */
static void add_members(const struct fix_planner *pl, const struct sbits *roots, uint32_t destructor,
			const struct sbits *freed, struct sbits *out)
{
	struct sbits given = {0};

	sbits_or(out, freed);
	find_given(pl, destructor, &given);
	SBITS_FOREACH(o, roots)
	for (uint32_t l = pta_obj(pl->p, o)->first_loc; l != IR_NONE && !sbits_test(&given, o);
	     l = pta_loc(pl->p, l)->next)
		if (is_freed_at(pl->p, &given, freed, pta_loc(pl->p, l)->off))
			pta_add_objs(pl->p, pta_cell(pl->p, l), out);
	sbits_release(&given);
}

/* The same of what one source makes. */
static bool are_owned(struct plan_chooser *c, const struct plan_option *o, uint32_t slot,
		      uint32_t destructor, uint32_t birth)
{
	const struct plan_sim *sim = c->sim;
	const struct plan_birth *b = &sim->births.v[birth];
	uint32_t res = b->rows ? IR_NONE : sim->f->insts[b->inst].res, at = fields_behind(sim, o->at);
	struct sbits roots = {0}, counted = {0}, all = {0};
	const struct sbits *freed = &sim->pl->fx[destructor].freed;
	bool ok, own = false, several = false;

	if (res != IR_NONE) /* what the call can return: not all that its allocator makes for others, too */
		pta_add_objs(sim->pl->p, pta_points_to(sim->pl->p, sim->func, IR_VREG(res)), &roots);
	if (!roots.n)
		sbits_or(&roots, &b->objs);
	for (uint32_t i = 0; i < sim->births.n; i++)
		several |= sim->births.v[i].follow && i != birth;
	if (!several && counted_frees(sim->pl, &roots, destructor, sim->func, at, b->inst, &counted, &own))
		freed = &counted;
	add_members(sim->pl, &roots, destructor, freed, &all);
	freed = &all;
	ok = !stale_may_be(sim->pl, sim->func, at, &b->objs, destructor, freed) &&
	     ((slot != IR_NONE && members_are_owned(c, o, slot, birth) &&
	       !owned_passed_on(sim->pl, &b->objs, freed, sim->func, at)) ||
	      own || owned_alone(sim->pl, &roots, freed, sim->func, at, b->inst));
	sbits_release(&roots);
	sbits_release(&counted);
	sbits_release(&all);
	return ok;
}

/* May what this source makes be what is released at the place? */
static bool is_there(const struct plan_chooser *c, const struct plan_option *o, uint32_t birth)
{
	for (uint32_t i = 0; i < o->at->nodes.n; i++) {
		struct plan_val v = pstate_val(&c->sim->nodes.v[o->at->nodes.v[i]].s, o->key);

		if (v.kind == PVAL_FRESH && v.birth == birth)
			return true;
	}
	return false;
}

bool fields_are_owned(struct plan_chooser *c, const struct plan_option *o, uint32_t slot, uint32_t destructor)
{
	for (uint32_t i = 0; i < c->sim->births.n; i++)
		if ((i == c->r->birth || is_there(c, o, i)) && !are_owned(c, o, slot, destructor, i))
			return false;
	return true;
}

bool fields_are_set(struct plan_chooser *c, const struct plan_option *o, uint32_t destructor)
{
	const struct plan_sim *sim = c->sim;
	struct sbits given = {0};
	bool set = true;

	find_given(sim->pl, destructor, &given);
	for (uint32_t i = 0; i < sim->births.n && set; i++)
		if (i == c->r->birth || is_there(c, o, i)) {
			const struct plan_birth *b = &sim->births.v[i];

			set = !unset_may_be(sim->pl, sim->func, b->inst, &b->objs, destructor, &given, o->at,
					    fields_behind(sim, o->at));
		}
	sbits_release(&given);
	return set;
}
