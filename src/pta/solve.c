/*
 * solve.c - the constraints, solved by waves.
 *
 * After Pereira and Berlin, "Wave Propagation and Deep Propagation for Pointer
 * Analysis" (CGO 2009).  A round collapses the cycles of copy edges, passes what
 * is fresh along the edges in topological order, then looks at what is fresh in
 * each node that has constraints (loads, stores, fields, calls, copies), which adds
 * edges.  Rounds end when nothing changes.
 *
 * There is a budget of work, by the size of the program: sets that grow without
 * end (in a program that has everything in one kind of memory) would take
 * minutes, and their answer would be of no use.  Work is counted, not timed, so
 * that the result is the same everywhere.  Without an answer nothing may be
 * concluded: pta_stats.gave_up.
 *
 * Only differences travel: a node's `fresh` is what its successors have not
 * seen.  An edge added later brings its target the whole set at once.  Sets that
 * are equal share their words (base/shares.h).
 */
#include "pta/priv.h"

enum {
	SMALL = 3,		/* a set of fewer words is cheaper than looking it up */
	LARGE = 32,		/* ... of more does not wait */
};

uint32_t pta__new_node(struct pta *p)
{
	struct node *n = vec_add(&p->nodes, 1);

	assert(!p->set_of);	/* later there are no nodes, only sets */
	n->rep = p->nodes.n - 1;
	return n->rep;
}

uint32_t pta__rep(struct pta *p, uint32_t n)
{
	struct node *v = p->nodes.v;

	while (v[n].rep != n) {
		v[n].rep = v[v[n].rep].rep;
		n = v[n].rep;
	}
	return n;
}

void pta__declare(struct pta *p, uint32_t node, uint32_t type)
{
	const struct ir_type *t = &p->m->types.v[ir_type_strip(p->m, type)];

	assert(p->nodes.v[node].rep == node && !p->nodes.v[node].pts.n);
	if (t->kind != IR_T_PTR)
		return;
	type = ir_type_strip(p->m, t->elem);
	t = &p->m->types.v[type];
	/* void may be anything, an array's elements are meant */
	while (t->kind == IR_T_ARRAY) {
		type = ir_type_strip(p->m, t->elem);
		t = &p->m->types.v[type];
	}
	if (t->kind == IR_T_FUNC || (t->kind != IR_T_VOID && t->size) ||
	    (t->kind == IR_T_STRUCT && t->flags & IR_TF_DECL))
		p->nodes.v[node].want = type;
}

/* The node's set is complete for now: from here on it may have its words from an equal one. */
static void share(struct pta *p, struct node *n)
{
	if (!n->share && n->pts.n >= SMALL)
		n->share = shares_put(&p->shares, &n->pts);
}

/* The node's set may have got words of its own. */
static void unshare(struct pta *p, struct node *n)
{
	if (!n->share || (n->pts.v == n->share->set.v && n->pts.n == n->share->set.n))
		return;
	shares_drop(&p->shares, n->share);
	n->share = NULL;
}

/* What of `from` may get into the node is added to it. */
static void receive(struct pta *p, uint32_t node, const struct sbits *from)
{
	struct node *n = &p->nodes.v[node];
	struct sbits some = {0};

	assert(n->rep == node);
	p->work += from->n + n->pts.n / 8 + 1;
	if (n->want == WANT_NOTHING)
		return;
	if (n->want) {
		sbits_copy(&some, from);
		sbits_and(&some, pta__fitting(p, n->want));
		pta__raw_to_views(p, node, &some);
		from = &some;
	}
	if (sbits_or_diff(&n->pts, from, &n->fresh)) {
		unshare(p, n);
		if (n->pts.n >= LARGE)
			share(p, n);	/* at once: many nodes wait for their turn in a wave */
	}
	sbits_release(&some);
}

void pta__point(struct pta *p, uint32_t node, uint32_t loc)
{
	struct node *n = &p->nodes.v[pta__rep(p, node)];

	if (pta__is_struct(p, n->want) && pta__is_raw(p, loc)) {
		loc = pta__view(p, loc, n->want);
		n = &p->nodes.v[pta__rep(p, node)];
	}
	if (n->want == WANT_NOTHING || (n->want && !pta__fits(p, loc, n->want)))
		return;
	if (sbits_set(&n->pts, loc)) {
		sbits_set(&n->fresh, loc);
		unshare(p, n);
	}
}

void pta__edge(struct pta *p, uint32_t from, uint32_t to)
{
	struct node *f, *t;

	if (from == IR_NONE || to == IR_NONE)
		return;
	from = pta__rep(p, from);
	to = pta__rep(p, to);
	f = &p->nodes.v[from];
	t = &p->nodes.v[to];
	if (from == to || t->want == WANT_NOTHING || !sbits_set(&f->succ, to))
		return;
	p->edges_changed = true;
	if (f->pts.n)
		receive(p, to, &f->pts);
}

uint32_t pta__store_node(const struct pta *p, uint32_t loc)
{
	const struct pta_obj *o = &p->objs.v[p->locs.v[loc].obj];

	return o->kind == PTA_BLOB || o->common ? p->given_away : p->locs.v[loc].node;
}

/* A new constraint sees what the node already points to when the node is next
 * looked at: all of it becomes fresh again, which is rare (calls found late). */
static void add_con(struct pta *p, uint32_t node, struct con c)
{
	struct node *n;

	if (node == IR_NONE || c.other == IR_NONE)
		return;
	n = &p->nodes.v[pta__rep(p, node)];
	vec_push(&n->cons, c);
	p->edges_changed = true;	/* the node may not have been in the order */
	if (n->pts.n)
		sbits_copy(&n->fresh, &n->pts);
}

/* ---- equal nodes ----------------------------------------------------- */

static void merge(struct pta *p, uint32_t into, uint32_t from)
{
	struct node *a = &p->nodes.v[into], *b = &p->nodes.v[from];
	struct sbits done = {0};

	assert(a->rep == into && b->rep == from && into != from);
	assert(a->want == b->want);
	b->rep = into;
	/* Passed on by both is only what both had and had passed on. */
	sbits_copy(&done, &a->pts);
	sbits_minus(&done, &a->fresh);
	sbits_and(&done, &b->pts);
	sbits_minus(&done, &b->fresh);
	sbits_or(&a->pts, &b->pts);
	unshare(p, a);
	sbits_copy(&a->fresh, &a->pts);
	sbits_minus(&a->fresh, &done);
	sbits_release(&done);
	for (uint32_t i = 0; i < b->cons.n; i++)
		vec_push(&a->cons, b->cons.v[i]);
	sbits_or(&a->succ, &b->succ);
	sbits_release(&b->pts);
	unshare(p, b);
	sbits_release(&b->fresh);
	sbits_release(&b->succ);
	vec_release(&b->cons);
	a->merged = true;
	p->stats.merged++;
}

/* Both have the same set in the end: they become one.  What b was declared as
 * is forgotten. */
static void unify(struct pta *p, uint32_t a, uint32_t b)
{
	a = pta__rep(p, a);
	b = pta__rep(p, b);
	if (a == b)
		return;
	p->nodes.v[b].want = p->nodes.v[a].want;
	merge(p, a, b);
	p->edges_changed = true;
}

static int con_order(const void *a, const void *b)
{
	const struct con *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->alone != y->alone)
		return x->alone ? -1 : 1;
	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	return x->other < y->other ? -1 : x->other > y->other;
}

/* A node that was merged has the constraints of all: those that are the same
 * are needed once, and results that are bound to be equal are one. */
static void merge_constraints(struct pta *p, uint32_t node)
{
	struct node *n = &p->nodes.v[node];
	uint32_t left = 0;

	n->merged = false;
	if (n->cons.n < 2)
		return;
	for (uint32_t i = 0; i < n->cons.n; i++) {
		struct con *c = &n->cons.v[i];

		if (c->kind > CON_SHIFT)
			continue;
		c->other = pta__rep(p, c->other);
		if (c->kind == CON_LOAD && c->alone)
			c->type = p->nodes.v[c->other].want;
	}
	qsort(n->cons.v, n->cons.n, sizeof(*n->cons.v), con_order);
	for (uint32_t i = 0; i < n->cons.n; i++) {
		struct con *c = &n->cons.v[i], *last = left ? &n->cons.v[left - 1] : NULL;
		bool same = last && c->kind == last->kind && c->alone == last->alone && c->off == last->off &&
			    c->type == last->type;

		if (same && c->other == last->other)
			continue;
		if (same && c->alone && pta__rep(p, c->other) != node && pta__rep(p, last->other) != node) {
			unify(p, last->other, c->other);
			continue;
		}
		n->cons.v[left++] = *c;
	}
	n->cons.n = left;
}

/* ---- constraints ----------------------------------------------------- */

static int32_t clamp(int64_t off)
{
	return (int32_t)MAX(MIN(off, INT32_MAX), INT32_MIN);
}

void pta__con(struct pta *p, uint32_t node, enum con_kind kind, uint32_t other, int64_t off)
{
	add_con(p, node, (struct con){ .kind = kind, .other = other, .off = clamp(off) });
}

void pta__con_alone(struct pta *p, uint32_t node, enum con_kind kind, uint32_t other, int64_t off,
		    uint32_t type)
{
	struct con_key key = { .off = clamp(off), .type = type, .kind = kind };
	uint32_t *at;
	bool is_new;

	assert(kind == CON_LOAD || kind == CON_FIELD || kind == CON_SHIFT);
	if (node == IR_NONE || other == IR_NONE)
		return;
	key.node = pta__rep(p, node);
	if (kind == CON_LOAD)
		key.type = p->nodes.v[pta__rep(p, other)].want;
	at = conmap_put(&p->con_node, key, &is_new);
	if (is_new) {
		*at = other;
		add_con(p, node, (struct con){ .kind = (uint8_t)kind, .alone = true, .other = other,
					       .off = clamp(off), .type = type });
	} else {
		unify(p, *at, other);
	}
}

void pta__same(struct pta *p, uint32_t node, uint32_t other)
{
	uint32_t want;

	if (node == IR_NONE || other == IR_NONE)
		return;
	want = p->nodes.v[pta__rep(p, other)].want;
	if (!want || want == p->nodes.v[pta__rep(p, node)].want)
		unify(p, node, other);
	else
		pta__edge(p, node, other);
}

/* ---- cycles ---------------------------------------------------------- */

struct tarjan {
	uint32_t *index, *low, *stack, nstack, next;
	uint32_t *order, norder;	/* representatives, each after all its successors */
	uint8_t *on_stack;
	VEC(uint32_t) merged;
};

struct frame {
	uint32_t node, next;	/* next: successors below this number are done */
};

/* u is the first of its component; the others are above it on the stack.  Nodes
 * of a cycle are equal unless they let different things pass: those with the
 * same declared type are merged, and the cycle between the groups stays. */
static void collapse_component(struct pta *p, struct tarjan *t, uint32_t u)
{
	uint32_t first = t->nstack, heads;	/* stack[first .. heads): one of each group */

	while (t->stack[--first] != u)
		assert(first > 0);
	heads = first;
	for (uint32_t i = first; i < t->nstack; i++) {
		uint32_t w = t->stack[i], k = first;

		t->on_stack[w] = 0;
		while (k < heads && p->nodes.v[t->stack[k]].want != p->nodes.v[w].want)
			k++;
		if (k < heads) {
			merge(p, t->stack[k], w);
		} else {
			t->stack[heads++] = w;
			t->order[t->norder++] = w;
		}
	}
	for (uint32_t i = first; i < heads; i++)
		if (p->nodes.v[t->stack[i]].merged)
			vec_push(&t->merged, t->stack[i]);
	t->nstack = first;
}

static void visit(struct pta *p, struct tarjan *t, uint32_t root)
{
	VEC(struct frame) todo = {0};

	vec_push(&todo, ((struct frame){ root, 0 }));
	t->index[root] = t->low[root] = ++t->next;
	t->stack[t->nstack++] = root;
	t->on_stack[root] = 1;
	while (todo.n) {
		struct frame *f = &vec_last(&todo);
		uint32_t u = f->node, s = sbits_next(&p->nodes.v[u].succ, f->next);

		if (s != UINT32_MAX) {
			f->next = s + 1;
			s = pta__rep(p, s);
			if (!t->index[s]) {
				t->index[s] = t->low[s] = ++t->next;
				t->stack[t->nstack++] = s;
				t->on_stack[s] = 1;
				vec_push(&todo, ((struct frame){ s, 0 }));
			} else if (t->on_stack[s]) {
				t->low[u] = MIN(t->low[u], t->index[s]);
			}
			continue;
		}
		todo.n--;
		if (todo.n) {
			uint32_t up = vec_last(&todo).node;

			t->low[up] = MIN(t->low[up], t->low[u]);
		}
		if (t->low[u] != t->index[u])
			continue;
		collapse_component(p, t, u);
	}
	vec_release(&todo);
}

/* Merges cycles; the order is that of a topological sort, reversed. */
static void collapse_cycles(struct pta *p, struct tarjan *t)
{
	uint32_t n = p->nodes.n;

	t->index = xcalloc(n, sizeof(*t->index));
	t->low = xcalloc(n, sizeof(*t->low));
	t->stack = xcalloc(n, sizeof(*t->stack));
	t->on_stack = xcalloc(n, 1);
	t->order = xcalloc(n, sizeof(*t->order));
	for (uint32_t i = 0; i < n; i++)
		if (p->nodes.v[i].rep == i && !t->index[i] && (p->nodes.v[i].succ.n || p->nodes.v[i].cons.n))
			visit(p, t, i);
	free(t->index);
	free(t->low);
	free(t->stack);
	free(t->on_stack);
	for (uint32_t i = 0; i < t->merged.n; i++)
		if (p->nodes.v[t->merged.v[i]].rep == t->merged.v[i])
			merge_constraints(p, t->merged.v[i]);
	vec_release(&t->merged);
}

/* ---- looking through pointers ---------------------------------------- */

/* Code that has an object has what is in it, too: a table of functions, say. */
static void give_contents(struct pta *p, uint32_t obj)
{
	if (p->objs.v[obj].given || p->objs.v[obj].blank)
		return;
	p->objs.v[obj].given = true;
	for (uint32_t l = p->objs.v[obj].first_loc; l != IR_NONE; l = p->locs.v[l].next)
		pta__edge(p, p->locs.v[l].node, p->given_away);
	for (uint32_t v = p->objs.v[obj].views; v != IR_NONE; v = p->objs.v[v].views)
		give_contents(p, v);
}

static void called(struct pta *p, const struct con *c, uint32_t loc)
{
	const struct pta_obj *o = &p->objs.v[p->locs.v[loc].obj];

	if (o->kind == PTA_FUNC && c->kind == CON_CALL)
		pta__connect(p, c->other, o->index);
	else if (o->kind == PTA_FUNC && c->kind == CON_CALLBACK)
		pta__connect_callback(p, c->other, o->index);
	else if (o->kind == PTA_FUNC)
		pta__called_from_outside(p, o->index, PTA_B_UNKNOWN);
	else if (o->kind == PTA_BLOB && c->kind == CON_CALL)
		pta__connect_unknown(p, c->other);
	else if (o->kind != PTA_BLOB && c->kind == CON_ESCAPE)
		give_contents(p, p->locs.v[loc].obj);
}

/* container_of and the like; in an object that is no struct bytes are array
 * elements. */
static uint32_t shifted(struct pta *p, uint32_t loc, int64_t off, bool to_beginning)
{
	const struct pta_obj *o = &p->objs.v[p->locs.v[loc].obj];

	if (p->m->types.v[ir_type_strip(p->m, o->type)].kind != IR_T_STRUCT)
		return loc;
	if (to_beginning && p->locs.v[loc].off + off != 0)
		return loc;
	return pta__loc(p, p->locs.v[loc].obj, (int64_t)p->locs.v[loc].off + off);
}

static void take_field(struct pta *p, const struct con *c, uint32_t loc)
{
	if (c->type && !pta__fits(p, loc, c->type))
		return;
	if (c->type && pta__is_raw(p, loc))
		loc = pta__view(p, loc, c->type);
	pta__point(p, c->other, pta__loc(p, p->locs.v[loc].obj, (int64_t)p->locs.v[loc].off + c->off));
}

static void look_through(struct pta *p, struct con c, const struct sbits *fresh)
{
	p->work += sbits_count(fresh);
	SBITS_FOREACH(loc, fresh) {
		switch ((enum con_kind)c.kind) {
		case CON_LOAD:
			if (!p->objs.v[p->locs.v[loc].obj].blank)
				pta__edge(p, p->locs.v[loc].node, c.other);
			break;
		case CON_STORE:
			if (!p->objs.v[p->locs.v[loc].obj].blank)
				pta__edge(p, c.other, pta__store_node(p, loc));
			break;
		case CON_FIELD:
			take_field(p, &c, loc);
			break;
		case CON_SHIFT:
			pta__point(p, c.other, shifted(p, loc, c.off, c.type));
			break;
		case CON_CALL:
		case CON_CALLBACK:
		case CON_ESCAPE:
			called(p, &c, loc);
			break;
		case CON_COPY_FROM:
			pta__copy_add_from(p, c.other, loc);
			break;
		case CON_COPY_TO:
			pta__copy_add_to(p, c.other, loc);
			break;
		}
	}
}

/* Successors that were merged are named by their representative. */
static void refresh_successors(struct pta *p, uint32_t u)
{
	struct sbits fresh = {0};
	bool stale = false;

	SBITS_FOREACH(s, &p->nodes.v[u].succ)
		stale |= p->nodes.v[s].rep != s || s == u;
	if (!stale)
		return;
	SBITS_FOREACH(s, &p->nodes.v[u].succ)
		if (pta__rep(p, s) != u)
			sbits_set(&fresh, pta__rep(p, s));
	sbits_release(&p->nodes.v[u].succ);
	p->nodes.v[u].succ = fresh;
}

/* One round; false if nothing was fresh. */
static bool wave(struct pta *p, struct tarjan *t)
{
	VEC(uint32_t) looked = {0};
	VEC(struct sbits) fresh = {0};
	bool any = false;

	for (uint32_t i = t->norder; i-- > 0;) {
		uint32_t u = t->order[i];
		struct node *n = &p->nodes.v[u];
		struct sbits f;

		if (n->rep != u || !n->fresh.n)
			continue;
		any = true;
		f = n->fresh;
		memset(&n->fresh, 0, sizeof(n->fresh));
		share(p, n);
		refresh_successors(p, u);
		SBITS_FOREACH(s, &n->succ)
			receive(p, s, &f);
		if (n->cons.n) {
			vec_push(&looked, u);
			vec_push(&fresh, f);
		} else {
			sbits_release(&f);
		}
	}
	any |= pta__make_views(p);
	any |= pta__copy_pending(p);
	/* Constraints last: they add nodes and edges, and move the arrays. */
	for (uint32_t i = 0; i < looked.n; i++) {
		for (uint32_t k = 0; k < p->nodes.v[looked.v[i]].cons.n; k++)
			look_through(p, p->nodes.v[looked.v[i]].cons.v[k], &fresh.v[i]);
		sbits_release(&fresh.v[i]);
	}
	vec_release(&looked);
	vec_release(&fresh);
	return any;
}

void pta__solve(struct pta *p)
{
	struct tarjan t = {0};
	bool again = true;

	p->edges_changed = true;
	while (again && p->work < p->budget) {
		if (p->edges_changed) {
			free(t.order);
			memset(&t, 0, sizeof(t));
			p->edges_changed = false;
			collapse_cycles(p, &t);
		}
		again = wave(p, &t) || p->edges_changed || p->pending.n || p->new_views.n;
		p->stats.rounds++;
	}
	free(t.order);
	assert(again || (!p->pending.n && !p->new_views.n));
	p->stats.gave_up = again;
}
