/*
 * oblivious_loop.c - loops that are left after too many rounds.
 *
 * Nguyen and Rinard, section 3.5: each loop is bounded by 1000 times the largest number
 * of rounds after which it ended by itself (runtime/guard_loop.c remembers that number).
 * Loops are found as strongly connected regions with one entry, the *header*; inside of
 * one, without its header, there may be further ones.  What has several entries (goto into
 * a loop) is not bounded.
 *
 *	on each edge into the loop	rounds = 0; limit = enter(loop)
 *	in the header			rounds++
 *	at the chosen exits		leave if rounds > limit
 *	on each edge out of it		leave(loop, rounds, limit)
 *
 * Exits are edges that the program has: a branch that can leave the loop is forced to.
 * So all values that the loop computes exist, and execution continues behind the loop, or
 * where it would have continued with that exit's condition true.  The exit of the header is
 * chosen, or of the only block that leads back: every round passes through either.  If
 * neither has an exit, all exits are chosen.  A loop that cannot be left by a branch (only
 * by a switch, or not at all) is not bounded.
 *
 * A variable in the loop's body with the annotation OBLIVIOUS_ENDLESS excludes the loop.
 */
#include "front/oblivious_int.h"

#include "base/hash.h"
#include "base/vec.h"

#include <assert.h>

#define NO_LOOP UINT32_MAX

struct loop {
	uint32_t header, parent;
	bool bounded;
	LLVMValueRef global, rounds, limit;
};

/* Blocks whose strongly connected parts are still to be found. */
struct region {
	uint32_t parent;
	VEC(uint32_t) blocks;
};

#define MAP_NAME block_numbers
#define MAP_KEY LLVMBasicBlockRef
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix((uintptr_t)(k))
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct flow {
	struct rewrite *r;
	LLVMValueRef func;
	uint32_t n;
	LLVMBasicBlockRef *block;
	uint32_t *row, *to;		/* successors, in compressed rows */
	uint32_t *inner;		/* block -> innermost loop, or NO_LOOP */
	VEC(struct loop) loops;
	VEC(struct region) todo;
	/* Tarjan's algorithm */
	uint32_t *region, *num, *low;	/* region: that the block belongs to now */
	VEC(uint32_t) stack;
};

/* ---- blocks and edges ---- */

static void flow_init(struct flow *f, struct rewrite *r, LLVMValueRef func)
{
	struct block_numbers numbers = {0};
	uint32_t edges = 0;

	memset(f, 0, sizeof(*f));
	f->r = r;
	f->func = func;
	f->n = LLVMCountBasicBlocks(func);
	f->block = xcalloc(f->n, sizeof(*f->block));
	LLVMGetBasicBlocks(func, f->block);
	f->row = xcalloc(f->n + 1, sizeof(*f->row));
	for (uint32_t i = 0; i < f->n; i++) {
		block_numbers_set(&numbers, f->block[i], i);
		f->row[i] = edges;
		edges += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(f->block[i]));
	}
	f->row[f->n] = edges;
	f->to = xcalloc(edges + 1, sizeof(*f->to));
	for (uint32_t i = 0; i < f->n; i++)
		for (uint32_t e = f->row[i]; e < f->row[i + 1]; e++)
			f->to[e] = *block_numbers_get(&numbers,
				LLVMGetSuccessor(LLVMGetBasicBlockTerminator(f->block[i]), e - f->row[i]));
	f->inner = xcalloc(f->n, sizeof(*f->inner));
	f->region = xcalloc(f->n, sizeof(*f->region));
	f->num = xcalloc(f->n, sizeof(*f->num));
	f->low = xcalloc(f->n, sizeof(*f->low));
	for (uint32_t i = 0; i < f->n; i++)
		f->inner[i] = NO_LOOP;
	block_numbers_release(&numbers);
}

static void flow_release(struct flow *f)
{
	for (uint32_t i = 0; i < f->todo.n; i++)
		vec_release(&f->todo.v[i].blocks);
	vec_release(&f->todo);
	vec_release(&f->loops);
	vec_release(&f->stack);
	free(f->block);
	free(f->row);
	free(f->to);
	free(f->inner);
	free(f->region);
	free(f->num);
	free(f->low);
}

static bool in_loop(const struct flow *f, uint32_t block, uint32_t loop)
{
	uint32_t l = f->inner[block];

	while (l != NO_LOOP && l != loop)
		l = f->loops.v[l].parent;
	return l == loop;
}

/* ---- finding loops ---- */

/* The only block of a part that edges from outside lead to; NO_LOOP if there are
 * several.  The blocks of the part have mark as their region. */
static uint32_t only_entry(const struct flow *f, uint32_t mark)
{
	uint32_t entry = NO_LOOP;

	for (uint32_t u = 0; u < f->n; u++) {
		if (f->region[u] == mark)
			continue;
		for (uint32_t e = f->row[u]; e < f->row[u + 1]; e++) {
			if (f->region[f->to[e]] != mark)
				continue;
			if (entry != NO_LOOP && entry != f->to[e])
				return NO_LOOP;
			entry = f->to[e];
		}
	}
	return entry;
}

static bool is_cycle(const struct flow *f, const uint32_t *blocks, uint32_t n)
{
	if (n > 1)
		return true;
	for (uint32_t e = f->row[blocks[0]]; e < f->row[blocks[0] + 1]; e++)
		if (f->to[e] == blocks[0])
			return true;
	return false;
}

/* A strongly connected part of a region: a loop, if it has one entry.  Without its
 * header (any block, if it has several) it may have further ones inside. */
static void add_part(struct flow *f, uint32_t parent, const uint32_t *blocks, uint32_t n, uint32_t mark)
{
	uint32_t header, cut;
	struct region *inside;

	if (!is_cycle(f, blocks, n))
		return;
	for (uint32_t i = 0; i < n; i++)
		f->region[blocks[i]] = mark;
	header = only_entry(f, mark);
	cut = header != NO_LOOP ? header : blocks[0];
	if (header != NO_LOOP) {
		struct loop *l = vec_add(&f->loops, 1);

		l->header = header;
		l->parent = parent;
		parent = f->loops.n - 1;
		for (uint32_t i = 0; i < n; i++)
			f->inner[blocks[i]] = parent;
	}
	if (n == 1)
		return;
	inside = vec_add(&f->todo, 1);
	inside->parent = parent;
	for (uint32_t i = 0; i < n; i++)
		if (blocks[i] != cut)
			vec_push(&inside->blocks, blocks[i]);
}

struct frame {
	uint32_t block, edge;
};

/* Tarjan's algorithm from one block, within its region, without recursion. */
static void find_parts(struct flow *f, const struct region *g, uint32_t mark, uint32_t root,
		       uint32_t *count, uint32_t *next_mark)
{
	VEC(struct frame) frames = {0};

	vec_push(&frames, ((struct frame){ root, f->row[root] }));
	f->num[root] = f->low[root] = ++*count;
	vec_push(&f->stack, root);
	while (frames.n) {
		uint32_t u = vec_last(&frames).block, e = vec_last(&frames).edge++;

		if (e < f->row[u + 1]) {
			uint32_t v = f->to[e];

			if (f->region[v] != mark)
				continue;
			if (f->num[v] == 0) {
				f->num[v] = f->low[v] = ++*count;
				vec_push(&f->stack, v);
				vec_push(&frames, ((struct frame){ v, f->row[v] }));
			} else {
				f->low[u] = MIN(f->low[u], f->num[v]);
			}
			continue;
		}
		frames.n--;
		if (frames.n)
			f->low[vec_last(&frames).block] = MIN(f->low[vec_last(&frames).block], f->low[u]);
		if (f->low[u] == f->num[u]) {
			uint32_t from = f->stack.n;

			do
				f->region[f->stack.v[--from]] = NO_LOOP;	/* of no region any more */
			while (f->stack.v[from] != u);
			add_part(f, g->parent, f->stack.v + from, f->stack.n - from, (*next_mark)++);
			f->stack.n = from;
		}
	}
	vec_release(&frames);
}

static void find_loops(struct flow *f)
{
	uint32_t next_mark = 1;
	struct region *all = vec_add(&f->todo, 1);

	all->parent = NO_LOOP;
	for (uint32_t i = 0; i < f->n; i++)
		vec_push(&all->blocks, i);
	while (f->todo.n) {
		struct region g = vec_pop(&f->todo);
		uint32_t mark = next_mark++, count = 0;

		for (uint32_t i = 0; i < g.blocks.n; i++) {
			f->region[g.blocks.v[i]] = mark;
			f->num[g.blocks.v[i]] = 0;
		}
		for (uint32_t i = 0; i < g.blocks.n; i++)
			if (f->num[g.blocks.v[i]] == 0)
				find_parts(f, &g, mark, g.blocks.v[i], &count, &next_mark);
		vec_release(&g.blocks);
	}
}

/* A loop lies in an earlier one, and its header in no loop further inside. */
static void flow_check(const struct flow *f)
{
	assert(f->row[f->n] >= f->row[0] && !f->todo.n && !f->stack.n);
#ifdef PLUMB_DEBUG
	for (uint32_t i = 0; i < f->n; i++) {
		assert(f->row[i] <= f->row[i + 1]);
		assert(f->inner[i] == NO_LOOP || f->inner[i] < f->loops.n);
	}
	for (uint32_t e = 0; e < f->row[f->n]; e++)
		assert(f->to[e] < f->n);
	for (uint32_t i = 0; i < f->loops.n; i++) {
		const struct loop *l = &f->loops.v[i];

		assert(l->parent == NO_LOOP || l->parent < i);
		assert(l->header < f->n && f->inner[l->header] == i);
	}
#endif
}

/* ---- which of them ---- */

/* Does the block end in a jump whose targets can be changed? */
static bool is_jump(LLVMValueRef term)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(term);

	return op == LLVMBr || op == LLVMSwitch;
}

/* Does the block have an annotated variable? */
static bool has_annotation(LLVMBasicBlockRef b)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
		size_t n;

		if (f && LLVMIsAFunction(f) &&
		    str_starts(LLVMGetValueName2(f, &n), "llvm.var.annotation") &&
		    rewrite_is_endless(LLVMGetOperand(i, 1)))
			return true;
	}
	return false;
}

static bool can_leave(const struct flow *f, uint32_t u, uint32_t loop)
{
	LLVMValueRef term = LLVMGetBasicBlockTerminator(f->block[u]);

	if (LLVMGetInstructionOpcode(term) != LLVMBr || !LLVMIsConditional(term))
		return false;
	return in_loop(f, f->to[f->row[u]], loop) != in_loop(f, f->to[f->row[u] + 1], loop);
}

static void choose(struct flow *f)
{
	for (uint32_t i = 0; i < f->loops.n; i++)
		f->loops.v[i].bounded = true;
	for (uint32_t u = 0; u < f->n; u++) {
		bool jump = is_jump(LLVMGetBasicBlockTerminator(f->block[u]));

		if (f->inner[u] != NO_LOOP && has_annotation(f->block[u]))
			f->loops.v[f->inner[u]].bounded = false;
		for (uint32_t e = f->row[u]; e < f->row[u + 1] && !jump; e++) {
			uint32_t l = f->inner[f->to[e]];

			/* Nothing can be inserted on the edge, so that the rounds of the loops that it enters
			 * cannot be counted. */
			for (; l != NO_LOOP; l = f->loops.v[l].parent)
				if (!in_loop(f, u, l))
					f->loops.v[l].bounded = false;
		}
	}
}

/* ---- rewriting ---- */

static void make_variables(struct flow *f)
{
	struct rewrite *r = f->r;
	size_t n, k;
	const char *file = LLVMGetSourceFileName(r->m, &n), *name = LLVMGetValueName2(f->func, &k);
	uint64_t key = hash_bytes(name, k, hash_bytes(file, n, 0));
	LLVMTypeRef pair[2] = { r->i64, r->i64 }, type = LLVMStructTypeInContext(r->ctx, pair, 2, 0);

	LLVMPositionBuilderBefore(r->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->func)));
	for (uint32_t i = 0; i < f->loops.n; i++) {
		struct loop *l = &f->loops.v[i];
		uint64_t own = hash_join(key, i);
		LLVMValueRef init[2] = { LLVMConstInt(r->i64, own ? own : 1, 0), LLVMConstInt(r->i64, 0, 0) };

		if (!l->bounded)
			continue;
		l->global = LLVMAddGlobal(r->m, type, "plumb.loop");
		LLVMSetInitializer(l->global, LLVMConstStructInContext(r->ctx, init, 2, 0));
		LLVMSetLinkage(l->global, LLVMInternalLinkage);
		l->rounds = LLVMBuildAlloca(r->b, r->i64, "");
		l->limit = LLVMBuildAlloca(r->b, r->i64, "");
	}
}

static void count_rounds(struct flow *f, const struct loop *l)
{
	struct rewrite *r = f->r;
	LLVMValueRef at = LLVMGetFirstInstruction(f->block[l->header]), n;

	while (LLVMIsAPHINode(at))
		at = LLVMGetNextInstruction(at);
	LLVMPositionBuilderBefore(r->b, at);
	n = LLVMBuildLoad2(r->b, r->i64, l->rounds, "");
	n = LLVMBuildAdd(r->b, n, LLVMConstInt(r->i64, 1, 0), "");
	LLVMBuildStore(r->b, n, l->rounds);
}

/* Makes the branch at the end of u leave the loop after too many rounds. */
static void bound_exit(struct flow *f, const struct loop *l, uint32_t loop, uint32_t u)
{
	struct rewrite *r = f->r;
	LLVMValueRef term = LLVMGetBasicBlockTerminator(f->block[u]), over, cond;

	assert(can_leave(f, u, loop));
	LLVMPositionBuilderBefore(r->b, term);
	over = LLVMBuildICmp(r->b, LLVMIntUGT, LLVMBuildLoad2(r->b, r->i64, l->rounds, ""),
			     LLVMBuildLoad2(r->b, r->i64, l->limit, ""), "");
	cond = LLVMGetCondition(term);
	if (in_loop(f, f->to[f->row[u]], loop))		/* true stays inside */
		cond = LLVMBuildAnd(r->b, cond, LLVMBuildNot(r->b, over, ""), "");
	else
		cond = LLVMBuildOr(r->b, cond, over, "");
	LLVMSetCondition(term, cond);
}

/* The block that alone leads back to the header, or NO_LOOP. */
static uint32_t only_back(const struct flow *f, uint32_t loop)
{
	uint32_t back = NO_LOOP;

	for (uint32_t u = 0; u < f->n; u++)
		for (uint32_t e = f->row[u]; e < f->row[u + 1]; e++) {
			if (f->to[e] != f->loops.v[loop].header || !in_loop(f, u, loop))
				continue;
			if (back != NO_LOOP && back != u)
				return NO_LOOP;
			back = u;
		}
	return back;
}

static void bound_loop(struct flow *f, uint32_t loop)
{
	struct loop *l = &f->loops.v[loop];
	uint32_t back = only_back(f, loop);

	assert(l->bounded && l->rounds && l->limit);
	count_rounds(f, l);
	if (can_leave(f, l->header, loop)) {
		bound_exit(f, l, loop, l->header);
	} else if (back != NO_LOOP && can_leave(f, back, loop)) {
		bound_exit(f, l, loop, back);
	} else {
		for (uint32_t u = 0; u < f->n; u++)
			if (in_loop(f, u, loop) && can_leave(f, u, loop))
				bound_exit(f, l, loop, u);
	}
}

/* In the phis of a block, one entry for `from` becomes one for `now`. */
static void redirect_phis(struct rewrite *r, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
			  LLVMBasicBlockRef now)
{
	LLVMValueRef phi = LLVMGetFirstInstruction(block), next;

	for (; LLVMIsAPHINode(phi); phi = next) {
		unsigned n = LLVMCountIncoming(phi);
		bool done = false;
		LLVMValueRef fresh;

		next = LLVMGetNextInstruction(phi);
		LLVMPositionBuilderBefore(r->b, phi);
		fresh = LLVMBuildPhi(r->b, LLVMTypeOf(phi), "");
		for (unsigned i = 0; i < n; i++) {
			LLVMValueRef value = LLVMGetIncomingValue(phi, i);
			LLVMBasicBlockRef at = LLVMGetIncomingBlock(phi, i);

			if (at == from && !done) {
				at = now;
				done = true;
			}
			LLVMAddIncoming(fresh, &value, &at, 1);
		}
		LLVMReplaceAllUsesWith(phi, fresh);
		LLVMInstructionEraseFromParent(phi);
	}
}

static void enter_loop(struct rewrite *r, const struct loop *l)
{
	LLVMValueRef arg = l->global;

	LLVMBuildStore(r->b, LLVMConstInt(r->i64, 0, 0), l->rounds);
	LLVMBuildStore(r->b, rewrite_call(r, r->enter, &arg, 1), l->limit);
}

static void leave_loop(struct rewrite *r, const struct loop *l)
{
	LLVMValueRef args[3];

	args[0] = l->global;
	args[1] = LLVMBuildLoad2(r->b, r->i64, l->rounds, "");
	args[2] = LLVMBuildLoad2(r->b, r->i64, l->limit, "");
	rewrite_call(r, r->leave, args, 3);
}

/* Inserts calls on an edge that leaves bounded loops, the innermost first, or enters one. */
static void mark_edge(struct flow *f, uint32_t u, uint32_t e)
{
	struct rewrite *r = f->r;
	LLVMValueRef term = LLVMGetBasicBlockTerminator(f->block[u]);
	uint32_t v = f->to[e], enters = NO_LOOP;
	bool leaves = false;
	LLVMBasicBlockRef between;

	/* Headers are the only entries, and no block is the header of several loops: an
	 * edge enters one loop at most. */
	if (f->inner[v] != NO_LOOP && !in_loop(f, u, f->inner[v]) && f->loops.v[f->inner[v]].bounded)
		enters = f->inner[v];
	assert(enters == NO_LOOP || f->loops.v[enters].header == v);
	for (uint32_t l = f->inner[u]; l != NO_LOOP; l = f->loops.v[l].parent)
		leaves |= f->loops.v[l].bounded && !in_loop(f, v, l);
	if (!is_jump(term) || (enters == NO_LOOP && !leaves))
		return;
	between = LLVMInsertBasicBlockInContext(r->ctx, f->block[v], "");
	redirect_phis(r, f->block[v], f->block[u], between);
	LLVMSetSuccessor(term, e - f->row[u], between);
	LLVMPositionBuilderAtEnd(r->b, between);
	for (uint32_t l = f->inner[u]; l != NO_LOOP; l = f->loops.v[l].parent)
		if (f->loops.v[l].bounded && !in_loop(f, v, l))
			leave_loop(r, &f->loops.v[l]);
	if (enters != NO_LOOP)
		enter_loop(r, &f->loops.v[enters]);
	LLVMBuildBr(r->b, f->block[v]);
}

void rewrite_loops(struct rewrite *r, LLVMValueRef func)
{
	struct flow f;

	flow_init(&f, r, func);
	find_loops(&f);
	flow_check(&f);
	choose(&f);
	make_variables(&f);
	for (uint32_t i = 0; i < f.loops.n; i++)
		if (f.loops.v[i].bounded)
			bound_loop(&f, i);
	for (uint32_t u = 0; u < f.n; u++)
		for (uint32_t e = f.row[u]; e < f.row[u + 1]; e++)
			mark_edge(&f, u, e);
	flow_release(&f);
}
