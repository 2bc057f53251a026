/*
 * walk_call.c - into functions and out of them.
 *
 * Entered are: on the way to the object, the functions between the outermost one
 * and the source, and the allocators that make the object, with the arguments of
 * this very call; then callees that can do something to it.  All other calls
 * change memory and return something (walk_value.c).
 */
#include "vfg/walker.h"

#include <assert.h>

bool walk__within_wrapper(const struct frame *fr)
{
	for (; fr; fr = fr->parent)
		if (fr->wraps)
			return true;
	return false;
}

/* The function that a call by a pointer reaches on this path, if that is known;
 * else, and for other instructions, IR_NONE. */
uint32_t walk__pointed_callee(struct walker *w, const struct frame *fr, uint32_t inst)
{
	const struct ir_inst *in = &func_of(w, fr)->insts[inst];
	struct pta_callees c;
	struct sym v;

	if (in->op != IR_CALL || ir_callee(w->g->m, in))
		return IR_NONE;
	v = walk__eval(w, fr, in->ops[0]);
	if (sym_tag(v) != SYM_T_ADDR)
		return IR_NONE;
	pta_callees(w->g->p, fr->func, inst, &c);
	SBITS_FOREACH(f, c.set)
		if (sym_addr(ident_ref(&w->g->ids, IR_REF(IR_R_FUNC, f))).id == v.id)
			return f;
	return IR_NONE;
}

/* The one function with a body that a call reaches, or IR_NONE. */
static uint32_t only_callee(struct walker *w, const struct frame *fr, uint32_t inst)
{
	struct pta_callees c;
	uint32_t first = walk__pointed_callee(w, fr, inst);

	if (first != IR_NONE)
		return ir_is_decl(&w->g->m->funcs.v[first]) ? IR_NONE : first;
	pta_callees(w->g->p, fr->func, inst, &c);
	first = sbits_next(c.set, 0);
	if (c.unknown || first == UINT32_MAX || sbits_next(c.set, first + 1) != UINT32_MAX)
		return IR_NONE;
	return ir_is_decl(&w->g->m->funcs.v[first]) ? IR_NONE : first;
}

static bool is_active(const struct frame *fr, uint32_t func)
{
	for (; fr; fr = fr->parent)
		if (fr->func == func)
			return true;
	return false;
}

static struct live *live_of(struct walker *w, uint32_t func)
{
	struct live **l = &w->live[w->deep][func];

	trace_note(FACT_INSIDE, func, 0);
	if (!*l) {
		*l = xcalloc(1, sizeof(**l));
		live_init(*l, w->g, func, w->deep);
	}
	return *l;
}

struct frame *walk__new_frame(struct walker *w, struct frame *parent, uint32_t call, uint32_t func,
			      uint32_t goal, bool wraps)
{
	struct frame *fr = arena_new(&w->frames, struct frame);

	assert(!ir_is_decl(&w->g->m->funcs.v[func]));
	assert(!parent || func_of(w, parent)->insts[call].op == IR_CALL);
	fr->parent = parent;
	fr->func = func;
	fr->call = call;
	fr->depth = parent ? parent->depth + 1 : 0;
	fr->serial = hash_join(hash_join(parent ? parent->serial : 1, w->g->ids.func[func]), call);
	if (parent)
		fr->serial = hash_join(fr->serial, sym_visit(&w->s, parent->serial, 1u << 31 | call, false));
	fr->live = live_of(w, func);
	fr->goal = goal;
	fr->wraps = wraps;
	fr->rel = walk__relevant_of(w, fr);
	return fr;
}

/* Into the callee, with the arguments of the call. */
static void enter(struct walker *w, struct spot *at, struct frame *fr)
{
	const struct ir_inst *in = &func_of(w, at->fr)->insts[at->inst];

	if (!fr->asks)
		walk__note(w, WALK_ENTER, at->fr->func, at->inst, 0);
	for (uint32_t k = 0; k < func_of(w, fr)->nparams && k + 1 < in->nops; k++)
		walk__set(w, fr, k, walk__eval(w, at->fr, in->ops[k + 1]));
	walk__enter_latches(w, fr);
	at->fr = fr;
	at->inst = func_of(w, fr)->blocks[0].first;
	at->last = at->back = IR_NONE;
}

/* The blocks of a function that have a way to an instruction. */
struct bits *walk__reach_of(struct walker *w, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &w->g->m->funcs.v[func];
	struct bits *b = arena_new(&w->frames, struct bits);
	VEC(uint32_t) todo = {0};

	assert(inst < f->ninsts);
	bits_init(b, f->nblocks);
	bits_set(b, f->insts[inst].block);
	vec_push(&todo, f->insts[inst].block);
	while (todo.n) {
		const struct ir_block *x = &f->blocks[vec_pop(&todo)];

		for (uint32_t k = 0; k < x->npred; k++)
			if (bits_set(b, x->pred[k]))
				vec_push(&todo, x->pred[k]);
	}
	vec_release(&todo);
	vec_push(&w->reaches, *b);
	return b;
}

/* What the allocating call is given, and what it returns, when it allocates, by its model.  False:
 * it does not on this path. */
static bool assume_model(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct model_effect *e = pta_obj(w->g->p, at->obj)->effect;
	static const enum ir_pred preds[] = {
		[MODEL_EQ] = IR_P_EQ, [MODEL_NE] = IR_P_NE, [MODEL_LT] = IR_P_SLT,
		[MODEL_LE] = IR_P_SLE, [MODEL_GT] = IR_P_SGT, [MODEL_GE] = IR_P_SGE,
	};

	for (unsigned i = 0; i < e->nconds; i++) {
		const struct model_cond *c = &e->conds[i];
		bool result = c->place.base == MODEL_RETURN;
		bool bits = c->cmp == MODEL_HAS || c->cmp == MODEL_LACKS;
		bool other = c->place.base != MODEL_ARG || c->place.arg >= in->nops;
		struct sym v;

		if (c->place.nsteps || (result ? in->res == IR_NONE : other))
			continue;
		v = walk__eval(w, at->fr, result ? IR_VREG(in->res) : in->ops[c->place.arg]);
		v = bits ? sym_bin(&w->s, IR_B_AND, 64, v, sym_const(c->value))
			 : sym_cmp(&w->s, preds[c->cmp], v, sym_const(c->value));
		if (!sym_assume(&w->s, v, c->cmp != MODEL_LACKS) && !result)
			return false;
	}
	return true;
}

struct making {			/* a call that makes the object */
	uint32_t obj;
	uint32_t nth;		/* of those that it makes */
	uint32_t callee;	/* the one wrapper that it calls, or IR_NONE */
	const struct pta_handout *handout;	/* ... and how that hands the object out */
	bool passed;		/* ... to where our caller wants it: it is out of our hands from the start,
				 * and has no other name than the caller's */
};

static struct making making_of(struct walker *w, const struct frame *fr, uint32_t inst, uint32_t obj,
			       uint32_t nth, bool passed)
{
	struct making m = { .obj = obj, .nth = nth, .passed = passed };

	m.handout = vfg__nth_handout(w->g, fr->func, inst, nth, &m.callee);
	if (!m.handout || m.callee != only_callee(w, fr, inst))
		m.callee = IR_NONE;
	return m;
}

/* The k-th object that a call inside a wrapper makes, to be handed out; false if
 * it makes none. */
static bool inner_object(struct walker *w, const struct frame *fr, uint32_t inst, uint32_t k,
			 struct making *m)
{
	const struct pta_handout *h = fr->wraps ? fr->handout : NULL;

	for (uint32_t i = 0; h && i < h->n; i++) {
		uint32_t nth = h->made[i].nth, obj;
		bool passed;

		if (h->made[i].inst != inst || k--)
			continue;
		passed = h->param != IR_NONE && h->made[i].store == IR_NONE && h->made[i].arg;
		obj = passed ? fr->outer : pta_heap_at(w->g->p, fr->func, inst, nth);
		if (obj != IR_NONE)
			*m = making_of(w, fr, inst, obj, nth, passed);
		return obj != IR_NONE;
	}
	return false;
}

/* The call `at` makes the object. */
static enum go make_object(struct walker *w, struct spot *at, const struct making *m)
{
	const struct ir_inst *in = &func_of(w, at->fr)->insts[at->inst];
	struct vsource src = { m->obj, at->fr->func, at->inst };
	struct vnodes start = {0};
	struct deed none = {0};

	if (m->callee != IR_NONE && at->fr->depth < MAX_FRAMES && !is_active(at->fr, m->callee)) {
		struct frame *fr = walk__new_frame(w, at->fr, at->inst, m->callee, IR_NONE, true);

		fr->outer = m->obj;
		fr->handout = m->handout;
		fr->passed = m->passed;
		walk__know_row(w, at, m->callee, m->nth);
		walk__guess_made(w, at, m->obj, true);
		enter(w, at, fr);
		return GO;
	}
	at->obj = m->obj;
	walk__guess_made(w, at, m->obj, false);
	walk__define_anew(w, at, &none);
	vfg__start_by(w->g, &src, m->handout, &start);
	w->gives = start.n == 1 && in->res != IR_NONE && start.v[0] == VNODE_VALUE(at->fr->func, in->res);
	walk__do_call(w, at, in);
	w->gives = false;
	for (uint32_t i = 0; i < start.n; i++)
		walk__hold(w, start.v[i], m->obj);
	vec_release(&start);
	at->out = m->passed;
	if (pta_obj(w->g->p, m->obj)->effect->value.zeroed && !m->handout && in->res != IR_NONE)
		walk__clear(w, at->fr, IR_VREG(in->res));
	walk__know_row(w, at, IR_NONE, m->nth);
	if (!assume_model(w, at, in))
		return NO;
	walk__copy_text(w, at, in);
	if (!walk__within_wrapper(at->fr))
		walk__note(w, WALK_MADE, at->fr->func, at->inst, 0);
	at->inst++;
	return GO;
}

/* The object goes into the callee: follow it there, if that can be done. */
static enum go into_callee(struct walker *w, struct spot *at, const struct deed *d)
{
	uint32_t callee = only_callee(w, at->fr, at->inst);
	bool any = false;

	for (uint32_t i = 0; i < d->calls.n; i++) {
		any |= vfg__fate(w->g, d->calls.v[i]) && walk__matters(w, d->calls.v[i], at->obj);
		if (VNODE_FUNC(d->calls.v[i]) != callee)
			callee = IR_NONE;
	}
	if (!any)
		return YES;	/* nothing can become of it there */
	if (callee == IR_NONE || at->fr->depth >= MAX_FRAMES || is_active(at->fr, callee))
		return walk__kept(w);	/* trusted */
	walk__define_anew(w, at, d);
	enter(w, at, walk__new_frame(w, at->fr, at->inst, callee, IR_NONE, false));
	for (uint32_t i = 0; i < d->calls.n; i++)
		walk__hold(w, d->calls.v[i], at->obj);
	return GO;
}

struct saved walk__save(const struct walker *w)
{
	struct saved s = { sym_mark(&w->s), w->steps.n, w->held.n, w->holders.n, w->guesses, NULL, NULL };

	s.held = xmalloc(MAX(s.nheld, 1) * sizeof(*s.held));
	s.holders = xmalloc(MAX(s.nholders, 1) * sizeof(*s.holders));
	if (s.nheld)
		memcpy(s.held, w->held.v, s.nheld * sizeof(*s.held));
	if (s.nholders)
		memcpy(s.holders, w->holders.v, s.nholders * sizeof(*s.holders));
	return s;
}

void walk__restore(struct walker *w, const struct saved *s)
{
	sym_undo(&w->s, s->mark);
	w->steps.n = s->steps;
	w->guesses = s->guesses;
	vec_reserve(&w->held, s->nheld);
	vec_reserve(&w->holders, s->nholders);
	w->held.n = s->nheld;
	w->holders.n = s->nholders;
	if (s->nheld)
		memcpy(w->held.v, s->held, s->nheld * sizeof(*s->held));
	if (s->nholders)
		memcpy(w->holders.v, s->holders, s->nholders * sizeof(*s->holders));
}

void walk__saved_release(struct saved *s)
{
	free(s->held);
	free(s->holders);
}

/* Does the object made as m says, at that spot, get lost?  GO: it does not, and the
 * walk is as it was. */
static enum go try_made(struct walker *w, struct spot at, const struct making *m)
{
	struct saved s = walk__save(w);
	bool leak = make_object(w, &at, m) == GO && walk__run(w, at);

	if (!leak)
		walk__restore(w, &s);
	walk__saved_release(&s);
	if (leak)
		return YES;
	return walk__is_cut(w) ? NO : GO;
}

/* Inside a wrapper: this call may make the object that it hands out. */
static enum go try_inner(struct walker *w, const struct spot *at)
{
	for (unsigned k = 0;; k++) {
		struct making m;
		enum go go;

		if (!inner_object(w, at->fr, at->inst, k, &m))
			return GO;
		if (!pta_obj(w->g->p, m.obj)->effect)
			continue;
		go = try_made(w, *at, &m);
		if (go != GO)
			return go;
	}
}

/* Does the function allocate for its caller, so many objects at least? */
static bool makes(const struct walker *w, uint32_t func, uint32_t nth)
{
	const struct pta_wrapper *x = pta_wrapper(w->g->p, func);

	return ir_is_decl(&w->g->m->funcs.v[func]) || (x && nth < x->nouts);
}

/* Who may make the source's object at the call: each function that it may call, so that what that one returns
 * goes with what it makes.  If there are many, or some are not known, one that returns anything. */
static unsigned makers_of(struct walker *w, const struct spot *at, struct making out[MAX_MAKERS])
{
	uint32_t nth = pta_obj(w->g->p, w->src->obj)->nth;
	struct pta_callees c;
	unsigned n = 0;

	out[0] = making_of(w, at->fr, at->inst, w->src->obj, nth, false);
	if (out[0].callee != IR_NONE || !out[0].handout ||
	    walk__pointed_callee(w, at->fr, at->inst) != IR_NONE)
		return 1;
	pta_callees(w->g->p, at->fr->func, at->inst, &c);
	SBITS_FOREACH(f, c.set) {
		const struct pta_wrapper *x = pta_wrapper(w->g->p, f);

		if (n == MAX_MAKERS || ir_is_decl(&w->g->m->funcs.v[f])) {
			out[0] = making_of(w, at->fr, at->inst, w->src->obj, nth, false);
			return 1;
		}
		if (x && nth < x->nouts)
			out[n++] = (struct making){ w->src->obj, nth, f, &x->out[nth], false };
	}
	return n;
}

/* In a loop the object may be that of this round or of a later one; what the
 * other rounds make are then other objects. */
static enum go this_or_later(struct walker *w, struct spot *at)
{
	const struct ir_func *f = func_of(w, at->fr);
	const struct ir_inst *in = &f->insts[at->inst];
	struct making m[MAX_MAKERS];
	unsigned n = makers_of(w, at, m);
	uint32_t called = walk__pointed_callee(w, at->fr, at->inst);
	bool again = false;
	enum go go;

	if (called != IR_NONE && !makes(w, called, pta_obj(w->g->p, w->src->obj)->nth))
		return NO;	/* on this path another function is called */
	for (uint32_t k = 0; k < f->blocks[in->block].nsucc; k++)
		again |= bits_test(at->fr->reach, f->blocks[in->block].succ[k]);
	if (!again && n == 1)
		return make_object(w, at, &m[0]);
	for (unsigned i = 0; i < n; i++) {
		go = try_made(w, *at, &m[i]);
		if (go != GO)
			return go;
	}
	if (!again)
		return NO;
	walk__do_call(w, at, in);
	if (in->res != IR_NONE && in->cls == IR_C_PTR)
		sym_assume(&w->s, walk__eval(w, at->fr, IR_VREG(in->res)), true);
	at->inst++;
	return GO;
}

static enum go at_goal(struct walker *w, struct spot *at)
{
	struct frame *fr;
	uint32_t callee, next = at->fr->depth + 1;

	if (next == w->nchain) {
		w->reached = true;
		return this_or_later(w, at);
	}
	callee = w->chain[next].func;
	if (!ir_callee(w->g->m, &func_of(w, at->fr)->insts[at->inst]))
		w->guesses |= WALK_GUESS_MADE;
	walk__know_row(w, at, callee, 0);
	fr = walk__new_frame(w, at->fr, at->inst, callee, w->chain[next].inst, false);
	fr->reach = walk__reach_of(w, callee, fr->goal);
	enter(w, at, fr);
	return bits_test(fr->reach, 0) ? GO : NO;
}

/* What is freed on success is lost only where the call fails. */
static enum go only_failed(struct walker *w, const struct spot *at, const struct ir_inst *in,
			   uint32_t or_zero)
{
	walk__do_call(w, at, in);
	if (!sym_assume(&w->s, sym_cmp(&w->s, IR_P_EQ, walk__eval(w, at->fr, IR_VREG(in->res)), sym_const(0)),
			true))
		return NO;
	if (or_zero && or_zero < in->nops &&
	    !sym_assume(&w->s, sym_cmp(&w->s, IR_P_NE, walk__eval(w, at->fr, in->ops[or_zero]), sym_const(0)),
			true))
		return NO;
	return GO;
}

/* Does what the callee returns or writes decide about the object? */
static bool is_asked(const struct walker *w, const struct frame *fr, const struct ir_inst *in,
		     uint32_t callee)
{
	const struct ssa *s = pta_ssa(w->g->p, fr->func);

	if (in->res != IR_NONE && bits_test(&fr->rel->values, in->res))
		return true;
	/* what fills in a variable, one way only, for another function to look at */
	for (uint32_t k = 1; w->g->m->funcs.v[callee].nblocks == 1 && k < in->nops; k++) {
		ir_ref root = live_root(w->g->m, s, in->ops[k]);

		if (IR_KIND(root) == IR_R_SLOT && bits_test(&fr->live->handed, IR_IDX(root)))
			return true;
	}
	for (uint32_t i = 0; i < fr->live->roots.n; i++) {
		ir_ref root = fr->live->roots.e[i].key;

		if (!bits_test(&fr->rel->roots, fr->live->roots.e[i].val))
			continue;
		if (IR_KIND(root) == IR_R_GLOBAL)
			trace_note(FACT_WRITES, callee, IR_IDX(root));
		if (IR_KIND(root) == IR_R_GLOBAL && sbits_test(&w->g->writes[callee], IR_IDX(root)))
			return true;
		for (uint32_t k = 1; k < in->nops; k++)
			if (live_root(w->g->m, s, in->ops[k]) == root)
				return true;
	}
	return false;
}

/* A call that is given nothing of the object: its callee is entered if we are to
 * know what it returns and writes; else that is anything. */
static void pass_call(struct walker *w, struct spot *at, const struct ir_inst *in)
{
	uint32_t callee = w->deep && in->cls != IR_C_AGG ? only_callee(w, at->fr, at->inst) : IR_NONE;
	uint32_t max = at->obj != IR_NONE || walk__within_wrapper(at->fr) ? MAX_ASKED : MAX_ASKED_BEFORE;
	struct frame *fr;

	if (callee != IR_NONE)
		trace_note(FACT_INSIDE, callee, 0);
	if (callee == IR_NONE || at->fr->depth >= MAX_FRAMES || is_active(at->fr, callee) ||
	    w->g->m->funcs.v[callee].nblocks > max || !is_asked(w, at->fr, in, callee)) {
		walk__do_call(w, at, in);
		at->inst++;
		return;
	}
	fr = walk__new_frame(w, at->fr, at->inst, callee, IR_NONE, false);
	fr->asks = true;
	enter(w, at, fr);
}

enum go walk__call_step(struct walker *w, struct spot *at, const struct ir_inst *in)
{
	struct deed d;
	enum go r = GO;

	if (w->g->flow[at->fr->func].ends[in->block] == at->inst)
		return w->o->at_exit && w->until == IR_NONE && at->obj != IR_NONE &&
			       !walk__within_wrapper(at->fr) && walk__accepts(w)
			       ? walk__leak(w) : NO;
	if (at->obj == IR_NONE) {
		if (at->inst == at->fr->goal)
			return at_goal(w, at);
		if (at->fr->wraps && (r = try_inner(w, at)) != GO)
			return r;
		pass_call(w, at, in);
		return GO;
	}
	walk__find_deed(w, at, &d);
	if (d.freed)
		r = walk__kept(w);
	at->out |= d.out;
	if (r == GO && d.calls.n) {
		r = into_callee(w, at, &d);
		if (r == GO) {
			walk__deed_release(&d);
			return GO;
		}
		r = r == YES ? GO : NO;
	}
	if (r == GO) {
		for (uint32_t i = 0; i < d.unless.n; i++)
			vec_push(&d.to, d.unless.v[i]);
		walk__define_anew(w, at, &d);
		if (d.if_result) {
			r = only_failed(w, at, in, d.or_zero);
			at->inst++;
		} else {
			pass_call(w, at, in);
		}
	}
	walk__deed_release(&d);
	return r;
}

/* The outermost function ends with the object in nobody's hands. */
static enum go at_end(struct walker *w, const struct spot *at)
{
	const struct ir_func *f = func_of(w, at->fr);
	bool is_main = str_eq(f->name, "main") && pta_is_entry(w->g->p, at->fr->func);

	if (w->until != IR_NONE)
		return NO;
	if (is_main && !w->o->at_exit && (w->holders.n || walk__in_memory(w)))
		return NO;
	return walk__accepts(w) ? walk__leak(w) : NO;
}

static void leave_frame(struct walker *w, struct spot *at, const struct deed *d)
{
	struct frame *fr = at->fr, *up = fr->parent;
	const struct ir_inst *ret = &func_of(w, fr)->insts[at->inst];
	const struct ir_inst *call = &func_of(w, up)->insts[fr->call];
	struct sym v = ret->nops == 1 ? walk__eval(w, fr, ret->ops[0]) : sym_any(fr->serial, IR_C_OPAQUE, 0);
	struct deed none = {0};
	struct vnodes start = {0};

	walk__unhold_func(w, fr->func);
	for (uint32_t i = w->holders.n; i-- > 0;)
		if (w->holders.v[i].frame == fr->serial) {
			w->holders.v[i] = vec_last(&w->holders);
			w->holders.n--;
		}
	sym_leave(&w->s, fr->serial);
	if (w->deep)
		walk__take_over(w, fr);
	at->fr = up;
	at->last = at->back = IR_NONE;
	at->inst = fr->call;
	if (!fr->asks) {
		walk__note(w, WALK_LEAVE, up->func, fr->call, 0);
		vec_last(&w->steps).matters = fr->goal != IR_NONE;
	}
	if (fr->wraps) {
		struct vsource src = { fr->outer, up->func, fr->call };

		at->obj = fr->outer;
		at->out = fr->passed;
		walk__define_anew(w, at, &none);
		vfg__start_by(w->g, &src, fr->handout, &start);
		for (uint32_t i = 0; i < start.n; i++)
			walk__hold(w, start.v[i], at->obj);
		vec_release(&start);
		if (!walk__within_wrapper(up))
			walk__note(w, WALK_MADE, up->func, fr->call, 0);
	} else {
		for (uint32_t k = 0; k < d->to.n; k++)
			walk__hold(w, d->to.v[k], at->obj);
	}
	if (call->res != IR_NONE && call->cls != IR_C_AGG)
		walk__set(w, up, call->res, v);
	at->inst++;
}

/* Has the wrapper stored something else where its caller looks for the object? */
static bool is_replaced(struct walker *w, const struct frame *fr)
{
	const struct sym_cell *c;

	if (fr->handout->param == IR_NONE)
		return false;
	c = sym_mem_get(&w->s, sym_index(&w->s, walk__eval(w, fr, IR_VREG(fr->handout->param)),
					 sym_const(1), fr->handout->off));
	return c && c->written && sym_tag(c->v) != SYM_T_OBJ;
}

enum go walk__return_step(struct walker *w, struct spot *at)
{
	struct deed d;
	enum go r = GO;

	if (at->obj == IR_NONE && !at->fr->asks)
		return NO;
	walk__find_deed(w, at, &d);
	at->out |= d.out;
	if (d.freed) {
		r = walk__kept(w);
	} else if (!at->fr->parent) {
		w->returned |= d.outside;
		for (uint32_t i = 0; i < d.outs.n; i++)
			keyset_put(&w->returned_to, hash_join(d.outs.v[i].func, d.outs.v[i].inst), NULL);
		r = d.outside ? NO : at_end(w, at);
	} else if (at->fr->wraps &&
		   (!(at->fr->handout->param == IR_NONE ? d.out : at->out || d.to.n) ||
		    is_replaced(w, at->fr))) {
		r = NO;		/* made, but not handed out: no object of this call */
	} else {
		leave_frame(w, at, &d);
	}
	walk__deed_release(&d);
	return r;
}
