/*
 * lower_func.c - a function's body: order of blocks, parameters, operands.
 *
 * Blocks are lowered in reverse postorder, in which every definition comes
 * before its uses (phis aside, which get their operands at the end), and are
 * numbered in that order; among the orders possible we take the one nearest to
 * LLVM's, which is nearest to the source.  Blocks that cannot be reached are
 * left out.  So are the unwind edges of invoke, and with them the landing pads:
 * in C they only run cleanup functions while a foreign exception or a thread's
 * cancellation passes through.
 *
 * A struct parameter that the caller passes as a copy in memory is a slot,
 * filled from the parameter at entry.  A variable that clang built in the
 * caller's result memory right away (there is one return of one variable) is a
 * slot too, copied to that memory at the return, as the source says.
 *
 * First-class aggregates exist as leaves only; the value map holds a pseudo ref.
 */
#include "front/lower_int.h"

#define MAX_PARTS 1000		/* of one constant that takes instructions */

/* ---- values ---------------------------------------------------------- */

void low_set(struct low_func *f, LLVMValueRef v, ir_ref r)
{
	valmap_set(&f->values, v, r);
}

void low_set_leaves(struct low_func *f, LLVMValueRef v, const ir_ref *r, uint32_t n)
{
	struct low_agg a = { f->leaves.n, n };

	assert(n == 0 || r < f->leaves.v || r >= f->leaves.v + f->leaves.cap);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&f->leaves, r[i]);
	low_set(f, v, LOW_PSEUDO(f->aggs.n));
	vec_push(&f->aggs, a);
}

/* Makes the instructions that compute a constant that holds addresses. */
static ir_ref compute_const(struct low_func *f, LLVMValueRef c)
{
	struct low_type *t = low_type_of(f->l, c);
	LLVMValueRef part;
	struct refvec ops = {0};
	struct ir_inst *call;
	ir_ref r;
	int n;

	switch (LLVMGetValueKind(c)) {
	case LLVMConstantExprValueKind:
		return low_operation(f, LLVMGetConstOpcode(c), c);
	case LLVMGlobalIFuncValueKind:	/* the address is what its resolver says */
		part = LLVMGetGlobalIFuncResolver(c);
		r = part ? low_value(f, part) : IR_CONST;
		call = low_emit(f, IR_CALL, t, &r, 1);
		call->flags |= IR_F_IMPLICIT;
		return ir_res(call);
	default:
		n = LLVMGetNumOperands(c);
		for (int i = 0; i < n; i++)
			low_leaves(f, LLVMGetOperand(c, (unsigned)i), &ops);
		r = low_opaque(f, t, ops.v, ops.n);
		vec_release(&ops);
		return r;
	}
}

/* The same within a limit for the parts of one constant. */
static ir_ref make_const(struct low_func *f, LLVMValueRef c)
{
	bool outermost = f->const_parts == 0;
	ir_ref r = IR_CONST;

	if (++f->const_parts > MAX_PARTS)
		low_fail(f->l, "a constant expression is too large");
	else
		r = compute_const(f, c);
	if (outermost)
		f->const_parts = 0;
	return r;
}

static ir_ref expand_const(struct low_func *f, LLVMValueRef c)
{
	struct low_edge e = { .v = c, .block = f->b.cur };

	assert(!f->at_edge || f->from_block == IR_NONE);
	if (f->from_block != IR_NONE) {
		for (uint32_t i = 0; i < f->edges.n; i++)
			if (f->edges.v[i].v == c && f->edges.v[i].block == f->from_block)
				return f->edges.v[i].ref;
		low_fail(f->l, "a phi operand was not computed");
		return IR_CONST;
	}
	if (!f->at_edge)
		return make_const(f, c);
	f->at_edge = false;		/* the parts need not be remembered */
	e.ref = make_const(f, c);
	f->at_edge = true;
	vec_push(&f->edges, e);
	return e.ref;
}

ir_ref low_value(struct low_func *f, LLVMValueRef v)
{
	const ir_ref *have;
	ir_ref r;

	switch (LLVMGetValueKind(v)) {
	case LLVMInstructionValueKind:
	case LLVMArgumentValueKind:
		have = valmap_get(&f->values, v);
		if (have && !LOW_IS_PSEUDO(*have))
			return *have;
		low_fail(f->l, "a value is used before it is defined");
		return IR_UNDEF;
	case LLVMMetadataAsValueValueKind:
	case LLVMInlineAsmValueKind:
	case LLVMBasicBlockValueKind:
		return IR_CONST;
	default:
		return low_const(f->l, v, &r) ? r : expand_const(f, v);
	}
}

static ir_ref zero_leaf(struct low_func *f, const struct low_type *t)
{
	switch (t->cls) {
	case IR_C_PTR:
		return IR_NULL;
	case IR_C_INT:
		return low_int_const(f->l, 0, t->bits);
	default:
		return IR_CONST;
	}
}

void low_leaves(struct low_func *f, LLVMValueRef v, struct refvec *out)
{
	struct low_type *t = low_type_of(f->l, v);
	const ir_ref *have;
	uint32_t parts;

	if (t->cls != IR_C_AGG) {
		ir_ref r = low_value(f, v);

		vec_push(out, r);
		return;
	}
	have = valmap_get(&f->values, v);
	if (have && LOW_IS_PSEUDO(*have)) {
		struct low_agg a = f->aggs.v[IR_IDX(*have)];

		for (uint32_t i = 0; i < a.n; i++)
			vec_push(out, f->leaves.v[a.first + i]);
		return;
	}
	if (!LLVMIsConstant(v))
		low_fail(f->l, "an aggregate is used before it is defined");
	if (!LLVMIsConstant(v) || LLVMIsUndef(v) || LLVMIsNull(v)) {
		for (uint32_t i = 0; i < t->nleaves; i++)
			vec_push(out, LLVMIsNull(v) ? zero_leaf(f, t->leaves[i].type) : IR_UNDEF);
		return;
	}
	parts = t->kind == LLVMStructTypeKind ? t->n : (uint32_t)t->count;
	for (uint32_t i = 0; t->nleaves && i < parts; i++) {
		LLVMValueRef part = LLVMGetAggregateElement(v, i);

		if (part)
			low_leaves(f, part, out);
	}
}

void low_same(struct low_func *f, LLVMValueRef v, LLVMValueRef as)
{
	struct refvec leaves = {0};

	low_leaves(f, as, &leaves);
	if (low_type_of(f->l, v)->cls == IR_C_AGG)
		low_set_leaves(f, v, leaves.v, leaves.n);
	else
		low_set(f, v, leaves.v[0]);
	vec_release(&leaves);
}

uint32_t low_object(struct low_func *f, ir_ref addr)
{
	const struct ir_module *m = f->l->m;
	const struct ir_addr *a;

	switch (IR_KIND(addr)) {
	case IR_R_VREG:
		return IR_IDX(addr) < f->pointee.n ? f->pointee.v[IR_IDX(addr)] : 0;
	case IR_R_SLOT:
		return f->b.slots.v[IR_IDX(addr)].type;
	case IR_R_GLOBAL:
		return m->globals.v[IR_IDX(addr)].type;
	case IR_R_FUNC:
		return m->funcs.v[IR_IDX(addr)].type;
	case IR_R_ADDR:
		a = &m->addrs.v[IR_IDX(addr)];
		if (IR_KIND(a->base) != IR_R_GLOBAL)
			return 0;
		return low_debug_at(f->l, m->globals.v[IR_IDX(a->base)].type, a->offset);
	default:
		return 0;
	}
}

void low_set_object(struct low_func *f, ir_ref r, uint32_t type)
{
	if (!type || IR_KIND(r) != IR_R_VREG)
		return;
	assert(IR_IDX(r) < f->b.nvregs && type < f->l->m->types.n);
	if (IR_IDX(r) >= f->pointee.n)
		(void)vec_add(&f->pointee, IR_IDX(r) + 1 - f->pointee.n);
	f->pointee.v[IR_IDX(r)] = type;
}

void low_set_value_type(struct low_func *f, ir_ref r, uint32_t type)
{
	const struct ir_type *t = &f->l->m->types.v[ir_type_strip(f->l->m, type)];

	if (t->kind == IR_T_PTR)
		low_set_object(f, r, t->elem);
}

uint32_t low_slot(struct low_func *f, const struct ir_slot *s)
{
	struct ir_slot nowhere = *s;

	assert(f->vars.n == f->b.slots.n);
	nowhere.pos.file = IR_NONE;
	(void)vec_add(&f->vars, 1);
	return ir_body_slot(&f->b, &nowhere);
}

/* ---- instructions ---------------------------------------------------- */

struct ir_inst *low_emit(struct low_func *f, enum ir_opcode op, const struct low_type *t,
			 const ir_ref *ops, uint32_t n)
{
	return ir_body_inst(&f->b, op, t->cls, t->bits, ops, n);
}

ir_ref low_opaque(struct low_func *f, const struct low_type *t, const ir_ref *ops, uint32_t n)
{
	assert(t->cls != IR_C_AGG && t->cls != IR_C_VOID);
	return ir_res(low_emit(f, IR_OPAQUE, t, ops, n));
}

void low_set_opaque(struct low_func *f, LLVMValueRef v, const ir_ref *ops, uint32_t n)
{
	struct low_type *t = low_type_of(f->l, v);
	struct refvec leaves = {0};

	if (t->cls == IR_C_VOID)
		return;
	if (t->cls != IR_C_AGG) {
		low_set(f, v, low_opaque(f, t, ops, n));
		return;
	}
	for (uint32_t i = 0; i < t->nleaves; i++) {
		ir_ref r = low_opaque(f, t->leaves[i].type, ops, n);

		vec_push(&leaves, r);
	}
	low_set_leaves(f, v, leaves.v, leaves.n);
	vec_release(&leaves);
}

void low_memcpy(struct low_func *f, ir_ref dst, ir_ref src, uint64_t size)
{
	ir_ref ops[3] = { dst, src, ir_int(f->l->m, (int64_t)size) };

	ir_body_inst(&f->b, IR_MEMCPY, IR_C_VOID, 0, ops, 3)->flags |= IR_F_IMPLICIT;
}

/* ---- blocks ---------------------------------------------------------- */

uint32_t low_block(struct low_func *f, LLVMBasicBlockRef bb)
{
	const ir_ref *at = valmap_get(&f->layout, LLVMBasicBlockAsValue(bb));

	assert(at);
	return f->number.v[*at];
}

static unsigned successors(LLVMValueRef term)
{
	switch (term ? LLVMGetInstructionOpcode(term) : LLVMUnreachable) {
	case LLVMBr:
	case LLVMSwitch:
	case LLVMIndirectBr:
	case LLVMCallBr:
		return LLVMGetNumSuccessors(term);
	case LLVMInvoke:
		return 1;	/* the first is the normal one */
	default:
		return 0;
	}
}

/* One block of the depth-first walk: its successors, the last in LLVM's order first. */
struct visit {
	uint32_t block;
	uint32_t first, next, n;	/* in walk.succ */
};

struct walk {
	struct u32vec succ;
	VEC(struct visit) stack;
	struct u32vec post;
};

static int descending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x < y) - (x > y);
}

static void visit(struct low_func *f, struct walk *w, uint32_t block, LLVMBasicBlockRef bb)
{
	LLVMValueRef term = LLVMGetBasicBlockTerminator(bb);
	struct visit v = { .block = block, .first = w->succ.n };

	assert(f->number.v[block] == IR_NONE);		/* each block once */
	v.n = successors(term);
	for (unsigned i = 0; i < v.n; i++) {
		LLVMValueRef to = LLVMBasicBlockAsValue(LLVMGetSuccessor(term, i));

		vec_push(&w->succ, *valmap_get(&f->layout, to));
	}
	if (v.n > 1)
		qsort(w->succ.v + v.first, v.n, sizeof(*w->succ.v), descending);
	f->number.v[block] = 0;		/* reached; the number comes later */
	vec_push(&w->stack, v);
}

/* Fills f->blocks and f->number. */
static void order_blocks(struct low_func *f)
{
	VEC(LLVMBasicBlockRef) all = {0};
	struct walk w = {0};

	for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f->fn); bb; bb = LLVMGetNextBasicBlock(bb)) {
		valmap_set(&f->layout, LLVMBasicBlockAsValue(bb), all.n);
		vec_push(&f->number, IR_NONE);
		vec_push(&all, bb);
	}
	visit(f, &w, 0, all.v[0]);
	while (w.stack.n) {
		struct visit *v = &vec_last(&w.stack);

		if (v->next < v->n) {
			uint32_t to = w.succ.v[v->first + v->next++];

			if (f->number.v[to] == IR_NONE)
				visit(f, &w, to, all.v[to]);
			continue;
		}
		vec_push(&w.post, v->block);
		w.succ.n = v->first;
		w.stack.n--;
	}
	for (uint32_t i = w.post.n; i-- > 0;) {
		f->number.v[w.post.v[i]] = ir_body_block(&f->b);
		vec_push(&f->blocks, all.v[w.post.v[i]]);
	}
	vec_release(&all);
	vec_release(&w.succ);
	vec_release(&w.stack);
	vec_release(&w.post);
}

/* ---- phis ------------------------------------------------------------ */

static bool may_take_instructions(struct lower *l, LLVMValueRef v)
{
	ir_ref r;

	switch (LLVMGetValueKind(v)) {
	case LLVMConstantExprValueKind:
	case LLVMConstantVectorValueKind:
	case LLVMConstantStructValueKind:
	case LLVMConstantArrayValueKind:
	case LLVMGlobalIFuncValueKind:
		return !low_const(l, v, &r);
	default:
		return false;
	}
}

/* Finds the constants that must be computed at the ends of predecessors. */
static void find_edges(struct low_func *f)
{
	for (uint32_t i = 0; i < f->blocks.n; i++) {
		LLVMValueRef phi = LLVMGetFirstInstruction(f->blocks.v[i]);

		for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
			unsigned n = LLVMCountIncoming(phi);

			for (unsigned k = 0; k < n; k++) {
				struct low_edge e = { .v = LLVMGetIncomingValue(phi, k) };

				if (!may_take_instructions(f->l, e.v))
					continue;
				e.block = low_block(f, LLVMGetIncomingBlock(phi, k));
				if (e.block != IR_NONE)
					vec_push(&f->edges_todo, e);
			}
		}
	}
}

void low_end_of_block(struct low_func *f)
{
	struct refvec unused = {0};

	for (uint32_t i = 0; i < f->edges_todo.n; i++) {
		if (f->edges_todo.v[i].block != f->b.cur)
			continue;
		f->at_edge = true;
		low_leaves(f, f->edges_todo.v[i].v, &unused);
		f->at_edge = false;
	}
	vec_release(&unused);
}

static void fill_phi(struct low_func *f, const struct low_phi *phi)
{
	struct refvec values = {0}, ops = {0};
	struct u32vec from = {0};
	unsigned n = LLVMCountIncoming(phi->v);

	for (unsigned i = 0; i < n; i++) {
		uint32_t block = low_block(f, LLVMGetIncomingBlock(phi->v, i));

		if (block == IR_NONE)
			continue;
		f->from_block = block;
		low_leaves(f, LLVMGetIncomingValue(phi->v, i), &values);
		f->from_block = IR_NONE;
		vec_push(&from, block);
	}
	assert(values.n == from.n * phi->nleaves);
	for (uint32_t k = 0; k < phi->nleaves; k++) {
		struct ir_inst *in = &f->b.insts.v[phi->inst + k];

		vec_clear(&ops);
		for (uint32_t i = 0; i < from.n; i++)
			vec_push(&ops, values.v[i * phi->nleaves + k]);
		ir_body_ops(&f->b, in, ops.v, ops.n);
		ir_body_targets(&f->b, in, from.v, from.n);
	}
	vec_release(&values);
	vec_release(&ops);
	vec_release(&from);
}

/* ---- parameters ------------------------------------------------------ */

/* The size of the memory behind a parameter with a type attribute, or 0. */
static uint64_t pointee_size(struct low_func *f, uint32_t i, unsigned attr)
{
	LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f->fn, i + 1, attr);
	LLVMTypeRef ty = a ? LLVMGetTypeAttributeValue(a) : NULL;

	return ty ? low_object_size(low_type(f->l, ty)->size) : 0;
}

static void bind_pointer(struct low_func *f, uint32_t i, LLVMValueRef arg)
{
	const struct ir_param *p = &f->l->m->funcs.v[f->b.func].params[f->param_vreg.v[i]];
	struct ir_slot s = { .flags = IR_S_TEMP };

	assert(f->param_vreg.v[i] < f->l->m->funcs.v[f->b.func].nparams && p->cls == IR_C_PTR);
	if (p->byval) {
		s.flags |= IR_S_BYVAL;
		s.size = pointee_size(f, i, f->l->attr.byval);
		low_set(f, arg, IR_SLOT(low_slot(f, &s)));
		low_memcpy(f, IR_REF(IR_R_SLOT, f->b.slots.n - 1), low_param(f, i), s.size);
	} else if (p->sret && low_is_declared(f, arg)) {
		s.size = f->sret_size = pointee_size(f, i, f->l->attr.sret);
		f->sret_vreg = f->param_vreg.v[i];
		f->sret_slot = low_slot(f, &s);
		low_set(f, arg, IR_SLOT(f->sret_slot));
	}
}

static void bind_params(struct low_func *f)
{
	uint32_t n = LLVMCountParams(f->fn), vreg = 0;
	struct refvec leaves = {0};

	for (uint32_t i = 0; i < n; i++) {
		LLVMValueRef arg = LLVMGetParam(f->fn, i);
		struct low_type *t = low_type_of(f->l, arg);

		vec_push(&f->param_vreg, vreg);
		if (t->cls == IR_C_AGG) {
			vec_clear(&leaves);
			for (uint32_t k = 0; k < t->nleaves; k++)
				vec_push(&leaves, IR_VREG(vreg + k));
			low_set_leaves(f, arg, leaves.v, leaves.n);
			vreg += t->nleaves;
			continue;
		}
		low_set(f, arg, IR_VREG(vreg));
		if (t->cls == IR_C_PTR)
			bind_pointer(f, i, arg);
		vreg++;
	}
	assert(vreg == f->l->m->funcs.v[f->b.func].nparams);
	/* Where nothing was split or added, parameter i is the source's. */
	for (uint32_t i = 1; f->params.n == n + 1 && n == vreg && i <= n; i++)
		if (f->params.v[i])
			low_set_value_type(f, IR_VREG(i - 1),
					   ditype_get(&f->l->di, LLVMValueAsMetadata(f->params.v[i])));
	vec_release(&leaves);
}

/* ---- the body -------------------------------------------------------- */

/* Empties a map; a large one is released, since clearing its index for each small function would take long.
 * */
static void reuse(struct valmap *m)
{
	if (m->mask > 4095)
		valmap_release(m);
	else
		valmap_clear(m);
}

static void reset(struct low_func *f)
{
	reuse(&f->layout);
	reuse(&f->values);
	vec_clear(&f->blocks);
	vec_clear(&f->number);
	vec_clear(&f->aggs);
	vec_clear(&f->leaves);
	vec_clear(&f->pointee);
	vec_clear(&f->phis);
	vec_clear(&f->edges_todo);
	vec_clear(&f->edges);
	vec_clear(&f->vars);
	vec_clear(&f->param_vreg);
	vec_clear(&f->cleanups);
	f->at_edge = false;
	f->from_block = IR_NONE;
	f->sret_vreg = IR_NONE;
	f->ret_pos = (struct ir_pos){ .file = IR_NONE };
}

void low_func_release(struct low_func *f)
{
	valmap_release(&f->layout);
	valmap_release(&f->values);
	vec_release(&f->blocks);
	vec_release(&f->number);
	vec_release(&f->aggs);
	vec_release(&f->leaves);
	vec_release(&f->pointee);
	vec_release(&f->phis);
	vec_release(&f->edges_todo);
	vec_release(&f->edges);
	vec_release(&f->vars);
	vec_release(&f->param_vreg);
	vec_release(&f->params);
	vec_release(&f->cleanups);
	vec_release(&f->ops);
}

/* Makes the slots of the entry block and gives them their names, so that all that
 * is done to them has types: parameters are stored before they are declared. */
static void name_variables(struct low_func *f)
{
	LLVMValueRef in = LLVMGetFirstInstruction(f->blocks.v[0]);

	for (; in; in = LLVMGetNextInstruction(in)) {
		LLVMOpcode op = LLVMGetInstructionOpcode(in);

		if (low_read_debug(f, in))
			continue;
		if (op == LLVMAlloca)
			low_fixed_slot(f, in);
		else if (f->prologue && LLVMInstructionGetDebugLoc(in))
			f->prologue = false;
	}
	f->prologue = false;
}

/* What was made for a function fits together; nothing is left open. */
static void func_check(const struct low_func *f)
{
	assert(f->vars.n == f->b.slots.n && f->pointee.n <= f->b.nvregs);
	assert(f->blocks.n == f->b.nblocks && f->number.n >= f->blocks.n);
	assert(f->param_vreg.n == LLVMCountParams(f->fn));
	assert(!f->at_edge && f->from_block == IR_NONE && !f->const_parts && !f->prologue);
	assert(f->sret_vreg == IR_NONE || f->sret_slot < f->b.slots.n);
#ifdef PLUMB_DEBUG
	for (uint32_t i = 0; i < f->pointee.n; i++)
		assert(f->pointee.v[i] < f->l->m->types.n);
	for (uint32_t i = 0; i < f->number.n; i++)
		assert(f->number.v[i] == IR_NONE || f->number.v[i] < f->blocks.n);
	for (uint32_t i = 0; i < f->aggs.n; i++)
		assert(f->aggs.v[i].first + f->aggs.v[i].n <= f->leaves.n);
	for (uint32_t i = 0; i < f->edges.n; i++)
		assert(f->edges.v[i].block < f->blocks.n);
	for (uint32_t i = 0; i < f->phis.n; i++)
		assert(f->phis.v[i].inst + f->phis.v[i].nleaves <= f->b.insts.n);
	for (uint32_t i = 0; i < f->cleanups.n; i++)
		assert(f->cleanups.v[i].inst < f->b.insts.n);
#endif
}

void low_body(struct low_func *f, struct lower *l, uint32_t func, LLVMValueRef fn)
{
	f->l = l;
	f->fn = fn;
	reset(f);
	ir_body_begin(&f->b, l->m, func);
	low_func_debug(f);
	order_blocks(f);
	find_edges(f);
	ir_body_at(&f->b, 0);
	bind_params(f);
	name_variables(f);
	for (uint32_t i = 0; i < f->blocks.n; i++) {
		LLVMValueRef in = LLVMGetFirstInstruction(f->blocks.v[i]);

		ir_body_at(&f->b, i);
		for (; in; in = LLVMGetNextInstruction(in))
			if (!low_read_debug(f, in))
				low_inst(f, in);
	}
	for (uint32_t i = 0; i < f->phis.n; i++)
		fill_phi(f, &f->phis.v[i]);
	low_mark_cleanups(f);
	func_check(f);
	ir_body_end(&f->b);
}
