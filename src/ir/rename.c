/*
 * rename.c - SSA construction for any kind of variable.
 *
 * Cytron et al., "Efficiently Computing Static Single Assignment Form and the
 * Control Dependence Graph" (1991): phis on the iterated dominance frontier of
 * the definitions, then renaming along the dominator tree.  Phis are pruned:
 * at -O0 most variables are dead at most joins.
 */
#include "ir/rename.h"

#include "base/bits.h"
#include "base/rows.h"

#include <stdlib.h>

/* ---- where phis go --------------------------------------------------- */

VEC_TYPE(blocks, uint32_t);

struct place {
	const struct rename *r;
	uint32_t *df_row, *df_to;
	struct blocks *defs;		/* by variable: blocks that define it */
	struct blocks *uses;		/* by variable: blocks that use it before that */
	struct bits live, seen;
	struct blocks todo;
	VEC(struct rename_phi) out;
};

static void collect(struct place *p)
{
	const struct rename *r = p->r;
	uint32_t *defined_in = xcalloc(MAX(r->nvars, 1), sizeof(*defined_in));	/* block + 1 */

	for (uint32_t b = 0; b < r->f->nblocks; b++) {
		if (!dom_reachable(r->dom, b))
			continue;
		for (uint32_t i = r->row[b]; i < r->row[b + 1]; i++) {
			const struct rename_event *e = &r->events[i];

			assert(e->var < r->nvars && (e->use || e->def));
			if (defined_in[e->var] == b + 1)
				continue;
			if (e->use)
				vec_push(&p->uses[e->var], b);
			if (e->def) {
				vec_push(&p->defs[e->var], b);
				defined_in[e->var] = b + 1;
			}
		}
	}
	free(defined_in);
}

/* Blocks at whose entry the variable is live: backwards from its uses up to,
 * but not through, blocks that define it. */
static void find_live(struct place *p, uint32_t var)
{
	const struct ir_func *f = p->r->f;

	bits_zero(&p->live);
	bits_zero(&p->seen);
	for (uint32_t i = 0; i < p->defs[var].n; i++)
		bits_set(&p->seen, p->defs[var].v[i]);
	vec_clear(&p->todo);
	for (uint32_t i = 0; i < p->uses[var].n; i++)
		if (bits_set(&p->live, p->uses[var].v[i]))
			vec_push(&p->todo, p->uses[var].v[i]);
	while (p->todo.n) {
		const struct ir_block *b = &f->blocks[vec_pop(&p->todo)];

		for (uint32_t k = 0; k < b->npred; k++)
			if (!bits_test(&p->seen, b->pred[k]) && bits_set(&p->live, b->pred[k]))
				vec_push(&p->todo, b->pred[k]);
	}
}

static void place_var(struct place *p, uint32_t var)
{
	if (!p->defs[var].n || !p->uses[var].n)
		return;
	find_live(p, var);
	assert(!p->todo.n);
	bits_zero(&p->seen);
	for (uint32_t i = 0; i < p->defs[var].n; i++)
		vec_push(&p->todo, p->defs[var].v[i]);
	while (p->todo.n) {
		uint32_t b = vec_pop(&p->todo);

		for (uint32_t k = p->df_row[b]; k < p->df_row[b + 1]; k++) {
			uint32_t j = p->df_to[k];

			if (!bits_test(&p->live, j) || !bits_set(&p->seen, j))
				continue;
			vec_push(&p->out, ((struct rename_phi){ .block = j, .var = var }));
			vec_push(&p->todo, j);
		}
	}
}

static int by_block(const void *a, const void *b)
{
	const struct rename_phi *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	return x->var < y->var ? -1 : x->var > y->var;
}

static void copy_phis(struct rename *r, struct place *p, struct arena *arena)
{
	if (p->out.n)
		qsort(p->out.v, p->out.n, sizeof(*p->out.v), by_block);
	r->nphis = p->out.n;
	r->phis = arena_array(arena, struct rename_phi, p->out.n);
	r->phi_row = arena_array(arena, uint32_t, r->f->nblocks + 1);
	for (uint32_t i = 0; i < r->nphis; i++) {
		uint32_t npred = r->f->blocks[p->out.v[i].block].npred;

		r->phis[i] = p->out.v[i];
		r->phis[i].args = arena_array(arena, uint32_t, npred);
		for (uint32_t k = 0; k < npred; k++)
			r->phis[i].args[k] = IR_NONE;
		r->phi_row[r->phis[i].block + 1]++;
	}
	for (uint32_t b = 0; b < r->f->nblocks; b++)
		r->phi_row[b + 1] += r->phi_row[b];
}

static void place_phis(struct rename *r, struct arena *arena)
{
	struct place p = { .r = r };

	p.defs = xcalloc(MAX(r->nvars, 1), sizeof(*p.defs));
	p.uses = xcalloc(MAX(r->nvars, 1), sizeof(*p.uses));
	bits_init(&p.live, r->f->nblocks);
	bits_init(&p.seen, r->f->nblocks);
	dom_frontier(r->dom, &p.df_row, &p.df_to);
	collect(&p);
	for (uint32_t i = 0; i < r->nvars; i++) {
		place_var(&p, i);
		vec_release(&p.defs[i]);
		vec_release(&p.uses[i]);
	}
	copy_phis(r, &p, arena);
	free(p.defs);
	free(p.uses);
	free(p.df_row);
	free(p.df_to);
	bits_release(&p.live);
	bits_release(&p.seen);
	vec_release(&p.todo);
	vec_release(&p.out);
}

/* ---- renaming -------------------------------------------------------- */

struct undo {
	uint32_t var, old;
};

struct walk {
	struct rename *r;
	uint32_t *now;			/* by variable: the definition that reaches here */
	VEC(struct undo) undo;
	uint32_t *kid_row, *kids;	/* dominator tree */
};

static void define(struct walk *w, uint32_t var, uint32_t def)
{
	vec_push(&w->undo, ((struct undo){ var, w->now[var] }));
	w->now[var] = def;
}

static void visit(struct walk *w, uint32_t b)
{
	struct rename *r = w->r;
	const struct ir_block *bl = &r->f->blocks[b];

	for (uint32_t i = r->phi_row[b]; i < r->phi_row[b + 1]; i++)
		define(w, r->phis[i].var, r->nevents + i);
	for (uint32_t i = r->row[b]; i < r->row[b + 1]; i++) {
		r->reach[i] = w->now[r->events[i].var];
		if (r->events[i].def)
			define(w, r->events[i].var, i);
	}
	for (uint32_t k = 0; k < bl->nsucc; k++) {
		const struct ir_block *t = &r->f->blocks[bl->succ[k]];

		for (uint32_t p = 0; p < t->npred; p++) {
			if (t->pred[p] != b)
				continue;
			for (uint32_t i = r->phi_row[bl->succ[k]]; i < r->phi_row[bl->succ[k] + 1]; i++)
				r->phis[i].args[p] = w->now[r->phis[i].var];
		}
	}
}

static void make_kids(struct walk *w)
{
	const struct dom *d = w->r->dom;
	struct row_pairs p = {0};

	for (uint32_t i = 1; i < d->nreach; i++)
		vec_push(&p, ((struct row_pair){ d->idom[d->order[i]], d->order[i] }));
	w->kid_row = xcalloc((size_t)d->n + 2, sizeof(*w->kid_row));
	w->kids = xcalloc(MAX(p.n, 1), sizeof(*w->kids));
	rows_fill(w->kid_row, w->kids, d->n, &p, false);
	vec_release(&p);
}

/* Walks the dominator tree with a stack of its own: it may be deep. */
static void visit_all(struct walk *w)
{
	struct frame {
		uint32_t block, next, mark;
	};
	VEC(struct frame) stack = {0};

	visit(w, 0);
	vec_push(&stack, ((struct frame){ 0, w->kid_row[0], 0 }));
	while (stack.n) {
		struct frame *top = &vec_last(&stack);

		if (top->next < w->kid_row[top->block + 1]) {
			uint32_t kid = w->kids[top->next++], mark = w->undo.n;

			visit(w, kid);
			vec_push(&stack, ((struct frame){ kid, w->kid_row[kid], mark }));
			continue;
		}
		while (w->undo.n > top->mark) {
			struct undo u = vec_pop(&w->undo);

			w->now[u.var] = u.old;
		}
		stack.n--;
	}
	assert(!w->undo.n);
	vec_release(&stack);
}

/* A definition of the variable, or the value at entry. */
static void check_def(const struct rename *r, uint32_t def, uint32_t var)
{
	if (def == IR_NONE)
		return;
	assert(def < r->nevents + r->nphis);
	if (def < r->nevents)
		assert(r->events[def].def && r->events[def].var == var);
	else
		assert(r->phis[def - r->nevents].var == var);
}

void rename_check(const struct rename *r)
{
	for (uint32_t b = 0; b < r->f->nblocks; b++) {
		for (uint32_t i = r->row[b]; i < r->row[b + 1]; i++) {
			assert(dom_reachable(r->dom, b) || r->reach[i] == IR_NONE);
			check_def(r, r->reach[i], r->events[i].var);
		}
		for (uint32_t i = r->phi_row[b]; i < r->phi_row[b + 1]; i++) {
			const struct rename_phi *phi = &r->phis[i];

			assert(phi->block == b && dom_reachable(r->dom, b));
			assert(i == r->phi_row[b] || r->phis[i - 1].var < phi->var);
			for (uint32_t k = 0; k < r->f->blocks[b].npred; k++)
				check_def(r, phi->args[k], phi->var);
		}
	}
}

void rename_run(struct rename *r, struct arena *arena)
{
	struct walk w = { .r = r };

	assert(r->dom->n == r->f->nblocks && r->row[r->f->nblocks] == r->nevents);
	place_phis(r, arena);
	r->reach = arena_array(arena, uint32_t, r->nevents);
	for (uint32_t i = 0; i < r->nevents; i++)
		r->reach[i] = IR_NONE;
	w.now = xcalloc(MAX(r->nvars, 1), sizeof(*w.now));
	for (uint32_t i = 0; i < r->nvars; i++)
		w.now[i] = IR_NONE;
	make_kids(&w);
	visit_all(&w);
	free(w.now);
	free(w.kid_row);
	free(w.kids);
	vec_release(&w.undo);
}
