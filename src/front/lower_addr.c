/*
 * lower_addr.c - addresses: getelementptr taken apart, loads and stores.
 *
 * A getelementptr says several things at once: pointer arithmetic by its first
 * index, then members and elements.  Each becomes an instruction of its own,
 * INDEX, FIELD, ELEM, and the debug type of the object is followed along: from
 * variables, through members and elements, through loaded pointers.  It gives
 * the members their names (lower_type.c).
 *
 * The members of a union have one address, and LLVM tells nothing about which
 * one was meant.  Where only one member fits the access (the only pointer of the
 * union, the only struct of that layout), we add the FIELD that the source had.
 * Where several fit there is none, and the union itself is the accessed object.
 *
 * Since version 20 clang clears the padding of a struct that has an initialiser, byte
 * by byte.  Nothing reads padding: such a memset is dropped, since for the analysis it
 * would overwrite some unknown member.
 */
#include "front/lower_int.h"

static const struct ir_type *debug_type(const struct low_func *f, uint32_t type)
{
	assert(type < f->l->m->types.n);
	return &f->l->m->types.v[ir_type_strip(f->l->m, type)];
}

/* type: the debug struct or union, 0 if unknown; member: IR_NONE if it is not clear */
static ir_ref field(struct low_func *f, ir_ref base, uint64_t offset, uint32_t type, uint32_t member)
{
	struct ir_inst *in = ir_body_inst(&f->b, IR_FIELD, IR_C_PTR, f->l->ptr_bits, &base, 1);
	ir_ref r = ir_res(in);

	assert(member == IR_NONE || member < debug_type(f, type)->nfields);
	in->imm = (int64_t)offset;
	in->type = ir_type_strip(f->l->m, type);
	in->member = member;
	if (member != IR_NONE && !debug_type(f, type)->fields[member].bit_size)
		low_set_object(f, r, debug_type(f, type)->fields[member].type);
	return r;
}

/* ---- unions ---------------------------------------------------------- */

static bool is_scalar_of(const struct low_func *f, uint32_t type, const struct low_type *t)
{
	const struct ir_type *d = debug_type(f, type);

	if (d->size != t->size)
		return false;
	switch (d->kind) {
	case IR_T_PTR:
		return t->cls == IR_C_PTR;
	case IR_T_INT:
	case IR_T_ENUM:
		return t->cls == IR_C_INT;
	case IR_T_FLOAT:
		return t->cls == IR_C_FLOAT;
	default:
		return false;
	}
}

/* Can an access as t be one of this member?  A struct of LLVM's must be the member's
 * own type; an array begins with a dimension and element size. */
static bool fits_member(struct low_func *f, const struct ir_field *m, struct low_type *t)
{
	const struct ir_type *d = debug_type(f, m->type);

	if (m->bit_size)
		return false;
	switch (t->kind) {
	case LLVMStructTypeKind:
		return d->kind == IR_T_STRUCT && low_debug_matches(f->l, t, m->type);
	case LLVMArrayTypeKind:
		return d->kind == IR_T_ARRAY && d->size == t->size &&
		       debug_type(f, d->elem)->size == t->members[0]->size;
	default:
		return is_scalar_of(f, m->type, t);
	}
}

/* The address of the union's member that an access as t means, if addr is that of
 * a union and it is clear which; else addr. */
static ir_ref union_member(struct low_func *f, ir_ref addr, struct low_type *t)
{
	uint32_t object = low_object(f, addr), found = IR_NONE;
	const struct ir_type *u = debug_type(f, object);

	if (u->kind != IR_T_UNION)
		return addr;
	for (uint32_t i = 0; i < u->nfields; i++) {
		if (!fits_member(f, &u->fields[i], t))
			continue;
		if (found != IR_NONE)
			return addr;
		found = i;
	}
	return found == IR_NONE ? addr : field(f, addr, u->fields[found].offset, object, found);
}

/* ---- getelementptr --------------------------------------------------- */

/* A variable through which clang passes an argument, like the union of bind(): without a FIELD for the only
 * member the variable can be in SSA form. */
static bool is_temporary(const struct low_func *f, ir_ref r)
{
	return IR_KIND(r) == IR_R_SLOT && f->b.slots.v[IR_IDX(r)].flags & IR_S_TEMP;
}

static ir_ref step_struct(struct low_func *f, ir_ref base, struct low_type *t, uint64_t k)
{
	uint32_t type, member = IR_NONE;

	assert(t->sized && k < t->n);
	base = union_member(f, base, t);
	type = low_debug_struct(f->l, t, low_object(f, base));
	if (type)
		member = low_debug_member(f->l, type, t->offsets[k], t->members[k]->size);
	else if (t->n == 1 && is_temporary(f, base))
		return base;
	return field(f, base, t->offsets[k], type, member);
}

static ir_ref step_array(struct low_func *f, ir_ref base, struct low_type *t, ir_ref index)
{
	struct low_type *e = t->members[0];
	const struct ir_type *d;
	ir_ref ops[2], r;
	struct ir_inst *in;

	assert(t->kind != LLVMStructTypeKind);
	base = union_member(f, base, t);
	ops[0] = base;
	ops[1] = index;
	in = ir_body_inst(&f->b, IR_ELEM, IR_C_PTR, f->l->ptr_bits, ops, 2);
	in->imm = (int64_t)e->size;
	r = ir_res(in);
	d = debug_type(f, low_object(f, base));
	if (d->kind == IR_T_ARRAY)
		low_set_object(f, r, d->elem);
	return r;
}

/* Pointer arithmetic in steps of the pointed-to type does not change that type. */
static ir_ref step_pointer(struct low_func *f, ir_ref base, struct low_type *t, ir_ref index)
{
	ir_ref ops[2] = { base, index }, r;
	uint32_t object = low_object(f, base);
	struct ir_inst *in = ir_body_inst(&f->b, IR_INDEX, IR_C_PTR, f->l->ptr_bits, ops, 2);

	in->imm = (int64_t)t->size;
	r = ir_res(in);
	/* The address of a variable-length array is that of its first element. */
	if (debug_type(f, object)->kind == IR_T_ARRAY && debug_type(f, object)->size != t->size)
		object = debug_type(f, object)->elem;
	if (debug_type(f, object)->size == t->size)
		low_set_object(f, r, object);
	return r;
}

/* True and *x for a constant index. */
static bool constant_index(LLVMValueRef v, int64_t *x)
{
	if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	*x = LLVMConstIntGetSExtValue(v);
	return true;
}

ir_ref low_gep(struct low_func *f, LLVMValueRef v)
{
	struct low_type *t = low_type(f->l, LLVMGetGEPSourceElementType(v));
	unsigned n = (unsigned)LLVMGetNumOperands(v);
	int64_t x;
	ir_ref r;

	if (low_type_of(f->l, v)->cls != IR_C_PTR || !t->sized)
		return low_opaque_of(f, v);	/* vectors of addresses, structs without a fixed layout */
	r = low_value(f, LLVMGetOperand(v, 0));
	for (unsigned i = 1; i < n; i++) {
		LLVMValueRef index = LLVMGetOperand(v, i);
		bool known = constant_index(index, &x);

		if (i == 1) {
			if (!known || x)
				r = step_pointer(f, r, t, low_value(f, index));
		} else if (t->kind == LLVMStructTypeKind) {
			if (!known || x < 0 || (uint64_t)x >= t->n) {
				low_fail(f->l, "a struct member index is no constant");
				return IR_CONST;
			}
			r = step_struct(f, r, t, (uint64_t)x);
			t = t->members[x];
		} else if (t->members) {
			r = step_array(f, r, t, low_value(f, index));
			t = t->members[0];
		}
	}
	return r;
}

ir_ref low_leaf_addr(struct low_func *f, ir_ref base, const struct low_leaf *leaf)
{
	uint32_t object = low_object(f, base), member = IR_NONE;

	assert(leaf->type->cls != IR_C_AGG);
	if (debug_type(f, object)->kind == IR_T_STRUCT)
		member = low_debug_member(f->l, object, leaf->offset, leaf->type->size);
	else
		object = 0;
	if (member == IR_NONE && !leaf->offset)
		return base;
	return field(f, base, leaf->offset, object, member);
}

/* ---- padding --------------------------------------------------------- */

/* Do some of n bytes at an offset in an object of a debug type belong to a member? */
static bool debug_holds(const struct low_func *f, uint32_t type, uint64_t at, uint64_t n, unsigned depth)
{
	const struct ir_type *t = debug_type(f, type), *e;

	if (depth > 32 || !t->size || at >= t->size)
		return true;
	if (t->kind == IR_T_ARRAY) {
		e = debug_type(f, t->elem);
		return !e->size || at % e->size + n > e->size ||
		       debug_holds(f, t->elem, at % e->size, n, depth + 1);
	}
	if (t->kind != IR_T_STRUCT && t->kind != IR_T_UNION)
		return true;
	for (uint32_t i = 0; i < t->nfields; i++) {
		const struct ir_field *m = &t->fields[i];
		uint64_t size = debug_type(f, m->type)->size;

		if (m->bit_size)
			size = (m->bit_offset + m->bit_size + 7u) / 8u;
		if (at >= m->offset + size || m->offset >= at + n)
			continue;
		if (m->bit_size || at < m->offset || at + n > m->offset + size ||
		    debug_holds(f, m->type, at - m->offset, n, depth + 1))
			return true;
	}
	return false;
}

/* The same for a type of LLVM's, of a temporary that has no other. */
static bool type_holds(const struct low_type *t, uint64_t at, uint64_t n)
{
	if (t->kind == LLVMArrayTypeKind) {
		const struct low_type *e = t->members[0];

		return !e->size || at % e->size + n > e->size || type_holds(e, at % e->size, n);
	}
	if (t->kind != LLVMStructTypeKind || at >= t->size)
		return true;
	for (uint32_t i = 0; i < t->n; i++) {
		uint64_t from = t->offsets[i], size = t->members[i]->size;

		if (at >= from + size || from >= at + n)
			continue;
		if (at < from || at + n > from + size || type_holds(t->members[i], at - from, n))
			return true;
	}
	return false;
}

/* The only user of a value, NULL if there are more. */
static LLVMValueRef only_user(LLVMValueRef v)
{
	LLVMUseRef u = LLVMGetFirstUse(v);

	return u && !LLVMGetNextUse(u) ? LLVMGetUser(u) : NULL;
}

/* Is it the address of the byte that lies a constant *at bytes behind another address? */
static bool is_byte_address(struct low_func *f, LLVMValueRef v, int64_t *at)
{
	LLVMTypeRef step;

	if (!LLVMIsAGetElementPtrInst(v) || LLVMGetNumOperands(v) != 2)
		return false;
	step = LLVMGetGEPSourceElementType(v);
	return LLVMGetTypeKind(step) == LLVMIntegerTypeKind && low_type(f->l, step)->size == 1 &&
	       constant_index(LLVMGetOperand(v, 1), at) && *at >= 0;
}

bool low_is_padding(struct low_func *f, LLVMValueRef gep)
{
	LLVMValueRef call, base;
	const ir_ref *sym;
	int64_t at, n;
	uint32_t type;

	if (!is_byte_address(f, gep, &at))
		return false;
	call = only_user(gep);
	sym = call && LLVMIsACallInst(call) ? valmap_get(&f->l->syms, LLVMGetCalledValue(call)) : NULL;
	if (!sym || *sym != LOW_PSEUDO(INTR_MEMSET) || LLVMGetOperand(call, 0) != gep ||
	    !constant_index(LLVMGetOperand(call, 2), &n) || n <= 0)
		return false;
	base = LLVMGetOperand(gep, 0);
	type = low_object(f, low_value(f, base));
	if (debug_type(f, type)->size)
		return !debug_holds(f, type, (uint64_t)at, (uint64_t)n, 0);
	return LLVMIsAAllocaInst(base) &&
	       !type_holds(low_type(f->l, LLVMGetAllocatedType(base)), (uint64_t)at, (uint64_t)n);
}

/* ---- loads and stores ------------------------------------------------ */

ir_ref low_load(struct low_func *f, struct low_type *t, ir_ref addr, uint8_t flags)
{
	struct ir_inst *in;
	ir_ref r;

	assert(t->cls != IR_C_AGG && t->cls != IR_C_VOID);
	addr = union_member(f, addr, t);
	in = low_emit(f, IR_LOAD, t, &addr, 1);
	in->flags |= flags;
	r = ir_res(in);
	if (t->cls == IR_C_PTR)
		low_set_value_type(f, r, low_object(f, addr));
	return r;
}

void low_store(struct low_func *f, struct low_type *t, ir_ref addr, ir_ref value, uint8_t flags)
{
	ir_ref ops[2] = { union_member(f, addr, t), value };

	assert(t->cls != IR_C_AGG && t->cls != IR_C_VOID);
	low_emit(f, IR_STORE, t, ops, 2)->flags |= flags;
}
