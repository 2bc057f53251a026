/*
 * views.c - memory whose type nobody tells, told apart by what it is used as.
 *
 * An allocation that goes through generic code (a growing array of void *, an
 * allocator behind a function pointer, an arena) has no type of its own.  If it
 * fitted wherever a struct is wanted, all structs of the program would share
 * its cells, and every set would soon be every object.  So a pointer declared
 * to point to struct T gets the view of such an object as a T: a layout of
 * its own.  What is written as a T is read as a T.  Plain pointers (void *,
 * char *) point to the raw object, whose cells are those that scalars are
 * written to.
 *
 * Where a program writes such memory as one struct and reads it as another the
 * flow is lost; C's rules on effective types forbid it.
 *
 * Memory used as more than a few structs is a program's own allocator, or the
 * insides of a container for everything.  It becomes common ground: what is
 * stored there has escaped, as with unknown memory (pta.h), and what is loaded is
 * unknown.  The flow of the memory itself is followed as before.  So leaks of what
 * such memory holds are missed, and none is reported that is not there.
 *
 * While the constraints are solved a view is an object; at the end its locs are
 * given back to the object that it is a view of, which is all that others see.
 */
#include "pta/priv.h"

enum { MAX_VIEWS = 8 };

bool pta__is_raw(const struct pta *p, uint32_t loc)
{
	const struct pta_obj *o = &p->objs.v[p->locs.v[loc].obj];

	return o->kind == PTA_HEAP && !o->size && !o->text && !o->common;
}

bool pta__is_struct(const struct pta *p, uint32_t type)
{
	return type != WANT_NOTHING && p->m->types.v[type].kind == IR_T_STRUCT && p->m->types.v[type].size;
}

bool pta__is_scalar(const struct pta *p, uint32_t type)
{
	const struct ir_type *t;

	if (!type || type == WANT_NOTHING)
		return false;
	t = &p->m->types.v[type];
	if (!t->size)
		return false;
	return t->kind == IR_T_PTR || t->kind == IR_T_INT || t->kind == IR_T_ENUM || t->kind == IR_T_FLOAT;
}

/* The cells of an object that becomes common ground: whatever they hold is given
 * away, and a load from them gives unknown memory. */
static void open_cells(struct pta *p, uint32_t obj)
{
	uint32_t unknown = pta__loc(p, p->blob[PTA_B_UNKNOWN], 0);

	p->objs.v[obj].common = true;
	for (uint32_t l = p->objs.v[obj].first_loc; l != IR_NONE; l = p->locs.v[l].next) {
		pta__edge(p, p->locs.v[l].node, p->given_away);
		pta__point(p, p->locs.v[l].node, unknown);
	}
}

static void make_common(struct pta *p, uint32_t obj)
{
	assert(p->objs.v[obj].kind == PTA_HEAP && !p->objs.v[obj].common);
	open_cells(p, obj);
	p->objs.v[obj].collapsed = true;
	for (uint32_t l = p->objs.v[obj].first_loc; l != IR_NONE; l = p->locs.v[l].next)
		sbits_unset(&p->raw, l);
	for (uint32_t v = p->objs.v[obj].views; v != IR_NONE; v = p->objs.v[v].views)
		open_cells(p, v);
}

/* The view, if it was made already; else IR_NONE. */
static uint32_t find_view(const struct pta *p, uint32_t loc, uint32_t type)
{
	const uint32_t *at = u64map_get(&p->view_at, PTA_KEY(p->locs.v[loc].obj, type));

	return at ? *at : IR_NONE;
}

uint32_t pta__view(struct pta *p, uint32_t loc, uint32_t type)
{
	uint32_t obj = p->locs.v[loc].obj, view, at = find_view(p, loc, type);

	assert(pta__is_raw(p, loc) && pta__is_struct(p, type));
	if (at != IR_NONE)
		return at;
	if (p->objs.v[obj].nviews == MAX_VIEWS) {
		make_common(p, obj);
		return pta__loc(p, obj, 0);
	}
	p->objs.v[obj].nviews++;
	view = pta__new_obj(p, PTA_VIEW, p->objs.v[obj].func, p->objs.v[obj].index, type);
	p->objs.v[view].site = obj;
	p->objs.v[view].root = p->objs.v[obj].root;
	p->objs.v[view].given = p->objs.v[obj].given;
	p->objs.v[view].views = p->objs.v[obj].views;
	p->objs.v[obj].views = view;
	at = pta__loc(p, view, 0);
	u64map_set(&p->view_at, PTA_KEY(obj, type), at);
	pta__copy_new_view(p, obj, view);
	return at;
}

/* Making a view makes nodes, which the caller's pointers would not survive. */
void pta__raw_to_views(struct pta *p, uint32_t node, struct sbits *set)
{
	uint32_t want = p->nodes.v[node].want;
	struct sbits raw = {0};

	assert(p->nodes.v[node].rep == node);
	if (!pta__is_struct(p, want) || !sbits_intersects(set, &p->raw))
		return;
	sbits_copy(&raw, set);
	sbits_and(&raw, &p->raw);
	sbits_minus(set, &raw);
	SBITS_FOREACH(loc, &raw) {
		uint32_t at = find_view(p, loc, want);

		if (at != IR_NONE)
			sbits_set(set, at);
		else
			vec_push(&p->new_views, ((struct new_view){ node, loc }));
	}
	sbits_release(&raw);
}

bool pta__make_views(struct pta *p)
{
	bool any = p->new_views.n > 0;

	while (p->new_views.n) {
		struct new_view v = vec_pop(&p->new_views);

		pta__point(p, v.node, v.loc);
	}
	return any;
}

void pta__fold_views(struct pta *p)
{
	for (uint32_t l = 0; l < p->locs.n; l++) {
		uint32_t view = p->locs.v[l].obj, obj = p->objs.v[view].site;

		if (p->objs.v[view].kind != PTA_VIEW)
			continue;
		assert(p->objs.v[obj].kind == PTA_HEAP);
		p->locs.v[l].obj = obj;
		p->locs.v[l].next = p->objs.v[obj].first_loc;
		p->objs.v[obj].first_loc = l;
		p->objs.v[obj].nlocs++;
		p->objs.v[view].first_loc = IR_NONE;
	}
}
