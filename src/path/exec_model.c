/*
 * exec_model.c - a library function's model (model/model.h), done to the state.
 *
 * First the result is chosen among those the model names, then the conditions
 * of its effects are decided, one after the other, then what it stores is chosen where there
 * are alternatives, and each combination that the path allows is walked.  Most models have one result,
 * no condition and no such choice.
 *
 * What a model calls back may do anything with what it is handed; it is taken
 * to keep it.
 */
#include "path/exec.h"

#include "path/keep.h"

#include "ir/expr.h"
#include "sym/text.h"

enum { MAX_CONDS = 4, MAX_ALTERNATIVES = 6, MAX_CHOICES = 2 };

struct modelled {
	struct exec *x;
	uint32_t inst;
	const struct ir_func *callee;
	const struct model *md;
	const struct sym *args;
	uint32_t nargs;
	struct sym ret;
	uint32_t nnew;
	const struct model_cond *conds[MAX_CONDS];
	uint32_t nconds;
	bool truth[MAX_CONDS];
	struct {
		unsigned first, n, picked;	/* effects */
	} choices[MAX_CHOICES];
	uint32_t nchoices;
};

/* ---- places ---------------------------------------------------------- */

static uint32_t pointee(const struct modelled *c, const struct model_place *pl, unsigned arg)
{
	const struct ir_module *m = c->x->m;
	const struct ir_type *ft = &m->types.v[c->callee->type], *t;
	const struct ir_inst *in = &c->x->f->insts[c->inst];
	uint32_t type = 0;

	if (ft->kind == IR_T_FUNC && pl->base == MODEL_RETURN)
		type = ft->elem;
	else if (ft->kind == IR_T_FUNC && arg >= 1 && arg <= ft->nfields)
		type = ft->fields[arg - 1].type;
	else if (arg >= 1 && arg < in->nops)
		type = expr_value_type(m, c->x->f, in->ops[arg]);
	t = &m->types.v[ir_type_strip(m, type)];
	if (t->kind == IR_T_PTR)
		return t->elem;
	/* the address of a variable: the program may have no such pointer type */
	if (pl->base == MODEL_RETURN || arg < 1 || arg >= in->nops)
		return 0;
	return expr_object_type(m, c->x->f, in->ops[arg]);
}

static struct sym step_addr(struct modelled *c, struct sym v, const struct model_step *s, uint32_t *type)
{
	struct state *st = &c->x->st;
	int64_t off = s->field ? (int64_t)ir_member_offset(c->x->m, type, s->field) : s->offset;
	const struct ir_type *t = &c->x->m->types.v[ir_type_strip(c->x->m, *type)];
	struct place p = { .base = PLACE_ARG, .nsteps = 1, .step[0] = { off, s->any } };
	struct sym a;

	*type = t->kind == IR_T_PTR ? t->elem : 0;
	return state_place_addr(st, &p, &v, 1, NULL, &a) ? a : sym_const(0);
}

/* The value of a place for argument number arg (of argN... each in turn), and the address of
 * its last step; false if there is no such thing. */
static bool reach(struct modelled *c, const struct model_place *pl, unsigned arg, struct sym *v,
		  struct sym *addr)
{
	struct state *st = &c->x->st;
	uint32_t type = pointee(c, pl, arg), g;

	switch (pl->base) {
	case MODEL_RETURN:
		*v = c->ret;
		break;
	case MODEL_ARG:
	case MODEL_ARGS_FROM:
		if (arg < 1 || arg > c->nargs)
			return false;
		*v = c->args[arg - 1];
		break;
	case MODEL_GLOBAL:
		g = keep_global(c->x->m, pl->global);
		if (g == IR_NONE)
			return false;
		*addr = state_symbol(st, IR_REF(IR_R_GLOBAL, g));
		*v = state_load(st, *addr, IR_C_PTR, 64, IR_NONE);
		type = c->x->m->globals.v[g].type;
		break;
	}
	for (unsigned i = 0; i < pl->nsteps; i++) {
		if (sym_is_const(sym_refined(&st->s, *v)))
			return false;
		*addr = step_addr(c, *v, &pl->steps[i], &type);
		if (sym_is_const(*addr))
			return false;
		*v = state_load(st, *addr, IR_C_PTR, 64, IR_NONE);
	}
	return true;
}

static bool place_value(struct modelled *c, const struct model_place *pl, struct sym *v)
{
	struct sym addr;

	return reach(c, pl, pl->arg, v, &addr);
}

static struct sym value_of(struct modelled *c, const struct model_effect *e, const struct model_value *v,
			   bool maybe_null)
{
	struct exec *x = c->x;
	const struct ir_inst *in = &x->f->insts[c->inst];
	struct snew made = { .func = x->func, .inst = c->inst, .allocator = c->callee->src, .effect = e,
			     .zeroed = v->zeroed, .nonnull = v->nonnull };
	struct sym r;

	switch (v->kind) {
	case MODEL_V_NEW:
		return exec__make(x, &made, c->inst, c->nnew++);
	case MODEL_V_PLACE:
		return place_value(c, &v->place, &r) ? r : state_fresh(&x->st, in->cls, in->bits);
	case MODEL_V_INTO:
		return place_value(c, &v->place, &r) ? state_into(&x->st, r, maybe_null)
						     : state_fresh(&x->st, in->cls, in->bits);
	case MODEL_V_NULL:
		return sym_const(0);
	case MODEL_V_INT:
		return sym_const(v->value);
	case MODEL_V_NONNULL:
	case MODEL_V_STATIC:
		r = state_fresh(&x->st, IR_C_PTR, 64);
		r.lo = !maybe_null;
		return r;
	case MODEL_V_NEGATIVE:
		r = state_fresh(&x->st, in->cls, in->bits);
		r.hi = -1;
		return r;
	case MODEL_V_UNKNOWN:
		break;
	}
	return state_fresh(&x->st, in->cls, in->bits);
}

/* ---- conditions ------------------------------------------------------ */

/* `when return >= 0`: libraries say no with -1, and programs ask for just that.  Other negative
 * numbers are not tried, so that what only such a number loses is not found. */
static bool says_no(const struct model_cond *k)
{
	return k->cmp == MODEL_GE && !k->value && k->place.base == MODEL_RETURN && !k->place.nsteps;
}

static bool assume_cond(struct modelled *c, const struct model_cond *k, bool truth)
{
	static const enum ir_pred preds[] = {
		[MODEL_EQ] = IR_P_EQ, [MODEL_NE] = IR_P_NE, [MODEL_LT] = IR_P_SLT,
		[MODEL_LE] = IR_P_SLE, [MODEL_GT] = IR_P_SGT, [MODEL_GE] = IR_P_SGE,
	};
	struct syms *s = &c->x->st.s;
	struct sym v;

	if (!place_value(c, &k->place, &v))
		return !truth;
	if (!truth && says_no(k))
		return exec__assume(c->x, sym_cmp(s, IR_P_EQ, v, sym_const(-1)), true);
	if (k->cmp == MODEL_HAS || k->cmp == MODEL_LACKS) {
		v = sym_bin(s, IR_B_AND, 64, v, sym_const(k->value));
		return exec__assume(c->x, v, truth == (k->cmp == MODEL_HAS));
	}
	return exec__assume(c->x, sym_cmp(s, preds[k->cmp], v, sym_const(k->value)), truth);
}

static bool same_cond(const struct model_cond *a, const struct model_cond *b)
{
	if (a->cmp != b->cmp || a->value != b->value)
		return false;
	return a->place.base == b->place.base && a->place.arg == b->place.arg &&
	       a->place.nsteps == b->place.nsteps && a->place.steps == b->place.steps;
}

static uint32_t cond_index(struct modelled *c, const struct model_cond *k)
{
	for (uint32_t i = 0; i < c->nconds; i++)
		if (same_cond(c->conds[i], k))
			return i;
	if (c->nconds == MAX_CONDS)
		return IR_NONE;
	c->conds[c->nconds] = k;
	return c->nconds++;
}

static bool is_result(const struct model_effect *e)
{
	return e->kind == MODEL_E_SET && e->place.base == MODEL_RETURN && !e->place.nsteps;
}

static void collect_conds(struct modelled *c)
{
	for (unsigned i = 0; i < c->md->neffects; i++)
		for (unsigned k = 0; k < c->md->effects[i].nconds; k++)
			if (!is_result(&c->md->effects[i]) && c->md->effects[i].kind != MODEL_E_HOLD)
				cond_index(c, &c->md->effects[i].conds[k]);
}

/* Under what was decided, does the effect happen?  A condition too many is taken to hold for
 * what keeps or frees, and not for what makes. */
static bool happens(struct modelled *c, const struct model_effect *e)
{
	for (unsigned k = 0; k < e->nconds; k++) {
		uint32_t i = cond_index(c, &e->conds[k]);

		if (i == IR_NONE ? e->kind == MODEL_E_SET : !c->truth[i])
			return false;
	}
	return true;
}

/* ---- effects --------------------------------------------------------- */

static void do_set(struct modelled *c, const struct model_effect *e, bool maybe_null)
{
	struct sym v, addr = sym_const(0);

	if (!e->place.nsteps && e->place.base != MODEL_GLOBAL)
		return;
	if (reach(c, &e->place, e->place.arg, &v, &addr) && !sym_is_const(addr))
		state_store(&c->x->st, addr, value_of(c, e, &e->value, maybe_null), IR_NONE, c->inst);
}

/* Is it any of several places that is set?  Each of the alternatives may be in one of them. */
static bool is_of_many(const struct model_place *pl)
{
	for (unsigned i = 0; i < pl->nsteps; i++)
		if (pl->steps[i].any)
			return true;
	return false;
}

/* `X or null`, where X is not a pointer that was there before: a value that may be null serves for both. */
static bool is_or_null(const struct model_effect *e, unsigned n)
{
	return n == 2 && e[1].value.kind == MODEL_V_NULL && e->value.kind != MODEL_V_PLACE &&
	       e->value.kind != MODEL_V_INT;
}

static void collect_choices(struct modelled *c)
{
	unsigned n;

	for (unsigned i = 0; i < c->md->neffects; i += n) {
		const struct model_effect *e = &c->md->effects[i];

		n = model_alternatives(e, c->md->neffects - i);
		if (n == 1 || is_result(e) || is_of_many(&e->place) || is_or_null(e, n) ||
		    c->nchoices == MAX_CHOICES)
			continue;
		c->choices[c->nchoices].first = i;
		c->choices[c->nchoices++].n = n;
	}
}

/* What is set by the n alternatives from number i on.  A choice too many: by the first. */
static void do_sets(struct modelled *c, unsigned i, unsigned n)
{
	const struct model_effect *e = &c->md->effects[i];
	unsigned picked = 0;

	for (uint32_t k = 0; k < c->nchoices; k++)
		if (c->choices[k].first == i)
			picked = c->choices[k].picked;
	if (is_of_many(&e->place))
		for (unsigned k = 0; k < n; k++)
			do_set(c, &e[k], false);
	else
		do_set(c, &e[picked], is_or_null(e, n));
}

/* Is it an object of another kind than what is freed here?  A handle within a struct may be
 * taken for the struct's first member, where the struct's type is not known. */
static bool is_another(struct modelled *c, const struct model_effect *e, struct sym v)
{
	const struct mobj *o = state_heap(&c->x->st, v);
	const struct resource *made = o && o->made.effect ? o->made.effect->value.resource : NULL;

	return e->place.nsteps && made && e->resource && !resource_equal(made, e->resource);
}

static void do_effect(struct modelled *c, const struct model_effect *e, unsigned arg)
{
	struct exec *x = c->x;
	struct sym v, to, addr;

	if (!reach(c, &e->place, arg, &v, &addr))
		return;
	switch (e->kind) {
	case MODEL_E_FREE:
		if (is_another(c, e, v))
			break;
		exec__note_call(x, c->inst);
		exec__free(x, v, c->inst);
		break;
	case MODEL_E_KEEP:
		if (e->has_to && reach(c, &e->to, e->to.arg, &to, &addr) &&
		    !sym_is_const(sym_refined(&x->st.s, to)))
			state_put_in(&x->st, to, v, c->inst);
		else
			exec__keep(x, v, c->inst);
		break;
	case MODEL_E_REF:
		exec__keep(x, v, c->inst);
		break;
	case MODEL_E_COPY:
		if (reach(c, &e->to, e->to.arg, &to, &addr) && !sym_is_const(sym_refined(&x->st.s, to)) &&
		    !sym_is_const(sym_refined(&x->st.s, v)))
			state_copy(&x->st, to, v, -1, c->inst);
		break;
	case MODEL_E_WRITE:
		if (!sym_is_const(sym_refined(&x->st.s, v)))
			state_forget_from(&x->st, state_where(&x->st, v).base, state_where(&x->st, v).off,
					  false);
		break;
	default:
		break;
	}
}

static void do_callback(struct modelled *c, const struct model_effect *e)
{
	struct sym v;

	for (unsigned i = 0; i < e->nargs; i++) {
		const struct model_value *arg = &e->args[i];

		if ((arg->kind == MODEL_V_PLACE || arg->kind == MODEL_V_INTO) &&
		    place_value(c, &arg->place, &v))
			exec__give(c->x, v, c->inst);
	}
}

/* All effects happen together: what is freed, kept and copied is looked up before anything
 * is set. */
static bool do_effects(struct modelled *c)
{
	for (unsigned i = 0; i < c->md->neffects; i++) {
		const struct model_effect *e = &c->md->effects[i];
		unsigned last = e->place.base == MODEL_ARGS_FROM ? c->nargs : e->place.arg;

		if (is_result(e) || e->kind == MODEL_E_HOLD || !happens(c, e))
			continue;
		if (e->kind == MODEL_E_NORETURN)
			return false;
		if (e->kind == MODEL_E_CALL)
			do_callback(c, e);
		else if (e->kind != MODEL_E_SET)
			for (unsigned arg = e->place.arg; arg <= last; arg++)
				do_effect(c, e, arg);
	}
	for (unsigned i = 0, n; i < c->md->neffects; i += n) {
		const struct model_effect *e = &c->md->effects[i];

		n = model_alternatives(e, c->md->neffects - i);
		if (e->kind == MODEL_E_SET && !is_result(e) && happens(c, e))
			do_sets(c, i, n);
	}
	exec__set(c->x, c->x->f->insts[c->inst].res, c->ret);
	return true;
}

/* A size of zero that nobody has spoken of: realloc(p, 0) is another way to write free(p), but a
 * size that may be zero is not meant so. */
static bool is_odd(struct modelled *c, const struct model_cond *k)
{
	struct sym v;

	if (k->cmp != MODEL_EQ || k->null || k->value || k->place.base != MODEL_ARG || k->place.nsteps)
		return false;
	return place_value(c, &k->place, &v) && sym_truth(&c->x->st.s, v) < 0;
}

/* Makes choice k and those behind it, and walks on from each combination. */
static void choose(struct modelled *c, uint32_t k)
{
	struct exec *x = c->x;
	struct exec_mark mark = exec__mark(x);
	uint32_t nnew = c->nnew;

	if (k == c->nchoices) {
		if (!do_effects(c))
			exec__no_return(x);
		else if (exec__may_go_on(x))
			exec__go_on(x, c->inst);
		return;
	}
	if (!happens(c, &c->md->effects[c->choices[k].first])) {
		choose(c, k + 1);
		return;
	}
	for (unsigned i = 0; i < c->choices[k].n && !x->r->cut; i++) {
		c->choices[k].picked = i;
		choose(c, k + 1);
		exec__undo(x, mark);
		c->nnew = nnew;
	}
}

/* Decides condition k and those behind it, and walks on from each combination. */
static void decide(struct modelled *c, uint32_t k)
{
	struct exec *x = c->x;
	struct exec_mark mark = exec__mark(x);
	uint32_t nnew = c->nnew;
	struct sym ret = c->ret;

	if (k == c->nconds) {
		choose(c, 0);
		return;
	}
	state_made_up(&x->st);
	for (int t = 1; t >= 0 && !x->r->cut; t--) {
		c->truth[k] = t;
		if (t && is_odd(c, c->conds[k]))
			continue;
		if (assume_cond(c, c->conds[k], t))
			decide(c, k + 1);
		exec__undo(x, mark);
		c->nnew = nnew;
		c->ret = ret;
	}
}

/* ---- results --------------------------------------------------------- */

struct alternatives {
	const struct model_effect *e[MAX_ALTERNATIVES];
	uint32_t n;
	bool null;		/* or null */
};

/* What the result may be.  Null beside something else is not a path of its own: the value is
 * one that may be null. */
static void find_alternatives(const struct modelled *c, struct alternatives *a)
{
	for (unsigned i = 0; i < c->md->neffects; i++) {
		const struct model_effect *e = &c->md->effects[i];

		if (!is_result(e))
			continue;
		if (e->value.kind == MODEL_V_NULL && !e->nconds)
			a->null = true;
		else if (a->n < MAX_ALTERNATIVES)
			a->e[a->n++] = e;
	}
}

static bool assume_result(struct modelled *c, const struct model_effect *e)
{
	for (unsigned k = 0; k < e->nconds; k++)
		if (e->conds[k].place.base != MODEL_RETURN && !assume_cond(c, &e->conds[k], true))
			return false;
	return true;
}

static bool assume_none(struct modelled *c, const struct alternatives *a)
{
	for (uint32_t i = 0; i < a->n; i++) {
		const struct model_effect *e = a->e[i];

		if (!e->nconds || e->conds[0].place.base == MODEL_RETURN)
			return false;
		if (!assume_cond(c, &e->conds[0], false))
			return false;
	}
	return true;
}

/* Is the result something that was there before? */
static bool gives_place(const struct alternatives *a)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (a->e[i]->value.kind == MODEL_V_PLACE)
			return true;
	return false;
}

/* The literal that a pointer points to, or NULL if it is none or not known whole. */
static const char *literal_of(struct exec *x, struct sym p)
{
	const struct mobj *o = mobjs_get(&x->st.objs, p.id);
	const char *text = o && o->kind == M_GLOBAL ? x->m->globals.v[o->index].text : NULL;

	return text && strlen(text) < TEXT_MAX ? text : NULL;
}

/* strcmp() and its kin, if one of the texts is a literal.  (The other is taken not to change
 * from one such comparison to the next.) */
static bool compare_texts(struct modelled *c, struct sym *ret)
{
	const char *a, *b;
	struct text_way way;
	bool has_count = c->nargs == 3 && sym_is_const(c->args[2]);

	if (!text_compares(c->callee->name, c->nargs, has_count ? c->args[2].lo : -1, &way))
		return false;
	a = literal_of(c->x, c->args[0]);
	b = literal_of(c->x, c->args[1]);
	if (!a && !b)
		return false;
	if (a && b)
		*ret = sym_const(text_order(a, b, way));
	else if (a)
		*ret = sym_text(&c->x->st.s, c->args[1], text_number(a, way));
	else
		*ret = sym_text(&c->x->st.s, c->args[0], text_number(b, way));
	return true;
}

static bool frees_arg(const struct model *md, unsigned arg)
{
	for (unsigned i = 0; i < md->neffects; i++)
		if (md->effects[i].kind == MODEL_E_FREE && model_place_is_arg(&md->effects[i].place, arg))
			return true;
	return false;
}

/* Does it print addresses, rather than what is there? */
static bool prints_address(struct modelled *c)
{
	for (uint32_t k = 0; k < c->nargs; k++) {
		const struct mobj *o = mobjs_get(&c->x->st.objs, c->args[k].id);
		const char *text = o && o->kind == M_GLOBAL ? c->x->m->globals.v[o->index].text : NULL;

		if (text && strstr(text, "%p"))
			return true;
	}
	return false;
}

/* A library function looks at what it is given: false if one of its arguments is freed. */
static bool use_args(struct modelled *c)
{
	struct exec *x = c->x;

	for (unsigned k = 1; k <= c->nargs; k++) {
		struct mobj *o = state_heap(&x->st, c->args[k - 1]);

		if (!o || state_of(&x->st, o->addr.id) != O_FREED || state_is_vague(&x->st, o->addr.id))
			continue;
		if (frees_arg(c->md, k) || !exec__is_certain(x, c->args[k - 1], c->inst) || prints_address(c))
			continue;
		exec__wrong(x, WRONG_USE_AFTER_FREE, o, state_at(&x->st, o->addr.id), c->inst);
		return false;
	}
	return true;
}

/* A function that writes to what an argument points to and returns that argument, as strcat()
 * does, was not given null.  (Others may write only if there is where to.) */
static bool is_written(const struct model *md, unsigned arg)
{
	bool writes = false, returns = false;

	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];

		if (e->nconds)
			continue;
		writes |= e->kind == MODEL_E_WRITE && model_place_is_arg(&e->place, arg);
		returns |= is_result(e) && e->value.kind == MODEL_V_PLACE &&
			   model_place_is_arg(&e->value.place, arg);
	}
	return writes && returns;
}

static bool is_one_way(const struct modelled *c, const struct alternatives *a)
{
	if (a->n > 1 || c->nconds || c->nchoices || (a->n && a->e[0]->nconds))
		return false;
	return !(a->null && gives_place(a));
}

bool exec__model(struct exec *x, uint32_t inst, const struct model *md, const struct ir_func *callee,
		 const struct sym *args, uint32_t nargs)
{
	struct modelled c = { .x = x, .inst = inst, .callee = callee, .md = md, .args = args,
			      .nargs = nargs };
	const struct ir_inst *in = &x->f->insts[inst];
	struct exec_mark mark = exec__mark(x);
	uint64_t salt = x->st.salt;
	struct alternatives a = {0};

	for (unsigned k = 1; k <= nargs; k++)
		if (is_written(md, k) && !exec__deref(x, args[k - 1], inst))
			return false;
	if (!use_args(&c))
		return false;
	if (!md->neffects && nargs > 1 && in->cls == IR_C_INT && in->res != IR_NONE)
		state_compared(&x->st);
	collect_conds(&c);
	collect_choices(&c);
	find_alternatives(&c, &a);
	if (is_one_way(&c, &a)) {
		if (a.n)
			c.ret = value_of(&c, a.e[0], &a.e[0]->value, a.null);
		else
			c.ret = a.null ? sym_const(0) : state_fresh(&x->st, in->cls, in->bits);
		compare_texts(&c, &c.ret);
		if (do_effects(&c))
			return true;
		exec__no_return(x);
		return false;
	}
	/* one way more: none of the conditions holds, and the result is anything; or null, beside
	 * something that never is */
	for (uint32_t i = 0; i <= a.n && !x->r->cut; i++) {
		x->st.salt = hash_join(salt, i);
		c.nnew = 0;
		if (i == a.n && a.null && gives_place(&a)) {
			c.ret = sym_const(0);
			decide(&c, 0);
		} else if (i < a.n ? assume_result(&c, a.e[i]) : assume_none(&c, &a)) {
			c.ret = i < a.n ? value_of(&c, a.e[i], &a.e[i]->value, a.null)
					: state_fresh(&x->st, in->cls, in->bits);
			decide(&c, 0);
		}
		exec__undo(x, mark);
	}
	return false;
}
