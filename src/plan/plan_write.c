/*
 * plan_write.c - the statements that a plan inserts.
 */
#include "plan/priv.h"

/* The variable that a place asks; NULL: none, or it is what is returned. */
static const char *guard_name(const struct plan_chooser *c, uint32_t guard)
{
	return guard < c->sim->f->nslots && !(c->sim->f->slots[guard].flags & IR_S_RETVAL)
		       ? c->sim->f->slots[guard].name
		       : NULL;
}

/* ---- the plan ----------------------------------------------------------------------------- */

static void push_insertion(struct plan_chooser *c, struct fix_insertion in, uint32_t slot,
			   const char *releaser, const char *keeper)
{
	memset(&in.names, 0, sizeof(in.names));
	vec_push(&in.names, ((struct fix_name){ keeper ? keeper : c->sim->f->slots[slot].name, slot }));
	if (guard_name(c, c->guard))
		vec_push(&in.names, ((struct fix_name){ guard_name(c, c->guard), c->guard }));
	if (c->index != IR_NONE)
		vec_push(&in.names, ((struct fix_name){ c->sim->f->slots[c->index].name, c->index }));
	if (c->echo != IR_NONE)
		vec_push(&in.names, ((struct fix_name){ c->sim->f->slots[c->echo].name, c->echo }));
	if (releaser)
		vec_push(&in.names, ((struct fix_name){ releaser, IR_NONE }));
	vec_push(&c->r->plan->in, in);
}

bool place_is_block_start(const struct plan_chooser *c, const struct plan_place *at)
{
	const struct ir_block *b =
		at->where == FIX_BEFORE ? &c->sim->f->blocks[c->sim->f->insts[at->inst].block] : NULL;

	return b && b->first == at->inst && b->npred;
}

/* The start of a block, or the end of the function, is all the edges that lead there: the editor
 * finds the place in the text that they have in common. */
static void push_edges(struct plan_chooser *c, struct fix_insertion in, const struct plan_place *at,
		       uint32_t slot, const char *releaser, const char *keeper)
{
	uint32_t b = c->sim->f->insts[at->inst].block;

	in.where = FIX_EDGE;
	in.to = b;
	in.inst = IR_NONE;
	for (uint32_t k = 0; k < c->sim->f->blocks[b].npred; k++) {
		in.from = c->sim->f->blocks[b].pred[k];
		if (dom_reachable(&c->sim->ssa->dom, in.from) &&
		    !(at->to != IR_NONE && place_ends_in_return(c->sim, in.from)))
			push_insertion(c, in, slot, releaser, keeper);
	}
}

/* Is there an object at the place, whatever way led there? */
bool place_never_null(const struct plan_chooser *c, const struct plan_place *at, uint32_t key)
{
	for (uint32_t i = 0; i < at->nodes.n; i++) {
		const struct plan_state *s = &c->sim->nodes.v[at->nodes.v[i]].s;

		if (pval_decide(pstate_val(s, key), IR_P_NE, 0) != 1 &&
		    !(s->phase == PHASE_ALIVE && s->nonnull && pstate_hold(s, key) == HOLD_MUST))
			return false;
	}
	return true;
}

/* Appends a question to those that are asked before. */
static const char *ask_too(struct arena *a, const char *before, const char *question)
{
	return *before && *question ? arena_printf(a, "%s && %s", before, question)
	       : *before	    ? before
				    : question;
}

/* The question whether there is an object at the place to be released: "p"; "" if that is known. */
static const char *question(struct plan_chooser *c, const struct plan_place *at, uint32_t key,
			    const char *expr, bool takes_null, const char *releaser)
{
	const char *failed = str_eq(releaser, "munmap") ? "MAP_FAILED" : "(void *)-1", *q = "",
		   *echo = echo_question(c->sim, at, key, &c->echo);
	struct arena *a = c->r->arena;
	bool none = false;

	for (uint32_t i = 0; i < at->nodes.n; i++) {
		struct plan_val v = pstate_val(&c->sim->nodes.v[at->nodes.v[i]].s, key);

		none |= v.kind == PVAL_RANGE && v.lo < 0;
	}
	if (at->guard != IR_NONE)
		q = arena_printf(a, place_question(at),
				 guard_name(c, at->guard) ? guard_name(c, at->guard) : "plumb_ret");
	if (!takes_null && !place_never_null(c, at, key))
		q = ask_too(a, q, expr);
	assert(echo);	/* place_judge() */
	if (*echo)
		q = ask_too(a, q, arena_printf(a, "%s != %s", expr, echo));
	return none ? ask_too(a, q, arena_printf(a, "%s != %s", expr, failed)) : q;
}

/* One statement, or several lines of them, if the question has the answer yes. */
static const char *only_if(struct arena *a, const char *question, const char *text)
{
	struct sbuf b = {0};

	if (!*question)
		return text;
	if (!strchr(text, '\n'))
		return arena_printf(a, "if (%s)\n\t%s", question, text);
	sbuf_printf(&b, "if (%s) {\n\t", question);
	for (const char *p = text; *p; p++)
		sbuf_printf(&b, *p == '\n' ? "\n\t" : "%c", *p);
	sbuf_adds(&b, "\n}");
	text = arena_strdup(a, sbuf_str(&b));
	sbuf_release(&b);
	return text;
}

/* Those that are given the address of a struct, and do nothing if the pointer in it is null: zlib, bzip2 and
 * lzma ask for that first.  Who fills such a struct and fails leaves it null, or sets it so. */
static bool takes_empty(const char *releaser)
{
	static const char *const names[] = { "deflateEnd",	  "inflateEnd",		 "inflateBackEnd",
					     "BZ2_bzCompressEnd", "BZ2_bzDecompressEnd", "lzma_end" };

	for (uint32_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (str_eq(names[i], releaser))
			return true;
	return false;
}

/* Has a struct always something to release at a place, or does it do no harm if there is nothing? */
static bool is_always_fresh(const struct plan_chooser *c, const struct plan_place *at, uint32_t key,
			    const char *releaser)
{
	for (uint32_t i = 0; i < at->nodes.n; i++) {
		struct plan_val v = pstate_val(&c->sim->nodes.v[at->nodes.v[i]].s, key);

		if (v.kind != PVAL_FRESH &&
		    !(v.kind == PVAL_RANGE && v.lo == 0 && v.hi == 0 && takes_empty(releaser)))
			return false;
	}
	return true;
}

/* May one of these be somebody else's, or nothing that can be freed? */
static bool is_others(const struct plan_sim *sim, const struct sbits *locs)
{
	SBITS_FOREACH(l, locs) {
		uint32_t obj = pta_loc(sim->pl->p, l)->obj;

		if (pta_obj(sim->pl->p, obj)->kind != PTA_HEAP || sim_is_outside(sim, obj))
			return true;
	}
	return false;
}

/* regfree() also frees the map and the table that the program may have put into the struct.  Does a releaser
 * of a library free a member that way which is not this activation's own? */
static bool frees_others(const struct plan_sim *sim, uint32_t slot, const char *releaser)
{
	const struct model *md = model_find(sim->pl->models, releaser);
	uint32_t whole = pta_address(sim->pl->p, sim->func, IR_SLOT(slot));

	for (unsigned i = 0; md && i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		const struct model_step *s = e->place.steps;
		uint32_t loc;

		if (e->kind != MODEL_E_FREE || !model_place_begins_at(&e->place, 1) ||
		    e->place.nsteps != 1 || s->field || s->any || !s->offset)
			continue;
		loc = whole == IR_NONE ? IR_NONE : pta_loc_at(sim->pl->p, whole, s->offset);
		if (whole == IR_NONE || (loc != IR_NONE && is_others(sim, pta_cell(sim->pl->p, loc))))
			return true;
	}
	return false;
}

/* ---- a variable of the plan's own ----------------------------------------------------------- */

/* Where no variable holds the object in the end, or one that may hold something else as well: a
 * second pointer gets what the sources make, and only that is released (past LeakFix's
 * section V-C: "a conditional deallocation").  The names that it must not have are those of the
 * function; the editor and the compiler look for others. */
static const char *keeper_name(struct plan_chooser *c)
{
	const struct plan_sim *sim = c->sim;
	const struct plan_keep *k = &sim->keeps.v[0];
	const char *base = k->slot != IR_NONE ? sim->f->slots[k->slot].name
					      : sim->pl->m->funcs.v[sim->births.v[k->birth].callee].src;
	const char *suffix = k->slot != IR_NONE ? "heap" : "result";
	struct fix_planner *pl = sim->pl;

	for (uint32_t i = 0; i < pl->names.n; i++)
		if (pl->names.v[i].func == sim->func && pl->names.v[i].pos == k->pos)
			return pl->names.v[i].name;

	for (unsigned n = 0;; n++) {
		const char *name = n ? arena_printf(c->r->arena, "%s_%s%u", base, suffix, n + 1)
				     : arena_printf(c->r->arena, "%s_%s", base, suffix);
		bool taken = false;

		for (uint32_t i = 0; i < sim->f->nslots && !taken; i++)
			taken = str_eq(sim->f->slots[i].name, name);
		for (uint32_t i = 0; i < sim->pl->m->globals.n && !taken; i++)
			taken = str_eq(sim->pl->m->globals.v[i].src, name);
		for (uint32_t i = 0; i < sim->pl->m->funcs.n && !taken; i++)
			taken = str_eq(sim->pl->m->funcs.v[i].src, name);
		for (uint32_t i = 0; i < pl->names.n && !taken; i++)
			taken = pl->names.v[i].func == sim->func && str_eq(pl->names.v[i].name, name);
		if (!taken) {
			vec_push(&pl->names, ((struct plan_name){ sim->func, k->pos, name }));
			return name;
		}
	}
}

static bool is_qualified(const struct plan_sim *sim, uint32_t type)
{
	const struct ir_type *t = &sim->pl->m->types.v[ir_type_strip(sim->pl->m, type)];

	return t->kind == IR_T_PTR && t->flags & IR_TF_CONST;
}

static void push_keeper(struct plan_chooser *c, struct fix_insertion in, const char *keeper, uint32_t slot,
			const char *releaser)
{
	memset(&in.names, 0, sizeof(in.names));
	vec_push(&in.names, ((struct fix_name){ keeper, IR_NONE }));
	if (slot != IR_NONE)
		vec_push(&in.names, ((struct fix_name){ c->sim->f->slots[slot].name, slot }));
	if (releaser)
		vec_push(&in.names, ((struct fix_name){ releaser, IR_NONE }));
	if (releaser && guard_name(c, c->guard))
		vec_push(&in.names, ((struct fix_name){ guard_name(c, c->guard), c->guard }));
	if (releaser && c->index != IR_NONE)
		vec_push(&in.names, ((struct fix_name){ c->sim->f->slots[c->index].name, c->index }));
	vec_push(&c->r->plan->in, in);
}

/* Is what this source makes in the variable at a place where that is released? */
static bool is_released(const struct plan_chooser *c, uint32_t birth)
{
	for (uint32_t j = 0; j < c->chosen.n; j++)
		for (uint32_t i = 0; i < c->chosen.v[j].at->nodes.n; i++) {
			struct plan_val v = pstate_val(&c->sim->nodes.v[c->chosen.v[j].at->nodes.v[i]].s,
						       sim_keeper_key(c->sim));

			if (v.kind == PVAL_FRESH && v.birth == birth)
				return true;
		}
	return false;
}

/* The variable itself.  Its type matters where it stands within an expression: then it is that of the
 * call, if there is only one; else it converts to whatever is wanted. */
static void declare_keeper(struct plan_chooser *c, const char *k)
{
	const struct plan_sim *sim = c->sim;
	struct arena *a = c->r->arena;
	struct fix_insertion in = {
		.where = FIX_DECLARE, .func = sim->func, .from = IR_NONE, .to = IR_NONE, .inst = IR_NONE
	};
	bool typed = true;

	for (uint32_t i = 0; i < sim->keeps.n; i++)
		typed &= sim->keeps.v[i].slot == IR_NONE &&
			 sim->births.v[sim->keeps.v[i].birth].callee ==
				 sim->births.v[sim->keeps.v[0].birth].callee;
	if (typed)
		in.inst = sim->keeps.v[0].pos;
	in.text = typed ? arena_printf(a, "%s = NULL;", k) : arena_printf(a, "void *%s = NULL;", k);
	push_keeper(c, in, k, IR_NONE, NULL);
}

/* The variable of the program that what is kept came from; NULL: it was in none. */
static const char *kept_variable(const struct plan_sim *sim)
{
	uint32_t slot = sim->keeps.v[0].slot;

	return slot != IR_NONE ? sim->f->slots[slot].name : NULL;
}

/* Is a release chosen for the very point where the keeper is set? */
static bool is_at(const struct plan_chooser *c, const struct plan_place *at, uint32_t pos)
{
	return at->where != FIX_EDGE && at->to == IR_NONE && at->nodes.n &&
	       c->sim->nodes.v[at->nodes.v[0]].pos == pos;
}

/* May the keeper hold something before it would be set there?  Then it must not stay. */
static bool may_hold(const struct plan_chooser *c, const struct plan_keep *x)
{
	uint32_t key = sim_keeper_key(c->sim);

	for (uint32_t i = 0; i < c->sim->nodes.n; i++) {
		const struct plan_state *s = &c->sim->nodes.v[i].s;

		if (c->sim->nodes.v[i].pos == x->pos &&
		    (pstate_hold(s, key) != HOLD_NO || pval_decide(pstate_val(s, key), IR_P_EQ, 0) != 1))
			return true;
	}
	return x->slot == IR_NONE;
}

/* The statement that releases what the keeper holds at a place; the one that makes it forget is behind it if
 * there may be a second time. */
struct keeper_release {
	const char *keeper, *name, *cast, *more;
	bool takes_null, again;
};

static const char *release_keeper(struct plan_chooser *c, const struct keeper_release *x,
				  const struct plan_place *at)
{
	struct arena *a = c->r->arena;
	const char *text = arena_printf(a, "%s(%s%s%s);", x->name, x->cast, x->keeper, x->more);

	c->guard = at->guard;
	if (x->again)
		text = arena_printf(a, "%s\n%s = NULL;", text, x->keeper);
	return only_if(a, question(c, at, sim_keeper_key(c->sim), x->keeper, x->takes_null, x->name), text);
}

/* The release that is chosen for the very point where the keeper is set, or NULL. */
static const char *release_at(struct plan_chooser *c, const struct keeper_release *x, uint32_t pos)
{
	for (uint32_t j = 0; j < c->chosen.n; j++)
		if (is_at(c, c->chosen.v[j].at, pos))
			return release_keeper(c, x, c->chosen.v[j].at);
	return NULL;
}

/* Sets the keeper behind each source; a release at one of these places comes first. */
static void set_keeper(struct plan_chooser *c, const struct keeper_release *r)
{
	const struct plan_sim *sim = c->sim;
	struct arena *a = c->r->arena;

	for (uint32_t i = 0; i < sim->keeps.n; i++) {
		const struct plan_keep *x = &sim->keeps.v[i];
		bool needed = is_released(c, x->birth) || may_hold(c, x);
		struct fix_insertion in = { .where = FIX_AFTER,
					    .func = sim->func,
					    .from = IR_NONE,
					    .to = IR_NONE,
					    .inst = x->pos - 1 };
		const char *set, *first;

		if (x->slot == IR_NONE) {
			in.where = FIX_WRAP;
			in.inst = x->pos;
			in.text = arena_printf(a, "%s = ", r->keeper);
			if (needed)
				push_keeper(c, in, r->keeper, IR_NONE, NULL);
			continue;
		}
		first = release_at(c, r, x->pos);
		if (!needed && !first)
			continue;
		set = arena_printf(a, "%s = %s%s;", r->keeper,
				   is_qualified(sim, sim->f->slots[x->slot].type) ? "(void *)" : "",
				   sim->f->slots[x->slot].name);
		in.text = !needed ? first : first ? arena_printf(a, "%s\n%s", first, set) : set;
		in.frees = first ? kept_variable(sim) : NULL;
		push_keeper(c, in, r->keeper, needed ? x->slot : IR_NONE, first ? r->name : NULL);
	}
}

/* Does a step pass a place where the keeper is released? */
static bool passes_release(const struct plan_chooser *c, const struct plan_step *st)
{
	for (uint32_t j = 0; j < c->chosen.n; j++)
		if (place_is_passed(c, c->chosen.v[j].at, st))
			return true;
	return false;
}

/* Does the keeper forget on this step? */
static bool is_cleared(const struct plan_sim *sim, const struct plan_clear *x, const struct plan_step *st)
{
	return x->pos != IR_NONE ? sim->nodes.v[st->to].pos == x->pos
				 : st->from_block == x->from && st->to_block == x->to;
}

/* Can control get from a place where the keeper forgets to one where it is released?  The start of a block
 * is one that the edges to it pass: what is forgotten on such an edge comes just before. */
static bool is_needed(const struct plan_chooser *c, const struct plan_clear *x)
{
	const struct plan_sim *sim = c->sim;
	struct bits seen;
	bool hit = false;

	bits_init(&seen, sim->nodes.n);
	for (uint32_t i = 0; i < sim->nodes.n; i++)
		for (uint32_t k = 0; k < sim->nodes.v[i].steps.n; k++) {
			const struct plan_step *st = &sim->nodes.v[i].steps.v[k];

			if (!is_cleared(sim, x, st))
				continue;
			bits_set(&seen, st->to);
			hit |= passes_release(c, st);
		}
	for (bool more = true; more && !hit;) {
		more = false;
		for (uint32_t i = bits_next(&seen, 0); i != UINT32_MAX && !hit; i = bits_next(&seen, i + 1))
			for (uint32_t k = 0; k < sim->nodes.v[i].steps.n; k++) {
				hit |= passes_release(c, &sim->nodes.v[i].steps.v[k]);
				more |= bits_set(&seen, sim->nodes.v[i].steps.v[k].to);
			}
	}
	bits_release(&seen);
	return hit;
}

static void push_place(struct plan_chooser *c, const struct plan_place *at, const char *text, const char *k,
		       const char *name)
{
	struct fix_insertion in = { .where = at->where,
				    .func = c->sim->func,
				    .from = at->from,
				    .to = at->to,
				    .inst = at->inst,
				    .cond = at->where == FIX_RESULT ? place_question(at) : NULL,
				    .text = text,
				    .frees = name ? kept_variable(c->sim) : NULL };

	if (place_is_block_start(c, at))
		push_edges(c, in, at, IR_NONE, name, k);
	else
		push_keeper(c, in, k, IR_NONE, name);
}

static bool clear_keeper(struct plan_chooser *c, const char *k)
{
	const struct plan_sim *sim = c->sim;
	const char *text = arena_printf(c->r->arena, "%s = NULL;", k);

	for (uint32_t i = 0; i < sim->clears.n; i++) {
		const struct plan_clear *x = &sim->clears.v[i];
		bool set = !is_needed(c, x);

		for (uint32_t j = 0; j < sim->keeps.n; j++)	/* something else at once */
			set |= x->pos != IR_NONE && sim->keeps.v[j].slot != IR_NONE &&
			       sim->keeps.v[j].pos == x->pos;
		for (uint32_t j = 0; j < c->places.n && !set; j++) {
			const struct plan_place *at = &c->places.v[j];

			if (at->guard != IR_NONE)
				continue;
			if (x->pos == IR_NONE
				    ? at->where == FIX_EDGE && at->from == x->from && at->to == x->to
				    : is_at(c, at, x->pos)) {
				push_place(c, at, text, k, NULL);
				set = true;
			}
		}
		if (!set) {
			c->why = "there is no place where the object could be forgotten";
			return false;
		}
	}
	return true;
}

/* The type of what the plan's own variable holds, by the first place where it is set. */
static uint32_t keeper_type(const struct plan_sim *sim)
{
	const struct plan_keep *k = &sim->keeps.v[0];
	const struct ir_type *t =
		&sim->pl->m->types.v[sim->pl->m->funcs.v[sim->births.v[k->birth].callee].type];

	if (k->slot != IR_NONE)
		return sim->f->slots[k->slot].type;
	return t->kind == IR_T_FUNC ? t->elem : IR_NONE;
}

/* Declares the variable, sets it, makes it forget, and releases what it holds. */
/* The global, or a part of it, that an address is of by its name; or IR_NONE. */
static uint32_t global_at(const struct ir_module *m, ir_ref addr)
{
	if (IR_KIND(addr) == IR_R_ADDR)
		addr = m->addrs.v[IR_IDX(addr)].base;
	return IR_KIND(addr) == IR_R_GLOBAL ? IR_IDX(addr) : IR_NONE;
}

static bool sets_global(struct fix_planner *pl, uint32_t func, uint32_t global, struct bits *seen)
{
	const struct ir_func *f = &pl->m->funcs.v[func];

	if (!bits_set(seen, func))
		return false;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		struct pta_callees to;

		if (f->insts[i].op == IR_STORE && global_at(pl->m, f->insts[i].ops[0]) == global)
			return true;
		if (f->insts[i].op != IR_CALL)
			continue;
		callees_of(pl, func, i, &to);
		SBITS_FOREACH(g, to.set)
			if (sets_global(pl, g, global, seen))
				return true;
	}
	return false;
}

/* Does the function itself look, behind the place, at a global that the destructor sets: `return live;`
 * behind one that counts down?  The program would go on with another value.  What callees look at is not
 * asked, else nothing would be released by what counts bytes. */
static const char *changes_global(const struct plan_chooser *c, const struct plan_place *at,
				  uint32_t destructor)
{
	const struct plan_sim *sim = c->sim;
	uint32_t start = fields_behind(sim, at);
	const char *why = NULL;

	for (uint32_t i = 0; i < sim->f->ninsts && !why; i++) {
		const struct ir_inst *in = &sim->f->insts[i];
		uint32_t global = in->op == IR_LOAD ? global_at(sim->pl->m, in->ops[0]) : IR_NONE;
		struct bits seen;

		if (global == IR_NONE || (i != start && !ir_comes_before(sim->f, start, i, IR_NONE)))
			continue;
		bits_init(&seen, sim->pl->m->funcs.n);
		if (sets_global(sim->pl, destructor, global, &seen))
			why = arena_printf(c->r->arena, "%s() sets `%s`, which is read behind it (line %u)",
					   sim->pl->m->funcs.v[destructor].src,
					   sim->pl->m->globals.v[global].src, in->pos.line);
		bits_release(&seen);
	}
	return why;
}

static const char *looks_too_early(struct arena *arena, const char *destructor)
{
	return arena_printf(arena, "%s() would look at members that are not set there", destructor);
}

bool write_keeper(struct plan_chooser *c)
{
	const struct plan_sim *sim = c->sim;
	struct arena *a = c->r->arena;
	struct keeper_release r = { .keeper = keeper_name(c), .cast = "" };
	uint32_t func, type = keeper_type(sim);
	const char *why;

	r.name = release_name(sim->pl, sim, &sim->births.v[c->r->birth], sim->keeps.v[0].slot, type, a,
			      &c->why, &r.takes_null, &func);
	if (!r.name)
		return false;
	if (sim->keeps.v[0].slot == IR_NONE && type != IR_NONE &&
	    is_qualified(sim, type)) /* it is declared as what the call returns */
		r.cast = "(void *)";
	for (uint32_t i = 0; i < c->chosen.n && func != IR_NONE; i++) {
		const struct plan_option *o = &c->chosen.v[i];

		if (release_is_deep(sim->pl, func) && !fields_are_owned(c, o, IR_NONE, func))
			why = release_is_too_much(a, r.name);
		else if (!fields_are_set(c, o, func))
			why = looks_too_early(a, r.name);
		else
			why = changes_global(c, o->at, func);
		if (why) {
			c->why = why;
			return false;
		}
	}
	r.more = release_more(sim, r.name, a, &c->why, &c->index);
	if (!r.more)
		return false;
	for (uint32_t i = 0; i < c->chosen.n; i++)
		for (uint32_t j = 0; j < c->chosen.n; j++)
			r.again |= select_follows(c, &c->chosen.v[i], &c->chosen.v[j]);
	declare_keeper(c, r.keeper);
	set_keeper(c, &r);
	if (!clear_keeper(c, r.keeper))
		return false;
	for (uint32_t j = 0; j < c->chosen.n; j++) {
		bool done = false;

		for (uint32_t i = 0; i < sim->keeps.n; i++)
			done |= sim->keeps.v[i].slot != IR_NONE &&
				is_at(c, c->chosen.v[j].at, sim->keeps.v[i].pos);
		if (!done)
			push_place(c, c->chosen.v[j].at, release_keeper(c, &r, c->chosen.v[j].at), r.keeper,
				   r.name);
	}
	return true;
}

/* The variable begins as null: once. */
static void push_zero(struct plan_chooser *c, uint32_t slot)
{
	struct fix_insertion in = { .where = FIX_INIT,
				    .func = c->sim->func,
				    .from = IR_NONE,
				    .to = IR_NONE,
				    .inst = IR_NONE,
				    .text = " = NULL" };

	for (uint32_t i = 0; i < c->r->plan->in.n; i++)
		if (c->r->plan->in.v[i].where == FIX_INIT && c->r->plan->in.v[i].names.v[0].slot == slot)
			return;
	vec_push(&in.names, ((struct fix_name){ c->sim->f->slots[slot].name, slot }));
	vec_push(&c->r->plan->in, in);
}

static void push_release(struct plan_chooser *c, struct fix_insertion in, const struct plan_place *at,
			 uint32_t slot, const char *name)
{
	if (place_is_block_start(c, at))
		push_edges(c, in, at, slot, name, NULL);
	else
		push_insertion(c, in, slot, name, NULL);
	if (sim_is_zeroed(c->sim, slot))
		push_zero(c, slot);
}

/* Is the value no more than a way to what it points to, for callees, too? */
static bool is_address_only(const struct plan_sim *sim, uint32_t vreg)
{
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++) {
			if (in->ops[k] != IR_VREG(vreg) || in->op == IR_CMP ||
			    ((in->op == IR_LOAD || in->op == IR_STORE) && k == 0))
				continue;
			if (in->op == IR_CALL && k && looks_only_call(sim->pl, sim->func, i, k))
				continue;
			if ((in->op != IR_INDEX && in->op != IR_FIELD && in->op != IR_CAST) ||
			    in->res == IR_NONE || !is_address_only(sim, in->res))
				return false;
		}
	}
	return true;
}

/* Does what makes the object also put a new one into a member, which this function takes nowhere else?  Then
 * that is lost if the variable's object is freed alone. */
static bool leaves_members(const struct plan_sim *sim, const struct plan_birth *b, uint32_t slot)
{
	for (uint32_t i = 0; i < sim->births.n; i++) {
		const struct plan_birth *x = &sim->births.v[i];
		bool left = x->inst == b->inst && x->rows && x->rows->out[x->out].param == IR_NONE;

		for (uint32_t k = 0; k < sim->f->ninsts && left; k++) {
			const struct ir_inst *in = &sim->f->insts[k], *d;
			int64_t off = 0;

			if (in->op != IR_LOAD || in->res == IR_NONE)
				continue;
			d = ir_def(sim->f, sim_base(sim, in->ops[0], &off));
			left = !(d && d->op == IR_LOAD && d->ops[0] == IR_SLOT(slot) &&
				 off == x->rows->out[x->out].off) ||
			       is_address_only(sim, in->res);
		}
		if (left)
			return true;
	}
	return false;
}

/* `node_free(&n);`, as the program does it itself, if that function frees nothing that is not the object's
 * own. */
static void by_address(struct plan_chooser *c, const struct plan_option *o, uint32_t slot, const char **name,
		       const char **expr)
{
	const struct plan_sim *sim = c->sim;
	uint32_t func = o->key < sim->f->nslots
				? release_by_address(sim->pl, sim, &sim->births.v[c->r->birth], slot)
				: IR_NONE;

	if (func == IR_NONE ||
	    acts_besides(sim->pl, func, sim->births.v[c->r->birth].callee, sim->func, c->r->arena) ||
	    !fields_are_owned(c, o, slot, func) || !fields_are_set(c, o, func) ||
	    changes_global(c, o->at, func))
		return;
	*name = sim->pl->m->funcs.v[func].src;
	*expr = arena_printf(c->r->arena, "&%s", *expr);
}

bool write_release(struct plan_chooser *c, const struct plan_option *o)
{
	struct fix_insertion in = { .where = o->at->where,
				    .func = c->sim->func,
				    .from = o->at->from,
				    .to = o->at->to,
				    .inst = o->at->inst,
				    .cond = o->at->where == FIX_RESULT ? place_question(o->at) : NULL };
	const struct plan_birth *b = &c->sim->births.v[c->r->birth];
	uint32_t slot = IR_NONE,
		 whole; /* the variable; if it is not just led through: members of what it holds are known */
	uint32_t type = 0, func;
	const char *ask, *text, *not_alone;
	bool takes_null, early;
	const char *expr = place_text(c->sim, o->key, c->r->arena, &slot, &type), *name, *more;
	const struct ir_type *t =
		&c->sim->pl->m->types.v[ir_type_strip(c->sim->pl->m, c->sim->f->slots[slot].type)];

	whole = o->key < c->sim->f->nslots ? slot : IR_NONE;
	in.frees = whole != IR_NONE ? c->sim->f->slots[slot].name : NULL;
	if ((text = example_text(c, o, fields_behind(c->sim, o->at), &name, &c->index))) {
		in.text = only_if(c->r->arena, question(c, o->at, o->key, expr, false, name), text);
		in.asks = c->echo != IR_NONE;
		push_release(c, in, o->at, slot, name);
		return true;
	}
	name = release_name(c->sim->pl, c->sim, b, whole, type, c->r->arena, &c->why, &takes_null, &func);
	if (!name)
		return false;
	if (func != IR_NONE && (text = changes_global(c, o->at, func))) {
		c->why = text;
		return false;
	}
	early = func != IR_NONE && !fields_are_set(c, o, func);
	if (early ||
	    (func != IR_NONE && release_is_deep(c->sim->pl, func) && !fields_are_owned(c, o, whole, func))) {
		c->why = early ? looks_too_early(c->r->arena, name) : release_is_too_much(c->r->arena, name);
		if (b->effect->value.nfreers || whole == IR_NONE)
			return false;
		name = release_alone(c->sim->pl, c->sim, b, func, c->r->arena, early ? &not_alone : &c->why,
				     &takes_null); /* and members that are its own */
		if (!name)
			return false;
		c->r->plan->shallow = true;
	}
	if (c->sim->pl->m->types.v[type].kind != IR_T_PTR ||
	    (b->rows && t->kind == IR_T_STRUCT && !release_is_plain(b))) { /* a regex_t */
		expr = arena_printf(c->r->arena, "&%s", c->sim->f->slots[slot].name);
		if (!is_always_fresh(c, o->at, o->key, name)) {
			c->why = arena_printf(c->r->arena, "`%s` may hold nothing to release there",
					      c->sim->f->slots[slot].name);
			return false;
		}
		if (frees_others(c->sim, slot, name)) {
			c->why = release_is_too_much(c->r->arena, name);
			return false;
		}
	} else if (func == IR_NONE && str_eq(name, "free") && !c->r->nulled &&
		   !(c->sim->pl->m->types.v[type].flags & IR_TF_CONST)) {
		by_address(c, o, slot, &name, &expr);
	}
	more = release_more(c->sim, name, c->r->arena, &c->why, &c->index);
	if (!more)
		return false;
	c->guard = o->at->guard;
	ask = question(c, o->at, o->key, expr, takes_null || *expr == '&', name);
	in.text =
		arena_printf(c->r->arena, "%s(%s%s%s);", name,
			     c->sim->pl->m->types.v[type].flags & IR_TF_CONST ? "(void *)" : "", expr, more);
	if (*expr != '&' && (func == IR_NONE ? str_eq(name, "free") || release_is_plain(b)
			     : takes_null && (c->r->plan->shallow || !release_is_deep(c->sim->pl, func)))) {
		const char *members = fields_text(c, o, !takes_null);

		if (c->r->plan->shallow && func != IR_NONE && !*members && leaves_members(c->sim, b, slot)) {
			c->why = arena_printf(
				c->r->arena, "%s, and free() would leave them",
				release_is_too_much(c->r->arena, c->sim->pl->m->funcs.v[func].src));
			return false;
		}
		in.text = arena_printf(c->r->arena, "%s%s", members, in.text);
	}
	if (c->r->nulled)
		in.text = arena_printf(c->r->arena, "%s\n%s = NULL;", in.text, expr);
	in.text = only_if(c->r->arena, ask, in.text);
	in.asks = c->echo != IR_NONE;
	push_release(c, in, o->at, slot, name);
	return true;
}
