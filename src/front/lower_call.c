/*
 * lower_call.c - calls: of functions, of LLVM's intrinsics, of inline assembly.
 *
 * A struct passed by a pointer marked byval is copied by the call itself; the
 * copy is made visible, into a slot of its own.  An intrinsic that is not in the
 * table below is a value computed from its arguments if it touches no memory,
 * and else a call of an external function of that name.
 */
#include "front/lower_int.h"

/* ---- results --------------------------------------------------------- */

/* The class of a call's result; a struct without members is no result. */
static enum ir_class result_class(const struct low_type *t)
{
	return t->cls == IR_C_AGG && !t->nleaves ? IR_C_VOID : t->cls;
}

/* Gives v the result of a CALL or ASM, taken apart if it is an aggregate. */
static void set_result(struct low_func *f, LLVMValueRef v, ir_ref r, const struct low_type *t)
{
	struct refvec leaves = {0};

	assert(IR_KIND(r) == IR_R_VREG || result_class(t) == IR_C_VOID);
	if (t->cls == IR_C_VOID || !LLVMGetFirstUse(v))
		return;
	if (t->cls != IR_C_AGG) {
		low_set(f, v, r);
		return;
	}
	for (uint32_t i = 0; i < t->nleaves; i++) {
		struct ir_inst *in = low_emit(f, IR_EXTRACT, t->leaves[i].type, &r, 1);

		in->imm = i;
		vec_push(&leaves, ir_res(in));
	}
	low_set_leaves(f, v, leaves.v, leaves.n);
	vec_release(&leaves);
}

/* ---- ordinary calls -------------------------------------------------- */

static bool is_metadata(LLVMValueRef v)
{
	return LLVMGetValueKind(v) == LLVMMetadataAsValueValueKind;
}

static ir_ref byval_copy(struct low_func *f, LLVMAttributeRef byval, LLVMValueRef arg)
{
	LLVMTypeRef ty = LLVMGetTypeAttributeValue(byval);
	struct low_type *t = ty ? low_type(f->l, ty) : NULL;
	struct ir_slot s = { .flags = IR_S_TEMP };
	ir_ref from = low_value(f, arg), to;

	if (t && t->kind == LLVMStructTypeKind)
		s.type = low_debug_struct(f->l, t, low_object(f, from));
	s.size = t ? low_object_size(t->size) : 0;
	to = IR_SLOT(low_slot(f, &s));
	low_memcpy(f, to, from, s.size);
	return to;
}

/* Appends the arguments of a call to f->ops. */
static void add_args(struct low_func *f, LLVMValueRef call)
{
	unsigned n = LLVMGetNumArgOperands(call);

	for (unsigned i = 0; i < n; i++) {
		LLVMValueRef arg = LLVMGetOperand(call, i);
		LLVMAttributeRef byval = NULL;
		ir_ref r;

		if (is_metadata(arg))
			continue;
		if (LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMPointerTypeKind)
			byval = LLVMGetCallSiteEnumAttribute(call, i + 1, f->l->attr.byval);
		if (!byval) {
			low_leaves(f, arg, &f->ops);
			continue;
		}
		r = byval_copy(f, byval, arg);
		vec_push(&f->ops, r);
	}
}

static bool call_has(LLVMValueRef call, unsigned attr)
{
	return LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
					    attr) != NULL;
}

static uint8_t call_flags(struct low_func *f, LLVMValueRef call, ir_ref callee)
{
	uint16_t known = 0;
	uint8_t flags = 0;

	if (IR_KIND(callee) == IR_R_FUNC)
		known = f->l->m->funcs.v[IR_IDX(callee)].flags;
	if (known & IR_FN_NORETURN || call_has(call, f->l->attr.noreturn))
		flags |= IR_F_NORETURN;
	if (known & IR_FN_TWICE || call_has(call, f->l->attr.returns_twice))
		flags |= IR_F_TWICE;
	return flags;
}

static void ordinary_call(struct low_func *f, LLVMValueRef call, ir_ref callee)
{
	struct low_type *t = low_type_of(f->l, call);
	const struct ir_type *type = &f->l->m->types.v[ir_type_strip(f->l->m, low_object(f, callee))];
	struct ir_inst *in;
	ir_ref r;

	vec_clear(&f->ops);
	/* plumb-ignore: the vector is the lowering's, and grows by realloc() */
	vec_push(&f->ops, callee);
	add_args(f, call);
	in = ir_body_inst(&f->b, IR_CALL, result_class(t), t->bits, f->ops.v, f->ops.n);
	in->flags |= call_flags(f, call, callee);
	r = ir_res(in);
	if (f->ops.n == 2 && IR_KIND(f->ops.v[1]) == IR_R_SLOT)
		low_note_cleanup(f, call, f->b.insts.n - 1);
	if (t->cls == IR_C_PTR && type->kind == IR_T_FUNC)
		low_set_value_type(f, r, type->elem);
	set_result(f, call, r, t);
}

static void inline_asm(struct low_func *f, LLVMValueRef call)
{
	struct low_type *t = low_type_of(f->l, call);

	vec_clear(&f->ops);
	add_args(f, call);
	set_result(f, call, ir_res(ir_body_inst(&f->b, IR_ASM, result_class(t), t->bits,
						f->ops.v, f->ops.n)), t);
}

/* ---- intrinsics ------------------------------------------------------ */

static const struct {
	const char *prefix;	/* after "llvm." */
	enum low_intrinsic what;
} intrinsics[] = {
	{ "dbg.declare", INTR_DECLARE },
	{ "dbg.value", INTR_DBG_VALUE },
	{ "dbg.", INTR_DROP },
	{ "lifetime.", INTR_DROP },
	{ "assume", INTR_DROP },
	{ "sideeffect", INTR_DROP },
	{ "pseudoprobe", INTR_DROP },
	{ "prefetch", INTR_DROP },
	{ "debugtrap", INTR_DROP },
	{ "invariant.", INTR_DROP },
	{ "var.annotation", INTR_DROP },
	{ "codeview.annotation", INTR_DROP },
	{ "experimental.noalias.scope", INTR_DROP },
	{ "instrprof.", INTR_DROP },
	{ "stackrestore", INTR_DROP },
	{ "stacksave", INTR_VALUE },
	{ "frameaddress", INTR_VALUE },
	{ "returnaddress", INTR_VALUE },
	{ "experimental.constrained.", INTR_VALUE },
	{ "expect.", INTR_SAME },
	{ "ssa.copy", INTR_SAME },
	{ "launder.invariant.group", INTR_SAME },
	{ "strip.invariant.group", INTR_SAME },
	{ "threadlocal.address", INTR_SAME },
	{ "arithmetic.fence", INTR_SAME },
	{ "annotation.", INTR_SAME },
	{ "ptr.annotation.", INTR_SAME },
	{ "memcpy.", INTR_MEMCPY },
	{ "memmove.", INTR_MEMCPY },
	{ "memset.", INTR_MEMSET },
	{ "va_start", INTR_VASTART },
	{ "va_copy", INTR_VACOPY },
	{ "va_end", INTR_VAEND },
	{ "sadd.with.overflow", INTR_ADD },
	{ "uadd.with.overflow", INTR_ADD },
	{ "ssub.with.overflow", INTR_SUB },
	{ "usub.with.overflow", INTR_SUB },
	{ "smul.with.overflow", INTR_MUL },
	{ "umul.with.overflow", INTR_MUL },
	{ "masked.load", INTR_LOAD },
	{ "masked.gather", INTR_LOAD },
	{ "masked.expandload", INTR_LOAD },
	{ "masked.store", INTR_STORE },
	{ "masked.scatter", INTR_STORE },
	{ "masked.compressstore", INTR_STORE },
};

enum low_intrinsic low_intrinsic(struct lower *l, LLVMValueRef fn, const char *name)
{
	assert(str_starts(name, "llvm."));
	name += strlen("llvm.");
	for (size_t i = 0; i < ARRAY_LEN(intrinsics); i++)
		if (str_starts(name, intrinsics[i].prefix))
			return intrinsics[i].what;
	return low_memory_effects(l, fn) == 0 ? INTR_VALUE : INTR_CALL;
}

static void value_intrinsic(struct low_func *f, LLVMValueRef call)
{
	struct refvec args = {0};
	unsigned n = LLVMGetNumArgOperands(call);

	for (unsigned i = 0; i < n; i++)
		if (!is_metadata(LLVMGetOperand(call, i)))
			low_leaves(f, LLVMGetOperand(call, i), &args);
	low_set_opaque(f, call, args.v, args.n);
	vec_release(&args);
}

/* memcpy, memmove, memset: the first three arguments, the fourth says "volatile" */
static void memory_intrinsic(struct low_func *f, LLVMValueRef call, enum ir_opcode op)
{
	LLVMValueRef last = LLVMGetNumArgOperands(call) > 3 ? LLVMGetOperand(call, 3) : NULL;
	struct ir_inst *in;
	ir_ref ops[3];

	for (unsigned i = 0; i < 3; i++)
		ops[i] = low_value(f, LLVMGetOperand(call, i));
	in = ir_body_inst(&f->b, op, IR_C_VOID, 0, ops, 3);
	if (last && LLVMIsAConstantInt(last) && LLVMGetIntTypeWidth(LLVMTypeOf(last)) == 1 &&
	    LLVMConstIntGetZExtValue(last))
		in->flags |= IR_F_VOLATILE;
}

static void va_intrinsic(struct low_func *f, LLVMValueRef call, enum ir_opcode op)
{
	ir_ref ops[2] = { low_value(f, LLVMGetOperand(call, 0)) };
	uint32_t n = 1;

	if (op == IR_VACOPY)
		ops[n++] = low_value(f, LLVMGetOperand(call, 1));
	ir_body_inst(&f->b, op, IR_C_VOID, 0, ops, n);
}

/* The leaves are the wrapped result, and whether it overflowed. */
static void overflow_intrinsic(struct low_func *f, LLVMValueRef call, int bin)
{
	struct low_type *t = low_type_of(f->l, call);
	ir_ref ops[2], leaves[2];

	if (t->cls != IR_C_AGG || t->nleaves != 2 || t->leaves[0].type->cls != IR_C_INT) {
		value_intrinsic(f, call);
		return;
	}
	ops[0] = low_value(f, LLVMGetOperand(call, 0));
	ops[1] = low_value(f, LLVMGetOperand(call, 1));
	assert(bin == IR_B_ADD || bin == IR_B_SUB || bin == IR_B_MUL);
	leaves[0] = low_binary(f, bin, t->leaves[0].type, ops[0], ops[1]);
	leaves[1] = low_opaque(f, t->leaves[1].type, ops, 2);
	low_set_leaves(f, call, leaves, 2);
}

/* An address, or some address out of a vector of them. */
static ir_ref some_address(struct low_func *f, LLVMValueRef v)
{
	struct low_type ptr = { .cls = IR_C_PTR, .bits = f->l->ptr_bits };
	ir_ref r = low_value(f, v);

	return low_type_of(f->l, v)->cls == IR_C_PTR ? r : low_opaque(f, &ptr, &r, 1);
}

/* Some elements come from memory, the others from the last argument. */
static void masked_load(struct low_func *f, LLVMValueRef call)
{
	struct low_type *t = low_type_of(f->l, call);
	unsigned n = LLVMGetNumArgOperands(call);
	ir_ref ops[2];

	ops[0] = low_load(f, t, some_address(f, LLVMGetOperand(call, 0)), 0);
	ops[1] = low_value(f, LLVMGetOperand(call, n - 1));
	low_set(f, call, low_opaque(f, t, ops, 2));
}

static void masked_store(struct low_func *f, LLVMValueRef call)
{
	LLVMValueRef v = LLVMGetOperand(call, 0);
	ir_ref addr = some_address(f, LLVMGetOperand(call, 1));

	low_store(f, low_type_of(f->l, v), addr, low_value(f, v), IR_F_MAYBE);
}

static void call_intrinsic(struct low_func *f, LLVMValueRef call, enum low_intrinsic what)
{
	switch (what) {
	case INTR_DROP:		low_set_opaque(f, call, NULL, 0); break;
	case INTR_VALUE:	value_intrinsic(f, call); break;
	case INTR_SAME:		low_same(f, call, LLVMGetOperand(call, 0)); break;
	case INTR_MEMCPY:	memory_intrinsic(f, call, IR_MEMCPY); break;
	case INTR_MEMSET:
		if (!low_is_padding(f, LLVMGetOperand(call, 0)))
			memory_intrinsic(f, call, IR_MEMSET);
		break;
	case INTR_VASTART:	va_intrinsic(f, call, IR_VASTART); break;
	case INTR_VACOPY:	va_intrinsic(f, call, IR_VACOPY); break;
	case INTR_VAEND:	va_intrinsic(f, call, IR_VAEND); break;
	case INTR_ADD:		overflow_intrinsic(f, call, IR_B_ADD); break;
	case INTR_SUB:		overflow_intrinsic(f, call, IR_B_SUB); break;
	case INTR_MUL:		overflow_intrinsic(f, call, IR_B_MUL); break;
	case INTR_LOAD:		masked_load(f, call); break;
	case INTR_STORE:	masked_store(f, call); break;
	case INTR_CALL:
		ordinary_call(f, call, low_add_func(f->l, LLVMGetCalledValue(call)));
		break;
	case INTR_DECLARE:
	case INTR_DBG_VALUE:	break;
	}
}

void low_call(struct low_func *f, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const ir_ref *sym = valmap_get(&f->l->syms, callee);

	if (sym && LOW_IS_PSEUDO(*sym))
		call_intrinsic(f, call, IR_IDX(*sym));
	else if (LLVMGetValueKind(callee) == LLVMInlineAsmValueKind)
		inline_asm(f, call);
	else
		ordinary_call(f, call, sym ? *sym : low_value(f, callee));
}
