/*
 * objects.c - objects, and the offsets in them that can be told apart.
 *
 * A loc's offset is normalised by the object's type: the elements of an array
 * are one, an offset beyond the end wraps around (a heap block is an array of
 * its type).  Without a type offsets stay as they are until there are too many,
 * then the object collapses to one cell.  Both merge locations that the program
 * tells apart: more aliases, never fewer.
 */
#include "pta/facts.h"
#include "pta/priv.h"

/* Offsets of one object before it collapses: without a type they are guesses. */
enum { MAX_OFFSETS = 1024, MAX_OFFSETS_UNTYPED = 32 };

/* The offset within `type` with every array reduced to its first element. */
static uint64_t normal_offset(const struct pta *p, uint32_t type, uint64_t off)
{
	const struct ir_module *m = p->m;
	uint64_t base = 0;

	for (int depth = 0; depth < 64; depth++) {
		const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];
		const struct ir_field *f;

		if (t->size && off >= t->size)
			off %= t->size;
		switch (t->kind) {
		case IR_T_ARRAY:
			type = t->elem;
			if (!m->types.v[ir_type_strip(m, type)].size)
				return base + off;
			off %= m->types.v[ir_type_strip(m, type)].size;
			break;
		case IR_T_STRUCT:
			f = ir_field_at(m, type, off);
			if (!f || f->offset > off)
				return base + off;
			base += f->offset;
			off -= f->offset;
			type = f->type;
			break;
		case IR_T_INT:
		case IR_T_ENUM:
		case IR_T_FLOAT:
		case IR_T_PTR:
			return base;	/* the middle of a scalar */
		case IR_T_UNION:
			return pta__holds_pointers(p, type) ? base + off : base;
		default:
			return base + off;
		}
	}
	return base + off;
}

/* An array of characters?  Pointers that lie in one are not followed. */
static bool is_text(const struct ir_module *m, uint32_t type)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];

	while (t->kind == IR_T_ARRAY)
		t = &m->types.v[ir_type_strip(m, t->elem)];
	return t->flags & IR_TF_CHAR && t->kind == IR_T_INT;
}

/* Is a struct `want` among what lies at offset off of `type`: itself, a member
 * that begins there, an element of an array?  Of a union all members lie there,
 * and characters in one are storage for anything. */
static bool lies_at(const struct pta *p, uint32_t type, uint64_t off, uint32_t want)
{
	const struct ir_module *m = p->m;

	for (int depth = 0; depth < 16; depth++) {
		const struct ir_type *t;
		const struct ir_field *f;

		type = ir_type_strip(m, type);
		t = &m->types.v[type];
		if (t->size)
			off %= t->size;
		if (off == 0 && (type == want || pta__is_cast(p, type, want)))
			return true;
		switch (t->kind) {
		case IR_T_ARRAY:
			type = t->elem;
			break;
		case IR_T_STRUCT:
			if (t->flags & IR_TF_DECL)
				return true;
			f = ir_field_at(m, type, off);
			if (!f || f->offset > off)
				return false;
			off -= f->offset;
			type = f->type;
			break;
		case IR_T_UNION:
			for (uint32_t i = 0; i < t->nfields; i++)
				if (is_text(m, t->fields[i].type) ||
				    (off < m->types.v[ir_type_strip(m, t->fields[i].type)].size &&
				     lies_at(p, t->fields[i].type, off, want)))
					return true;
			return t->flags & IR_TF_DECL;
		case IR_T_UNKNOWN:
			return true;
		default:
			return false;
		}
	}
	return true;
}

/* The type of the scalar at an offset; 0 if that is not clear. */
static uint32_t member_type(const struct ir_module *m, uint32_t type, uint64_t off)
{
	for (int depth = 0; depth < 64; depth++) {
		const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];
		const struct ir_field *f;

		if (t->size)
			off %= t->size;
		if (t->kind == IR_T_ARRAY) {
			type = t->elem;
		} else if (t->kind == IR_T_STRUCT) {
			f = t->flags & IR_TF_DECL ? NULL : ir_field_at(m, type, off);
			if (!f || f->offset > off)
				return 0;
			off -= f->offset;
			type = f->type;
		} else {
			return off ? 0 : type;
		}
	}
	return 0;
}

/* A pointer to nothing in particular: void *, char *, to a union. */
static bool is_generic(const struct ir_type *t)
{
	return t->kind == IR_T_VOID || t->kind == IR_T_UNKNOWN || t->kind == IR_T_UNION || t->size == 1;
}

static bool is_int(const struct ir_type *t)
{
	return t->kind == IR_T_INT || t->kind == IR_T_ENUM;
}

/* May a scalar declared as the one be used as the other, through a pointer to it? */
static bool same_scalar(const struct pta *p, const struct ir_type *a, const struct ir_type *b)
{
	const struct ir_module *m = p->m;
	uint32_t x, y;
	const struct ir_type *tx, *ty;

	if (a->kind != IR_T_PTR || b->kind != IR_T_PTR)
		return (a->kind == b->kind || (is_int(a) && is_int(b))) && a->size == b->size;
	x = ir_type_strip(m, a->elem);
	y = ir_type_strip(m, b->elem);
	tx = &m->types.v[x];
	ty = &m->types.v[y];
	if (x == y || is_generic(tx) || is_generic(ty))
		return true;
	return (tx->kind == ty->kind && tx->kind != IR_T_STRUCT) || pta__is_cast(p, x, y);
}

/* Could a function declared as a be called as b?  Programs call a comparator that
 * takes structs through a pointer to a function that takes void *.  They do not
 * pass one struct for another. */
static bool same_function(const struct pta *p, uint32_t a, uint32_t b)
{
	const struct ir_module *m = p->m;
	const struct ir_type *x = &m->types.v[a], *y = &m->types.v[b];

	if (a == b || x->kind != IR_T_FUNC || y->kind != IR_T_FUNC || (x->flags | y->flags) & IR_TF_VARIADIC)
		return true;
	if (!x->nfields || !y->nfields)
		return true;	/* maybe without a prototype */
	if (x->nfields != y->nfields)
		return false;
	for (uint32_t i = 0; i < x->nfields; i++) {
		const struct ir_type *s = &m->types.v[ir_type_strip(m, x->fields[i].type)];
		const struct ir_type *t = &m->types.v[ir_type_strip(m, y->fields[i].type)];

		if (s->kind == IR_T_PTR && t->kind == IR_T_PTR && !same_scalar(p, s, t))
			return false;
		if ((s->kind == IR_T_PTR) != (t->kind == IR_T_PTR) && (s->size < 8 || t->size < 8))
			return false;
	}
	return true;
}

static bool holds_pointers(const struct pta *p, uint32_t type, int depth)
{
	const struct ir_type *t = &p->m->types.v[ir_type_strip(p->m, type)];

	switch (t->kind) {
	case IR_T_FLOAT:
		return false;
	case IR_T_INT:
	case IR_T_ENUM:
		return t->size >= 8 && pta__int_holds(p, type);
	case IR_T_ARRAY:
		return depth > 32 || holds_pointers(p, t->elem, depth + 1);
	case IR_T_STRUCT:
	case IR_T_UNION:
		if (t->flags & IR_TF_DECL || depth > 32 || !t->nfields)
			return true;
		for (uint32_t i = 0; i < t->nfields; i++)
			if (holds_pointers(p, t->fields[i].type, depth + 1))
				return true;
		return false;
	default:
		return true;
	}
}

/* A struct or union (in arrays or not) without a place for a pointer?  Of other
 * types one never knows: an array of integers may be used as anything. */
bool pta__holds_pointers(const struct pta *p, uint32_t type)
{
	const struct ir_type *t;

	for (t = &p->m->types.v[ir_type_strip(p->m, type)]; t->kind == IR_T_ARRAY;
	     t = &p->m->types.v[ir_type_strip(p->m, t->elem)])
		;
	return !bits_test(&p->blank_types, (uint32_t)(t - p->m->types.v));
}

static void find_blank_types(struct pta *p)
{
	bits_init(&p->blank_types, p->m->types.n);
	for (uint32_t i = 0; i < p->m->types.n; i++) {
		uint8_t kind = p->m->types.v[i].kind;

		if ((kind == IR_T_STRUCT || kind == IR_T_UNION) && !holds_pointers(p, i, 0))
			bits_set(&p->blank_types, i);
	}
}

/* A struct with characters behind the other members: `struct { int n; char text[]; }`? */
static bool ends_in_text(const struct pta *p, uint32_t type)
{
	const struct ir_type *t = &p->m->types.v[type], *last;

	if (t->kind != IR_T_STRUCT || !t->nfields)
		return false;
	last = &p->m->types.v[ir_type_strip(p->m, t->fields[t->nfields - 1].type)];
	return last->kind == IR_T_ARRAY && p->m->types.v[ir_type_strip(p->m, last->elem)].size == 1;
}

/* By its type, may a pointer to `type` point to what lies in an `outer` at the offset? */
static bool lies_fitting(const struct pta *p, uint32_t outer, uint32_t off, uint32_t type)
{
	const struct ir_type *want = &p->m->types.v[type], *t;
	uint32_t member;

	if (want->kind != IR_T_STRUCT && want->kind != IR_T_UNION) {
		member = ir_type_strip(p->m, member_type(p->m, outer, off));
		t = &p->m->types.v[member];
		return !member || t->kind == IR_T_UNION || same_scalar(p, t, want);
	}
	if (lies_at(p, outer, off, type))
		return true;
	/* a union's member, taken for the union */
	for (uint32_t i = 0; want->kind == IR_T_UNION && i < want->nfields; i++)
		if (lies_at(p, outer, off, ir_type_strip(p->m, want->fields[i].type)))
			return true;
	return false;
}

/* Programs cast.  But memory known to be of one struct is not used as another
 * except where one begins with the other or the program casts between them
 * (casts.c), and a pointer declared to point to a scalar points to one.  This is
 * the one place where types are taken at their word: in a program that does
 * otherwise flows are lost (and what is stored through such a pointer counts as
 * escaped).  A pointer to characters may point to any allocation that has pointers
 * or text in it, but not to a variable that is a struct. */
bool pta__fits(struct pta *p, uint32_t loc, uint32_t type)
{
	const struct pta_obj *o = &p->objs.v[p->locs.v[loc].obj];
	uint32_t outer = ir_type_strip(p->m, o->type), off = p->locs.v[loc].off;
	const struct ir_type *t = &p->m->types.v[outer], *want = &p->m->types.v[type];
	bool is_heap = o->kind == PTA_HEAP || o->kind == PTA_VIEW;
	struct fits *memo;

	assert(type && type != WANT_NOTHING);
	if (o->kind == PTA_BLOB)
		return true;
	if (o->kind == PTA_FUNC || want->kind == IR_T_FUNC)
		return o->kind == PTA_FUNC && want->kind == IR_T_FUNC &&
		       same_function(p, p->m->funcs.v[o->index].type, type);
	if (outer == type && !off)
		return true;
	if (o->text)
		return !want->size || want->size == 1;
	if (o->blank) {
		if (is_heap && want->size == 1 && ends_in_text(p, outer))
			return true;
		return !pta__holds_pointers(p, type);
	}
	if (pta__is_raw(p, loc))
		return want->kind != IR_T_STRUCT || !o->asked || want->size <= o->asked;
	if (!t->size || o->collapsed)
		return true;
	if (is_heap && off == 0 && want->size <= 1)
		return true;	/* xfree(char *) is given anything */
	/* a heap block whose type we only guessed, smaller than what is asked for: the
	 * first part of something larger */
	if (is_heap && off == 0 && want->size > t->size && lies_at(p, type, 0, outer))
		return true;
	memo = &p->fits[hash_join(PTA_KEY(outer, type), off) % FITS_MEMO];
	if (memo->outer != outer || memo->type != type || memo->off != off)
		*memo = (struct fits){ outer, type, off, lies_fitting(p, outer, off, type) };
	return memo->yes;
}

const struct sbits *pta__fitting(struct pta *p, uint32_t type)
{
	bool is_new;
	uint32_t *at = u64map_put(&p->fitting_at, type, &is_new);
	struct fitting *f;

	if (is_new) {
		*at = p->fitting.n;
		vec_push(&p->fitting, ((struct fitting){0}));
	}
	f = &p->fitting.v[*at];
	for (; f->upto < p->locs.n; f->upto++)
		if (pta__fits(p, f->upto, type))
			sbits_set(&f->set, f->upto);
	return &f->set;
}

/* A struct that no unit of the program has the layout of: a library's. */
static bool is_opaque(const struct ir_module *m, uint32_t type)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];

	return t->kind == IR_T_STRUCT && t->flags & IR_TF_DECL;
}

uint32_t pta__new_obj(struct pta *p, enum pta_okind kind, uint32_t func, uint32_t index, uint32_t type)
{
	struct pta_obj o = { .kind = kind, .func = func, .index = index, .type = type,
			     .first_loc = IR_NONE, .root = IR_NONE, .site = IR_NONE, .views = IR_NONE };

	assert(p->objs.n < IR_NONE - 1);
	o.size = p->m->types.v[ir_type_strip(p->m, type)].size;
	o.text = is_text(p->m, type) || is_opaque(p->m, type) || kind == PTA_FUNC ||
		 (kind == PTA_GLOBAL && p->m->globals.v[index].flags & IR_G_STRING);
	o.blank = o.text || (kind != PTA_BLOB && kind != PTA_VARARG && !pta__holds_pointers(p, type));
	o.collapsed = kind == PTA_BLOB || kind == PTA_FUNC || kind == PTA_VARARG;
	if (p->objs.n >= p->watch_cap) {
		p->watch_cap = (uint32_t)mem_room(p->objs.n + 1, MAX(1024, p->watch_cap * 2));
		p->watch = xrealloc(p->watch, p->watch_cap * sizeof(*p->watch));
	}
	p->watch[p->objs.n] = IR_NONE;
	vec_push(&p->objs, o);
	return p->objs.n - 1;
}

/* May the cell at an offset of an object hold a pointer?  The scalar that a heap
 * block is an array of is a guess: only a struct's members count there.  The
 * first member of a struct also stands for all that a library keeps in it
 * (`*fa = new`). */
bool pta__cell_holds(const struct pta *p, uint32_t obj, uint64_t off)
{
	const struct pta_obj *o = &p->objs.v[obj];
	uint32_t type;
	const struct ir_type *t;
	bool is_struct;

	if (o->blank)
		return false;
	if (!o->size || o->collapsed)
		return true;
	is_struct = p->m->types.v[ir_type_strip(p->m, o->type)].kind == IR_T_STRUCT;
	if (is_struct ? off == 0 : o->kind == PTA_HEAP)
		return true;
	type = member_type(p->m, o->type, off);
	t = &p->m->types.v[ir_type_strip(p->m, type)];
	if (is_struct && !type)
		return false;	/* padding */
	if (t->kind == IR_T_INT || t->kind == IR_T_ENUM)
		return !t->size || (t->size >= 8 && (!is_struct || pta__int_holds(p, type)));
	return t->kind != IR_T_FLOAT && pta__holds_pointers(p, type);
}

/* What the cell at a loc is declared as. */
static void declare_cell(struct pta *p, uint32_t loc)
{
	const struct pta_loc *l = &p->locs.v[loc];
	const struct pta_obj *o = &p->objs.v[l->obj];

	if (!pta__cell_holds(p, l->obj, l->off))
		p->nodes.v[l->node].want = WANT_NOTHING;
	else if (o->size && !o->collapsed)
		pta__declare(p, l->node, member_type(p->m, o->type, l->off));
}

static uint32_t find_or_make_loc(struct pta *p, uint32_t obj, uint32_t off)
{
	bool is_new;
	uint32_t *slot = u64map_put(&p->loc_at, PTA_KEY(obj, off), &is_new);
	uint32_t loc, node;

	if (!is_new)
		return *slot;
	assert(p->set_of == NULL);	/* who asks after the solver is through gets what there is */
	loc = *slot = p->locs.n;
	node = pta__new_node(p);
	vec_push(&p->locs, ((struct pta_loc){ obj, off, node, p->objs.v[obj].first_loc, obj }));
	p->objs.v[obj].first_loc = loc;
	p->objs.v[obj].nlocs++;
	if (pta__is_raw(p, loc))
		sbits_set(&p->raw, loc);
	declare_cell(p, loc);
	if (p->objs.v[obj].kind == PTA_BLOB)
		pta__point(p, node, loc);
	if (p->objs.v[obj].common)
		pta__point(p, node, pta__loc(p, p->blob[PTA_B_UNKNOWN], 0));
	if (p->objs.v[obj].given)
		pta__edge(p, node, p->given_away);
	if (p->watch[obj] != IR_NONE)
		pta__copy_new_loc(p, loc);
	return loc;
}

/* From now on all offsets are one; the cells there are already become equal. */
static void collapse(struct pta *p, uint32_t obj)
{
	uint32_t first = find_or_make_loc(p, obj, 0);

	assert(!p->objs.v[obj].collapsed && p->objs.v[obj].kind != PTA_BLOB);
	p->objs.v[obj].collapsed = true;
	for (uint32_t l = p->objs.v[obj].first_loc; l != IR_NONE; l = p->locs.v[l].next) {
		if (l == first)
			continue;
		pta__edge(p, p->locs.v[l].node, p->locs.v[first].node);
		pta__edge(p, p->locs.v[first].node, p->locs.v[l].node);
	}
}

/* The offset of obj that stands for off. */
static uint32_t offset_in(const struct pta *p, uint32_t obj, int64_t off)
{
	const struct pta_obj *o = &p->objs.v[obj];

	if (o->collapsed || o->blank || off < 0 || off > UINT32_MAX)
		return 0;
	return o->size ? (uint32_t)normal_offset(p, o->type, (uint64_t)off) : (uint32_t)off;
}

uint32_t pta__find_loc(const struct pta *p, uint32_t obj, int64_t off)
{
	const uint32_t *at = u64map_get(&p->loc_at, PTA_KEY(obj, offset_in(p, obj, off)));

	return at ? *at : IR_NONE;
}

/* To normalise an offset the type must be walked.  The offsets that are asked for are few, and remembered. */
uint32_t pta__loc(struct pta *p, uint32_t obj, int64_t off)
{
	uint32_t loc, *memo;
	bool is_new;

	if (off < 0 || off > UINT32_MAX)
		off = 0;
	memo = u64map_put(&p->raw_loc, PTA_KEY(obj, off), &is_new);
	if (!is_new && !p->objs.v[obj].collapsed)
		return *memo;
	loc = find_or_make_loc(p, obj, offset_in(p, obj, off));
	*u64map_get(&p->raw_loc, PTA_KEY(obj, off)) = loc;
	if (!p->objs.v[obj].collapsed &&
	    p->objs.v[obj].nlocs >= (uint32_t)(p->objs.v[obj].size ? MAX_OFFSETS : MAX_OFFSETS_UNTYPED))
		collapse(p, obj);
	return loc;
}

uint32_t pta__slot_obj(struct pta *p, uint32_t func, uint32_t slot)
{
	bool is_new;
	uint32_t *at = u64map_put(&p->slot_obj, PTA_KEY(func, slot), &is_new);

	if (is_new)
		*at = pta__new_obj(p, PTA_SLOT, func, slot, p->m->funcs.v[func].slots[slot].type);
	return *at;
}

uint32_t pta__heap_obj(struct pta *p, uint32_t func, uint32_t inst, unsigned k, uint32_t type)
{
	bool is_new;
	uint32_t *at;

	assert(k < PTA_MAX_OUTS && func < 1u << 29);	/* three bits are left for k */
	assert(p->m->funcs.v[func].insts[inst].op == IR_CALL);
	at = u64map_put(&p->heap_obj, PTA_KEY(func, inst) | (uint64_t)k << 61, &is_new);
	if (is_new) {
		*at = pta__new_obj(p, PTA_HEAP, func, inst, type);
		p->objs.v[*at].asked = pta__size_hint(p, func, inst);
		p->objs.v[*at].nth = (uint8_t)k;
	}
	return *at;
}

uint32_t pta_heap_at(const struct pta *p, uint32_t func, uint32_t inst, unsigned k)
{
	const uint32_t *at = NULL;

	trace_note(FACT_INSIDE, func, 0);
	if (k < PTA_MAX_OUTS)
		at = u64map_get(&p->heap_obj, PTA_KEY(func, inst) | (uint64_t)k << 61);
	return at ? *at : IR_NONE;
}

uint32_t pta__const_loc(struct pta *p, uint32_t func, ir_ref r)
{
	switch (IR_KIND(r)) {
	case IR_R_SLOT:
		return pta__loc(p, pta__slot_obj(p, func, IR_IDX(r)), 0);
	case IR_R_GLOBAL:
		return pta__loc(p, p->global_obj[IR_IDX(r)], 0);
	case IR_R_FUNC:
		return pta__loc(p, p->func_obj[IR_IDX(r)], 0);
	case IR_R_ADDR: {
		const struct ir_addr *a = &p->m->addrs.v[IR_IDX(r)];
		uint32_t i = IR_IDX(a->base);

		if (IR_KIND(a->base) == IR_R_FUNC)
			return pta__loc(p, p->func_obj[i], 0);
		assert(IR_KIND(a->base) == IR_R_GLOBAL);
		return pta__loc(p, p->global_obj[i], a->offset);
	}
	default:
		return IR_NONE;
	}
}

void pta__objects_init(struct pta *p)
{
	const struct ir_module *m = p->m;
	uint32_t literals = IR_NONE;

	assert(!p->nodes.n && !p->objs.n);	/* the blobs come first */
	find_blank_types(p);
	p->fits = arena_array(&p->arena, struct fits, FITS_MEMO);
	p->given_away = pta__new_node(p);
	for (int b = 0; b < PTA_B__COUNT; b++)
		p->blob[b] = pta__new_obj(p, PTA_BLOB, IR_NONE, (uint32_t)b, 0);
	p->global_obj = arena_array(&p->arena, uint32_t, m->globals.n);
	for (uint32_t i = 0; i < m->globals.n; i++) {
		bool literal = m->globals.v[i].flags & IR_G_STRING;

		/* String literals hold no pointers and are nobody's to free: one is as good as another. */
		if (!literal || literals == IR_NONE)
			p->global_obj[i] = pta__new_obj(p, PTA_GLOBAL, IR_NONE, i, m->globals.v[i].type);
		else
			p->global_obj[i] = literals;
		if (literal)
			literals = p->global_obj[i];
	}
	p->func_obj = arena_array(&p->arena, uint32_t, m->funcs.n);
	p->vararg_obj = arena_array(&p->arena, uint32_t, m->funcs.n);
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		p->func_obj[i] = pta__new_obj(p, PTA_FUNC, IR_NONE, i, 0);
		p->vararg_obj[i] = IR_NONE;
		if (m->funcs.v[i].flags & IR_FN_VARIADIC && !ir_is_decl(&m->funcs.v[i]))
			p->vararg_obj[i] = pta__new_obj(p, PTA_VARARG, i, 0, 0);
	}
}

void pta__objects_forget(struct pta *p)
{
	u64map_release(&p->raw_loc);
	u64map_release(&p->fitting_at);
	for (uint32_t i = 0; i < p->fitting.n; i++)
		sbits_release(&p->fitting.v[i].set);
	vec_release(&p->fitting);
	free(p->watch);
	p->watch = NULL;
	vec_release(&p->watchers);
	vec_release(&p->pending);
	sbits_release(&p->raw);
	u64map_release(&p->view_at);
	vec_release(&p->new_views);
}

void pta__objects_release(struct pta *p)
{
	vec_release(&p->objs);
	vec_release(&p->locs);
	u64map_release(&p->loc_at);
	u64map_release(&p->text_copies);
	bits_release(&p->blank_types);
	u64map_release(&p->cast);
	u64map_release(&p->slot_obj);
	u64map_release(&p->heap_obj);
}
