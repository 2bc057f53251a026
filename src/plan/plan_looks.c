/*
 * plan_looks.c - does a callee do no more with a pointer that it is given than to look at what it points to?
 *
 * The simulations of plan_summary.c cannot follow functions that call themselves, those with too many paths,
 * and variable arguments.  For many of these it is enough to know that no copy of the pointer ever gets into
 * memory: then it is kept by nobody, freed by nobody and not returned, on whatever path.  That is asked of
 * all functions that it is handed on to at once, not of the points-to sets, in which the arguments of all
 * calls meet.
 *
 * Copies of the pointer are followed through vregs, variables of the callees, which end with them, lists of
 * variable arguments, and results:
 *
 *   LOOK_OBJ	a pointer to the object, or into it
 *   LOOK_SAVE	a pointer to memory of an activation in which the pointer is: a variable, or variable
 * arguments LOOK_LIST	a pointer to a va_list that leads to such LOOK_READ	as LOOK_OBJ, but nothing is
 * written through it NUMBER	a LOOK_OBJ that became an integer: it may be compared, or subtracted from
 * another
 *
 * Any other use is a "no".  Since "yes" is asked of all at once, a circle of calls is no obstacle.
 *
 * Which way it errs: towards "no".  A variable argument that is read as an integer is not thought to be the
 * pointer that was passed.
 */
#include "plan/priv.h"

enum { NUMBER = LOOK__KINDS, MAX_QUESTIONS = 2000 };
enum { YES = 1, NO = 2, BUSY = 3, STATE = 3 };	/* in planner->looks; 0: not asked yet */
enum { RETURNS = 2 };				/* above them: which kinds are returned */

struct question {
	uint32_t func, param, kind;	/* param: the number of parameters for the variable arguments */
};

struct look {
	struct fix_planner *pl;
	uint32_t func;
	const struct ir_func *f;
	const struct ssa *ssa;
	uint8_t *vreg, *slot; /* 1 << LOOK_...: what is in them; of a slot that is a va_list: LOOK_LIST */
	bool changed, no, again;
	VEC(struct question) todo;	/* all questions asked so far */
};

static uint8_t *answer(struct fix_planner *pl, struct question q)
{
	const struct ir_func *f = &pl->m->funcs.v[q.func];

	if (!pl->looks[q.func])
		pl->looks[q.func] = arena_array(&pl->arena, uint8_t, (f->nparams + 1) * LOOK__KINDS);
	return &pl->looks[q.func][q.param * LOOK__KINDS + q.kind];
}

static unsigned kinds_of(const struct look *x, ir_ref r)
{
	if (IR_KIND(r) == IR_R_VREG)
		return x->vreg[IR_IDX(r)];
	return IR_KIND(r) == IR_R_SLOT && !x->ssa->promoted[IR_IDX(r)] ? x->slot[IR_IDX(r)] : 0;
}

static void put(struct look *x, uint8_t *at, unsigned kinds)
{
	if ((*at | kinds) != *at) {
		*at |= (uint8_t)kinds;
		x->changed = true;
	}
}

static void put_result(struct look *x, const struct ir_inst *in, unsigned kinds)
{
	if (kinds && in->res == IR_NONE)
		x->no = true;
	else if (kinds)
		put(x, &x->vreg[in->res], kinds);
}

/* The kinds that the callee may return. */
static unsigned ask(struct look *x, struct question q)
{
	uint8_t *known = answer(x->pl, q);

	if ((*known & STATE) == NO || x->todo.n >= MAX_QUESTIONS) {
		x->no = true;
		return 0;
	}
	if (!*known) {
		*known = BUSY;
		vec_push(&x->todo, q);
		x->again = true;
	}
	return *known >> RETURNS;
}

/* The variable of this function that an address is in, if it is in memory; else IR_NONE. */
static uint32_t own_memory(const struct look *x, ir_ref r)
{
	const struct ir_inst *d;

	while ((d = ir_def(x->f, r)) &&
	       (d->op == IR_FIELD || d->op == IR_ELEM || d->op == IR_INDEX || d->op == IR_COPY))
		r = d->ops[0];
	return IR_KIND(r) == IR_R_SLOT && !x->ssa->promoted[IR_IDX(r)] ? IR_IDX(r) : IR_NONE;
}

/* A pointer to the object is stored there. */
static void put_memory(struct look *x, ir_ref at, unsigned kinds)
{
	uint32_t slot = own_memory(x, at);

	if (slot == IR_NONE || kinds != 1u << LOOK_OBJ)
		x->no = true;
	else
		put(x, &x->slot[slot], 1u << LOOK_SAVE);
}

/* ---- calls ------------------------------------------------------------------ */

/* Can the conversions of a format do something to what they convert? */
static bool has_formats(const struct look *x, const char *name)
{
	struct sbuf b = {0};
	bool found = false;

	for (int c = 'A'; c <= 'z' && !found; c++) {
		sbuf_clear(&b);
		sbuf_printf(&b, "%s %%%c", name, c);
		found = model_find(x->pl->models, sbuf_str(&b)) != NULL;
	}
	sbuf_release(&b);
	return found;
}

static void given_to_model(struct look *x, const struct ir_inst *in, uint32_t arg, unsigned kinds,
			   const struct model *md)
{
	if (kinds & ~(1u << LOOK_OBJ) && has_formats(x, md->name))
		x->no = true;
	for (unsigned i = 0; i < md->neffects && !md->noreturn; i++) {
		const struct model_effect *e = &md->effects[i];
		bool value = e->kind == MODEL_E_SET && model_value_depends(&e->value) &&
			     model_place_begins_at(&e->value.place, arg);
		bool writes = e->kind == MODEL_E_SET || e->kind == MODEL_E_WRITE ||
			      (e->kind == MODEL_E_COPY && model_place_begins_at(&e->to, arg));

		if (kinds & 1u << LOOK_READ && writes &&
		    (e->kind == MODEL_E_COPY || model_place_begins_at(&e->place, arg)))
			x->no = true;
		if (e->kind == MODEL_E_CALL || ((e->kind == MODEL_E_FREE || e->kind == MODEL_E_KEEP ||
						 e->kind == MODEL_E_HOLD || e->kind == MODEL_E_REF) &&
						model_place_begins_at(&e->place, arg)))
			x->no = true;
		else if (kinds & ~(1u << LOOK_OBJ) &&
			 (value || (e->kind == MODEL_E_COPY && model_place_begins_at(&e->place, arg))))
			x->no = true;
		else if (value && !e->value.place.nsteps && e->place.base == MODEL_ARG &&
			 e->place.nsteps == 1 && e->place.arg < in->nops) {
			if (in->ops[e->place.arg] != IR_NULL)
				put_memory(x, in->ops[e->place.arg], kinds);
		} else if (value && !e->value.place.nsteps &&
			   (e->place.base != MODEL_RETURN || e->place.nsteps))
			x->no = true;
		else if (value && !e->value.place.nsteps)
			put_result(x, in, kinds);
	}
}

static void given(struct look *x, const struct ir_inst *in, uint32_t arg, unsigned kinds, uint32_t g)
{
	const struct ir_func *f = &x->pl->m->funcs.v[g];
	const struct model *md = pta_model(x->pl->p, g);

	if (md) {
		given_to_model(x, in, arg, kinds, md);
		return;
	}
	if (ir_is_decl(f) || kinds & 1u << NUMBER || (arg > f->nparams && !(f->flags & IR_FN_VARIADIC)) ||
	    (arg <= f->nparams && (f->params[arg - 1].byval || f->params[arg - 1].sret))) {
		x->no = true;
		return;
	}
	if (arg > f->nparams && kinds != 1u << LOOK_OBJ)
		x->no = true;
	for (unsigned k = 0; k < LOOK__KINDS && !x->no; k++)
		if (kinds & 1u << k)
			put_result(
				x, in,
				ask(x, (struct question) { g, arg > f->nparams ? f->nparams : arg - 1, k }));
}

static void call(struct look *x, uint32_t inst)
{
	const struct ir_inst *in = &x->f->insts[inst];
	struct pta_callees to;
	bool any = false;

	for (uint32_t k = 0; k < in->nops; k++)
		any |= kinds_of(x, in->ops[k]) != 0;
	if (!any)
		return;
	callees_of(x->pl, x->func, inst, &to);
	x->no |= to.unknown || !sbits_count(to.set) || kinds_of(x, in->ops[0]);
	for (uint32_t k = 1; k < in->nops && !x->no; k++) {
		unsigned kinds = kinds_of(x, in->ops[k]);

		if (kinds)
			SBITS_FOREACH(g, to.set)
				given(x, in, k, kinds, g);
	}
}

/* ---- one function ----------------------------------------------------------- */

/* The variable becomes a list of the arguments. */
static void fill_list(struct look *x, ir_ref to)
{
	uint32_t slot = own_memory(x, to);

	if (slot != IR_NONE)
		put(x, &x->slot[slot], 1u << LOOK_LIST);
	else if (!(kinds_of(x, to) & 1u << LOOK_LIST))
		x->no = true;
}

static void load(struct look *x, const struct ir_inst *in)
{
	unsigned k = kinds_of(x, in->ops[0]);

	if (IR_KIND(in->ops[0]) == IR_R_SLOT && x->ssa->promoted[IR_IDX(in->ops[0])])
		put_result(x, in, x->slot[IR_IDX(in->ops[0])]);
	else if (in->cls == IR_C_PTR)
		put_result(x, in,
			   (k & 1u << LOOK_LIST ? 1u << LOOK_SAVE : 0) |
				   (k & 1u << LOOK_SAVE ? 1u << LOOK_OBJ : 0));
}

static void store(struct look *x, const struct ir_inst *in)
{
	unsigned k = kinds_of(x, in->ops[1]);

	x->no |= (kinds_of(x, in->ops[0]) & 1u << LOOK_READ) != 0;
	if (!k)
		return;
	if (IR_KIND(in->ops[0]) == IR_R_SLOT && x->ssa->promoted[IR_IDX(in->ops[0])])
		put(x, &x->slot[IR_IDX(in->ops[0])], k);
	else if (k != 1u << LOOK_SAVE || kinds_of(x, in->ops[0]) != 1u << LOOK_LIST)
		put_memory(x, in->ops[0], k);
}

/* What becomes of a pointer, as a value, in an instruction that computes another. */
static void compute(struct look *x, const struct ir_inst *in)
{
	unsigned all = 0, both = UINT8_MAX;

	for (uint32_t k = 0; k < in->nops; k++) {
		all |= kinds_of(x, in->ops[k]);
		both &= kinds_of(x, in->ops[k]);
	}
	if (!all)
		return;
	switch (in->op) {
	case IR_FIELD: case IR_COPY: case IR_SELECT: case IR_PHI: case IR_EXTRACT:
		put_result(x, in, all);
		break;
	case IR_ELEM: case IR_INDEX:
		x->no |= kinds_of(x, in->ops[1]) != 0;
		put_result(x, in, all);
		break;
	case IR_CAST:
		if (in->sub == IR_CAST_PTRTOINT && all == 1u << LOOK_OBJ)
			put_result(x, in, 1u << NUMBER);
		else if (in->sub == IR_CAST_BITCAST)
			put_result(x, in, all);
		else
			x->no = true;
		break;
	case IR_BIN:	/* how far it is from here to there */
		x->no |= in->sub != IR_B_SUB || both != 1u << NUMBER;
		break;
	default:
		x->no = true;
	}
}

static void give_back(struct look *x, const struct ir_inst *in, struct question q)
{
	uint8_t *known = answer(x->pl, q);
	unsigned kinds = 0;

	for (uint32_t k = 0; k < in->nops; k++)
		kinds |= kinds_of(x, in->ops[k]);
	x->no |= (kinds & ~(1u << LOOK_OBJ)) != 0;
	if ((*known | kinds << RETURNS) != *known) {
		*known |= (uint8_t)(kinds << RETURNS);
		x->again = true;
	}
}

static void look_at(struct look *x, uint32_t inst, struct question q)
{
	const struct ir_inst *in = &x->f->insts[inst];

	switch (in->op) {
	case IR_LOAD:
		load(x, in);
		break;
	case IR_STORE:
		store(x, in);
		break;
	case IR_MEMCPY:	/* what is in the object is not the object */
		x->no |= ((kinds_of(x, in->ops[0]) | kinds_of(x, in->ops[1])) & ~(1u << LOOK_OBJ)) != 0;
		break;
	case IR_CALL:
		call(x, inst);
		break;
	case IR_RET:
		give_back(x, in, q);
		break;
	case IR_VACOPY:
		if (kinds_of(x, in->ops[1]) & 1u << LOOK_LIST)
			fill_list(x, in->ops[0]);
		x->no |= (kinds_of(x, in->ops[1]) & ~(1u << LOOK_LIST)) != 0;
		break;
	case IR_VAARG:
		if (kinds_of(x, in->ops[0]) && in->cls == IR_C_PTR)
			put_result(x, in, 1u << LOOK_OBJ);
		break;
	case IR_MEMSET:
		x->no |= (kinds_of(x, in->ops[0]) & 1u << LOOK_READ) != 0;
		break;
	case IR_CMP:
	case IR_VASTART:
	case IR_VAEND:
	case IR_BR:
	case IR_CONDBR:
	case IR_SWITCH:
	case IR_UNREACHABLE:
		break;
	default:
		compute(x, in);
	}
}

static void look_into(struct look *x, struct question q)
{
	x->func = q.func;
	x->f = &x->pl->m->funcs.v[q.func];
	x->ssa = pta_ssa(x->pl->p, q.func);
	x->vreg = xcalloc((size_t)x->f->nvregs + 1, 1);
	x->slot = xcalloc((size_t)x->f->nslots + 1, 1);
	if (q.param < x->f->nparams)
		x->vreg[q.param] = (uint8_t)(1u << q.kind);
	for (uint32_t i = 0; i < x->f->ninsts && q.param == x->f->nparams; i++)
		if (x->f->insts[i].op == IR_VASTART)
			fill_list(x, x->f->insts[i].ops[0]);
	do {
		x->changed = false;
		for (uint32_t i = 0; i < x->f->ninsts && !x->no; i++)
			look_at(x, i, q);
	} while (x->changed && !x->no);
	free(x->vreg);
	free(x->slot);
}

/* Asks a question, and all that it leads to, until nothing more is found to be returned. */
static void ask_all(struct look *x, struct question q)
{
	ask(x, q);
	while (x->again && !x->no) {
		x->again = false;
		for (uint32_t i = 0; i < x->todo.n && !x->no; i++) {
			look_into(x, x->todo.v[i]);
			if (x->no)
				q = x->todo.v[i];
		}
	}
	for (uint32_t i = 0; i < x->todo.n; i++)
		if (x->no)
			*answer(x->pl, x->todo.v[i]) = 0;
		else
			*answer(x->pl, x->todo.v[i]) ^= BUSY ^ YES;
	if (x->no)
		*answer(x->pl, q) = NO;
}

static bool look(struct fix_planner *pl, uint32_t func, uint32_t arg, uint32_t kind, bool *returned)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	struct look x = { .pl = pl };
	struct question q = { func, MIN(arg, f->nparams), kind };

	assert(!ir_is_decl(f));
	if ((arg >= f->nparams && !(f->flags & IR_FN_VARIADIC)) ||
	    (arg < f->nparams && (f->params[arg].byval || f->params[arg].sret)))
		return false;
	if (!*answer(pl, q)) {
		ask_all(&x, q);
		if (x.no)
			*answer(pl, q) = NO;
	}
	vec_release(&x.todo);
	*returned = *answer(pl, q) >> RETURNS != 0;
	return (*answer(pl, q) & STATE) == YES;
}

bool looks_only(struct fix_planner *pl, uint32_t func, uint32_t arg, bool *returned)
{
	return look(pl, func, arg, LOOK_OBJ, returned);
}

bool looks_reads(struct fix_planner *pl, uint32_t func, uint32_t arg)
{
	bool returned;

	return look(pl, func, arg, LOOK_READ, &returned) && !returned;
}

bool looks_only_within(struct fix_planner *pl, uint32_t func, uint32_t arg)
{
	bool returned;

	return arg < pl->m->funcs.v[func].nparams && look(pl, func, arg, LOOK_SAVE, &returned) && !returned;
}

bool looks_only_call(struct fix_planner *pl, uint32_t func, uint32_t inst, uint32_t arg)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	struct look x = { .pl = pl, .func = func, .f = f, .ssa = pta_ssa(pl->p, func) };
	struct pta_callees to;
	bool ok, returned;

	callees_of(pl, func, inst, &to);
	ok = !to.unknown && sbits_count(to.set);
	x.vreg = xcalloc((size_t)f->nvregs + 1, 1);
	x.slot = xcalloc((size_t)f->nslots + 1, 1);
	SBITS_FOREACH(g, to.set) {
		const struct model *md = pta_model(pl->p, g);

		if (md)
			given_to_model(&x, &f->insts[inst], arg, 1u << LOOK_OBJ, md);
		else
			ok = ok && !ir_is_decl(&pl->m->funcs.v[g]) &&
			     looks_only(pl, g, arg - 1, &returned) && !returned;
	}
	free(x.vreg);
	free(x.slot);
	return ok && !x.no && !x.changed;
}
