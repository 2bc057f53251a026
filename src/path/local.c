/*
 * local.c - leaks that one function alone can show.
 *
 * For each call of an allocator (a function whose model says `return new`)
 * the paths from there to the ends of the function are walked, and the object
 * is followed through the function's own variables.  A path on which the
 * object is neither freed nor handed to anybody is a leak; so is a store over
 * the last variable that holds it.
 *
 * This is the check that plumb starts with; it knows nothing of other
 * functions of the program.  Where it errs:
 *   - misses, by intent: an object that is stored anywhere but in a plain local
 *     variable, or passed to a function without a model, counts as handed on;
 *   - misses: loops are walked at most once, and the walk has a budget
 *     (reported with --verbose);
 *   - false alarms: two branches that exclude each other are recognised only if
 *     both compare the same unchanged local variable with a constant.
 * The allocation is taken to succeed.
 */
#include "path/local.h"

#include "base/bits.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/sbuf.h"
#include "ir/io.h"

#include <limits.h>

enum {
	MAX_STEPS = 20000,	/* blocks walked for one allocation */
	MAX_DEPTH = 400,	/* blocks on one path */
};

struct fact {			/* what is known of an integer or pointer variable */
	int64_t lo, hi;		/* its value lies between these */
	int64_t ne;		/* and is not this one, if has_ne */
	bool has_ne;
};

struct decision {
	uint32_t inst;		/* a CONDBR or SWITCH */
	uint32_t target;	/* index into its targets */
};

struct state {			/* of one path */
	struct bits holders;	/* slots whose value is the object */
	struct bits vregs;	/* values that are the object, or point into it */
	struct fact *facts;	/* by slot; only plain slots are used */
	uint32_t lost_at;	/* instruction that overwrote the last holder, or IR_NONE */
};

VEC_TYPE(decisions, struct decision);

struct leak {
	bool found;
	uint32_t at;		/* instruction */
	bool overwritten;
	struct decisions way;
};

#define MAP_NAME seen
#define MAP_KEY uint64_t
#define MAP_VAL bool
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct walk {
	const struct ir_module *m;
	const struct model_set *models;
	const struct ir_func *f;
	struct bits plain;	/* slots used only by whole loads and stores */
	struct bits crossing;	/* vregs used in another block than their own */
	uint32_t site;		/* the allocating instruction */
	uint8_t *visits;	/* per block, on the present path */
	uint32_t steps, depth;
	bool cut, handled;	/* budget used up; some path frees it or hands it on */
	struct decisions way;
	struct leak leak;
	struct seen seen;
};

/* ---- facts about variables ------------------------------------------- */

static const struct fact nothing_known = { INT64_MIN, INT64_MAX, 0, false };

static enum ir_pred negate(enum ir_pred p)
{
	static const uint8_t table[] = {
		[IR_P_EQ] = IR_P_NE, [IR_P_NE] = IR_P_EQ,
		[IR_P_ULT] = IR_P_UGE, [IR_P_ULE] = IR_P_UGT, [IR_P_UGT] = IR_P_ULE, [IR_P_UGE] = IR_P_ULT,
		[IR_P_SLT] = IR_P_SGE, [IR_P_SLE] = IR_P_SGT, [IR_P_SGT] = IR_P_SLE, [IR_P_SGE] = IR_P_SLT,
	};

	return table[p];
}

/* Adds `x p c` to what is known; false if that is impossible.  Unsigned orders
 * add nothing, which keeps paths that cannot be. */
static bool fact_assume(struct fact *k, enum ir_pred p, int64_t c)
{
	int64_t lo = INT64_MIN, hi = INT64_MAX;

	switch (p) {
	case IR_P_EQ:
		lo = hi = c;
		break;
	case IR_P_NE:
		k->ne = c;
		k->has_ne = true;
		break;
	case IR_P_SLT:
		if (c == INT64_MIN)
			return false;
		hi = c - 1;
		break;
	case IR_P_SLE:
		hi = c;
		break;
	case IR_P_SGT:
		if (c == INT64_MAX)
			return false;
		lo = c + 1;
		break;
	case IR_P_SGE:
		lo = c;
		break;
	default:
		return true;
	}
	k->lo = MAX(k->lo, lo);
	k->hi = MIN(k->hi, hi);
	if (k->has_ne && k->lo == k->ne && k->lo < INT64_MAX)
		k->lo++;
	if (k->has_ne && k->hi == k->ne && k->hi > INT64_MIN)
		k->hi--;
	return k->lo <= k->hi;
}

/* ---- the state ------------------------------------------------------- */

static void state_init(struct state *s, const struct ir_func *f)
{
	bits_init(&s->holders, f->nslots);
	bits_init(&s->vregs, f->nvregs);
	s->facts = xcalloc(MAX(f->nslots, 1), sizeof(*s->facts));
	for (uint32_t i = 0; i < f->nslots; i++)
		s->facts[i] = nothing_known;
	s->lost_at = IR_NONE;
}

static void state_copy(struct state *dst, const struct state *src, const struct ir_func *f)
{
	state_init(dst, f);
	bits_copy(&dst->holders, &src->holders);
	bits_copy(&dst->vregs, &src->vregs);
	memcpy(dst->facts, src->facts, f->nslots * sizeof(*dst->facts));
	dst->lost_at = src->lost_at;
}

static void state_release(struct state *s)
{
	bits_release(&s->holders);
	bits_release(&s->vregs);
	free(s->facts);
}

static uint64_t state_hash(const struct walk *w, const struct state *s, uint32_t block)
{
	uint64_t h = hash_mix(block + 1);

	for (uint32_t i = bits_next(&s->holders, 0); i != UINT32_MAX; i = bits_next(&s->holders, i + 1))
		h = hash_join(h, i);
	for (uint32_t i = bits_next(&s->vregs, 0); i != UINT32_MAX; i = bits_next(&s->vregs, i + 1))
		h = hash_join(h, i);
	for (uint32_t i = 0; i < w->f->nslots; i++) {
		const struct fact *k = &s->facts[i];

		if (k->lo != INT64_MIN || k->hi != INT64_MAX || k->has_ne)
			h = hash_join(hash_join(hash_join(h, i), (uint64_t)k->lo ^ (uint64_t)k->ne), (uint64_t)k->hi);
	}
	for (uint32_t i = 0; i < w->f->nblocks; i++)
		if (w->visits[i] > 1)
			h = hash_join(h, i);
	return h;
}

static bool is_object(const struct state *s, ir_ref r)
{
	return IR_KIND(r) == IR_R_VREG && bits_test(&s->vregs, IR_IDX(r));
}

static void set_vreg(struct state *s, uint32_t vreg, bool object)
{
	if (vreg == IR_NONE)
		return;
	if (object)
		bits_set(&s->vregs, vreg);
	else
		bits_unset(&s->vregs, vreg);
}

static bool is_plain(const struct walk *w, ir_ref r)
{
	return IR_KIND(r) == IR_R_SLOT && bits_test(&w->plain, IR_IDX(r));
}

static void find_plain_slots(struct bits *plain, const struct ir_func *f)
{
	bits_init(plain, f->nslots);
	for (uint32_t i = 0; i < f->nslots; i++)
		bits_set(plain, i);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++) {
			bool whole = k == 0 && (in->op == IR_LOAD || in->op == IR_STORE);

			if (IR_KIND(in->ops[k]) == IR_R_SLOT && !whole)
				bits_unset(plain, IR_IDX(in->ops[k]));
		}
	}
}

static void find_crossing_vregs(struct bits *crossing, const struct ir_func *f)
{
	bits_init(crossing, f->nvregs);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++) {
			const struct ir_inst *d = ir_def(f, in->ops[k]);

			if (d && (d->block != in->block || in->op == IR_PHI))
				bits_set(crossing, d->res);
		}
	}
}

/* ---- calls ----------------------------------------------------------- */

static const struct model *callee_model(const struct walk *w, const struct ir_inst *call)
{
	const struct ir_func *g = ir_callee(w->m, call);

	/* A body in the program beats a library's model of the same name. */
	return g && ir_is_decl(g) ? model_find(w->models, g->name) : NULL;
}

enum outcome { GO_ON, HANDLED, ENDED };

/* What a modelled call does to an object given as argument arg (from 1). */
static enum outcome call_effects(const struct model *md, uint32_t arg, bool *returned)
{
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];

		switch (e->kind) {
		case MODEL_E_FREE:
		case MODEL_E_KEEP:
		case MODEL_E_REF:
			if (model_place_is_arg(&e->place, arg))
				return HANDLED;
			break;
		case MODEL_E_SET:
			if (model_value_is_arg(&e->value, arg)) {
				if (e->place.base != MODEL_RETURN || e->place.nsteps)
					return HANDLED;
				*returned = true;
			}
			break;
		case MODEL_E_CALL:
			for (unsigned k = 0; k < e->nargs; k++)
				if (model_value_is_arg(&e->args[k], arg))
					return HANDLED;
			break;
		case MODEL_E_COPY:
		case MODEL_E_WRITE:
		case MODEL_E_NORETURN:
			break;
		}
	}
	return GO_ON;
}

static enum outcome step_call(struct walk *w, struct state *s, const struct ir_inst *in)
{
	const struct model *md = callee_model(w, in);
	bool returned = false;

	if (is_object(s, in->ops[0]))
		return HANDLED;
	for (uint32_t k = 1; k < in->nops; k++) {
		if (!is_object(s, in->ops[k]))
			continue;
		if (!md || call_effects(md, k, &returned) == HANDLED)
			return HANDLED;
	}
	if (in->flags & IR_F_NORETURN || (md && md->noreturn))
		return ENDED;
	set_vreg(s, in->res, returned);
	return GO_ON;
}

/* ---- one instruction ------------------------------------------------- */

static enum outcome step_store(struct walk *w, struct state *s, const struct ir_inst *in)
{
	ir_ref addr = in->ops[0], v = in->ops[1];
	uint32_t slot = IR_IDX(addr);

	if (!is_plain(w, addr))
		return is_object(s, v) ? HANDLED : GO_ON;
	s->facts[slot] = nothing_known;
	if (is_object(s, v)) {
		bits_set(&s->holders, slot);
		s->lost_at = IR_NONE;
		return GO_ON;
	}
	if (v == IR_NULL)
		fact_assume(&s->facts[slot], IR_P_EQ, 0);
	else if (IR_KIND(v) == IR_R_INT)
		fact_assume(&s->facts[slot], IR_P_EQ, ir_int_value(w->m, v));
	if (bits_test(&s->holders, slot)) {
		bits_unset(&s->holders, slot);
		s->lost_at = (uint32_t)(in - w->f->insts);
	}
	return GO_ON;
}

static enum outcome step(struct walk *w, struct state *s, const struct ir_inst *in)
{
	bool any = false;

	for (uint32_t k = 0; k < in->nops; k++)
		any |= is_object(s, in->ops[k]);
	switch (in->op) {
	case IR_LOAD:
		set_vreg(s, in->res, is_plain(w, in->ops[0]) && bits_test(&s->holders, IR_IDX(in->ops[0])));
		return GO_ON;
	case IR_STORE:
		return step_store(w, s, in);
	case IR_CALL:
		return step_call(w, s, in);
	case IR_RET:
	case IR_ASM:
	case IR_OPAQUE:
		set_vreg(s, in->res, false);
		return any ? HANDLED : GO_ON;
	case IR_FIELD:
	case IR_ELEM:
	case IR_INDEX:
		set_vreg(s, in->res, is_object(s, in->ops[0]));
		return GO_ON;
	case IR_COPY:
	case IR_CAST:
	case IR_BIN:
	case IR_SELECT:
		set_vreg(s, in->res, any);
		return GO_ON;
	case IR_UNREACHABLE:
		return ENDED;
	default:	/* PHIs were done on the edge */
		if (in->op != IR_PHI)
			set_vreg(s, in->res, false);
		return GO_ON;
	}
}

/* ---- branches -------------------------------------------------------- */

/* The plain slot that an operand was just loaded from (through widening
 * casts), or IR_NONE. */
static uint32_t loaded_slot(const struct walk *w, ir_ref r)
{
	const struct ir_inst *d = ir_def(w->f, r);

	while (d && d->op == IR_CAST && (d->sub == IR_CAST_SEXT || d->sub == IR_CAST_ZEXT))
		d = ir_def(w->f, d->ops[0]);
	return d && d->op == IR_LOAD && is_plain(w, d->ops[0]) ? IR_IDX(d->ops[0]) : IR_NONE;
}

static bool constant(const struct walk *w, ir_ref r, int64_t *c)
{
	*c = 0;
	if (IR_KIND(r) == IR_R_INT)
		*c = ir_int_value(w->m, r);
	return IR_KIND(r) == IR_R_INT || r == IR_NULL;
}

/* Assumes that cond is `taken`; false if it cannot be on this path. */
static bool assume(struct walk *w, struct state *s, ir_ref cond, bool taken)
{
	const struct ir_inst *d = ir_def(w->f, cond);
	enum ir_pred p;
	uint32_t slot;
	int64_t c;

	if (IR_KIND(cond) == IR_R_INT)
		return (ir_int_value(w->m, cond) != 0) == taken;
	if (!d)
		return true;
	if (d->op == IR_CAST)
		return d->sub == IR_CAST_TRUNC || assume(w, s, d->ops[0], taken);
	if (d->op == IR_BIN && d->sub == IR_B_XOR && d->bits == 1)
		return IR_KIND(d->ops[1]) != IR_R_INT || assume(w, s, d->ops[0], !taken);
	if (d->op != IR_CMP || !constant(w, d->ops[1], &c))
		return true;
	p = taken ? d->sub : negate(d->sub);
	if (is_object(s, d->ops[0]) && c == 0)
		return p != IR_P_EQ;
	if ((p == IR_P_EQ || p == IR_P_NE) && c == 0) {
		const struct ir_inst *x = ir_def(w->f, d->ops[0]);

		if (x && x->op == IR_CAST && x->sub == IR_CAST_ZEXT && x->from == 1)
			return assume(w, s, x->ops[0], p == IR_P_NE);
	}
	slot = loaded_slot(w, d->ops[0]);
	return slot == IR_NONE || fact_assume(&s->facts[slot], p, c);
}

static bool assume_case(struct walk *w, struct state *s, const struct ir_inst *in, uint32_t target)
{
	uint32_t slot = loaded_slot(w, in->ops[0]);
	int64_t c;

	if (slot == IR_NONE)
		return true;
	if (target)
		return !constant(w, in->ops[target], &c) || fact_assume(&s->facts[slot], IR_P_EQ, c);
	for (uint32_t i = 1; i < in->nops; i++)
		if (constant(w, in->ops[i], &c) && !fact_assume(&s->facts[slot], IR_P_NE, c))
			return false;
	return true;
}

/* ---- paths ----------------------------------------------------------- */

static void found(struct walk *w, uint32_t at, bool overwritten)
{
	struct leak *l = &w->leak;

	if (l->found && l->way.n <= w->way.n)
		return;
	l->found = true;
	l->at = at;
	l->overwritten = overwritten;
	vec_clear(&l->way);
	for (uint32_t i = 0; i < w->way.n; i++)
		vec_push(&l->way, w->way.v[i]);
}

/* Nobody holds the object after instruction i: may a later one still use it?
 * A value that another block uses counts as used, which may hide a leak. */
static bool used_later(const struct walk *w, const struct state *s, const struct ir_block *b, uint32_t i)
{
	for (i++; i < b->first + b->n; i++)
		for (uint32_t k = 0; k < w->f->insts[i].nops; k++)
			if (is_object(s, w->f->insts[i].ops[k]))
				return true;
	for (i = bits_next(&s->vregs, 0); i != UINT32_MAX; i = bits_next(&s->vregs, i + 1))
		if (bits_test(&w->crossing, i))
			return true;
	return false;
}

static void enter(struct walk *w, struct state *s, uint32_t from, uint32_t to);

static void leave_block(struct walk *w, struct state *s, uint32_t block, const struct ir_inst *in)
{
	for (uint32_t t = 0; t < in->ntargets; t++) {
		struct decision d = { (uint32_t)(in - w->f->insts), t };
		bool branch = in->ntargets > 1, possible = true;
		struct state next;

		state_copy(&next, s, w->f);
		if (in->op == IR_CONDBR)
			possible = assume(w, &next, in->ops[0], t == 0);
		else if (in->op == IR_SWITCH)
			possible = assume_case(w, &next, in, t);
		if (possible) {
			if (branch)
				vec_push(&w->way, d);
			enter(w, &next, block, in->targets[t]);
			if (branch)
				w->way.n--;
		}
		state_release(&next);
	}
}

/* Walks block from instruction i on. */
static void walk_block(struct walk *w, struct state *s, uint32_t block, uint32_t i)
{
	const struct ir_block *b = &w->f->blocks[block];

	for (; i < b->first + b->n; i++) {
		const struct ir_inst *in = &w->f->insts[i];
		enum outcome o = step(w, s, in);

		if (o == HANDLED)
			w->handled = true;
		if (o != GO_ON)
			return;
		if (in->op == IR_RET) {
			/* What main still holds when it returns ends with the program. */
			if (!str_eq(w->f->name, "main"))
				found(w, i, false);
			return;
		}
		if (bits_next(&s->holders, 0) == UINT32_MAX && !used_later(w, s, b, i)) {
			found(w, s->lost_at != IR_NONE ? s->lost_at : i, s->lost_at != IR_NONE);
			return;
		}
		if (ir_is_term(in))
			leave_block(w, s, block, in);
	}
}

static void enter(struct walk *w, struct state *s, uint32_t from, uint32_t to)
{
	const struct ir_block *b = &w->f->blocks[to];
	bool is_new;

	if (w->visits[to] >= 2)
		return;
	if (++w->steps > MAX_STEPS || w->depth >= MAX_DEPTH) {
		w->cut = true;
		return;
	}
	for (uint32_t j = b->first; j < b->first + b->n && w->f->insts[j].op == IR_PHI; j++) {
		const struct ir_inst *phi = &w->f->insts[j];

		for (uint32_t k = 0; k < phi->nops; k++)
			if (phi->targets[k] == from)
				set_vreg(s, phi->res, is_object(s, phi->ops[k]));
	}
	w->visits[to]++;
	w->depth++;
	seen_put(&w->seen, state_hash(w, s, to), &is_new);
	if (is_new)
		walk_block(w, s, to, b->first);
	w->depth--;
	w->visits[to]--;
}

/* ---- findings -------------------------------------------------------- */

static struct finding_loc location(const struct walk *w, const struct ir_inst *in)
{
	return (struct finding_loc){
		in->pos.file == IR_NONE ? NULL : w->m->files.v[in->pos.file],
		in->pos.line, in->pos.col, w->f->src,
	};
}

/* The variable that the result of the allocation is first stored in. */
static bool first_holder(struct sbuf *out, const struct walk *w)
{
	const struct ir_inst *site = &w->f->insts[w->site];

	for (uint32_t i = w->site + 1; i < w->f->ninsts; i++) {
		const struct ir_inst *in = &w->f->insts[i];

		if (in->op == IR_STORE && in->ops[1] == IR_VREG(site->res))
			return ir_expr_lvalue(out, w->m, w->f, in->ops[0]);
	}
	return false;
}

static void tell_branches(struct findings *fs, struct finding *f, const struct walk *w)
{
	struct sbuf text = {0};

	for (uint32_t i = 0; i < w->leak.way.n; i++) {
		const struct decision *d = &w->leak.way.v[i];
		const struct ir_inst *in = &w->f->insts[d->inst];
		struct finding_loc at = location(w, in);

		sbuf_clear(&text);
		if (in->op == IR_CONDBR && ir_expr_cond(&text, w->m, w->f, in->ops[0], d->target == 0)) {
			finding_add_step(fs, f, &at, "taken when `%s`", sbuf_str(&text));
			f->condition = arena_strdup(&fs->arena, sbuf_str(&text));
		} else {
			finding_add_step(fs, f, &at, "control goes on at this branch");
		}
	}
	sbuf_release(&text);
}

static void tell(struct findings *fs, const struct walk *w, const struct model_effect *e)
{
	const struct ir_inst *site = &w->f->insts[w->site], *at = &w->f->insts[w->leak.at];
	struct finding *f = finding_new(fs);
	struct sbuf var = {0};

	first_holder(&var, w);
	f->kind = w->leak.overwritten ? FINDING_OVERWRITTEN
		  : w->handled	      ? FINDING_CONDITIONAL
				      : FINDING_NEVER_FREED;
	f->resource = arena_strdup(&fs->arena, e->value.resource->name);
	f->alloc = location(w, site);
	f->allocator = ir_callee(w->m, site)->name;
	f->variable = arena_strdup(&fs->arena, sbuf_str(&var));
	f->leak = location(w, at);
	f->engines = FINDING_BY_LOCAL;
	f->confidence = FINDING_MEDIUM;
	f->condition = "";
	finding_add_step(fs, f, &f->alloc, "allocated here by %s", f->allocator);
	if (w->handled || w->leak.overwritten)
		tell_branches(fs, f, w);
	if (w->leak.overwritten)
		finding_add_step(fs, f, &f->leak, "`%s` is overwritten here: its old value is lost", f->variable);
	else if (w->leak.at == w->site)
		finding_add_step(fs, f, &f->leak, "the result is not kept anywhere");
	else
		finding_add_step(fs, f, &f->leak, "`%s` ends here without being freed", f->variable);
	sbuf_release(&var);
}

static void check_site(struct findings *fs, struct walk *w, uint32_t site, const struct model_effect *e)
{
	const struct ir_inst *in = &w->f->insts[site];
	struct state s;

	w->site = site;
	w->steps = w->depth = 0;
	w->cut = w->handled = w->leak.found = false;
	seen_clear(&w->seen);
	memset(w->visits, 0, w->f->nblocks);
	w->visits[in->block] = 1;
	state_init(&s, w->f);
	set_vreg(&s, in->res, true);
	if (used_later(w, &s, &w->f->blocks[in->block], site))
		walk_block(w, &s, in->block, site + 1);
	else
		found(w, site, false);
	if (w->cut)
		diag_verbose("%s: too many paths from line %u on: not all were looked at", w->f->src, in->pos.line);
	if (w->leak.found)
		tell(fs, w, e);
	state_release(&s);
}

static void check_func(struct findings *fs, const struct ir_module *m, const struct model_set *models,
		       const struct ir_func *f)
{
	struct walk w = { .m = m, .models = models, .f = f };

	find_plain_slots(&w.plain, f);
	find_crossing_vregs(&w.crossing, f);
	w.visits = xcalloc(f->nblocks, 1);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct model *md = f->insts[i].op == IR_CALL ? callee_model(&w, &f->insts[i]) : NULL;
		const struct model_effect *e = md ? model_allocates(md) : NULL;

		if (e && !e->nconds && f->insts[i].res != IR_NONE && f->insts[i].cls == IR_C_PTR)
			check_site(fs, &w, i, e);
	}
	bits_release(&w.plain);
	bits_release(&w.crossing);
	free(w.visits);
	vec_release(&w.way);
	vec_release(&w.leak.way);
	seen_release(&w.seen);
}

void local_check(struct findings *fs, const struct ir_module *m, const struct model_set *models)
{
	for (uint32_t i = 0; i < m->funcs.n; i++)
		if (!ir_is_decl(&m->funcs.v[i]))
			check_func(fs, m, models, &m->funcs.v[i]);
}
