/*
 * state.c - memory on one path.  See state.h.
 */
#include "path/state.h"

#include "base/bits.h"
#include "path/keep.h"

/* Kinds of keys; any numbers that differ. */
enum { K_SLOT = 11, K_GLOBAL, K_FUNC, K_PARAM, K_HEAP, K_FRESH, K_INTO, K_INITIAL, K_ANYWHERE, K_ELEM,
       K_INSIDE, K_ROUND, K_ANOTHER,
       N_STATE, N_LOST, N_ZERO, N_EPOCH, N_STAMP, N_COPIED, N_MADE_UP, N_DOUBT, N_VAGUE, N_ASKED,
       N_COMPARED };

void state_init(struct state *st, const struct ir_module *m, const struct bits *fixed,
		const struct idents *ids)
{
	memset(st, 0, sizeof(*st));
	st->m = m;
	st->s.chained = true;
	st->fixed = fixed;
	st->ids = ids;
}

void state_release(struct state *st)
{
	sym_release(&st->s);
	mobjs_release(&st->objs);
	vec_release(&st->heaps);
	vec_release(&st->inputs);
	wheres_release(&st->wheres);
	wheres_release(&st->elems);
	placemap_release(&st->places);
	digests_release(&st->fresh);
	digests_release(&st->rounds);
	symmap_release(&st->were);
}

void state_clear(struct state *st)
{
	sym_clear(&st->s);
	mobjs_clear(&st->objs);
	vec_clear(&st->heaps);
	vec_clear(&st->inputs);
	wheres_clear(&st->wheres);
	wheres_clear(&st->elems);
	placemap_clear(&st->places);
	digests_clear(&st->fresh);
	digests_clear(&st->rounds);
	symmap_clear(&st->were);
	st->copies = false;
	st->salt = 0;
}

/* ---- objects --------------------------------------------------------- */

static struct mobj *new_obj(struct state *st, struct sym addr, enum mkind kind, uint32_t index)
{
	bool is_new;
	struct mobj *o = mobjs_put(&st->objs, addr.id, &is_new);

	if (is_new)
		*o = (struct mobj){ .kind = kind, .index = index, .addr = addr };
	if (is_new && kind == M_HEAP)
		vec_push(&st->heaps, st->objs.n - 1);
	if (is_new && kind == M_INPUT)
		vec_push(&st->inputs, st->objs.n - 1);
	if (is_new && kind == M_GLOBAL)
		trace_note(TRACE_GLOBAL, index, 0);
	return o;
}

struct sym state_slot(struct state *st, uint32_t slot, uint32_t visit)
{
	uint64_t id = hash_join(K_SLOT, slot);
	struct sym a = sym_addr(visit > 1 ? hash_join(id, visit) : id);

	new_obj(st, a, M_SLOT, slot);
	return a;
}

struct sym state_symbol(struct state *st, ir_ref r)
{
	int64_t off = 0;
	struct sym a;

	if (IR_KIND(r) == IR_R_ADDR) {
		off = st->m->addrs.v[IR_IDX(r)].offset;
		r = st->m->addrs.v[IR_IDX(r)].base;
	}
	a = sym_addr(IR_KIND(r) == IR_R_GLOBAL ? hash_join(K_GLOBAL, st->ids->global[IR_IDX(r)])
					       : hash_join(K_FUNC, st->ids->func[IR_IDX(r)]));
	new_obj(st, a, IR_KIND(r) == IR_R_GLOBAL ? M_GLOBAL : M_FUNC, IR_IDX(r));
	return state_offset(st, a, off);
}

static struct place with_bits(struct place p, struct sym v)
{
	if (v.lo == 0 && v.hi == INT64_MAX)
		p.bits = 0;
	else
		p.bits = v.hi == 1 ? 1 : (uint8_t)(64 - __builtin_clzll((uint64_t)v.hi | 1) + 1);
	return p;
}

struct sym state_param(struct state *st, uint32_t k, enum ir_class cls, unsigned bits)
{
	struct sym v = sym_any(hash_join(K_PARAM, k), cls, bits);

	placemap_set(&st->places, v.id, with_bits((struct place){ .base = PLACE_ARG, .index = k }, v));
	return v;
}

struct sym state_varargs(struct state *st, uint32_t nparams)
{
	struct sym v = sym_any(hash_join(K_PARAM, UINT32_MAX), IR_C_PTR, 64);

	v.lo = 1;
	placemap_set(&st->places, v.id, (struct place){ .base = PLACE_VARARGS, .index = nparams });
	return v;
}

struct sym state_new(struct state *st, const struct snew *made, uint32_t call, uint32_t nth, uint32_t visit)
{
	/* two cases of the callee may make different objects: each has an address of its own */
	uint64_t maker = hash_join(st->ids->func[made->func], made->inst);
	uint64_t kind = hash_join(maker, (uint64_t)made->nonnull << 1 | made->zeroed);
	uint64_t which = hash_join(hash_join(hash_join(hash_join(K_HEAP, call), nth), visit), kind);
	struct sym a = made->nonnull ? sym_addr(which) : sym_maybe(which);
	struct mobj *o = new_obj(st, a, M_HEAP, call);

	o->made = *made;
	o->zeroed = made->zeroed;
	state_set(st, a.id, O_LIVE, call);
	return a;
}

struct sym state_fresh(struct state *st, enum ir_class cls, unsigned bits)
{
	struct sym v;

	st->salt = hash_mix(st->salt + 1);
	v = sym_any(hash_join(K_FRESH, st->salt), cls, bits);
	digests_put(&st->fresh, v.id, NULL);
	return v;
}

struct where state_where(struct state *st, struct sym p)
{
	const struct where *w = wheres_get(&st->wheres, p.id);
	const struct place *pl;
	struct mobj *o;

	if (w)
		return *w;
	if (!mobjs_get(&st->objs, p.id)) {
		pl = placemap_get(&st->places, p.id);
		o = new_obj(st, p, pl ? M_INPUT : M_OTHER, 0);
		if (pl) {
			o->has_place = true;
			o->place = *pl;
		}
	}
	return (struct where){ .base = p.id };
}

struct mobj *state_obj(struct state *st, uint64_t base)
{
	struct mobj *o = mobjs_get(&st->objs, base);

	assert(o);
	return o;
}

struct mobj *state_heap(struct state *st, struct sym p)
{
	const struct where *w = wheres_get(&st->wheres, p.id);
	struct mobj *o = mobjs_get(&st->objs, w ? w->base : p.id);

	return o && o->kind == M_HEAP && !state_is_null(st, o->addr) ? o : NULL;
}

bool state_is_null(const struct state *st, struct sym p)
{
	p = sym_refined(&st->s, p);
	return p.lo == 0 && p.hi == 0;
}

bool state_is_nonnull(const struct state *st, struct sym p)
{
	return sym_truth(&st->s, p) == 1;
}

bool state_exists(const struct state *st, uint64_t base)
{
	return sym_note_get(&st->s, hash_join(N_STATE, base)) != NULL;
}

enum ostate state_of(const struct state *st, uint64_t base)
{
	const struct sym_cell *c = sym_note_get(&st->s, hash_join(N_STATE, base));

	return c ? (enum ostate)c->value : O_LIVE;
}

uint32_t state_at(const struct state *st, uint64_t base)
{
	const struct sym_cell *c = sym_note_get(&st->s, hash_join(N_STATE, base));

	return c ? (uint32_t)c->frame : IR_NONE;
}

void state_set(struct state *st, uint64_t base, enum ostate o, uint32_t inst)
{
	sym_note_set(&st->s, hash_join(N_STATE, base), o, (struct sym){ .id = base }, inst);
}

void state_set_vague(struct state *st, uint64_t base)
{
	sym_note_set(&st->s, hash_join(N_VAGUE, base), 1, (struct sym){0}, 0);
}

bool state_is_vague(const struct state *st, uint64_t base)
{
	return sym_note_get(&st->s, hash_join(N_VAGUE, base)) != NULL;
}

uint32_t state_lost_at(const struct state *st, uint64_t base)
{
	const struct sym_cell *c = sym_note_get(&st->s, hash_join(N_LOST, base));

	return c ? (uint32_t)c->frame : IR_NONE;
}

static void lost(struct state *st, struct sym v, uint32_t inst)
{
	struct mobj *o = state_heap(st, v);

	if (o && state_of(st, o->addr.id) == O_LIVE)
		sym_note_set(&st->s, hash_join(N_LOST, o->addr.id), 0, (struct sym){0}, inst);
}

uint64_t state_stamp(const struct state *st)
{
	const struct sym_cell *c = sym_note_get(&st->s, N_STAMP);

	return c ? c->frame : 0;
}

void state_set_stamp(struct state *st, uint32_t inst)
{
	sym_note_set(&st->s, N_STAMP, 0, (struct sym){0}, hash_join(state_stamp(st), inst));
}

void state_doubt(struct state *st)
{
	if (state_is_sure(st))
		sym_note_set(&st->s, N_DOUBT, 0, (struct sym){0}, 0);
}

void state_made_up(struct state *st)
{
	if (!sym_note_get(&st->s, N_MADE_UP))
		sym_note_set(&st->s, N_MADE_UP, 0, (struct sym){0}, 0);
}

bool state_is_exact(const struct state *st)
{
	return state_is_sure(st) && !sym_note_get(&st->s, N_MADE_UP);
}

bool state_is_sure(const struct state *st)
{
	return !sym_note_get(&st->s, N_DOUBT);
}

void state_compared(struct state *st)
{
	if (!state_has_compared(st))
		sym_note_set(&st->s, N_COMPARED, 0, (struct sym){0}, 0);
}

bool state_has_compared(const struct state *st)
{
	return sym_note_get(&st->s, N_COMPARED) != NULL;
}

static bool has_round(const struct state *st, struct sym v, int depth)
{
	const struct sym_expr *e = symexprs_get(&st->s.exprs, v.id);

	if (digests_get(&st->rounds, v.id) || depth > 20)
		return true;
	if (!e)
		return false;
	return has_round(st, e->a, depth + 1) || (e->a.id != e->b.id && has_round(st, e->b, depth + 1));
}

bool state_asks_rounds(const struct state *st)
{
	for (uint32_t i = 0; i < st->s.assumed.n; i++)
		if (has_round(st, st->s.assumed.v[i].v, 0))
			return true;
	return false;
}

bool state_needs_change(const struct state *st)
{
	for (uint32_t i = 0; i < st->s.assumed.n; i++) {
		struct sym now = st->s.assumed.v[i].v, was;
		const struct sym *old;

		const struct sym_expr *e;

		while ((e = symexprs_get(&st->s.exprs, now.id)) && !symmap_get(&st->were, now.id))
			now = e->a;
		old = symmap_get(&st->were, now.id);
		if (!old)
			continue;
		was = sym_refined(&st->s, *old);
		now = sym_refined(&st->s, now);
		if (was.hi < now.lo || now.hi < was.lo ||
		    sym_truth(&st->s, was) + sym_truth(&st->s, now) == 1)
			return true;
	}
	return false;
}

bool state_was_asked(struct state *st, uint64_t id)
{
	uint64_t key = hash_join(N_ASKED, id);

	if (sym_note_get(&st->s, key))
		return true;
	sym_note_set(&st->s, key, 0, (struct sym){0}, 0);
	return false;
}

/* ---- addresses ------------------------------------------------------- */

static struct sym at(struct state *st, struct sym a, struct where w)
{
	wheres_set(&st->wheres, a.id, w);
	return a;
}

struct sym state_offset(struct state *st, struct sym p, int64_t off)
{
	struct where w;

	if (!off)
		return p;
	if (sym_is_const(sym_refined(&st->s, p)))
		return sym_const((int64_t)((uint64_t)sym_refined(&st->s, p).lo + (uint64_t)off));
	w = state_where(st, p);
	w.off = (int64_t)((uint64_t)w.off + (uint64_t)off);
	/* One name for one place, by whatever steps it is reached. */
	if (!w.any) {
		struct sym base = state_obj(st, w.base)->addr;

		return w.off ? at(st, sym_index(&st->s, base, sym_const(1), w.off), w) : base;
	}
	return at(st, sym_index(&st->s, p, sym_const(1), off), w);
}

struct sym state_element(struct state *st, struct sym p, struct sym i, int64_t size, uint32_t loop)
{
	struct where w;

	i = sym_refined(&st->s, i);
	if (sym_is_const(i) && !loop)
		return state_offset(st, p, (int64_t)((uint64_t)i.lo * (uint64_t)size));
	if (sym_is_const(sym_refined(&st->s, p)))
		return state_fresh(st, IR_C_PTR, 64);
	w = state_where(st, p);
	w.any = true;
	if (loop) {
		uint64_t round = hash_join(hash_join(hash_join(K_ROUND, p.id), i.id), loop);
		struct sym a = sym_any(round, IR_C_PTR, 64);

		a.lo = 1;
		return at(st, a, w);
	}
	return at(st, sym_index(&st->s, p, i, size), w);
}

static struct sym anywhere(struct state *st, struct sym p, int64_t off)
{
	struct where w = state_where(st, p);
	struct sym a = sym_any(hash_join(hash_join(K_ANYWHERE, p.id), (uint64_t)off), IR_C_PTR, 64);

	a.lo = 1;
	w.any = true;
	w.off += off;
	return at(st, a, w);
}

struct sym state_round(struct state *st, struct sym p, uint32_t loop)
{
	struct where w = state_where(st, p);
	struct sym a = sym_any(hash_join(hash_join(K_ROUND, p.id), loop), IR_C_PTR, 64);

	a.lo = 1;
	w.any = true;
	return at(st, a, w);
}

struct sym state_into(struct state *st, struct sym p, bool maybe_null)
{
	struct where w;
	struct sym a;

	if (sym_is_const(sym_refined(&st->s, p)))
		return state_fresh(st, IR_C_PTR, 64);
	w = state_where(st, p);
	w.any = true;
	st->salt = hash_mix(st->salt + 1);
	a = sym_any(hash_join(hash_join(K_INTO, st->salt), p.id), IR_C_PTR, 64);
	a.lo = !maybe_null;
	return at(st, a, w);
}

struct sym state_another(struct state *st, struct sym v, uint64_t which)
{
	const struct place *p = placemap_get(&st->places, v.id);
	struct place copy;
	struct sym now = sym_refined(&st->s, v), a;

	if (!p || p->bits || !place_is_any(p) || sym_is_const(now))
		return v;
	copy = *p;
	a = sym_any(hash_join(hash_join(K_ANOTHER, v.id), which), IR_C_PTR, 64);
	a.lo = now.lo > 0;
	placemap_set(&st->places, a.id, copy);
	return a;
}

/* ---- cells ----------------------------------------------------------- */

/* A cell knows the object that it is in: it is the cell's frame, so that an object's cells are
 * found without a look at all others. */
static void set_cell(struct state *st, struct sym p, struct where w, uint32_t cls_index, struct sym v,
		     bool written)
{
	struct sym_cell *c = sym_mem_set(&st->s, p, p, w.base, cls_index, v, written);

	c->from = w.off;
	c->all = w.any;
}

static struct state_cell cell_of(const struct sym_cell *c)
{
	assert(c->kind == SYM_MEM);
	return (struct state_cell){ .at = { c->frame, c->from, c->all }, .addr = { c->root, 1, INT64_MAX },
				    .v = c->v, .written = c->written };
}

void state_change(struct state *st, struct sym p, uint32_t cls_index, struct sym v)
{
	set_cell(st, p, state_where(st, p), cls_index, v, true);
}

void state_all_cells(const struct state *st, void (*fn)(const struct state_cell *c, void *arg), void *arg)
{
	struct state_cell c;

	for (uint32_t i = 0; i < st->s.cells.n; i++) {
		if (st->s.cells.e[i].val.kind != SYM_MEM)
			continue;
		c = cell_of(&st->s.cells.e[i].val);
		fn(&c, arg);
	}
}

void state_cells(const struct state *st, uint64_t base, void (*fn)(const struct state_cell *c, void *arg),
		 void *arg)
{
	struct state_cell c;

	for (uint32_t i = sym_first_of(&st->s, base); i != SYM_NO_CELL; i = sym_next_of(&st->s, i)) {
		c = cell_of(&st->s.cells.e[i].val);
		fn(&c, arg);
	}
}

VEC_TYPE(cells, struct state_cell);

static void push_cell(const struct state_cell *c, void *arg)
{
	vec_push((struct cells *)arg, *c);
}

static void collect(const struct state *st, uint64_t base, struct cells *out)
{
	vec_clear(out);
	state_cells(st, base, push_cell, out);
}

static bool is_within(const struct where *at, int64_t off, int64_t size)
{
	return at->off >= off && (size < 0 || at->off - off < size);
}

/* ---- what is there at first ------------------------------------------ */

static struct sym initial_of_global(struct state *st, const struct ir_global *g, int64_t off,
				    enum ir_class cls, unsigned bits, uint64_t id)
{
	ir_ref v = ir_init_at(g, (uint64_t)off);

	if (IR_KIND(v) == IR_R_INT)
		return sym_const(ir_int_value(st->m, v));
	if (v == IR_NULL)
		return sym_const(0);
	if (IR_KIND(v) != IR_R_SPECIAL)
		return state_symbol(st, v);
	if (v == IR_CONST || g->flags & (IR_G_PARTIAL | IR_G_STRING) || g->linkage >= IR_L_DECL)
		return sym_any(id, cls, bits);
	return sym_const(0);
}

static uint64_t epoch(const struct state *st, uint64_t base)
{
	const struct sym_cell *c = sym_note_get(&st->s, hash_join(N_EPOCH, base));

	return c ? c->frame : 0;
}

static bool longer(struct place *p, struct where w)
{
	if (p->nsteps == PLACE_STEPS)
		return false;
	p->step[p->nsteps++] = (struct place_step){ w.off, w.any };
	return true;
}

static struct sym known_to_caller(struct state *st, struct sym v, const struct mobj *o, struct where w,
				  uint64_t ep)
{
	struct place p = o->place;
	bool has = !ep;

	if (o->kind == M_GLOBAL)
		p = (struct place){ .base = PLACE_GLOBAL, .index = o->index };
	else
		has &= o->has_place;
	if (has && longer(&p, w))
		placemap_set(&st->places, v.id, with_bits(p, v));
	return v;
}

static struct sym initial_of_object(struct state *st, struct sym addr, struct where w, enum ir_class cls,
				    unsigned bits, uint64_t ep);

/* What was copied from memory that nobody had looked at yet. */
static struct sym initial_of_copy(struct state *st, const struct sym_cell *copied, struct where w,
				  enum ir_class cls, unsigned bits)
{
	struct sym from = state_obj(st, copied->v.id)->addr;
	int64_t off = w.off - copied->v.lo + (int64_t)copied->frame;

	from = w.any ? anywhere(st, from, off) : state_offset(st, from, off);
	return initial_of_object(st, from, state_where(st, from), cls, bits, 0);
}

static struct sym initial_of_object(struct state *st, struct sym addr, struct where w, enum ir_class cls,
				    unsigned bits, uint64_t ep)
{
	const struct mobj *o = state_obj(st, w.base);
	uint64_t id = hash_join(hash_join(K_INITIAL, addr.id), ep);
	const struct ir_global *g;

	switch ((enum mkind)o->kind) {
	case M_HEAP:
		return o->zeroed && !ep ? sym_const(0) : sym_any(id, cls, bits);
	case M_GLOBAL:
		g = &st->m->globals.v[o->index];
		if (!w.any && (g->flags & IR_G_CONST || (st->fixed && bits_test(st->fixed, o->index))))
			return initial_of_global(st, g, w.off, cls, bits, id);
		return known_to_caller(st, sym_any(id, cls, bits), o, w, ep);
	case M_INPUT:
		return known_to_caller(st, sym_any(id, cls, bits), o, w, ep);
	default:
		return sym_any(id, cls, bits);
	}
}

static struct sym initial(struct state *st, struct sym addr, struct where w, enum ir_class cls, unsigned bits)
{
	const struct sym_cell *zero = sym_note_get(&st->s, hash_join(N_ZERO, w.base));
	const struct sym_cell *copied = sym_note_get(&st->s, hash_join(N_COPIED, w.base));
	uint64_t ep = epoch(st, w.base);

	if (zero && w.off >= zero->v.lo && w.off < zero->v.hi)
		return sym_const(0);
	if (copied && !ep && w.off >= copied->v.lo && w.off < copied->v.hi)
		return initial_of_copy(st, copied, w, cls, bits);
	return initial_of_object(st, addr, w, cls, bits, ep);
}

/* Surely no pointer: computed, or a number of the caller's. */
static bool is_number(const struct state *st, struct sym v)
{
	const struct place *p = placemap_get(&st->places, v.id);
	const struct sym_expr *e = symexprs_get(&st->s.exprs, v.id);

	if (p)
		return p->bits && p->bits < 64;
	if (sym_tag(v) == SYM_T_CONST)
		return v.lo != 0;
	if (!e || (e->op != IR_BIN && e->op != IR_CMP && e->op != SYM_NOT))
		return false;
	return e->bits < 64 && !wheres_get(&st->wheres, v.id);
}

/* Is there an element, or something at an offset that is not known, that this may be? */
static bool may_be_element(struct state *st, struct where w, enum ir_class cls)
{
	for (uint32_t i = sym_first_of(&st->s, w.base); i != SYM_NO_CELL; i = sym_next_of(&st->s, i)) {
		const struct sym_cell *c = &st->s.cells.e[i].val;
		bool meets = w.any ? c->from >= w.off : c->from <= w.off;

		if (!c->written || !meets || (!w.any && !c->all))
			continue;
		if (cls != IR_C_PTR || !is_number(st, c->v))
			return true;
	}
	return false;
}

struct sym state_load(struct state *st, struct sym p, enum ir_class cls, unsigned bits, uint32_t cls_index)
{
	const struct sym_cell *c = sym_mem_get(&st->s, p);
	struct where w = state_where(st, p);
	struct sym v;

	if (c) {
		v = c->v;
		if (c->value != cls_index)
			set_cell(st, p, w, cls_index, v, c->written);
		if (cls == IR_C_INT && bits && bits < 64 && !sym_is_const(v)) {
			struct sym all = sym_any(0, cls, bits);

			if (v.lo < all.lo || v.hi > all.hi) {
				const struct sym *was = symmap_get(&st->were, v.id);
				struct sym old = was ? *was : v;

				v = sym_any(hash_join(v.id, bits), cls, bits);
				if (was)
					symmap_set(&st->were, v.id, old);
			}
		}
		return v;
	}
	if (may_be_element(st, w, cls)) {
		v = sym_any(hash_join(hash_join(K_ELEM, p.id), epoch(st, w.base)), cls, bits);
		wheres_set(&st->elems, v.id, w);
		state_doubt(st);
	} else {
		v = initial(st, p, w, cls, bits);
	}
	set_cell(st, p, w, cls_index, v, false);
	return v;
}

void state_store(struct state *st, struct sym p, struct sym v, uint32_t cls_index, uint32_t inst)
{
	const struct sym_cell *c = sym_mem_get(&st->s, p);

	if (c && c->v.id != v.id)
		lost(st, c->v, inst);
	set_cell(st, p, state_where(st, p), cls_index, v, true);
}

uint64_t state_copied(const struct state *st, uint64_t base, int64_t *from, int64_t *to, int64_t *size)
{
	const struct sym_cell *c = sym_note_get(&st->s, hash_join(N_COPIED, base));

	if (!c)
		return 0;
	*from = (int64_t)c->frame;
	*to = c->v.lo;
	*size = c->v.hi == INT64_MAX ? -1 : c->v.hi - c->v.lo;
	return c->v.id;
}

static void copy_cell(struct state *st, struct sym to, const struct state_cell *c, uint32_t inst)
{
	if (c->at.any)
		state_put_in(st, to, c->v, inst);
	else
		state_store(st, to, c->v, IR_NONE, inst);
}

/* What nobody has looked at yet is copied when somebody does: remembered is where it comes from
 * in the end, since the source may itself be written over by then. */
static void copy_rest(struct state *st, struct where src, struct where dst, int64_t size)
{
	const struct sym_cell *c = sym_note_get(&st->s, hash_join(N_COPIED, src.base));
	const struct sym_cell *zero = sym_note_get(&st->s, hash_join(N_ZERO, src.base));
	int64_t end = size < 0 ? INT64_MAX : dst.off + size;
	bool in_zero = zero && src.off >= zero->v.lo && src.off < zero->v.hi;

	if (in_zero && (size < 0 || src.off + size <= zero->v.hi)) {
		sym_note_set(&st->s, hash_join(N_ZERO, dst.base), 0, (struct sym){ 0, dst.off, end }, 0);
		return;
	}
	if (c && src.off >= c->v.lo && src.off < c->v.hi) {
		src.off = src.off - c->v.lo + (int64_t)c->frame;
		src.base = c->v.id;
	} else if (epoch(st, src.base)) {
		return;
	}
	if (state_obj(st, src.base)->kind != M_INPUT)
		return;
	st->copies = true;
	sym_note_set(&st->s, hash_join(N_COPIED, dst.base), 0, (struct sym){ src.base, dst.off, end },
		     (uint64_t)src.off);
}

void state_copy(struct state *st, struct sym to, struct sym from, int64_t size, uint32_t inst)
{
	struct where src = state_where(st, from), dst = state_where(st, to);
	struct cells old = {0}, cells = {0};
	const struct mobj *o = state_obj(st, src.base);
	bool exact = !src.any && !dst.any;

	/* moved within an array of which nobody knows the elements: it holds what it held */
	if (src.base == dst.base && !exact)
		return;
	collect(st, dst.base, &old);
	for (uint32_t i = 0; i < old.n && exact && src.base != dst.base; i++)
		if (is_within(&old.v[i].at, dst.off, size) && !old.v[i].at.any)
			state_load(st, state_offset(st, from, old.v[i].at.off - dst.off), IR_C_OPAQUE, 0,
				   IR_NONE);
	collect(st, src.base, &cells);
	if (exact && src.base != dst.base)
		copy_rest(st, src, dst, size);
	else if (!exact && o->kind == M_INPUT)	/* what it holds is there as well now, somewhere */
		state_put_in(st, to, state_load(st, anywhere(st, from, 0), IR_C_PTR, 64, IR_NONE), inst);
	for (uint32_t i = 0; i < cells.n; i++)
		if (is_within(&cells.v[i].at, src.off, size) &&
		    !(cells.v[i].at.any && !state_heap(st, cells.v[i].v)))
			copy_cell(st, state_offset(st, to, cells.v[i].at.off - src.off), &cells.v[i], inst);
	o = state_obj(st, src.base);
	if (o->kind == M_GLOBAL && st->m->globals.v[o->index].flags & IR_G_CONST) {
		const struct ir_global *g = &st->m->globals.v[o->index];

		if (!dst.any && size > 0)
			state_zero(st, to, size, inst);
		for (uint32_t i = 0; i < g->ninits; i++) {
			struct where w = { .off = (int64_t)g->inits[i].offset };

			if (is_within(&w, src.off, size)) {
				uint64_t id = hash_join(K_INITIAL, src.base + i);
				struct sym v = initial_of_global(st, g, w.off, IR_C_OPAQUE, 0, id);

				state_store(st, state_offset(st, to, w.off - src.off), v, IR_NONE, inst);
			}
		}
	}
	vec_release(&old);
	vec_release(&cells);
}

void state_zero(struct state *st, struct sym to, int64_t size, uint32_t inst)
{
	struct where w = state_where(st, to);
	struct cells cells = {0};

	collect(st, w.base, &cells);
	for (uint32_t i = 0; i < cells.n; i++)
		if (is_within(&cells.v[i].at, w.off, size))
			state_store(st, cells.v[i].addr, sym_const(0), IR_NONE, inst);
	if (!w.any)
		sym_note_set(&st->s, hash_join(N_ZERO, w.base), 0,
			     (struct sym){ 0, w.off, size < 0 ? INT64_MAX : w.off + size }, 0);
	vec_release(&cells);
}

void state_forget(struct state *st, uint64_t base, bool pointers)
{
	state_forget_from(st, base, INT64_MIN, pointers);
}

void state_forget_from(struct state *st, uint64_t base, int64_t from, bool pointers)
{
	struct cells cells = {0};
	struct sym now;
	struct mobj *o;

	collect(st, base, &cells);
	for (uint32_t i = 0; i < cells.n; i++) {
		const struct where *w = wheres_get(&st->wheres, cells.v[i].v.id);

		o = mobjs_get(&st->objs, w ? w->base : cells.v[i].v.id);
		if (o && (o->kind != M_HEAP || state_is_null(st, o->addr)) &&
		    !(o->kind == M_INPUT && cells.v[i].written))
			o = NULL;
		if ((o && o->kind == M_HEAP && !pointers) || (cells.v[i].at.off < from && !cells.v[i].at.any))
			continue;
		if (o && state_of(st, o->addr.id) == O_LIVE)
			state_set(st, o->addr.id, O_KEPT, IR_NONE);
		st->salt = hash_mix(st->salt + 1);
		now = sym_any(hash_join(K_FRESH, hash_join(cells.v[i].addr.id, st->salt)), IR_C_OPAQUE, 0);
		if (state_obj(st, base)->kind == M_GLOBAL)
			symmap_set(&st->were, now.id, cells.v[i].v);
		set_cell(st, cells.v[i].addr, cells.v[i].at, IR_NONE, now, true);
	}
	sym_note_set(&st->s, hash_join(N_EPOCH, base), 0, (struct sym){0}, hash_mix(st->salt + base) | 1);
	vec_release(&cells);
}

void state_put_in(struct state *st, struct sym p, struct sym v, uint32_t inst)
{
	struct where w = state_where(st, p);
	struct sym a = sym_any(hash_join(hash_join(K_INSIDE, w.base + (uint64_t)w.off), v.id), IR_C_PTR, 64);

	a.lo = 1;
	w.any = true;
	state_store(st, at(st, a, w), v, IR_NONE, inst);
}

/* ---- places ---------------------------------------------------------- */

static bool place_base(struct state *st, const struct place *p, const struct sym *args, uint32_t nargs,
		       const struct sym *news, struct sym *v)
{
	switch ((enum place_base)p->base) {
	case PLACE_ARG:
		if (p->index >= nargs)
			return false;
		*v = args[p->index];
		return true;
	case PLACE_GLOBAL:
		*v = state_symbol(st, IR_REF(IR_R_GLOBAL, p->index));
		return true;
	case PLACE_NEW:
		assert(news);
		*v = news[p->index];
		return true;
	case PLACE_VARARGS:	/* one of many: exec_apply.c goes through them */
		return false;
	}
	return false;
}

static struct sym step_addr(struct state *st, struct sym v, const struct place_step *s)
{
	return s->any ? anywhere(st, v, s->off) : state_offset(st, v, s->off);
}

bool state_place_addr(struct state *st, const struct place *p, const struct sym *args, uint32_t nargs,
		      const struct sym *news, struct sym *addr)
{
	struct sym v;

	assert(p->nsteps <= PLACE_STEPS);
	if (!p->nsteps || !place_base(st, p, args, nargs, news, &v))
		return false;
	for (unsigned i = 0;; i++) {
		if (sym_is_const(sym_refined(&st->s, v)))
			return false;
		v = step_addr(st, v, &p->step[i]);
		if (i + 1 == p->nsteps)
			break;
		v = state_load(st, v, IR_C_PTR, 64, IR_NONE);
	}
	*addr = v;
	return true;
}

struct sym state_place(struct state *st, const struct place *p, const struct sym *args, uint32_t nargs,
		       const struct sym *news, enum ir_class cls, unsigned bits)
{
	struct sym v;

	if (!p->nsteps)
		return place_base(st, p, args, nargs, news, &v) ? v : state_fresh(st, cls, bits);
	if (!state_place_addr(st, p, args, nargs, news, &v))
		return state_fresh(st, cls, bits);
	return state_load(st, v, cls, bits, IR_NONE);
}
