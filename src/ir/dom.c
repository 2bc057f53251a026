/*
 * dom.c - orders and dominators of a function's blocks.
 *
 * Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001): the
 * immediate dominators are iterated in reverse post-order until nothing
 * changes, intersecting by walking up the tree found so far.  Functions of real
 * programs need two or three rounds.
 */
#include "ir/dom.h"

#include "base/rows.h"

#include <stdlib.h>

static void make_rows(uint32_t n, const struct row_pairs *e, bool reverse, uint32_t **row, uint32_t **to)
{
	*row = xcalloc((size_t)n + 2, sizeof(**row));
	*to = xcalloc(MAX(e->n, 1), sizeof(**to));
	rows_fill(*row, *to, n, e, reverse);
}

/* Depth-first from root; writes blocks in post-order, returns how many. */
static uint32_t post_order(const struct dom *d, uint32_t root, uint32_t *out)
{
	uint32_t *stack = xcalloc(d->n, sizeof(*stack)), *next = xcalloc(d->n, sizeof(*next));
	uint8_t *seen = xcalloc(d->n, 1);
	uint32_t n = 0, sp = 0;

	stack[sp++] = root;
	seen[root] = 1;
	next[root] = d->succ_row[root];
	while (sp) {
		uint32_t b = stack[sp - 1];

		if (next[b] == d->succ_row[b + 1]) {
			out[n++] = b;
			sp--;
			continue;
		}
		b = d->succ_to[next[b]++];
		if (!seen[b]) {
			seen[b] = 1;
			next[b] = d->succ_row[b];
			stack[sp++] = b;
		}
	}
	free(stack);
	free(next);
	free(seen);
	return n;
}

static uint32_t intersect(const struct dom *d, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (d->num[a] > d->num[b])
			a = d->idom[a];
		while (d->num[b] > d->num[a])
			b = d->idom[b];
	}
	return a;
}

static void find_idoms(struct dom *d, uint32_t root)
{
	bool changed = true;

	d->idom[root] = root;
	while (changed) {
		changed = false;
		for (uint32_t i = 1; i < d->nreach; i++) {
			uint32_t b = d->order[i], best = IR_NONE;

			for (uint32_t k = d->pred_row[b]; k < d->pred_row[b + 1]; k++) {
				uint32_t p = d->pred_to[k];

				if (d->num[p] == IR_NONE || d->idom[p] == IR_NONE)
					continue;
				best = best == IR_NONE ? p : intersect(d, p, best);
			}
			assert(best != IR_NONE);
			if (d->idom[b] != best) {
				d->idom[b] = best;
				changed = true;
			}
		}
	}
}

/* Pre-order intervals of the tree: children come after their parent in reverse
 * post-order, so sizes add up backwards and places are given out forwards. */
static void number_tree(struct dom *d)
{
	uint32_t *size = xcalloc(d->n, sizeof(*size)), *used = xcalloc(d->n, sizeof(*used));

	for (uint32_t i = d->nreach; i-- > 0;) {
		uint32_t b = d->order[i];

		size[b]++;
		if (i)
			size[d->idom[b]] += size[b];
	}
	for (uint32_t i = 0; i < d->nreach; i++) {
		uint32_t b = d->order[i], up = d->idom[b];

		if (i) {
			d->first[b] = d->first[up] + 1 + used[up];
			used[up] += size[b];
		}
		d->last[b] = d->first[b] + size[b] - 1;
	}
	free(size);
	free(used);
}

static void compute(struct dom *d, const struct row_pairs *e, bool reverse, uint32_t root)
{
	uint32_t *post = xcalloc(d->n, sizeof(*post));

	make_rows(d->n, e, reverse, &d->succ_row, &d->succ_to);
	make_rows(d->n, e, !reverse, &d->pred_row, &d->pred_to);
	d->order = xcalloc(d->n, sizeof(*d->order));
	d->num = xcalloc(d->n, sizeof(*d->num));
	d->idom = xcalloc(d->n, sizeof(*d->idom));
	d->first = xcalloc(d->n, sizeof(*d->first));
	d->last = xcalloc(d->n, sizeof(*d->last));
	for (uint32_t i = 0; i < d->n; i++)
		d->num[i] = d->idom[i] = IR_NONE;
	d->nreach = post_order(d, root, post);
	for (uint32_t i = 0; i < d->nreach; i++) {
		d->order[i] = post[d->nreach - 1 - i];
		d->num[d->order[i]] = i;
	}
	free(post);
	find_idoms(d, root);
	number_tree(d);
#ifdef PLUMB_DEBUG
	dom_check(d);
#endif
}

void dom_check(const struct dom *d)
{
	assert(d->nreach && d->nreach <= d->n && d->idom[d->order[0]] == d->order[0]);
	for (uint32_t b = 0; b < d->n; b++)
		assert(d->num[b] == IR_NONE ? d->idom[b] == IR_NONE : d->order[d->num[b]] == b);
	for (uint32_t i = 1; i < d->nreach; i++) {
		uint32_t b = d->order[i], up = d->idom[b];

		assert(d->num[b] == i && d->num[up] < i);
		assert(d->first[up] < d->first[b] && d->first[b] <= d->last[b] && d->last[b] <= d->last[up]);
		for (uint32_t k = d->pred_row[b]; k < d->pred_row[b + 1]; k++)
			assert(!dom_reachable(d, d->pred_to[k]) || dom_dominates(d, up, d->pred_to[k]));
	}
}

static void block_edges(struct row_pairs *e, const struct ir_func *f)
{
	for (uint32_t b = 0; b < f->nblocks; b++)
		for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
			vec_push(e, ((struct row_pair){ b, f->blocks[b].succ[k] }));
}

void dom_init(struct dom *d, const struct ir_func *f)
{
	struct row_pairs e = {0};

	assert(f->nblocks);
	memset(d, 0, sizeof(*d));
	d->n = f->nblocks;
	block_edges(&e, f);
	compute(d, &e, false, 0);
	vec_release(&e);
}

/* Marks what has a way to one of the blocks already marked. */
static void mark_backwards(const struct ir_func *f, uint8_t *mark, uint32_t start)
{
	VEC(uint32_t) todo = {0};

	vec_push(&todo, start);
	mark[start] = 1;
	while (todo.n) {
		const struct ir_block *b = &f->blocks[vec_pop(&todo)];

		for (uint32_t k = 0; k < b->npred; k++)
			if (!mark[b->pred[k]]) {
				mark[b->pred[k]] = 1;
				vec_push(&todo, b->pred[k]);
			}
	}
	vec_release(&todo);
}

void dom_init_post(struct dom *d, const struct ir_func *f)
{
	uint8_t *leaves = xcalloc(MAX(f->nblocks, 1), 1);	/* has a way out */
	struct row_pairs e = {0};
	uint32_t *post, npost;
	struct dom forward;

	assert(f->nblocks);
	memset(d, 0, sizeof(*d));
	d->n = f->nblocks + 1;
	block_edges(&e, f);
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (!f->blocks[b].nsucc) {
			vec_push(&e, ((struct row_pair){ b, f->nblocks }));
			mark_backwards(f, leaves, b);
		}
	/* Endless loops: the block that a depth-first walk leaves first can only lead
	 * back to where the walk came from, so it is in the loop; it gets an edge. */
	dom_init(&forward, f);
	post = xcalloc(f->nblocks, sizeof(*post));
	for (uint32_t b = 0; b < f->nblocks; b++) {
		npost = leaves[b] ? 0 : post_order(&forward, b, post);
		for (uint32_t i = 0; i < npost; i++)
			if (!leaves[post[i]]) {
				vec_push(&e, ((struct row_pair){ post[i], f->nblocks }));
				mark_backwards(f, leaves, post[i]);
			}
	}
	free(post);
	dom_release(&forward);
	compute(d, &e, true, f->nblocks);
	assert(d->nreach == d->n);
	vec_release(&e);
	free(leaves);
}

void dom_release(struct dom *d)
{
	free(d->order);
	free(d->num);
	free(d->idom);
	free(d->first);
	free(d->last);
	free(d->succ_row);
	free(d->succ_to);
	free(d->pred_row);
	free(d->pred_to);
	memset(d, 0, sizeof(*d));
}

void dom_frontier(const struct dom *d, uint32_t **row, uint32_t **to)
{
	uint32_t *last = xcalloc(d->n, sizeof(*last));	/* by block: the last join in its frontier, + 1 */
	struct row_pairs e = {0};

	for (uint32_t i = 0; i < d->nreach; i++) {
		uint32_t b = d->order[i];

		if (d->pred_row[b + 1] - d->pred_row[b] < 2 && i)
			continue;
		for (uint32_t k = d->pred_row[b]; k < d->pred_row[b + 1]; k++) {
			uint32_t p = d->pred_to[k];

			if (d->num[p] == IR_NONE)
				continue;
			/* Up to b's dominator; the root's frontier holds it if a loop comes back to it. */
			for (; p != d->idom[b] || i == 0; p = d->idom[p]) {
				if (last[p] != b + 1)
					vec_push(&e, ((struct row_pair){ p, b }));
				last[p] = b + 1;
				if (p == d->idom[p])
					break;
			}
		}
	}
	make_rows(d->n, &e, false, row, to);
	vec_release(&e);
	free(last);
}

void dom_add_latch(struct bits *body, const struct ir_func *f, uint32_t latch)
{
	VEC(uint32_t) todo = {0};

	assert(body->n >= f->nblocks);
	if (bits_set(body, latch))
		vec_push(&todo, latch);
	while (todo.n) {
		const struct ir_block *b = &f->blocks[vec_pop(&todo)];

		for (uint32_t k = 0; k < b->npred; k++)
			if (bits_set(body, b->pred[k]))
				vec_push(&todo, b->pred[k]);
	}
	vec_release(&todo);
}
