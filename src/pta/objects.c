/*
 * objects.c - objects, and the offsets in them that can be told apart.
 *
 * A loc's offset is normalised by the object's type: the elements of an array
 * are one, an offset beyond the end wraps around (a heap block is an array of
 * its type).  Without a type offsets stay as they are until there are too many,
 * then the object collapses to one cell.  Both merge locations that the program
 * keeps apart: more aliases, never fewer.
 */
#include "pta/priv.h"

/* Offsets of one object before it collapses: without a type they are guesses. */
enum { MAX_OFFSETS = 256, MAX_OFFSETS_UNTYPED = 32 };

/* The offset within `type` with every array reduced to its first element. */
static uint64_t normal_offset(const struct ir_module *m, uint32_t type, uint64_t off)
{
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
		default:
			return base + off;
		}
	}
	return base + off;
}

/* Is a struct `want` among what lies at offset off of `type`: itself, a member
 * that begins there, an element of an array?  Unions may be anything. */
static bool lies_at(const struct pta *p, uint32_t type, uint64_t off, uint32_t want)
{
	const struct ir_module *m = p->m;

	for (int depth = 0; depth < 64; depth++) {
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
			f = t->flags & IR_TF_DECL ? NULL : ir_field_at(m, type, off);
			if (!f || f->offset > off)
				return !f;
			off -= f->offset;
			type = f->type;
			break;
		case IR_T_UNION:
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

/* The kind of thing a scalar is, for pointers to it. */
static bool same_scalar(const struct ir_type *a, const struct ir_type *b)
{
	bool ia = a->kind == IR_T_INT || a->kind == IR_T_ENUM, ib = b->kind == IR_T_INT || b->kind == IR_T_ENUM;

	return (a->kind == b->kind || (ia && ib)) && a->size == b->size;
}

/* Programs cast; but memory known to be of one struct is not used as another
 * except where one begins with the other or the program casts between them, and
 * a pointer declared to point to a scalar points to one.  This is the one place where we take types at their
 * word: a program that does otherwise loses flows (and what is stored through
 * such a pointer counts as escaped). */
bool pta__fits(struct pta *p, uint32_t loc, uint32_t type)
{
	const struct pta_obj *o = &p->objs.v[p->locs.v[loc].obj];
	uint32_t own = ir_type_strip(p->m, o->type), *memo, off = p->locs.v[loc].off, member;
	const struct ir_type *t = &p->m->types.v[own], *want = &p->m->types.v[type];
	bool is_new;

	if (o->kind == PTA_BLOB)
		return true;
	if (o->kind == PTA_FUNC || want->kind == IR_T_FUNC)
		return o->kind == PTA_FUNC && want->kind == IR_T_FUNC;
	if (o->text)
		return want->size <= 1;
	if (own == type || !t->size || o->collapsed)
		return true;
	if (o->kind == PTA_HEAP && t->kind != IR_T_STRUCT && want->kind == IR_T_STRUCT)
		return true;	/* an array of some scalar, by a guess */
	/* a heap block whose type we only guessed, smaller than what is asked for: the
	 * first part of something larger */
	if (o->kind == PTA_HEAP && off == 0 && want->size > t->size && lies_at(p, type, 0, own))
		return true;
	memo = u64map_put(&p->fits, hash_join(PTA_KEY(own, type), off), &is_new);
	if (is_new && want->kind == IR_T_STRUCT) {
		*memo = lies_at(p, own, off, type);
	} else if (is_new) {
		member = ir_type_strip(p->m, member_type(p->m, own, off));
		*memo = !member || p->m->types.v[member].kind == IR_T_UNION || same_scalar(&p->m->types.v[member], want);
	}
	return *memo;
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

/* An array of characters?  Whoever keeps pointers in one is not followed. */
static bool is_text(const struct ir_module *m, uint32_t type)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];

	while (t->kind == IR_T_ARRAY)
		t = &m->types.v[ir_type_strip(m, t->elem)];
	return t->flags & IR_TF_CHAR && t->kind == IR_T_INT;
}

uint32_t pta__new_obj(struct pta *p, enum pta_okind kind, uint32_t func, uint32_t index, uint32_t type)
{
	struct pta_obj o = { .kind = kind, .func = func, .index = index, .type = type,
			     .first_loc = IR_NONE, .root = IR_NONE };

	o.size = p->m->types.v[ir_type_strip(p->m, type)].size;
	o.text = is_text(p->m, type) || (kind == PTA_GLOBAL && p->m->globals.v[index].flags & IR_G_STRING);
	o.collapsed = kind == PTA_BLOB || kind == PTA_FUNC || kind == PTA_VARARG;
	if (p->objs.n >= p->watch_cap) {
		p->watch_cap = MAX(1024, p->watch_cap * 2);
		p->watch = xrealloc(p->watch, p->watch_cap * sizeof(*p->watch));
	}
	p->watch[p->objs.n] = IR_NONE;
	vec_push(&p->objs, o);
	return p->objs.n - 1;
}

static uint32_t find_or_make_loc(struct pta *p, uint32_t obj, uint32_t off)
{
	bool is_new;
	uint32_t *slot = u64map_put(&p->loc_at, PTA_KEY(obj, off), &is_new);
	uint32_t loc, node;

	if (!is_new)
		return *slot;
	loc = *slot = p->locs.n;
	node = pta__new_node(p);
	vec_push(&p->locs, ((struct pta_loc){ obj, off, node, p->objs.v[obj].first_loc }));
	p->objs.v[obj].first_loc = loc;
	p->objs.v[obj].nlocs++;
	if (p->objs.v[obj].size && !p->objs.v[obj].collapsed)
		pta__declare(p, node, member_type(p->m, p->objs.v[obj].type, off));
	if (p->objs.v[obj].kind == PTA_BLOB)
		pta__point(p, node, loc);
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

	if (o->collapsed || o->text || off < 0 || off > UINT32_MAX)
		return 0;
	return o->size ? (uint32_t)normal_offset(p->m, o->type, (uint64_t)off) : (uint32_t)off;
}

uint32_t pta__find_loc(const struct pta *p, uint32_t obj, int64_t off)
{
	const uint32_t *at = u64map_get(&p->loc_at, PTA_KEY(obj, offset_in(p, obj, off)));

	return at ? *at : IR_NONE;
}

/* Normalising walks the type: the offsets asked for are few, and remembered. */
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

	assert(k < 4);
	/* func < 2^29 and inst < 2^32: three bits are left for k */
	at = u64map_put(&p->heap_obj, PTA_KEY(func, inst) | (uint64_t)k << 61, &is_new);
	if (is_new) {
		*at = pta__new_obj(p, PTA_HEAP, func, inst, type);
		p->objs.v[*at].nth = (uint8_t)k;
	}
	return *at;
}

uint32_t pta_heap_at(const struct pta *p, uint32_t func, uint32_t inst, unsigned k)
{
	const uint32_t *at = k < 4 ? u64map_get(&p->heap_obj, PTA_KEY(func, inst) | (uint64_t)k << 61) : NULL;

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
		return pta__loc(p, p->global_obj[i], a->offset);
	}
	default:
		return IR_NONE;
	}
}

void pta__objects_init(struct pta *p)
{
	const struct ir_module *m = p->m;

	p->given_away = pta__new_node(p);
	for (int b = 0; b < PTA_B__COUNT; b++)
		p->blob[b] = pta__new_obj(p, PTA_BLOB, IR_NONE, (uint32_t)b, 0);
	p->global_obj = arena_array(&p->arena, uint32_t, m->globals.n);
	for (uint32_t i = 0; i < m->globals.n; i++)
		p->global_obj[i] = pta__new_obj(p, PTA_GLOBAL, IR_NONE, i, m->globals.v[i].type);
	p->func_obj = arena_array(&p->arena, uint32_t, m->funcs.n);
	p->vararg_obj = arena_array(&p->arena, uint32_t, m->funcs.n);
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		p->func_obj[i] = pta__new_obj(p, PTA_FUNC, IR_NONE, i, 0);
		p->vararg_obj[i] = IR_NONE;
		if (m->funcs.v[i].flags & IR_FN_VARIADIC && !ir_is_decl(&m->funcs.v[i]))
			p->vararg_obj[i] = pta__new_obj(p, PTA_VARARG, i, 0, 0);
	}
}

void pta__objects_release(struct pta *p)
{
	vec_release(&p->objs);
	vec_release(&p->locs);
	u64map_release(&p->loc_at);
	u64map_release(&p->raw_loc);
	u64map_release(&p->fits);
	u64map_release(&p->cast);
	u64map_release(&p->fitting_at);
	for (uint32_t i = 0; i < p->fitting.n; i++)
		sbits_release(&p->fitting.v[i].set);
	vec_release(&p->fitting);
	u64map_release(&p->slot_obj);
	u64map_release(&p->heap_obj);
	free(p->watch);
	vec_release(&p->watchers);
	vec_release(&p->pending);
}
