/*
 * exprphi.c - && and || out of control flow.
 *
 * x = (a || b) && c becomes blocks that test a, b, c and meet in a PHI: constant
 * false from the tests that decide early, the last operand's value from the last
 * block.  The blocks between the first test and the PHI, the region, are found
 * backwards: a block that branches only into the region belongs to it.  Then
 * tests are joined, starting with the first: one that is reached only from what
 * has been joined, and shares a target with it, is the next operand of || (shared
 * if true) or && (shared if false).  It works out if in the end one side leads to
 * the PHI with a constant and the other to the block with the value.
 */
#include "ir/expr.h"

enum { MAX_BLOCKS = 16, MAX_NESTED = 3 };

struct region {
	const struct ir_module *m;
	const struct ir_func *f;
	uint32_t meet;			/* the PHI's block */
	uint32_t block[MAX_BLOCKS];
	unsigned n;
	uint32_t head;
};

static const struct ir_inst *end_of(const struct ir_func *f, uint32_t block)
{
	assert(block < f->nblocks);
	return &f->insts[f->blocks[block].first + f->blocks[block].n - 1];
}

static bool has(const struct region *r, uint32_t block)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->block[i] == block)
			return true;
	return false;
}

static bool add(struct region *r, uint32_t block)
{
	if (has(r, block))
		return true;
	if (r->n == MAX_BLOCKS)
		return false;
	r->block[r->n++] = block;
	return true;
}

/* Does the block end in a test both ways of which stay in the region? */
static bool belongs(const struct region *r, uint32_t block)
{
	const struct ir_inst *end = end_of(r->f, block);

	if (end->op != IR_CONDBR || block == r->meet)
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (end->targets[i] != r->meet && !has(r, end->targets[i]))
			return false;
	return true;
}

static bool find_region(struct region *r, const struct ir_inst *phi, unsigned nested);

/* Does the instruction leave the truth of its first operand, perhaps negated? */
static bool passes_truth(const struct ir_inst *in)
{
	return in->op == IR_CAST || in->op == IR_CMP || (in->op == IR_BIN && in->sub == IR_B_XOR);
}

/* Where the evaluation of the value that comes from a block begins: there, or at
 * the head of another && or ||, perhaps negated, that ends there. */
static uint32_t value_head(const struct region *r, uint32_t block, ir_ref value, unsigned nested)
{
	const struct ir_inst *in = ir_def(r->f, value);
	struct region inner = { .m = r->m, .f = r->f };

	while (in && in->block == block && passes_truth(in))
		in = ir_def(r->f, in->ops[0]);
	if (!in || in->op != IR_PHI || in->block != block || nested >= MAX_NESTED)
		return block;
	return find_region(&inner, in, nested + 1) ? inner.head : block;
}

/* The head is the only block that is reached from outside. */
static bool find_head(struct region *r)
{
	unsigned heads = 0;

	for (unsigned i = 0; i < r->n; i++) {
		const struct ir_block *b = &r->f->blocks[r->block[i]];
		unsigned inside = 0;

		for (uint32_t k = 0; k < b->npred; k++)
			inside += has(r, b->pred[k]);
		if (inside == b->npred && b->npred)
			continue;
		if (inside)
			return false;
		r->head = r->block[i];
		heads++;
	}
	return heads == 1;
}

static bool find_region(struct region *r, const struct ir_inst *phi, unsigned nested)
{
	assert(phi->op == IR_PHI && !r->n);
	r->meet = phi->block;
	for (uint32_t i = 0; i < phi->nops; i++)
		if (!add(r, value_head(r, phi->targets[i], phi->ops[i], nested)))
			return false;
	/* A block may belong only once another is there: again until nothing grows. */
	for (unsigned before = 0; before != r->n;) {
		before = r->n;
		for (unsigned i = 0; i < r->n; i++) {
			const struct ir_block *b = &r->f->blocks[r->block[i]];

			for (uint32_t k = 0; k < b->npred; k++)
				if (belongs(r, b->pred[k]) && !add(r, b->pred[k]))
					return false;
		}
	}
	return find_head(r);
}

/* ---- joining --------------------------------------------------------- */

/* A node for each of MAX_BLOCKS tests and for the value, and one for each time two are joined. */
static_assert(2 * MAX_BLOCKS + 1 <= ARRAY_LEN(((struct bool_tree *)0)->node), "the tree holds all tests");

static int leaf(struct bool_tree *t, ir_ref r, bool negated)
{
	assert((size_t)t->n < ARRAY_LEN(t->node));
	t->node[t->n] = (struct bool_node){ .op = BOOL_LEAF, .leaf = r, .negated = negated };
	return t->n++;
}

static int join(struct bool_tree *t, enum bool_op op, int a, int b)
{
	assert((size_t)t->n < ARRAY_LEN(t->node) && a < t->n && b < t->n);
	t->node[t->n] = (struct bool_node){ .op = op, .a = a, .b = b };
	return t->n++;
}

/* By De Morgan's laws; every node has one parent. */
static void negate(struct bool_tree *t, int i)
{
	struct bool_node *n = &t->node[i];

	if (n->op == BOOL_LEAF) {
		n->negated = !n->negated;
		return;
	}
	n->op = n->op == BOOL_AND ? BOOL_OR : BOOL_AND;
	negate(t, n->a);
	negate(t, n->b);
}

struct joined {
	uint32_t block[MAX_BLOCKS];
	unsigned n;
	int root;
	uint32_t yes, no;		/* where it leads if true, if false */
};

static bool only_from(const struct ir_func *f, uint32_t block, const struct joined *j)
{
	const struct ir_block *b = &f->blocks[block];

	for (uint32_t k = 0; k < b->npred; k++) {
		unsigned i = 0;

		while (i < j->n && j->block[i] != b->pred[k])
			i++;
		if (i == j->n)
			return false;
	}
	return true;
}

/* Takes in the test at the end of the true or the false way, if it shares the
 * other way's target. */
static bool take(struct bool_tree *t, const struct region *r, struct joined *j, bool true_way)
{
	uint32_t block = true_way ? j->yes : j->no;
	uint32_t shared = true_way ? j->no : j->yes;
	const struct ir_inst *end = end_of(r->f, block);
	bool negated;
	int side;

	if (block == r->meet || !has(r, block) || j->n == MAX_BLOCKS)
		return false;
	if (end->op != IR_CONDBR || end->targets[0] == end->targets[1] || !only_from(r->f, block, j))
		return false;
	if (end->targets[0] != shared && end->targets[1] != shared)
		return false;
	side = end->targets[0] == shared ? 0 : 1;
	/* for && the false way is shared, for || the true way */
	negated = side != (true_way ? 1 : 0);
	j->root = join(t, true_way ? BOOL_AND : BOOL_OR, j->root, leaf(t, end->ops[0], negated));
	j->block[j->n++] = block;
	if (true_way)
		j->yes = end->targets[1 - side];
	else
		j->no = end->targets[1 - side];
	return true;
}

/* The constant that every early way brings, and which operand is the last
 * block's value: the one that is no constant, else the last. */
static bool split_operands(const struct ir_module *m, const struct ir_inst *phi, uint32_t *last, bool *early)
{
	unsigned values = 0, zeros = 0, ones = 0;

	*last = phi->nops - 1;
	for (uint32_t i = 0; i < phi->nops; i++)
		if (IR_KIND(phi->ops[i]) != IR_R_INT) {
			*last = i;
			values++;
		}
	for (uint32_t i = 0; i < phi->nops; i++)
		if (i != *last && IR_KIND(phi->ops[i]) == IR_R_INT)
			*(ir_int_value(m, phi->ops[i]) ? &ones : &zeros) += 1;
	*early = ones > 0;
	return values <= 1 && (ones == 0) != (zeros == 0);
}

int expr_bool_phi(struct bool_tree *t, const struct ir_module *m, const struct ir_func *f,
		  const struct ir_inst *phi)
{
	struct region r = { .m = m, .f = f };
	struct joined j = { .n = 1 };
	const struct ir_inst *end;
	uint32_t last, value, by_value, by_constant;
	bool early;

	t->n = 0;
	if (phi->cls != IR_C_INT || phi->bits != 1 || phi->nops < 2)
		return -1;
	if (!split_operands(m, phi, &last, &early) || !find_region(&r, phi, 0))
		return -1;
	end = end_of(f, r.head);
	if (end->op != IR_CONDBR)
		return -1;
	j.block[0] = r.head;
	j.root = leaf(t, end->ops[0], false);
	j.yes = end->targets[0];
	j.no = end->targets[1];
	while (take(t, &r, &j, true) || take(t, &r, &j, false))
		;
	value = value_head(&r, phi->targets[last], phi->ops[last], 0);
	if (!only_from(f, value, &j))
		return -1;
	/* where the tests lead: with the early constant, with the last operand's value */
	by_constant = early ? j.yes : j.no;
	by_value = early ? j.no : j.yes;
	if (by_constant == value && by_value == r.meet)
		negate(t, j.root);
	else if (by_constant != r.meet || by_value != value)
		return -1;
	/* f(), true: the last operand is only there for its side effects */
	if (IR_KIND(phi->ops[last]) == IR_R_INT && (ir_int_value(m, phi->ops[last]) != 0) != early)
		return j.root;
	return join(t, early ? BOOL_OR : BOOL_AND, j.root, leaf(t, phi->ops[last], false));
}
