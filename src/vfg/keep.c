/*
 * keep.c - see keep.h.
 *
 * An entry of the store: number of facts; of each: kind, identities of what it is
 * about, answer; then the verdict and the path.
 */
#include "vfg/keep.h"

#include "base/bytes.h"
#include "base/store.h"

#define MAP_NAME answers
#define MAP_KEY struct trace_item
#define MAP_VAL uint64_t
#define MAP_HASH(k) hash_join(hash_join((k).kind, (k).a), (k).b)
#define MAP_EQ(x, y) ((x).kind == (y).kind && (x).a == (y).a && (x).b == (y).b)
#include "base/map.h"

#define MAP_NAME objids
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* The values of a function that have one points-to set. */
struct sharers {
	const struct sbits *pts;
	uint64_t sum;			/* of their numbers, mixed */
};
VEC_TYPE(sharers_list, struct sharers);

struct vkeep {
	const struct vfg *g;
	const struct vfg_options *o;
	uint64_t options;
	uint64_t *obj, *loc;		/* identities */
	uint64_t **slot, **call;	/* by function: identities of its variables and calls within it */
	struct objids by_id;		/* identity of an object -> index */
	struct answers answers;		/* those given by now */
	struct sharers_list *sharers;	/* by function; empty: not asked for yet */
};

/* ---- identities ------------------------------------------------------ */

/* What is counted so far in the function, as the next of its kind. */
static uint64_t count_next(struct objids *seen, uint64_t kind)
{
	return hash_join(kind, (*objids_put(seen, kind, NULL))++);
}

/* Variables and calls of a function are known by their names, and as the first or second of that
 * name: one statement more moves all indices behind it, and what is about other functions should
 * not change with it. */
static void name_inside(struct vkeep *k)
{
	const struct ir_module *m = k->g->m;
	struct objids seen = {0};

	k->slot = xcalloc(MAX(m->funcs.n, 1), sizeof(*k->slot));
	k->call = xcalloc(MAX(m->funcs.n, 1), sizeof(*k->call));
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		const struct ir_func *f = &m->funcs.v[i];

		k->slot[i] = xcalloc(MAX(f->nslots, 1), sizeof(**k->slot));
		k->call[i] = xcalloc(MAX(f->ninsts, 1), sizeof(**k->call));
		objids_clear(&seen);
		for (uint32_t s = 0; s < f->nslots; s++)
			k->slot[i][s] = count_next(&seen, hash_join(0x5, hash_str(f->slots[s].name)));
		for (uint32_t n = 0; n < f->ninsts; n++) {
			const struct ir_inst *in = &f->insts[n];
			const struct ir_func *callee = in->op == IR_CALL ? ir_callee(m, in) : NULL;

			if (f->insts[n].op == IR_CALL)
				k->call[i][n] = count_next(&seen, hash_join(0xc, callee ?
								  k->g->ids.func[callee - m->funcs.v] : 0));
			else
				k->call[i][n] = hash_join(0x1, n);
		}
	}
	objids_release(&seen);
}

static uint64_t object_id(const struct vkeep *k, uint32_t obj)
{
	const struct idents *d = &k->g->ids;
	const struct pta_obj *o = pta_obj(k->g->p, obj);
	uint64_t h = o->kind;

	switch ((enum pta_okind)o->kind) {
	case PTA_GLOBAL:	/* literals are one object, under the name of any of them */
		return hash_join(h, k->g->m->globals.v[o->index].flags & IR_G_STRING ? 1
				 : d->global[o->index]);
	case PTA_FUNC:
		return hash_join(h, d->func[o->index]);
	case PTA_SLOT:
		return hash_join(hash_join(h, d->func[o->func]), k->slot[o->func][o->index]);
	case PTA_HEAP:
		return hash_join(hash_join(hash_join(h, d->func[o->func]),
					   k->call[o->func][o->index]), o->nth);
	case PTA_VARARG:
		return hash_join(h, d->func[o->func]);
	case PTA_BLOB:
		return hash_join(h, o->index);
	case PTA_VIEW:
		return hash_join(hash_join(h, object_id(k, o->site)), d->type[o->type]);
	}
	return h;
}

static void name_objects(struct vkeep *k)
{
	const struct pta *p = k->g->p;

	k->obj = xmalloc(((size_t)pta_nobjs(p) + 1) * sizeof(*k->obj));
	k->loc = xmalloc(((size_t)pta_nlocs(p) + 1) * sizeof(*k->loc));
	for (uint32_t i = 0; i < pta_nobjs(p); i++) {
		bool is_new = false;
		uint32_t *at = NULL;

		for (k->obj[i] = object_id(k, i); !is_new;
		     k->obj[i] = is_new ? k->obj[i] : hash_mix(k->obj[i] + 1))
			at = objids_put(&k->by_id, k->obj[i], &is_new);
		*at = i;
	}
	for (uint32_t i = 0; i < pta_nlocs(p); i++) {
		const struct pta_loc *l = pta_loc(p, i);

		k->loc[i] = hash_join(hash_join(k->obj[l->obj], k->obj[l->layout]), l->off);
	}
}

static uint64_t locs_digest(const struct vkeep *k, const struct sbits *locs)
{
	uint64_t h = 1;

	SBITS_FOREACH(l, locs)
		h = hash_join(h, k->loc[l]);
	return h;
}

static uint64_t bits_digest(uint64_t h, const struct bits *b)
{
	h = hash_join(h, b->n);
	for (uint32_t i = 0; i < b->n; i += 64)
		h = hash_join(h, b->w[i >> 6]);
	return h;
}

/* ---- answers --------------------------------------------------------- */

static uint64_t answer_of(struct vkeep *k, struct trace_item t);

static uint64_t need_digest(uint64_t h, const struct pta_need *n)
{
	h = hash_join(h, n->param);
	return n->param == IR_NONE ? h
	       : hash_join(hash_join(hash_join(h, n->pred), (uint64_t)n->mask), (uint64_t)n->value);
}

/* As callers see it.  Who looks inside has noted that as well. */
static uint64_t wrapper_digest(const struct vkeep *k, uint32_t func)
{
	const struct pta_wrapper *w = pta_wrapper(k->g->p, func);
	uint64_t h = w ? hash_join(w->returns, w->nouts) : 0;

	for (uint32_t i = 0; w && i < w->nouts; i++) {
		const struct pta_handout *o = &w->out[i];

		h = hash_join(hash_join(h, o->param), (uint64_t)o->off);
		h = hash_join(hash_join(hash_join(h, o->filled), o->copied), o->n);
		for (uint32_t m = 0; m < o->n; m++) {
			h = hash_join(hash_join(h, k->call[func][o->made[m].inst]), o->made[m].nth);
			h = hash_join(hash_join(h, o->made[m].arg), (uint64_t)o->made[m].arg_off);
			h = need_digest(hash_join(h, o->made[m].store == IR_NONE), &o->made[m].need);
		}
	}
	return h;
}

/* What callers see: of the tables that the engine makes for each function, too. */
static uint64_t head_answer(struct vkeep *k, uint32_t func)
{
	const struct vfg *g = k->g;
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct vfates *x = &g->fates[func];
	uint64_t h = hash_join(ident_func_head(&g->ids, func), wrapper_digest(k, func));
	uint32_t vararg = pta_varargs(g->p, func);

	h = hash_join(hash_join(h, g->never_returns[func]), g->by_arguments[func]);
	h = hash_join(h, vararg == IR_NONE ? 0 : k->obj[vararg]);
	if (ir_is_decl(f))
		return h;
	h = hash_join(hash_join(h, g->returns[func].known), (uint64_t)g->returns[func].lo);
	h = hash_join(h, (uint64_t)g->returns[func].hi);
	for (uint32_t i = 0; i < f->nparams; i++)
		h = hash_join(h, (uint64_t)x->param[i] << 8 | x->held[i]);
	for (uint32_t i = 0; i < mssa_func(g->s, func)->nregions; i++)
		h = hash_join(h, x->region[i]);
	return h;
}

static uint64_t call_digest(struct vkeep *k, uint32_t func, uint32_t inst)
{
	const struct vfg *g = k->g;
	const struct ir_inst *in = &g->m->funcs.v[func].insts[inst];
	struct pta_callees c;
	uint64_t h;

	pta_callees(g->p, func, inst, &c);
	h = c.unknown;
	SBITS_FOREACH(callee, c.set) {
		const struct pta_wrapper *w = pta_wrapper(g->p, callee);

		h = hash_join(h, answer_of(k, (struct trace_item){ FACT_HEAD, callee, 0 }));
		for (uint32_t i = 0; w && i < w->nouts; i++) {
			struct sbits to = {0};

			pta_handed_to(g->p, func, inst, &w->out[i], &to);
			h = hash_join(h, locs_digest(k, &to));
			sbits_release(&to);
		}
	}
	for (unsigned i = 0; i < 4; i++) {
		uint32_t o = pta_heap_at(g->p, func, inst, i);

		h = hash_join(h, o == IR_NONE ? 0 : k->obj[o]);
	}
	return in->res == IR_NONE ? h
	       : hash_join(h, ident_ref(&g->ids, pta_same(g->p, func, IR_VREG(in->res))));
}

static uint64_t constants_digest(const struct vkeep *k, uint32_t func, const struct ir_inst *in)
{
	uint64_t h = 0;

	for (uint32_t i = 0; i < in->nops; i++)
		if (IR_KIND(in->ops[i]) == IR_R_SLOT || IR_KIND(in->ops[i]) == IR_R_GLOBAL ||
		    IR_KIND(in->ops[i]) == IR_R_FUNC ||
		    IR_KIND(in->ops[i]) == IR_R_ADDR)
			h = hash_join(h, locs_digest(k, pta_points_to(k->g->p, func, in->ops[i])));
	return h;
}

static uint64_t inside_answer(struct vkeep *k, uint32_t func)
{
	const struct vfg *g = k->g;
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct vfates *x = &g->fates[func];
	uint64_t h = hash_join(ident_func_body(&g->ids, func),
			       answer_of(k, (struct trace_item){ FACT_HEAD, func, 0 }));
	const struct pta_callback *cb;
	uint32_t n = pta_callbacks(g->p, func, &cb);
	int64_t lo, hi;

	if (ir_is_decl(f))
		return h;
	h = hash_join(h, pta_is_entry(g->p, func));
	for (uint32_t i = 0; i < f->nblocks; i++)
		h = hash_join(h, g->flow[func].ends[i]);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		h = hash_join(h, constants_digest(k, func, &f->insts[i]));
		if (f->insts[i].op == IR_CALL)
			h = hash_join(hash_join(h, i), call_digest(k, func, i));
	}
	for (uint32_t i = 0; i < pta_ssa(g->p, func)->nvalues; i++)
		if (enums_range(&g->enums, func, i, &lo, &hi))
			h = hash_join(hash_join(hash_join(h, i), (uint64_t)lo), (uint64_t)hi);
	for (uint32_t i = 0; i < n; i++) {
		h = hash_join(hash_join(h, cb[i].inst),
			      answer_of(k, (struct trace_item){ FACT_HEAD, cb[i].callee, 0 }));
		h = hash_join(h, model_effect_digest(cb[i].effect));
	}
	return bits_digest(bits_digest(bits_digest(h, &x->live), &x->put), &x->put_too);
}

static uint64_t memory_answer(const struct vkeep *k, uint32_t func)
{
	const struct mssa_func *mf = mssa_func(k->g->s, func);
	const struct ir_func *f = &k->g->m->funcs.v[func];
	uint64_t h = 1;

	if (!mf)
		return h;
	for (uint32_t i = 0; i < mf->nregions; i++)
		h = hash_join(h, locs_digest(k, &mf->cells[i]));
	for (uint32_t i = 0; i < mf->ndefs; i++) {
		const struct mssa_def *d = &mf->defs[i];

		h = hash_join(hash_join(h, (uint64_t)d->kind << 1 | d->strong), d->region);
		h = hash_join(hash_join(hash_join(h, d->block), d->inst),
			      d->kind == MSSA_PHI || d->kind == MSSA_ENTRY ? 0 : d->old);
		for (uint32_t p = 0; d->kind == MSSA_PHI && p < f->blocks[d->block].npred; p++)
			h = hash_join(h, d->args[p]);
	}
	for (uint32_t i = 0; i < mf->nuses; i++)
		h = hash_join(hash_join(hash_join(h, mf->uses[i].inst), mf->uses[i].region), mf->uses[i].def);
	return h;
}

static uint64_t callers_answer(const struct vkeep *k, uint32_t func)
{
	const struct vfg *g = k->g;
	uint64_t h = 1;

	for (uint32_t i = g->caller_row[func]; i < g->caller_row[func + 1]; i++)
		h = hash_join(hash_join(h, g->ids.func[g->callers[i].func]),
			      k->call[g->callers[i].func][g->callers[i].inst]);
	return h;
}

static uint64_t called_answer(const struct vkeep *k, uint32_t func)
{
	const struct vfg *g = k->g;
	uint64_t h = g->caller_row[func] != g->caller_row[func + 1];

	SBITS_FOREACH(o, &g->returned[func])
		h = hash_join(h, k->obj[o]);
	return h;
}

static int by_set(const void *x, const void *y)
{
	const struct sharers *a = x, *b = y;

	return (a->pts > b->pts) - (a->pts < b->pts);
}

/* The values of instructions that were added. */
static void added_values(const struct ir_func *f, struct bits *out)
{
	bits_init(out, f->nvregs + 1);
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].flags & IR_F_ADDED && f->insts[i].res != IR_NONE)
			bits_set(out, f->insts[i].res);
}

/* What is added moves the numbers of all values behind it, and those that SSA form makes; they
 * count as they were. */
static const struct sharers_list *sharers_of(struct vkeep *k, uint32_t func)
{
	const struct ir_func *f = &k->g->m->funcs.v[func];
	const struct bits *heap = &k->g->uses[func].heap;
	struct sharers_list *l = &k->sharers[func];
	uint32_t n = 0, before = 0, next = 0;
	struct bits added;

	if (l->n)
		return l;
	added_values(f, &added);
	for (uint32_t i = bits_next(heap, 0); i != UINT32_MAX; i = bits_next(heap, i + 1)) {
		uint64_t id;

		for (; next < MIN(i, f->nvregs); next++)
			before += bits_test(&added, next);
		if (i >= f->nvregs)
			id = (uint64_t)1 << 32 | (i - f->nvregs);
		else
			id = bits_test(&added, i) ? (uint64_t)2 << 32 | i : i - before;
		vec_push(l, ((struct sharers){ pta_points_to(k->g->p, func, IR_VREG(i)), hash_mix(id + 1) }));
	}
	bits_release(&added);
	if (l->n)
		qsort(l->v, l->n, sizeof(*l->v), by_set);
	for (uint32_t i = 0; i < l->n; i++)
		if (n && l->v[n - 1].pts == l->v[i].pts)
			l->v[n - 1].sum += l->v[i].sum;
		else
			l->v[n++] = l->v[i];
	l->n = n;
	return l;
}

/* A sum: which values share a set, and in which order the sets come, is not the same each time. */
static uint64_t holds_answer(struct vkeep *k, uint32_t func, uint32_t obj)
{
	const struct vfg *g = k->g;
	const struct mssa_func *mf = mssa_func(g->s, func);
	const struct sharers_list *l;
	uint64_t h = 1;

	if (!pta_ssa(g->p, func))
		return h;
	l = sharers_of(k, func);
	for (uint32_t i = 0; i < l->n; i++)
		if (vfg__points_to(g, l->v[i].pts, obj))
			h += l->v[i].sum;
	for (uint32_t i = 0; i < mf->nregions; i++)
		if (sbits_intersects(&mf->cells[i], &g->holders[obj]))
			h = hash_join(h, (uint64_t)i << 32);
	return h;
}

static uint64_t object_answer(const struct vkeep *k, uint32_t obj)
{
	const struct vfg *g = k->g;
	const struct pta_obj *o = pta_obj(g->p, obj);
	uint64_t h = hash_join(k->obj[obj], g->ids.type[o->type]);

	h = hash_join(hash_join(h, o->size), (uint64_t)o->collapsed | (uint64_t)o->given << 1 |
		      (uint64_t)o->text << 2 |
						     (uint64_t)o->blank << 3 | (uint64_t)o->common << 4);
	h = hash_join(hash_join(h, model_effect_digest(o->effect)), mssa_escaped(g->s, obj));
	h = hash_join(h, o->kind == PTA_HEAP && o->root != IR_NONE ? g->ids.func[o->root] : 0);
	return hash_join(hash_join(h, o->asked), o->nviews);
}

static uint64_t holders_answer(const struct vkeep *k, uint32_t obj)
{
	uint64_t h = 1;

	SBITS_FOREACH(o, &k->g->heap_holders[obj])
		h = hash_join(h, k->obj[o]);
	return h;
}

static uint64_t holder_locs_answer(const struct vkeep *k, uint32_t func, uint32_t region)
{
	struct sbits locs = {0};
	uint64_t h;

	vfg__holder_locs(k->g, func, region, &locs);
	h = locs_digest(k, &locs);
	sbits_release(&locs);
	return h;
}

static uint64_t looked_answer(const struct vkeep *k, uint32_t obj)
{
	struct sbits taken = {0}, read = {0};
	uint64_t h;

	for (uint32_t l = pta_obj(k->g->p, obj)->first_loc; l != IR_NONE; l = pta_loc(k->g->p, l)->next) {
		if (sbits_test(&k->g->taken, l))
			sbits_set(&taken, l);
		if (sbits_test(&k->g->read, l))
			sbits_set(&read, l);
	}
	h = hash_join(locs_digest(k, &taken), locs_digest(k, &read));
	sbits_release(&taken);
	sbits_release(&read);
	return h;
}

static uint64_t compute(struct vkeep *k, struct trace_item t)
{
	const struct vfg *g = k->g;

	switch ((enum fact)t.kind) {
	case FACT_INSIDE:
		return inside_answer(k, t.a);
	case FACT_HEAD:
		return head_answer(k, t.a);
	case FACT_MEMORY:
		return memory_answer(k, t.a);
	case FACT_CALLED:
		return called_answer(k, t.a);
	case FACT_CALLERS:
		return callers_answer(k, t.a);
	case FACT_POINTS_TO:
		return locs_digest(k, pta_points_to(g->p, t.a, IR_VREG(t.b)));
	case FACT_HOLDS:
		return holds_answer(k, t.a, t.b);
	case FACT_HEAP:
		return bits_digest(1, &g->uses[t.a].heap);
	case FACT_HOLDER_LOCS:
		return holder_locs_answer(k, t.a, t.b);
	case FACT_VISIBLE:
		return hash_join(locs_digest(k, g->visible_sets.v[g->visible[t.a][t.b].in]),
				 locs_digest(k, g->visible_sets.v[g->visible[t.a][t.b].out]));
	case FACT_WRITES:
		return sbits_test(&g->writes[t.a], t.b);
	case FACT_OBJECT:
		return object_answer(k, t.a);
	case FACT_HOLDERS:
		return holders_answer(k, t.a);
	case FACT_GLOBAL:
		return ident_global_digest(&g->ids, t.a);
	case FACT_LOOKED:
		return looked_answer(k, t.a);
	case FACT_NULL:
		return nulls_may_be(&g->nulls, t.a, t.b);
	case FACT_OTHER:
	case FACT__END:
		break;
	}
	return 0;
}

static uint64_t answer_of(struct vkeep *k, struct trace_item t)
{
	const uint64_t *known = answers_get(&k->answers, t);
	uint64_t h;

	if (known)
		return *known;
	h = compute(k, t);
	answers_set(&k->answers, t, h);
	return h;
}

/* ---- what a fact is about, by name ----------------------------------- */

enum about { ABOUT_NOTHING, ABOUT_FUNC, ABOUT_OBJECT, ABOUT_GLOBAL, ABOUT_NUMBER };

static const struct about_fact {
	uint8_t a, b;
} abouts[] = {
	[FACT_INSIDE] = { ABOUT_FUNC, ABOUT_NOTHING },
	[FACT_HEAD] = { ABOUT_FUNC, ABOUT_NOTHING },
	[FACT_MEMORY] = { ABOUT_FUNC, ABOUT_NOTHING },
	[FACT_CALLED] = { ABOUT_FUNC, ABOUT_NOTHING },
	[FACT_CALLERS] = { ABOUT_FUNC, ABOUT_NOTHING },
	[FACT_POINTS_TO] = { ABOUT_FUNC, ABOUT_NUMBER },
	[FACT_HOLDS] = { ABOUT_FUNC, ABOUT_OBJECT },
	[FACT_HEAP] = { ABOUT_FUNC, ABOUT_NOTHING },
	[FACT_HOLDER_LOCS] = { ABOUT_FUNC, ABOUT_NUMBER },
	[FACT_VISIBLE] = { ABOUT_FUNC, ABOUT_NUMBER },
	[FACT_WRITES] = { ABOUT_FUNC, ABOUT_GLOBAL },
	[FACT_OBJECT] = { ABOUT_OBJECT, ABOUT_NOTHING },
	[FACT_HOLDERS] = { ABOUT_OBJECT, ABOUT_NOTHING },
	[FACT_GLOBAL] = { ABOUT_GLOBAL, ABOUT_NOTHING },
	[FACT_LOOKED] = { ABOUT_OBJECT, ABOUT_NOTHING },
	[FACT_NULL] = { ABOUT_FUNC, ABOUT_NUMBER },
};

static void put_name(const struct vkeep *k, unsigned about, uint32_t x, struct sbuf *out)
{
	switch ((enum about)about) {
	case ABOUT_FUNC:
		put_u64(out, k->g->ids.func[x]);
		break;
	case ABOUT_OBJECT:
		put_u64(out, k->obj[x]);
		break;
	case ABOUT_GLOBAL:
		put_u64(out, k->g->ids.global[x]);
		break;
	case ABOUT_NUMBER:
		put_num(out, x);
		break;
	case ABOUT_NOTHING:
		break;
	}
}

/* IR_NONE: there is no such thing in this program. */
static uint32_t get_name(const struct vkeep *k, unsigned about, struct bytes *in)
{
	const uint32_t *at;

	switch ((enum about)about) {
	case ABOUT_FUNC:
		return ident_find_func(&k->g->ids, get_u64(in));
	case ABOUT_OBJECT:
		at = objids_get(&k->by_id, get_u64(in));
		return at ? *at : IR_NONE;
	case ABOUT_GLOBAL:
		return ident_find_global(&k->g->ids, get_u64(in));
	case ABOUT_NUMBER:
		return (uint32_t)get_below(in, IR_NONE);
	case ABOUT_NOTHING:
		break;
	}
	return 0;
}

/* Is the number one that the function has? */
static bool is_possible(const struct vkeep *k, struct trace_item t)
{
	const struct ir_func *f;

	if (t.a == IR_NONE || t.b == IR_NONE)
		return false;
	if (abouts[t.kind].a != ABOUT_FUNC || abouts[t.kind].b == ABOUT_NOTHING)
		return true;
	f = &k->g->m->funcs.v[t.a];
	if (t.kind == FACT_WRITES)
		return true;
	if (ir_is_decl(f))
		return false;
	switch (t.kind) {
	case FACT_POINTS_TO:
		return t.b < pta_ssa(k->g->p, t.a)->nvalues;
	case FACT_HOLDER_LOCS:
		return t.b < mssa_func(k->g->s, t.a)->nregions;
	case FACT_NULL:
		return t.b < f->nparams;
	case FACT_VISIBLE:
		return t.b < f->ninsts && k->g->visible[t.a];
	default:
		return true;
	}
}

/* The next fact that something hangs on, and its answer then. */
static struct trace_item get_fact(const struct vkeep *k, uint64_t *was, struct bytes *in)
{
	struct trace_item t = { .kind = FACT_INSIDE + (uint32_t)get_below(in, FACT_OTHER - FACT_INSIDE) };

	t.a = get_name(k, abouts[t.kind].a, in);
	t.b = get_name(k, abouts[t.kind].b, in);
	*was = get_u64(in);
	return t;
}

/* Is the next one as it was? */
static bool next_is_same(struct vkeep *k, struct trace_item *t, struct bytes *in)
{
	uint64_t was;

	*t = get_fact(k, &was, in);
	return !in->bad && is_possible(k, *t) && answer_of(k, *t) == was;
}

static bool is_same_surrounding(struct vkeep *k, struct bytes *in)
{
	struct trace_item t;

	for (uint32_t n = get_count(in); n; n--)
		if (!next_is_same(k, &t, in))
			return false;
	return !in->bad;
}

/* ---- what was found out ---------------------------------------------- */

static void put_judged(const struct vkeep *k, const struct judged *j, struct sbuf *out)
{
	put_num(out, j->verdict);
	put_num(out, j->answer);
	put_num(out, j->in_memory);
	put_num(out, j->guesses);
	put_num(out, j->stats.asked);
	put_num(out, j->stats.impossible);
	put_num(out, j->stats.not_known);
	put_num(out, j->lost.put);
	put_num(out, j->lost.over);
	put_num(out, j->lost.how);
	put_num(out, (uint64_t)j->end.ways << 1 | j->sliced);
	if (j->end.ways) {
		put_u64(out, k->g->ids.func[j->end.func]);
		put_num(out, j->end.inst);
	}
	put_num(out, j->nsteps);
	for (uint32_t i = 0; i < j->nsteps; i++) {
		const struct walk_step *s = &j->steps[i];

		put_num(out, (uint64_t)s->kind << 2 | (uint64_t)s->open << 1 | s->matters);
		put_u64(out, k->g->ids.func[s->func]);
		put_num(out, s->inst);
		put_num(out, s->target == IR_NONE ? 0 : (uint64_t)s->target + 1);
	}
}

/* moved: instructions are numbered as they were before others were added. */
static void get_step(const struct vkeep *k, struct walk_step *s, bool moved, struct bytes *in)
{
	uint64_t head = get_below(in, (WALK_END + 1) << 2), target;
	const struct ir_func *f;

	s->kind = (uint8_t)(head >> 2);
	s->open = head >> 1 & 1;
	s->matters = head & 1;
	s->func = ident_find_func(&k->g->ids, get_u64(in));
	if (s->func == IR_NONE) {
		in->bad = true;
		return;
	}
	f = &k->g->m->funcs.v[s->func];
	s->inst = (uint32_t)get_below(in, f->ninsts);
	if (in->bad)
		return;
	if (moved)
		s->inst = ident_find_inst(f, s->inst);
	if (s->kind == WALK_BRANCH)	/* by which it is left, else an instruction */
		target = get_below(in, ir_is_term(&f->insts[s->inst]) ?
				   (uint64_t)f->insts[s->inst].ntargets + 1 : 0);
	else
		target = get_below(in, (uint64_t)f->ninsts + 1);
	s->target = target ? (uint32_t)target - 1 : IR_NONE;
	if (moved && s->kind != WALK_BRANCH && s->target != IR_NONE && !in->bad)
		s->target = ident_find_inst(f, s->target);
	in->bad |= (s->kind == WALK_BRANCH && !target) ||
		   ((s->kind == WALK_ENTER || s->kind == WALK_LEAVE) && f->insts[s->inst].op != IR_CALL);
}

static struct vend get_end(const struct vkeep *k, uint8_t ways, bool moved, struct bytes *in)
{
	struct vend e = { ways, IR_NONE, IR_NONE };
	const struct ir_func *f;

	if (!ways)
		return e;
	e.func = ident_find_func(&k->g->ids, get_u64(in));
	in->bad |= e.func == IR_NONE;
	if (in->bad)
		return e;
	f = &k->g->m->funcs.v[e.func];
	e.inst = (uint32_t)get_below(in, f->ninsts);
	if (moved && !in->bad)
		e.inst = ident_find_inst(f, e.inst);
	return e;
}

static bool get_judged(const struct vkeep *k, const struct vsource *src, struct judged *j,
		       bool moved, struct bytes *in)
{
	uint32_t ninsts = k->g->m->funcs.v[src->func].ninsts;
	uint64_t end;

	memset(j, 0, sizeof(*j));
	j->verdict = (enum verdict)get_below(in, VERDICT_OVERWRITTEN + 1);
	j->answer = (enum walk_answer)get_below(in, WALK_GAVE_UP + 1);
	j->in_memory = get_below(in, 2);
	j->guesses = (uint32_t)get_below(in, 1 << 16);
	j->stats.asked = (uint32_t)get_below(in, UINT32_MAX);
	j->stats.impossible = (uint32_t)get_below(in, UINT32_MAX);
	j->stats.not_known = (uint32_t)get_below(in, UINT32_MAX);
	j->lost.put = (uint32_t)get_below(in, ninsts);
	j->lost.over = (uint32_t)get_below(in, ninsts);
	j->lost.how = (uint8_t)get_below(in, LOSS__COUNT);
	end = get_below(in, (END_STORED | END_NO_TARGET | END_DEEP) << 1 | 2);
	j->sliced = end & 1;
	j->end = get_end(k, (uint8_t)(end >> 1), moved, in);
	j->nsteps = get_count(in);
	j->steps = xcalloc(MAX(j->nsteps, 1), sizeof(*j->steps));
	for (uint32_t i = 0; i < j->nsteps && !in->bad; i++)
		get_step(k, &j->steps[i], moved, in);
	if (!in->bad && in->p == in->end)
		return true;
	free(j->steps);
	memset(j, 0, sizeof(*j));
	return false;
}

/* ---- entries --------------------------------------------------------- */

struct vkeep *vkeep_new(const struct vfg *g, const struct vfg_options *o)
{
	struct vkeep *k = xcalloc(1, sizeof(*k));

	k->g = g;
	k->o = o;
	k->options = hash_join(model_set_digest(pta_models(g->p)), (uint64_t)o->slice_limit << 32 | o->loop);
	k->options = hash_join(hash_join(k->options, o->at_exit), hash_str(o->judge ? o->judge->name() : ""));
	k->options = hash_join(k->options, ir_is_program(g->m));
	k->sharers = xcalloc(MAX(g->m->funcs.n, 1), sizeof(*k->sharers));
	name_inside(k);
	name_objects(k);
	return k;
}

void vkeep_free(struct vkeep *k)
{
	if (!k)
		return;
	for (uint32_t i = 0; i < k->g->m->funcs.n; i++) {
		free(k->slot[i]);
		free(k->call[i]);
		vec_release(&k->sharers[i]);
	}
	free(k->sharers);
	free(k->slot);
	free(k->call);
	free(k->obj);
	free(k->loc);
	objids_release(&k->by_id);
	answers_release(&k->answers);
	free(k);
}

uint64_t vkeep_key(const struct vkeep *k, const struct vsource *src)
{
	return hash_join(hash_join(k->options, 0xf10), k->obj[src->obj]);
}

bool vkeep_take(struct vkeep *k, const struct vsource *src, struct judged *j, struct vkept *kept)
{
	struct store *s = k->o->store;

	for (struct store_entry *e = store_find(s, vkeep_key(k, src)); e; e = store_next(s, e)) {
		struct bytes in = { e->p, e->p + e->n, false };

		if (!is_same_surrounding(k, &in) || !get_judged(k, src, j, false, &in))
			continue;
		e->used = true;
		*kept = (struct vkept){ e->p, e->n };
		return true;
	}
	return false;
}

bool vkeep_changed(struct vkeep *k, const struct vkept *kept, struct sbits *funcs)
{
	struct bytes in = { kept->p, kept->p + kept->n, false };
	struct trace_item t;

	for (uint32_t n = get_count(&in); n; n--) {
		if (next_is_same(k, &t, &in))
			continue;
		if (in.bad || abouts[t.kind].a != ABOUT_FUNC || t.a == IR_NONE)
			return false;
		sbits_set(funcs, t.a);
	}
	return !in.bad;
}

bool vkeep_read(const struct vkeep *k, const struct vsource *src, const struct vkept *kept, struct judged *j)
{
	struct bytes in = { kept->p, kept->p + kept->n, false };
	uint64_t was;

	for (uint32_t n = get_count(&in); n && !in.bad; n--)
		get_fact(k, &was, &in);
	return get_judged(k, src, j, true, &in);
}

void vkeep_put(struct vkeep *k, const struct vsource *src, const struct judged *j,
	       const struct trace *t, struct vkept *kept)
{
	struct sbuf b = {0};

	for (uint32_t i = 0; i < trace_count(t); i++)
		if (trace_at(t, i).kind == FACT_OTHER)
			return;
	put_num(&b, trace_count(t));
	for (uint32_t i = 0; i < trace_count(t); i++) {
		struct trace_item x = trace_at(t, i);

		put_num(&b, x.kind - FACT_INSIDE);
		put_name(k, abouts[x.kind].a, x.a, &b);
		put_name(k, abouts[x.kind].b, x.b, &b);
		put_u64(&b, answer_of(k, x));
	}
	put_judged(k, j, &b);
	*kept = (struct vkept){ store_add(k->o->store, vkeep_key(k, src), b.s, b.n), b.n };
	sbuf_release(&b);
}
