/*
 * copies.c - memory copied as a whole: struct assignment, memcpy, va_copy.
 *
 * Every cell of the source from its pointer on flows through a cell of the copy,
 * which has the same distance from the pointer, to every destination: the cost is
 * sources + destinations, not their product.  A source whose type is known also says
 * what is copied: its cells flow only to where such a struct may be, and in memory
 * without a type they are found again under that type (views.c).  So in a program
 * that copies one struct over another of the same layout flows are lost.
 */
#include "pta/priv.h"

static uint32_t copy_cell(struct pta *p, uint32_t copy, uint32_t type, uint64_t distance, bool *is_new)
{
	struct con_key key = { copy, (int32_t)distance, type, 0 };
	struct copy_cell cell = { .distance = distance, .type = type };
	uint32_t *at = conmap_put(&p->copy_cell_at, key, is_new);

	assert(copy < p->copies.n);
	if (*is_new) {
		*at = cell.node = pta__new_node(p);
		vec_push(&p->copies.v[copy].cells, cell);
	}
	return *at;
}

/* A cell of the copy flows to its place in what begins at loc `to`. */
static void copy_out(struct pta *p, uint32_t to, struct copy_cell c)
{
	uint32_t loc = to;

	assert(p->objs.v[p->locs.v[to].obj].kind != PTA_BLOB);
	if (c.type && !pta__fits(p, to, c.type))
		return;
	if (c.type && pta__is_raw(p, to))
		loc = pta__view(p, to, c.type);
	if (!pta__cell_holds(p, p->locs.v[loc].obj, p->locs.v[loc].off + c.distance))
		return;
	loc = pta__loc(p, p->locs.v[loc].obj, (int64_t)(p->locs.v[loc].off + c.distance));
	pta__edge(p, c.node, pta__store_node(p, loc));
}

/* The struct type of the source if its pointer is to the beginning of one. */
static uint32_t source_type(const struct pta *p, uint32_t obj, uint32_t off)
{
	const struct pta_obj *o = &p->objs.v[obj];
	uint32_t type = ir_type_strip(p->m, o->type);

	if (off || o->collapsed || !o->size || p->m->types.v[type].kind != IR_T_STRUCT)
		return 0;
	return type;
}

/* The cell at loc, `distance` from a source pointer of the copy, is read. */
static void copy_in(struct pta *p, uint32_t copy, uint32_t loc, uint64_t distance)
{
	struct copy_cell c = { .distance = distance };
	bool is_new;

	assert(distance <= p->locs.v[loc].off);
	if (distance % 4 || p->nodes.v[pta__rep(p, p->locs.v[loc].node)].want == WANT_NOTHING)
		return;		/* no pointer lies there */
	if (p->copies.v[copy].away)
		pta__edge(p, p->locs.v[loc].node, p->given_away);
	if (!p->copies.v[copy].to.n)
		return;
	c.type = source_type(p, p->locs.v[loc].obj, p->locs.v[loc].off - (uint32_t)distance);
	c.node = copy_cell(p, copy, c.type, distance, &is_new);
	pta__edge(p, p->locs.v[loc].node, c.node);
	if (!is_new)
		return;
	/* p->copies may move while locs are made: walk by number. */
	for (uint32_t to = sbits_next(&p->copies.v[copy].to, 0); to != UINT32_MAX;
	     to = sbits_next(&p->copies.v[copy].to, to + 1))
		copy_out(p, to, c);
}

/* The loc waits: locs made here would make more of them, deeper and deeper. */
void pta__copy_new_loc(struct pta *p, uint32_t loc)
{
	assert(p->watch[p->locs.v[loc].obj] != IR_NONE);
	vec_push(&p->pending, loc);
}

/* How many bytes from a source on are copied.  Where the number is not known, a pointer that is
 * declared for a scalar and points to one in memory of a known type means that scalar, in an array of
 * them, and not what follows in the struct.  A copy of several members by the address of the first,
 * with a number of bytes that is not constant, is not followed. */
static uint64_t extent(const struct pta *p, uint32_t copy, uint32_t obj)
{
	const struct copy *c = &p->copies.v[copy];
	uint64_t size = c->size;

	if (size != UINT64_MAX || !p->objs.v[obj].size || p->objs.v[obj].collapsed)
		return size;
	if (pta__is_scalar(p, c->from_want))
		size = MIN(size, p->m->types.v[c->from_want].size);
	if (pta__is_scalar(p, c->to_want))
		size = MIN(size, p->m->types.v[c->to_want].size);
	return size;
}

static void copy_pending(struct pta *p, uint32_t loc)
{
	uint32_t off = p->locs.v[loc].off;

	for (uint32_t w = p->watch[p->locs.v[loc].obj]; w != IR_NONE; w = p->watchers.v[w].next) {
		struct watcher x = p->watchers.v[w];

		if (off >= x.off && off - x.off < extent(p, x.copy, p->locs.v[loc].obj))
			copy_in(p, x.copy, loc, off - x.off);
	}
}

bool pta__copy_pending(struct pta *p)
{
	bool any = p->pending.n > 0;

	while (p->pending.n)
		copy_pending(p, vec_pop(&p->pending));
	return any;
}

/* From now on what is at `from`, and what comes there, is read. */
static void read_from(struct pta *p, uint32_t copy, uint32_t from)
{
	uint32_t obj = p->locs.v[from].obj, off = p->locs.v[from].off;

	vec_push(&p->watchers, ((struct watcher){ copy, off, p->watch[obj] }));
	p->watch[obj] = p->watchers.n - 1;
	for (uint32_t l = p->objs.v[obj].first_loc; l != IR_NONE; l = p->locs.v[l].next)
		if (p->locs.v[l].off >= off && p->locs.v[l].off - off < extent(p, copy, obj))
			copy_in(p, copy, l, p->locs.v[l].off - off);
	for (uint32_t v = p->objs.v[obj].views; v != IR_NONE; v = p->objs.v[v].views)
		pta__copy_add_from(p, copy, pta__loc(p, v, 0));
}

/* Can a struct that the other pointer is declared to point to be here? */
static bool is_meant(struct pta *p, uint32_t loc, uint32_t want)
{
	return !pta__is_struct(p, want) || pta__fits(p, loc, want);
}

/* Most copies are of text: nothing is read before there is somewhere to write. */
void pta__copy_add_from(struct pta *p, uint32_t copy, uint32_t from)
{
	assert(copy < p->copies.n);
	if (p->objs.v[p->locs.v[from].obj].blank || !is_meant(p, from, p->copies.v[copy].to_want) ||
	    !sbits_set(&p->copies.v[copy].from, from))
		return;
	if (p->copies.v[copy].to.n || p->copies.v[copy].away)
		read_from(p, copy, from);
}

/* Reads all sources: none was read before, or only to be given away. */
static void read_all(struct pta *p, uint32_t copy)
{
	struct sbits from = {0};

	sbits_copy(&from, &p->copies.v[copy].from);
	SBITS_FOREACH(l, &from)
		read_from(p, copy, l);
	sbits_release(&from);
}

void pta__copy_new_view(struct pta *p, uint32_t obj, uint32_t view)
{
	for (uint32_t w = p->watch[obj]; w != IR_NONE; w = p->watchers.v[w].next)
		pta__copy_add_from(p, p->watchers.v[w].copy, pta__loc(p, view, 0));
}

void pta__copy_add_to(struct pta *p, uint32_t copy, uint32_t to)
{
	bool first = !p->copies.v[copy].to.n;
	const struct pta_obj *o = &p->objs.v[p->locs.v[to].obj];

	if (o->kind == PTA_BLOB || o->common) {
		if (!p->copies.v[copy].away) {
			p->copies.v[copy].away = true;
			read_all(p, copy);
		}
		return;
	}
	if (p->objs.v[p->locs.v[to].obj].blank || !is_meant(p, to, p->copies.v[copy].from_want) ||
	    !sbits_set(&p->copies.v[copy].to, to))
		return;
	if (first) {
		read_all(p, copy);
		return;
	}
	for (uint32_t i = 0; i < p->copies.v[copy].cells.n; i++)
		copy_out(p, to, p->copies.v[copy].cells.v[i]);
}
