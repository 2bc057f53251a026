/*
 * lower_inst.c - instructions, but for calls (lower_call.c) and addresses
 * (lower_addr.c).
 *
 * Integers and pointers are modelled; floating point and vectors are OPAQUE over
 * their operands, so that a pointer in a vector is still followed.
 * What changes no value (freeze, casts between address spaces) makes no
 * instruction: the result is the operand.
 *
 * An atomic read-modify-write is a LOAD, the operation and a STORE, all with
 * IR_F_ATOMIC; a compare-and-swap stores with IR_F_MAYBE.  A weak one may fail
 * although the values are equal, which we leave out.
 */
#include "front/lower_int.h"

/* ---- values ---------------------------------------------------------- */

ir_ref low_opaque_of(struct low_func *f, LLVMValueRef v)
{
	struct refvec ops = {0};
	int n = LLVMGetNumOperands(v);
	ir_ref r;

	for (int i = 0; i < n; i++)
		low_leaves(f, LLVMGetOperand(v, (unsigned)i), &ops);
	r = low_opaque(f, low_type_of(f->l, v), ops.v, ops.n);
	vec_release(&ops);
	return r;
}

static int bin_of(LLVMOpcode op)
{
	switch (op) {
	case LLVMAdd:	return IR_B_ADD;
	case LLVMSub:	return IR_B_SUB;
	case LLVMMul:	return IR_B_MUL;
	case LLVMUDiv:	return IR_B_UDIV;
	case LLVMSDiv:	return IR_B_SDIV;
	case LLVMURem:	return IR_B_UREM;
	case LLVMSRem:	return IR_B_SREM;
	case LLVMAnd:	return IR_B_AND;
	case LLVMOr:	return IR_B_OR;
	case LLVMXor:	return IR_B_XOR;
	case LLVMShl:	return IR_B_SHL;
	case LLVMLShr:	return IR_B_LSHR;
	case LLVMAShr:	return IR_B_ASHR;
	default:	return -1;
	}
}

ir_ref low_binary(struct low_func *f, int bin, const struct low_type *t, ir_ref a, ir_ref b)
{
	ir_ref ops[2] = { a, b };
	struct ir_inst *in = low_emit(f, IR_BIN, t, ops, 2);

	assert(bin >= 0 && t->cls == IR_C_INT);
	in->sub = (uint8_t)bin;
	return ir_res(in);
}

static ir_ref cast(struct low_func *f, LLVMOpcode op, LLVMValueRef v)
{
	LLVMValueRef from = LLVMGetOperand(v, 0);
	struct low_type *t = low_type_of(f->l, v), *s = low_type_of(f->l, from);
	enum ir_cast kind;
	struct ir_inst *in;
	ir_ref r;

	if (t->cls == IR_C_OPAQUE || s->cls == IR_C_OPAQUE)
		return low_opaque_of(f, v);
	switch (op) {
	case LLVMZExt:		kind = IR_CAST_ZEXT; break;
	case LLVMSExt:		kind = IR_CAST_SEXT; break;
	case LLVMTrunc:		kind = IR_CAST_TRUNC; break;
	case LLVMPtrToInt:	kind = IR_CAST_PTRTOINT; break;
	case LLVMIntToPtr:	kind = IR_CAST_INTTOPTR; break;
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
		if (t->cls == s->cls && t->bits == s->bits)
			return low_value(f, from);
		kind = IR_CAST_BITCAST;
		break;
	default:		/* floating point */
		return low_opaque_of(f, v);
	}
	r = low_value(f, from);
	in = low_emit(f, IR_CAST, t, &r, 1);
	in->sub = kind;
	in->from = s->bits;
	return ir_res(in);
}

static ir_ref emit_cmp(struct low_func *f, enum ir_pred pred, const struct low_type *t, ir_ref a,
		       ir_ref b)
{
	ir_ref ops[2] = { a, b };
	struct ir_inst *in = low_emit(f, IR_CMP, t, ops, 2);

	in->sub = (uint8_t)pred;
	return ir_res(in);
}

/* NULL == p is p == NULL: analyses ask for what is compared with a constant. */
static ir_ref compare(struct low_func *f, LLVMValueRef v)
{
	static const uint8_t preds[][2] = {	/* and with the operands the other way round */
		[LLVMIntEQ - LLVMIntEQ] = { IR_P_EQ, IR_P_EQ },
		[LLVMIntNE - LLVMIntEQ] = { IR_P_NE, IR_P_NE },
		[LLVMIntUGT - LLVMIntEQ] = { IR_P_UGT, IR_P_ULT },
		[LLVMIntUGE - LLVMIntEQ] = { IR_P_UGE, IR_P_ULE },
		[LLVMIntULT - LLVMIntEQ] = { IR_P_ULT, IR_P_UGT },
		[LLVMIntULE - LLVMIntEQ] = { IR_P_ULE, IR_P_UGE },
		[LLVMIntSGT - LLVMIntEQ] = { IR_P_SGT, IR_P_SLT },
		[LLVMIntSGE - LLVMIntEQ] = { IR_P_SGE, IR_P_SLE },
		[LLVMIntSLT - LLVMIntEQ] = { IR_P_SLT, IR_P_SGT },
		[LLVMIntSLE - LLVMIntEQ] = { IR_P_SLE, IR_P_SGE },
	};
	LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
	bool turn = LLVMIsConstant(a) && !LLVMIsConstant(b);
	struct low_type *t = low_type_of(f->l, a);
	unsigned pred = (unsigned)LLVMGetICmpPredicate(v) - LLVMIntEQ;
	ir_ref left;

	if ((t->cls != IR_C_INT && t->cls != IR_C_PTR) || pred >= ARRAY_LEN(preds))
		return low_opaque_of(f, v);
	left = low_value(f, turn ? b : a);
	return emit_cmp(f, preds[pred][turn], t, left, low_value(f, turn ? a : b));
}

ir_ref low_operation(struct low_func *f, LLVMOpcode op, LLVMValueRef v)
{
	struct low_type *t;
	struct ir_inst *in;
	ir_ref ops[2];
	int bin;

	switch (op) {
	case LLVMGetElementPtr:
		return low_gep(f, v);
	case LLVMICmp:
		return compare(f, v);
	case LLVMZExt: case LLVMSExt: case LLVMTrunc: case LLVMPtrToInt: case LLVMIntToPtr:
	case LLVMBitCast: case LLVMAddrSpaceCast:
		return cast(f, op, v);
	default:
		break;
	}
	t = low_type_of(f->l, v);
	bin = bin_of(op);
	if (bin < 0 || t->cls != IR_C_INT)
		return low_opaque_of(f, v);
	ops[0] = low_value(f, LLVMGetOperand(v, 0));
	ops[1] = low_value(f, LLVMGetOperand(v, 1));
	in = low_emit(f, IR_BIN, t, ops, 2);
	in->sub = (uint8_t)bin;
	if ((op == LLVMAdd || op == LLVMSub || op == LLVMMul) && LLVMIsAInstruction(v) && LLVMGetNSW(v))
		in->flags |= IR_F_NSW;
	return ir_res(in);
}

/* ---- aggregates ------------------------------------------------------ */

static void select_value(struct low_func *f, LLVMValueRef in)
{
	struct low_type *t = low_type_of(f->l, in);
	struct refvec a = {0}, b = {0};
	ir_ref ops[3];

	if (low_type_of(f->l, LLVMGetOperand(in, 0))->cls != IR_C_INT) {
		low_set(f, in, low_opaque_of(f, in));
		return;
	}
	ops[0] = low_value(f, LLVMGetOperand(in, 0));
	low_leaves(f, LLVMGetOperand(in, 1), &a);
	low_leaves(f, LLVMGetOperand(in, 2), &b);
	assert(a.n == b.n && a.n == (t->cls == IR_C_AGG ? t->nleaves : 1));
	for (uint32_t i = 0; i < a.n; i++) {
		const struct low_type *leaf = t->cls == IR_C_AGG ? t->leaves[i].type : t;
		uint32_t object = low_object(f, a.v[i]);

		ops[1] = a.v[i];
		ops[2] = b.v[i];
		if (!object)
			object = low_object(f, b.v[i]);
		a.v[i] = ir_res(low_emit(f, IR_SELECT, leaf, ops, 3));
		if (leaf->cls == IR_C_PTR)
			low_set_object(f, a.v[i], object);
	}
	if (t->cls == IR_C_AGG)
		low_set_leaves(f, in, a.v, a.n);
	else
		low_set(f, in, a.v[0]);
	vec_release(&a);
	vec_release(&b);
}

/* The leaves of an aggregate of type t that the indices name: *n leaves from *first on. */
static bool leaf_range(const struct low_type *t, LLVMValueRef in, uint32_t *first, uint32_t *n)
{
	const unsigned *idx = LLVMGetIndices(in);
	unsigned nidx = LLVMGetNumIndices(in);

	*first = 0;
	for (unsigned i = 0; i < nidx; i++) {
		const struct low_type *part;

		if (t->cls != IR_C_AGG || idx[i] >= (t->kind == LLVMStructTypeKind ? t->n : t->count))
			return false;
		for (unsigned k = 0; k < idx[i]; k++) {
			part = t->members[t->kind == LLVMStructTypeKind ? k : 0];
			*first += part->cls == IR_C_AGG ? part->nleaves : 1;
		}
		t = t->members[t->kind == LLVMStructTypeKind ? idx[i] : 0];
	}
	*n = t->cls == IR_C_AGG ? t->nleaves : 1;
	return true;
}

static void extract_value(struct low_func *f, LLVMValueRef in)
{
	LLVMValueRef agg = LLVMGetOperand(in, 0);
	struct low_type *t = low_type_of(f->l, agg);
	struct refvec leaves = {0};
	uint32_t first, n;

	low_leaves(f, agg, &leaves);
	if (!leaf_range(t, in, &first, &n) || first + n > leaves.n)
		low_set_opaque(f, in, leaves.v, leaves.n);
	else if (low_type_of(f->l, in)->cls == IR_C_AGG)
		low_set_leaves(f, in, leaves.v + first, n);
	else
		low_set(f, in, leaves.v[first]);
	vec_release(&leaves);
}

static void insert_value(struct low_func *f, LLVMValueRef in)
{
	LLVMValueRef agg = LLVMGetOperand(in, 0);
	struct low_type *t = low_type_of(f->l, agg);
	struct refvec leaves = {0}, part = {0};
	uint32_t first, n;

	low_leaves(f, agg, &leaves);
	low_leaves(f, LLVMGetOperand(in, 1), &part);
	if (!leaf_range(t, in, &first, &n) || first + n > leaves.n || n != part.n) {
		for (uint32_t i = 0; i < part.n; i++)
			vec_push(&leaves, part.v[i]);
		low_set_opaque(f, in, leaves.v, leaves.n);
	} else {
		for (uint32_t i = 0; i < n; i++)
			leaves.v[first + i] = part.v[i];
		low_set_leaves(f, in, leaves.v, leaves.n);
	}
	vec_release(&leaves);
	vec_release(&part);
}

static void phi(struct low_func *f, LLVMValueRef in)
{
	struct low_type *t = low_type_of(f->l, in);
	struct low_phi p = { in, f->b.insts.n, t->cls == IR_C_AGG ? t->nleaves : 1 };
	struct refvec leaves = {0};

	for (uint32_t i = 0; i < p.nleaves; i++) {
		const struct low_type *leaf = t->cls == IR_C_AGG ? t->leaves[i].type : t;
		ir_ref r = ir_res(low_emit(f, IR_PHI, leaf, NULL, 0));

		vec_push(&leaves, r);
	}
	vec_push(&f->phis, p);
	if (t->cls == IR_C_AGG) {
		low_set_leaves(f, in, leaves.v, leaves.n);
	} else {
		low_set(f, in, leaves.v[0]);
		for (unsigned i = 0; t->cls == IR_C_PTR && i < LLVMCountIncoming(in); i++) {
			const ir_ref *v = valmap_get(&f->values, LLVMGetIncomingValue(in, i));

			if (v && low_object(f, *v)) {
				low_set_object(f, leaves.v[0], low_object(f, *v));
				break;
			}
		}
	}
	vec_release(&leaves);
}

/* ---- memory ---------------------------------------------------------- */

static void dynamic_alloca(struct low_func *f, LLVMValueRef in, const struct low_type *t)
{
	LLVMValueRef count = LLVMGetOperand(in, 0);
	struct low_type *ct = low_type_of(f->l, count);
	struct low_type wide = { .cls = IR_C_INT, .bits = 64 };
	struct ir_slot s = { .flags = IR_S_TEMP | IR_S_DYNAMIC };
	ir_ref n = low_value(f, count);
	struct ir_inst *a;

	if (ct->bits < 64) {
		a = low_emit(f, IR_CAST, &wide, &n, 1);
		a->sub = IR_CAST_ZEXT;
		a->from = ct->bits;
		n = ir_res(a);
	}
	if (t->size != 1)
		n = low_binary(f, IR_B_MUL, &wide, n, ir_int(f->l->m, (int64_t)t->size));
	a = ir_body_inst(&f->b, IR_ALLOCA, IR_C_PTR, f->l->ptr_bits, &n, 1);
	a->imm = low_slot(f, &s);
	low_set(f, in, ir_res(a));
}

bool low_fixed_slot(struct low_func *f, LLVMValueRef in)
{
	struct low_type *t = low_type(f->l, LLVMGetAllocatedType(in));
	LLVMValueRef count = LLVMGetOperand(in, 0);
	struct ir_slot s = { .flags = IR_S_TEMP };

	if (!LLVMIsAConstantInt(count) || LLVMGetIntTypeWidth(LLVMTypeOf(count)) > 64 ||
	    __builtin_mul_overflow(LLVMConstIntGetZExtValue(count), t->size, &s.size))
		return false;
	if (valmap_get(&f->values, in))
		return true;
	s.size = low_object_size(s.size);
	if (t->kind == LLVMStructTypeKind && t->tag.name && s.size == t->size)
		s.type = low_debug_struct(f->l, t, 0);
	low_set(f, in, IR_SLOT(low_slot(f, &s)));
	return true;
}

/* Variables are in the entry block; an alloca(16) elsewhere may be in a loop, and makes another object each
 * time. */
static void alloca_inst(struct low_func *f, LLVMValueRef in)
{
	if (LLVMGetInstructionParent(in) != LLVMGetEntryBasicBlock(f->fn) || !low_fixed_slot(f, in))
		dynamic_alloca(f, in, low_type(f->l, LLVMGetAllocatedType(in)));
}

static uint8_t access_flags(LLVMValueRef in)
{
	uint8_t flags = 0;

	if (LLVMGetVolatile(in))
		flags |= IR_F_VOLATILE;
	if (LLVMGetOrdering(in) != LLVMAtomicOrderingNotAtomic)
		flags |= IR_F_ATOMIC;
	return flags;
}

static void load(struct low_func *f, LLVMValueRef in)
{
	struct low_type *t = low_type_of(f->l, in);
	ir_ref addr = low_value(f, LLVMGetOperand(in, 0));
	uint8_t flags = access_flags(in);
	struct refvec leaves = {0};

	if (t->cls != IR_C_AGG) {
		low_set(f, in, low_load(f, t, addr, flags));
		return;
	}
	for (uint32_t i = 0; i < t->nleaves; i++) {
		ir_ref at = low_leaf_addr(f, addr, &t->leaves[i]);
		ir_ref r = low_load(f, t->leaves[i].type, at, flags);

		vec_push(&leaves, r);
	}
	low_set_leaves(f, in, leaves.v, leaves.n);
	vec_release(&leaves);
}

static void store(struct low_func *f, LLVMValueRef in)
{
	LLVMValueRef v = LLVMGetOperand(in, 0);
	struct low_type *t = low_type_of(f->l, v);
	ir_ref addr = low_value(f, LLVMGetOperand(in, 1));
	uint8_t flags = access_flags(in);
	struct refvec leaves = {0};

	if (t->cls != IR_C_AGG) {
		low_store(f, t, addr, low_value(f, v), flags);
		return;
	}
	low_leaves(f, v, &leaves);
	assert(leaves.n == t->nleaves);
	for (uint32_t i = 0; i < leaves.n; i++)
		low_store(f, t->leaves[i].type, low_leaf_addr(f, addr, &t->leaves[i]),
			  leaves.v[i], flags);
	vec_release(&leaves);
}

static void atomic_rmw(struct low_func *f, LLVMValueRef in)
{
	ir_ref addr = low_value(f, LLVMGetOperand(in, 0));
	LLVMValueRef v = LLVMGetOperand(in, 1);
	struct low_type *t = low_type_of(f->l, v);
	uint8_t flags = IR_F_ATOMIC | (LLVMGetVolatile(in) ? IR_F_VOLATILE : 0);
	ir_ref ops[2] = { low_load(f, t, addr, flags), low_value(f, v) }, next;
	int bin = -1;

	switch (LLVMGetAtomicRMWBinOp(in)) {
	case LLVMAtomicRMWBinOpAdd:	bin = IR_B_ADD; break;
	case LLVMAtomicRMWBinOpSub:	bin = IR_B_SUB; break;
	case LLVMAtomicRMWBinOpAnd:	bin = IR_B_AND; break;
	case LLVMAtomicRMWBinOpOr:	bin = IR_B_OR; break;
	case LLVMAtomicRMWBinOpXor:	bin = IR_B_XOR; break;
	default:			break;
	}
	if (LLVMGetAtomicRMWBinOp(in) == LLVMAtomicRMWBinOpXchg)
		next = ops[1];
	else if (bin >= 0 && t->cls == IR_C_INT)
		next = low_binary(f, bin, t, ops[0], ops[1]);
	else
		next = low_opaque(f, t, ops, 2);
	low_store(f, t, addr, next, flags);
	low_set(f, in, ops[0]);
}

static void cmpxchg(struct low_func *f, LLVMValueRef in)
{
	ir_ref addr = low_value(f, LLVMGetOperand(in, 0));
	ir_ref expected = low_value(f, LLVMGetOperand(in, 1));
	struct low_type *t = low_type_of(f->l, LLVMGetOperand(in, 2));
	ir_ref value = low_value(f, LLVMGetOperand(in, 2));
	uint8_t flags = IR_F_ATOMIC | (LLVMGetVolatile(in) ? IR_F_VOLATILE : 0);
	ir_ref leaves[2];

	leaves[0] = low_load(f, t, addr, flags);
	leaves[1] = emit_cmp(f, IR_P_EQ, t, leaves[0], expected);
	low_store(f, t, addr, value, flags | IR_F_MAYBE);
	low_set_leaves(f, in, leaves, 2);
}

static void va_arg_inst(struct low_func *f, LLVMValueRef in)
{
	struct low_type *t = low_type_of(f->l, in);
	ir_ref list = low_value(f, LLVMGetOperand(in, 0));
	struct refvec leaves = {0};

	if (t->cls != IR_C_AGG) {
		low_set(f, in, ir_res(low_emit(f, IR_VAARG, t, &list, 1)));
		return;
	}
	for (uint32_t i = 0; i < t->nleaves; i++) {
		ir_ref r = ir_res(low_emit(f, IR_VAARG, t->leaves[i].type, &list, 1));

		vec_push(&leaves, r);
	}
	low_set_leaves(f, in, leaves.v, leaves.n);
	vec_release(&leaves);
}

/* ---- ends of blocks -------------------------------------------------- */

/* The number of a block to which a block that can be reached leads: it can be reached, too. */
static uint32_t successor(struct low_func *f, LLVMBasicBlockRef bb)
{
	uint32_t block = low_block(f, bb);

	assert(block < f->blocks.n);
	return block;
}

static void terminate(struct low_func *f, enum ir_opcode op, const ir_ref *ops, uint32_t n,
		      const uint32_t *targets, uint32_t ntargets)
{
	struct ir_inst *in = ir_body_inst(&f->b, op, IR_C_VOID, 0, ops, n);

	ir_body_targets(&f->b, in, targets, ntargets);
}

/* The variable whose memory, or a part of it, is at an address. */
static LLVMValueRef variable_of(LLVMValueRef addr)
{
	for (unsigned i = 0; i < 8 && LLVMIsAGetElementPtrInst(addr); i++)
		addr = LLVMGetOperand(addr, 0);
	return addr;
}

/* Is v read at the return from the variable where `return x;` puts x?  clang makes
 * that variable first of all, without a name, and reads it where the function ends;
 * if it is too small for the register, through a copy. */
static void mark_retval(struct low_func *f, LLVMValueRef in, LLVMValueRef v)
{
	LLVMMetadataRef end = LLVMInstructionGetDebugLoc(in);
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->fn)), before, var;
	const ir_ref *r, *sym;

	if (!LLVMIsALoadInst(v) || LLVMInstructionGetDebugLoc(v) != end)
		return;
	var = variable_of(LLVMGetOperand(v, 0));
	before = LLVMGetPreviousInstruction(v);
	if (before && LLVMIsACallInst(before) && LLVMInstructionGetDebugLoc(before) == end) {
		sym = valmap_get(&f->l->syms, LLVMGetCalledValue(before));
		if (sym && *sym == LOW_PSEUDO(INTR_MEMCPY) && LLVMGetOperand(before, 0) == var)
			var = variable_of(LLVMGetOperand(before, 1));
	}
	if (var != first || !LLVMIsAAllocaInst(var))
		return;
	r = valmap_get(&f->values, var);
	if (r && IR_KIND(*r) == IR_R_SLOT && !f->b.slots.v[IR_IDX(*r)].name[0])
		f->b.slots.v[IR_IDX(*r)].flags |= IR_S_RETVAL;
}

static void ret(struct low_func *f, LLVMValueRef in)
{
	vec_clear(&f->ops);
	if (LLVMGetNumOperands(in)) {
		LLVMValueRef v = LLVMGetOperand(in, 0);

		low_leaves(f, v, &f->ops);
		mark_retval(f, in, v);
	}
	if (f->sret_vreg != IR_NONE)
		low_memcpy(f, IR_VREG(f->sret_vreg), IR_SLOT(f->sret_slot), f->sret_size);
	f->ret_pos = f->b.pos;
	terminate(f, IR_RET, f->ops.v, f->ops.n, NULL, 0);
}

static void branch(struct low_func *f, LLVMValueRef in)
{
	uint32_t to[2] = { successor(f, LLVMGetSuccessor(in, 0)) };
	ir_ref cond;

	if (!LLVMIsConditional(in)) {
		terminate(f, IR_BR, NULL, 0, to, 1);
		return;
	}
	to[1] = successor(f, LLVMGetSuccessor(in, 1));
	cond = low_value(f, LLVMGetCondition(in));
	terminate(f, IR_CONDBR, &cond, 1, to, 2);
}

/* The value for which successor i of a switch is taken, i > 0. */
static LLVMValueRef case_value(LLVMValueRef in, unsigned i)
{
#if LLVM_VERSION_MAJOR >= 22
	return LLVMGetSwitchCaseValue(in, i);
#else
	return LLVMGetOperand(in, 2 * i);
#endif
}

/* The first successor is the default. */
static void switch_inst(struct low_func *f, LLVMValueRef in)
{
	unsigned n = LLVMGetNumSuccessors(in);
	struct u32vec to = {0};

	vec_clear(&f->ops);
	for (unsigned i = 0; i < n; i++) {
		ir_ref r = low_value(f, i ? case_value(in, i) : LLVMGetOperand(in, 0));

		vec_push(&f->ops, r);
		vec_push(&to, successor(f, LLVMGetSuccessor(in, i)));
	}
	assert(f->ops.n == to.n);
	terminate(f, IR_SWITCH, f->ops.v, f->ops.n, to.v, to.n);
	vec_release(&to);
}

/* A jump to one of the successors, each named once. */
static void computed_goto(struct low_func *f, LLVMValueRef in, ir_ref addr)
{
	unsigned n = LLVMGetNumSuccessors(in);
	struct u32vec to = {0};

	for (unsigned i = 0; i < n; i++) {
		uint32_t block = successor(f, LLVMGetSuccessor(in, i)), k;

		for (k = 0; k < to.n && to.v[k] != block; k++)
			;
		if (k == to.n)
			vec_push(&to, block);
	}
	if (to.n)
		terminate(f, IR_GOTO, &addr, 1, to.v, to.n);
	else
		terminate(f, IR_UNREACHABLE, NULL, 0, NULL, 0);
	vec_release(&to);
}

static void terminator(struct low_func *f, LLVMOpcode op, LLVMValueRef in)
{
	uint32_t to;

	if (f->edges_todo.n)
		low_end_of_block(f);
	switch (op) {
	case LLVMRet:
		ret(f, in);
		break;
	case LLVMBr:
		branch(f, in);
		break;
	case LLVMSwitch:
		switch_inst(f, in);
		break;
	case LLVMIndirectBr:
		computed_goto(f, in, low_value(f, LLVMGetOperand(in, 0)));
		break;
	case LLVMCallBr:	/* asm goto */
		low_call(f, in);
		computed_goto(f, in, IR_CONST);
		break;
	case LLVMInvoke:
		low_call(f, in);
		to = successor(f, LLVMGetNormalDest(in));
		terminate(f, IR_BR, NULL, 0, &to, 1);
		break;
	default:		/* unreachable, or leaves the function by an exception */
		terminate(f, IR_UNREACHABLE, NULL, 0, NULL, 0);
		break;
	}
}

void low_inst(struct low_func *f, LLVMValueRef in)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(in);

	assert(f->b.cur < f->blocks.n);
	f->b.pos = low_pos(f->l, LLVMInstructionGetDebugLoc(in));
	switch (op) {
	case LLVMRet: case LLVMBr: case LLVMSwitch: case LLVMIndirectBr: case LLVMInvoke:
	case LLVMUnreachable: case LLVMCallBr: case LLVMResume: case LLVMCleanupRet:
	case LLVMCatchRet: case LLVMCatchSwitch:
		terminator(f, op, in);
		break;
	case LLVMAlloca:	alloca_inst(f, in); break;
	case LLVMLoad:		load(f, in); break;
	case LLVMStore:		store(f, in); break;
	case LLVMCall:		low_call(f, in); break;
	case LLVMPHI:		phi(f, in); break;
	case LLVMSelect:	select_value(f, in); break;
	case LLVMExtractValue:	extract_value(f, in); break;
	case LLVMInsertValue:	insert_value(f, in); break;
	case LLVMFreeze:	low_same(f, in, LLVMGetOperand(in, 0)); break;
	case LLVMVAArg:		va_arg_inst(f, in); break;
	case LLVMAtomicRMW:	atomic_rmw(f, in); break;
	case LLVMAtomicCmpXchg:	cmpxchg(f, in); break;
	case LLVMFence:		break;
	case LLVMGetElementPtr:
		if (!low_is_padding(f, in))
			low_set(f, in, low_gep(f, in));
		break;
	case LLVMLandingPad: case LLVMCatchPad: case LLVMCleanupPad:
		low_set_opaque(f, in, NULL, 0);
		break;
	default:
		low_set(f, in, low_operation(f, op, in));
		break;
	}
}
