/*
 * u_dom.c - dominators, post-dominators and dominance frontiers.
 *
 * Graphs made by hand, with the answers written down; and random ones, judged by
 * the definition: a dominates b if b cannot be reached once a is taken out.
 */
#include "u_ir.h"

#include "ir/dom.h"

enum { MAX_BLOCKS = 24 };

/* A function of n blocks with the edges of "0>1 0>2"; what has none returns. */
static struct ir_module *graph(uint32_t n, const char *edges)
{
	struct ir_module *m = ir_module_new();
	struct ir_builder b;

	ir_add_func(m, "f", IR_L_EXTERNAL);
	ir_body_begin(&b, m, 0);
	for (uint32_t i = 0; i < n; i++)
		CHECK_EQ_INT(ir_body_block(&b), i);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t to[64], nto = 0, from, dst;
		int used;
		struct ir_inst *in;

		for (const char *s = edges; sscanf(s, " %u>%u%n", &from, &dst, &used) == 2; s += used) {
			CHECK(from < n && dst < n);
			if (from == i)
				to[nto++] = dst;
		}
		ir_body_at(&b, i);
		if (nto) {
			in = ir_body_inst(&b, IR_GOTO, IR_C_VOID, 0, (ir_ref[]){ IR_UNDEF }, 1);
			ir_body_targets(&b, in, to, nto);
		} else {
			ir_body_inst(&b, IR_RET, IR_C_VOID, 0, NULL, 0);
		}
	}
	ir_body_end(&b);
	CHECK_EQ_INT(m->funcs.v[0].nblocks, n);
	return m;
}

/* Random edges, some of them back to the entry, some blocks without any way to them. */
static struct ir_module *random_graph(struct unit_rng *r, uint32_t *n)
{
	struct sbuf b = {0};
	struct ir_module *m;
	uint32_t per;

	*n = 1 + unit_below(r, MAX_BLOCKS);
	per = 1 + unit_below(r, 3);
	for (uint32_t i = 0; i < *n; i++)
		for (uint32_t k = unit_below(r, per + 1); k > 0; k--) {
			uint32_t to = unit_below(r, 3) ? unit_below(r, *n) : MIN(i + 1, *n - 1);

			sbuf_printf(&b, "%u>%u ", i, to);
		}
	m = graph(*n, sbuf_str(&b));
	sbuf_release(&b);
	return m;
}

/* ---- by definition ---------------------------------------------------- */

struct naive {
	uint32_t n, root;
	bool edge[MAX_BLOCKS + 1][MAX_BLOCKS + 1];
	bool reach[MAX_BLOCKS + 1];
	bool dom[MAX_BLOCKS + 1][MAX_BLOCKS + 1];	/* [a][b]: a dominates b */
};

static void mark_from(const struct naive *g, uint32_t from, uint32_t without, bool *mark)
{
	if (from == without || mark[from])
		return;
	mark[from] = true;
	for (uint32_t to = 0; to < g->n; to++)
		if (g->edge[from][to])
			mark_from(g, to, without, mark);
}

static void naive_solve(struct naive *g)
{
	mark_from(g, g->root, IR_NONE, g->reach);
	for (uint32_t a = 0; a < g->n; a++) {
		bool left[MAX_BLOCKS + 1] = {0};

		mark_from(g, g->root, a, left);
		for (uint32_t b = 0; b < g->n; b++)
			g->dom[a][b] = g->reach[a] && g->reach[b] && !left[b];
	}
}

static void naive_forward(struct naive *g, const struct ir_func *f)
{
	memset(g, 0, sizeof(*g));
	g->n = f->nblocks;
	for (uint32_t b = 0; b < f->nblocks; b++)
		for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
			g->edge[b][f->blocks[b].succ[k]] = true;
	naive_solve(g);
}

/* The graph backwards, with the edges to the exit that d has. */
static void naive_backward(struct naive *g, const struct ir_func *f, const struct dom *d)
{
	memset(g, 0, sizeof(*g));
	g->n = f->nblocks + 1;
	g->root = f->nblocks;
	for (uint32_t b = 0; b < f->nblocks; b++)
		for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
			g->edge[f->blocks[b].succ[k]][b] = true;
	for (uint32_t k = d->succ_row[g->root]; k < d->succ_row[g->root + 1]; k++)
		g->edge[g->root][d->succ_to[k]] = true;
	naive_solve(g);
}

static bool strictly(const struct naive *g, uint32_t a, uint32_t b)
{
	return a != b && g->dom[a][b];
}

/* ---- what d says against it ------------------------------------------- */

static void check_rows(const struct dom *d, const struct naive *g)
{
	uint32_t edges = 0;

	for (uint32_t b = 0; b < g->n; b++)
		for (uint32_t to = 0; to < g->n; to++)
			edges += g->edge[b][to];
	CHECK_EQ_INT(d->succ_row[g->n], edges);
	CHECK_EQ_INT(d->pred_row[g->n], edges);
	for (uint32_t b = 0; b < g->n; b++) {
		for (uint32_t k = d->succ_row[b]; k < d->succ_row[b + 1]; k++)
			CHECK(g->edge[b][d->succ_to[k]]);
		for (uint32_t k = d->pred_row[b]; k < d->pred_row[b + 1]; k++)
			CHECK(g->edge[d->pred_to[k]][b]);
	}
}

static void check_order(const struct dom *d, const struct naive *g)
{
	uint32_t n = 0;

	for (uint32_t b = 0; b < g->n; b++) {
		CHECK_EQ_INT(dom_reachable(d, b), g->reach[b]);
		if (!g->reach[b])
			continue;
		n++;
		CHECK(d->num[b] < d->nreach);
		CHECK_EQ_INT(d->order[d->num[b]], b);
	}
	CHECK_EQ_INT(d->nreach, n);
	CHECK_EQ_INT(d->order[0], g->root);
	/* In reverse post-order an edge goes back only to what can come again. */
	for (uint32_t a = 0; a < g->n; a++)
		for (uint32_t b = 0; b < g->n; b++) {
			bool from_b[MAX_BLOCKS + 1] = {0};

			if (!g->edge[a][b] || !g->reach[a] || d->num[a] < d->num[b])
				continue;
			mark_from(g, b, IR_NONE, from_b);
			CHECK(from_b[a]);
		}
}

static void check_dominators(const struct dom *d, const struct naive *g)
{
	for (uint32_t a = 0; a < g->n; a++)
		for (uint32_t b = 0; b < g->n; b++)
			if (dom_dominates(d, a, b) != g->dom[a][b])
				FAIL("does %u dominate %u?  %d, expected %d", a, b, !g->dom[a][b], g->dom[a][b]);
	for (uint32_t b = 0; b < g->n; b++) {
		if (!g->reach[b]) {
			CHECK_EQ_INT(d->idom[b], IR_NONE);
			continue;
		}
		if (b == g->root) {
			CHECK_EQ_INT(d->idom[b], b);
			continue;
		}
		CHECK(strictly(g, d->idom[b], b));
		for (uint32_t a = 0; a < g->n; a++)
			CHECK(!strictly(g, a, b) || g->dom[a][d->idom[b]]);
	}
}

/* b is in the frontier of a if a dominates a predecessor of it, but not b itself. */
static void check_frontier(const struct dom *d, const struct naive *g)
{
	uint32_t *row, *to;
	static bool got[MAX_BLOCKS + 1][MAX_BLOCKS + 1];

	memset(got, 0, sizeof(got));
	dom_frontier(d, &row, &to);
	for (uint32_t a = 0; a < g->n; a++)
		for (uint32_t k = row[a]; k < row[a + 1]; k++) {
			CHECK(!got[a][to[k]]);	/* once */
			got[a][to[k]] = true;
		}
	free(row);
	free(to);
	for (uint32_t a = 0; a < g->n; a++)
		for (uint32_t b = 0; b < g->n; b++) {
			bool want = false;

			for (uint32_t p = 0; p < g->n; p++)
				want |= g->edge[p][b] && g->dom[a][p];
			want &= !strictly(g, a, b);
			if (got[a][b] != want)
				FAIL("is %u in the frontier of %u?  %d, expected %d", b, a, got[a][b], want);
		}
}

static void check_all(const struct dom *d, const struct naive *g)
{
	CHECK_EQ_INT(d->n, g->n);
	check_rows(d, g);
	check_order(d, g);
	check_dominators(d, g);
	check_frontier(d, g);
}

/* Every block has a way to the exit: those without successors by an edge of
 * their own, and beside them only blocks that no return can be reached from. */
static void check_exits(const struct dom *d, const struct ir_func *f)
{
	bool leaves[MAX_BLOCKS + 1] = {0};
	struct naive back = { .n = f->nblocks };

	for (uint32_t b = 0; b < f->nblocks; b++)
		for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
			back.edge[f->blocks[b].succ[k]][b] = true;
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (!f->blocks[b].nsucc)
			mark_from(&back, b, IR_NONE, leaves);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		bool exits = false;

		for (uint32_t k = d->succ_row[f->nblocks]; k < d->succ_row[f->nblocks + 1]; k++)
			exits |= d->succ_to[k] == b;
		CHECK(dom_reachable(d, b));
		CHECK(!exits || !f->blocks[b].nsucc || !leaves[b]);
		CHECK(exits || f->blocks[b].nsucc);
	}
}

/* ---- by hand ----------------------------------------------------------- */

/* want: "block:idom ..." for each block that can be reached. */
static void expect(uint32_t n, const char *edges, bool post, const char *want)
{
	struct ir_module *m = graph(n, edges);
	struct sbuf b = {0};
	struct naive g;
	struct dom d;

	if (post) {
		dom_init_post(&d, &m->funcs.v[0]);
		naive_backward(&g, &m->funcs.v[0], &d);
	} else {
		dom_init(&d, &m->funcs.v[0]);
		naive_forward(&g, &m->funcs.v[0]);
	}
	for (uint32_t i = 0; i < d.n; i++)
		if (dom_reachable(&d, i))
			sbuf_printf(&b, "%s%u:%u", b.n ? " " : "", i, d.idom[i]);
	CHECK_EQ_STR(sbuf_str(&b), want);
	check_all(&d, &g);
	dom_release(&d);
	ir_module_free(m);
	sbuf_release(&b);
}

static void expect_frontier(uint32_t n, const char *edges, const char *want)
{
	struct ir_module *m = graph(n, edges);
	struct sbuf b = {0};
	uint32_t *row, *to;
	struct dom d;

	dom_init(&d, &m->funcs.v[0]);
	dom_frontier(&d, &row, &to);
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t k = row[a]; k < row[a + 1]; k++)
			sbuf_printf(&b, "%s%u:%u", b.n ? " " : "", a, to[k]);
	CHECK_EQ_STR(sbuf_str(&b), want);
	free(row);
	free(to);
	dom_release(&d);
	ir_module_free(m);
	sbuf_release(&b);
}

#define DIAMOND 4, "0>1 0>2 1>3 2>3"
#define LOOP 4, "0>1 1>2 2>1 1>3"
#define NESTED 6, "0>1 1>2 2>3 3>2 3>4 4>1 4>5"
#define IRREDUCIBLE 4, "0>1 0>2 1>2 2>1 1>3"

TEST(one_block)
{
	expect(1, "", false, "0:0");
	expect(1, "", true, "0:1 1:1");
	expect(1, "0>0", false, "0:0");
	expect(1, "0>0", true, "0:1 1:1");
}

TEST(diamond)
{
	expect(DIAMOND, false, "0:0 1:0 2:0 3:0");
	expect(DIAMOND, true, "0:3 1:3 2:3 3:4 4:4");
	expect_frontier(DIAMOND, "1:3 2:3");
}

TEST(loop)
{
	expect(LOOP, false, "0:0 1:0 2:1 3:1");
	expect(LOOP, true, "0:1 1:3 2:1 3:4 4:4");
	expect_frontier(LOOP, "1:1 2:1");
}

TEST(nested_loops)
{
	expect(NESTED, false, "0:0 1:0 2:1 3:2 4:3 5:4");
	expect(NESTED, true, "0:1 1:2 2:3 3:4 4:5 5:6 6:6");
	expect_frontier(NESTED, "1:1 2:1 2:2 3:1 3:2 4:1");
}

TEST(irreducible)
{
	expect(IRREDUCIBLE, false, "0:0 1:0 2:0 3:1");
	expect(IRREDUCIBLE, true, "0:1 1:3 2:1 3:4 4:4");
	expect_frontier(IRREDUCIBLE, "1:2 2:1");
}

/* The order of the blocks' numbers is of no consequence: needs several rounds. */
TEST(irreducible_backwards)
{
	expect(6, "0>5 0>4 5>1 4>2 4>3 1>2 2>1 2>3 3>2", false, "0:0 1:0 2:0 3:0 4:0 5:0");
}

/* Edges from blocks that cannot be reached count for nothing, not even as joins. */
TEST(unreachable)
{
	expect(4, "0>1 2>1 2>3 3>2", false, "0:0 1:0");
	expect_frontier(4, "0>1 2>1 2>3 3>2", "");
	/* backwards they can be reached */
	expect(4, "0>1 2>1 2>3 3>2", true, "0:1 1:4 2:1 3:2 4:4");
}

TEST(loop_to_the_entry)
{
	expect(3, "0>1 1>0 0>2", false, "0:0 1:0 2:0");
	expect_frontier(3, "0>1 1>0 0>2", "0:0 1:0");
}

TEST(several_exits)
{
	expect(4, "0>1 0>2 1>3", true, "0:4 1:3 2:4 3:4 4:4");
}

/* One way ends in a loop for ever: it is a way to the exit, too. */
TEST(endless_loop)
{
	expect(5, "0>1 0>4 1>2 2>3 3>2", true, "0:5 1:2 2:3 3:5 4:5 5:5");
	expect(2, "0>1 1>0", true, "0:1 1:2 2:2");
}

/* ---- random ------------------------------------------------------------ */

TEST(random_dominators)
{
	struct unit_rng r = { 1 };

	for (int i = 0; i < 1500; i++) {
		uint32_t n;
		struct ir_module *m = random_graph(&r, &n);
		struct naive g;
		struct dom d;

		dom_init(&d, &m->funcs.v[0]);
		naive_forward(&g, &m->funcs.v[0]);
		check_all(&d, &g);
		dom_release(&d);
		ir_module_free(m);
	}
}

TEST(random_post_dominators)
{
	struct unit_rng r = { 2 };

	for (int i = 0; i < 1500; i++) {
		uint32_t n;
		struct ir_module *m = random_graph(&r, &n);
		struct naive g;
		struct dom d;

		dom_init_post(&d, &m->funcs.v[0]);
		naive_backward(&g, &m->funcs.v[0], &d);
		check_all(&d, &g);
		check_exits(&d, &m->funcs.v[0]);
		dom_release(&d);
		ir_module_free(m);
	}
}

/* A long chain: nothing may recurse over blocks. */
TEST(deep)
{
	enum { N = 200000 };
	struct ir_module *m = ir_module_new();
	struct ir_builder b;
	struct dom d;

	ir_add_func(m, "f", IR_L_EXTERNAL);
	ir_body_begin(&b, m, 0);
	for (uint32_t i = 0; i < N; i++) {
		uint32_t next = i + 1;

		ir_body_at(&b, ir_body_block(&b));
		if (next < N)
			ir_body_targets(&b, ir_body_inst(&b, IR_BR, IR_C_VOID, 0, NULL, 0), &next, 1);
		else
			ir_body_inst(&b, IR_RET, IR_C_VOID, 0, NULL, 0);
	}
	ir_body_end(&b);
	dom_init(&d, &m->funcs.v[0]);
	CHECK_EQ_INT(d.nreach, N);
	CHECK_EQ_INT(d.idom[N - 1], N - 2);
	CHECK(dom_dominates(&d, 1, N - 1));
	CHECK(!dom_dominates(&d, N - 1, 1));
	dom_release(&d);
	dom_init_post(&d, &m->funcs.v[0]);
	CHECK_EQ_INT(d.idom[0], 1);
	CHECK(dom_dominates(&d, N - 1, 0));
	dom_release(&d);
	ir_module_free(m);
}

/* Blocks on the way into a loop for ever are not in it, whatever their numbers:
 * only the loop has an edge to the exit. */
TEST(way_into_endless_loop)
{
	expect(3, "0>2 2>1 1>1", true, "0:2 1:3 2:1 3:3");
}
