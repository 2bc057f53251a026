/*
 * ditype.c - debug information of LLVM as types of the leak IR.
 *
 * Each metadata node is read once.  Structs and unions get their number before
 * their members are read, and members are read from a list of work, not by
 * recursion: types refer to each other in cycles and through long chains of
 * structs.  What remains recursive (pointer to typedef to array ...) is bounded,
 * since the bitcode may be anybody's.
 *
 * Where this errs: the C interface does not show the encoding of a basic type,
 * so that its name decides ("unsigned", "double", ...).  const, volatile,
 * restrict and _Atomic are dropped, except for "pointer to const".
 */
#include "front/ditype.h"

#include <assert.h>
#include <errno.h>

enum {
	TAG_ARRAY = 0x01, TAG_CLASS = 0x02, TAG_ENUM = 0x04, TAG_POINTER = 0x0f,
	TAG_REFERENCE = 0x10, TAG_STRUCT = 0x13, TAG_TYPEDEF = 0x16, TAG_UNION = 0x17,
	TAG_CONST = 0x26, TAG_VOLATILE = 0x35, TAG_RESTRICT = 0x37,
	TAG_RVALUE_REFERENCE = 0x42, TAG_ATOMIC = 0x47,
};

#define MAX_DEPTH 200
#define MAX_ENUMERATORS 65536		/* of an enumeration with more the values count as unknown */
#define MAX_SIZE ((uint64_t)1 << 48)	/* as verify.c has it */

/* ---- metadata -------------------------------------------------------- */

bool md_is(LLVMMetadataRef md, LLVMMetadataKind kind)
{
	return md && LLVMGetMetadataKind(md) == kind;
}

static bool is_node(LLVMMetadataRef md)
{
	switch (md ? LLVMGetMetadataKind(md) : LLVMMDStringMetadataKind) {
	case LLVMMDStringMetadataKind:
	case LLVMConstantAsMetadataMetadataKind:
	case LLVMLocalAsMetadataMetadataKind:
	case LLVMDistinctMDOperandPlaceholderMetadataKind:
	case LLVMDIArgListMetadataKind:
		return false;
	default:
		return true;
	}
}

void md_operands(struct mdvec *ops, LLVMContextRef ctx, LLVMMetadataRef md)
{
	LLVMValueRef v;
	unsigned n;

	vec_clear(ops);
	if (!is_node(md))
		return;
	v = LLVMMetadataAsValue(ctx, md);
	n = LLVMGetMDNodeNumOperands(v);
	if (n)
		LLVMGetMDNodeOperands(v, vec_add(ops, n));
}

static LLVMMetadataRef as_metadata(LLVMValueRef op)
{
	return op ? LLVMValueAsMetadata(op) : NULL;
}

LLVMMetadataRef md_operand(LLVMContextRef ctx, LLVMMetadataRef md, unsigned i)
{
	LLVMMetadataRef found = NULL;
	struct mdvec ops = {0};

	md_operands(&ops, ctx, md);
	if (i < ops.n)
		found = as_metadata(ops.v[i]);
	vec_release(&ops);
	return found;
}

const char *md_string(LLVMValueRef op, unsigned *n)
{
	const char *s = op && LLVMIsAMDString(op) ? LLVMGetMDString(op, n) : NULL;

	if (!s)
		*n = 0;
	return s ? s : "";
}

bool md_integer(LLVMValueRef op, int64_t *x)
{
	if (!op || !LLVMIsAConstantInt(op) || LLVMGetIntTypeWidth(LLVMTypeOf(op)) > 64)
		return false;
	*x = LLVMConstIntGetSExtValue(op);
	return true;
}

/* ---- kinds of types -------------------------------------------------- */

static bool is_type(LLVMMetadataRef md)
{
	switch (md ? LLVMGetMetadataKind(md) : LLVMMDStringMetadataKind) {
	case LLVMDIBasicTypeMetadataKind:
	case LLVMDIDerivedTypeMetadataKind:
	case LLVMDICompositeTypeMetadataKind:
	case LLVMDISubroutineTypeMetadataKind:
		return true;
	default:
		return false;
	}
}

static bool is_qualifier(LLVMMetadataRef md)
{
	if (!md_is(md, LLVMDIDerivedTypeMetadataKind))
		return false;
	switch (LLVMGetDINodeTag(md)) {
	case TAG_CONST:
	case TAG_VOLATILE:
	case TAG_RESTRICT:
	case TAG_ATOMIC:
		return true;
	default:
		return false;
	}
}

LLVMMetadataRef ditype_unqualified(LLVMContextRef ctx, LLVMMetadataRef md)
{
	for (unsigned i = 0; i < MAX_DEPTH && is_qualifier(md); i++)
		md = md_operand(ctx, md, MD_DERIVED_BASE);
	return md;
}

static bool is_const(LLVMContextRef ctx, LLVMMetadataRef md)
{
	for (unsigned i = 0; i < MAX_DEPTH && is_qualifier(md); i++) {
		if (LLVMGetDINodeTag(md) == TAG_CONST)
			return true;
		md = md_operand(ctx, md, MD_DERIVED_BASE);
	}
	return false;
}

/* Size in bytes, through typedefs and qualifiers, which have none themselves.  A
 * size that no object can have is unknown. */
static uint64_t size_of(LLVMContextRef ctx, LLVMMetadataRef md)
{
	for (unsigned i = 0; i < MAX_DEPTH && is_type(md); i++) {
		uint64_t bits = LLVMDITypeGetSizeInBits(md);

		if (bits || !md_is(md, LLVMDIDerivedTypeMetadataKind))
			return bits >= MAX_SIZE * 8 ? 0 : (bits + 7) / 8;
		md = md_operand(ctx, md, MD_DERIVED_BASE);
	}
	return 0;
}

static const char *type_name(struct ditype *d, LLVMMetadataRef md)
{
	size_t n = 0;
	const char *s = LLVMDITypeGetName(md, &n);

	return s ? ir_intern_n(d->m, s, n) : "";
}

/* ---- one type of each kind ------------------------------------------- */

static uint32_t get(struct ditype *d, LLVMMetadataRef md);

static uint32_t make_basic(struct ditype *d, LLVMMetadataRef md)
{
	static const char *const floats[] = {
		"float", "double", "Float", "half", "bf16", "fp16", "complex", "Complex",
		"Accum", "Fract", "ibm128",
	};
	struct ir_type t = { .kind = IR_T_INT, .name = type_name(d, md) };

	t.size = size_of(d->ctx, md);
	for (size_t i = 0; i < ARRAY_LEN(floats); i++)
		if (strstr(t.name, floats[i]))
			t.kind = IR_T_FLOAT;
	if (str_eq(t.name, "void"))
		t.kind = IR_T_VOID;
	if (t.kind == IR_T_INT) {
		if (strstr(t.name, "unsigned"))
			t.flags |= IR_TF_UNSIGNED;
		if (str_eq(t.name, "_Bool") || str_eq(t.name, "bool"))
			t.flags |= IR_TF_BOOL | IR_TF_UNSIGNED;
		if (strstr(t.name, "char"))
			t.flags |= IR_TF_CHAR;
		if (d->char_unsigned && str_eq(t.name, "char"))
			t.flags |= IR_TF_UNSIGNED;
	}
	return ir_type_add(d->m, &t);
}

static uint32_t make_pointer(struct ditype *d, LLVMMetadataRef md)
{
	LLVMMetadataRef base = md_operand(d->ctx, md, MD_DERIVED_BASE);
	struct ir_type t = { .kind = IR_T_PTR, .name = "" };

	t.size = size_of(d->ctx, md);
	if (is_const(d->ctx, base))
		t.flags |= IR_TF_CONST;
	t.elem = get(d, base);
	return ir_type_add(d->m, &t);
}

static uint32_t make_typedef(struct ditype *d, LLVMMetadataRef md)
{
	struct ir_type t = { .kind = IR_T_TYPEDEF, .name = type_name(d, md) };

	t.size = size_of(d->ctx, md);
	t.elem = get(d, md_operand(d->ctx, md, MD_DERIVED_BASE));
	return ir_type_add(d->m, &t);
}

static uint32_t make_derived(struct ditype *d, LLVMMetadataRef md)
{
	switch (LLVMGetDINodeTag(md)) {
	case TAG_POINTER:
	case TAG_REFERENCE:
	case TAG_RVALUE_REFERENCE:
		return make_pointer(d, md);
	case TAG_TYPEDEF:
		return make_typedef(d, md);
	case TAG_CONST:
	case TAG_VOLATILE:
	case TAG_RESTRICT:
	case TAG_ATOMIC:
		return get(d, md_operand(d->ctx, md, MD_DERIVED_BASE));
	default:
		return 0;
	}
}

/* An array of several dimensions is one node with several subranges. */
static uint32_t make_array(struct ditype *d, LLVMMetadataRef md)
{
	LLVMMetadataRef base = md_operand(d->ctx, md, MD_COMPOSITE_BASE);
	struct mdvec dims = {0}, range = {0};
	uint64_t size = size_of(d->ctx, base);
	uint32_t id = get(d, base);

	md_operands(&dims, d->ctx, md_operand(d->ctx, md, MD_COMPOSITE_ELEMENTS));
	for (uint32_t i = dims.n; i-- > 0;) {
		struct ir_type t = { .kind = IR_T_ARRAY, .name = "", .elem = id };
		LLVMMetadataRef sub = as_metadata(dims.v[i]);
		int64_t count = 0;

		if (md_is(sub, LLVMDISubrangeMetadataKind)) {
			md_operands(&range, d->ctx, sub);
			if (range.n <= MD_SUBRANGE_COUNT ||
			    !md_integer(range.v[MD_SUBRANGE_COUNT], &count) || count < 0)
				count = 0;
		}
		t.count = (uint64_t)count;
		if (__builtin_mul_overflow(t.count, size, &t.size) || t.size >= MAX_SIZE)
			t.count = t.size = 0;
		size = t.size;
		id = ir_type_add(d->m, &t);
	}
	vec_release(&dims);
	vec_release(&range);
	return id;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* LLVM's C interface has no way to ask for an enumerator's value but its text. */
static bool enumerator_value(LLVMValueRef op, int64_t *value)
{
	char *text, *at, *end;
	bool ok = false;

	if (!op || !md_is(as_metadata(op), LLVMDIEnumeratorMetadataKind))
		return false;
	text = LLVMPrintValueToString(op);
	at = strstr(text, ", value: ");	/* names have no comma */
	if (at) {
		errno = 0;
		*value = strtoll(at + strlen(", value: "), &end, 10);
		ok = !errno && (*end == ',' || *end == ')');
	}
	LLVMDisposeMessage(text);
	return ok;
}

/* Are the enumerators consecutive?  Then they are all that a variable can be. */
static void enum_values(struct ditype *d, LLVMMetadataRef md, struct ir_type *t)
{
	struct mdvec ops = {0};
	VEC(int64_t) values = {0};
	uint32_t n = 0;

	md_operands(&ops, d->ctx, md_operand(d->ctx, md, MD_COMPOSITE_ELEMENTS));
	for (uint32_t i = 0; i < ops.n && ops.n <= MAX_ENUMERATORS; i++) {
		int64_t x;

		if (!enumerator_value(ops.v[i], &x))
			goto done;
		vec_push(&values, x);
	}
	if (!values.n)
		goto done;
	qsort(values.v, values.n, sizeof(*values.v), by_value);
	for (uint32_t i = 0; i < values.n; i++) {
		if (i && values.v[i] == values.v[i - 1])
			continue;
		if (i && values.v[i] != values.v[i - 1] + 1)
			goto done;
		n++;
	}
	if (values.v[0] > INT64_MAX - (int64_t)n)
		goto done;
	t->count = n;
	t->first = values.v[0];
done:
	vec_release(&ops);
	vec_release(&values);
}

static uint32_t make_enum(struct ditype *d, LLVMMetadataRef md)
{
	struct ir_type t = { .kind = IR_T_ENUM, .name = type_name(d, md) };
	LLVMMetadataRef base = md_operand(d->ctx, md, MD_COMPOSITE_BASE);
	uint32_t of = base ? ir_type_strip(d->m, get(d, base)) : 0;

	t.size = size_of(d->ctx, md);
	t.flags = d->m->types.v[of].flags & IR_TF_UNSIGNED;
	enum_values(d, md, &t);
	return ir_type_add(d->m, &t);
}

static uint32_t make_func(struct ditype *d, LLVMMetadataRef md)
{
	struct ir_type t = { .kind = IR_T_FUNC, .name = "" };
	VEC(struct ir_field) params = {0};
	struct mdvec types = {0};
	uint32_t id;

	md_operands(&types, d->ctx, md_operand(d->ctx, md, MD_SUBROUTINE_TYPES));
	t.elem = get(d, types.n ? as_metadata(types.v[0]) : NULL);
	for (uint32_t i = 1; i < types.n; i++) {
		struct ir_field p = { .name = "" };

		if (!types.v[i]) {	/* the "..." of a prototype, or no prototype */
			t.flags |= IR_TF_VARIADIC;
			continue;
		}
		p.type = get(d, as_metadata(types.v[i]));
		vec_push(&params, p);
	}
	t.nfields = params.n;
	t.fields = params.v;
	id = ir_type_add(d->m, &t);
	vec_release(&params);
	vec_release(&types);
	return id;
}

static uint32_t make_composite(struct ditype *d, LLVMMetadataRef md)
{
	struct ditype_todo todo = { md, 0 };

	switch (LLVMGetDINodeTag(md)) {
	case TAG_ARRAY:
		return make_array(d, md);
	case TAG_ENUM:
		return make_enum(d, md);
	case TAG_STRUCT:
	case TAG_CLASS:
	case TAG_UNION:
		todo.id = ir_type_reserve(d->m);
		vec_push(&d->todo, todo);
		return todo.id;
	default:
		return 0;
	}
}

static uint32_t make(struct ditype *d, LLVMMetadataRef md)
{
	switch (LLVMGetMetadataKind(md)) {
	case LLVMDIBasicTypeMetadataKind:
		return make_basic(d, md);
	case LLVMDIDerivedTypeMetadataKind:
		return make_derived(d, md);
	case LLVMDICompositeTypeMetadataKind:
		return make_composite(d, md);
	case LLVMDISubroutineTypeMetadataKind:
		return make_func(d, md);
	default:
		return 0;
	}
}

static uint32_t get(struct ditype *d, LLVMMetadataRef md)
{
	static const struct ir_type t_void = { .kind = IR_T_VOID, .name = "void" };
	const uint32_t *have;
	uint32_t id;

	assert(d->depth <= MAX_DEPTH);
	if (!md)
		return ir_type_add(d->m, &t_void);
	have = mdmap_get(&d->known, md);
	if (have)
		return *have;
	if (d->depth >= MAX_DEPTH)
		return 0;
	/* A cycle without a struct is no C: the type is unknown where the cycle closes. */
	mdmap_set(&d->known, md, 0);
	d->depth++;
	id = make(d, md);
	d->depth--;
	assert(id < d->m->types.n);
	mdmap_set(&d->known, md, id);
	return id;
}

/* ---- structs --------------------------------------------------------- */

/* False if the node is no member with a place (a nested type, say). */
static bool make_field(struct ditype *d, struct ir_field *f, LLVMMetadataRef md)
{
	uint64_t bit;
	int64_t unit;
	struct mdvec ops = {0};

	if (!md_is(md, LLVMDIDerivedTypeMetadataKind) ||
	    (LLVMDITypeGetFlags(md) & LLVMDIFlagStaticMember) == LLVMDIFlagStaticMember)
		return false;
	memset(f, 0, sizeof(*f));
	md_operands(&ops, d->ctx, md);
	bit = LLVMDITypeGetOffsetInBits(md);
	f->name = type_name(d, md);
	f->offset = bit / 8;
	if (LLVMDITypeGetFlags(md) & LLVMDIFlagBitField) {
		if (ops.n <= MD_DERIVED_EXTRA || !md_integer(ops.v[MD_DERIVED_EXTRA], &unit) ||
		    unit < 0 || (uint64_t)unit > bit || bit - (uint64_t)unit > UINT16_MAX)
			unit = (int64_t)(bit / 8 * 8);
		f->offset = (uint64_t)unit / 8;
		f->bit_offset = (uint16_t)(bit - f->offset * 8);
		f->bit_size = (uint16_t)MIN(LLVMDITypeGetSizeInBits(md), UINT16_MAX);
	}
	f->type = get(d, ops.n > MD_DERIVED_BASE ? as_metadata(ops.v[MD_DERIVED_BASE]) : NULL);
	vec_release(&ops);
	return true;
}

static void fill_struct(struct ditype *d, const struct ditype_todo *todo)
{
	struct ir_type t = { .kind = IR_T_STRUCT, .name = type_name(d, todo->md) };
	VEC(struct ir_field) fields = {0};
	struct mdvec elems = {0};
	struct ir_field f;

	assert(todo->id && todo->id < d->m->types.n);
	if (LLVMGetDINodeTag(todo->md) == TAG_UNION)
		t.kind = IR_T_UNION;
	if (LLVMDITypeGetFlags(todo->md) & LLVMDIFlagFwdDecl)
		t.flags |= IR_TF_DECL;
	t.size = size_of(d->ctx, todo->md);
	md_operands(&elems, d->ctx, md_operand(d->ctx, todo->md, MD_COMPOSITE_ELEMENTS));
	for (uint32_t i = 0; !(t.flags & IR_TF_DECL) && i < elems.n; i++)
		if (make_field(d, &f, as_metadata(elems.v[i])) && f.offset <= t.size)
			vec_push(&fields, f);
	t.nfields = fields.n;
	t.fields = fields.v;
	ir_type_set(d->m, todo->id, &t);
	vec_release(&fields);
	vec_release(&elems);
}

uint32_t ditype_get(struct ditype *d, LLVMMetadataRef md)
{
	uint32_t id = get(d, md);

	assert(d->depth == 0 && id < d->m->types.n);
	while (d->todo.n) {
		struct ditype_todo todo = vec_pop(&d->todo);

		fill_struct(d, &todo);
	}
	return id;
}

/* Every node that was read has a type of the module, and no struct waits for its members. */
static void ditype_check(const struct ditype *d)
{
#ifdef PLUMB_DEBUG
	uint32_t *id;

	assert(d->depth == 0 && !d->todo.n);
	for (uint32_t it = 0; mdmap_next(&d->known, &it, NULL, &id);)
		assert(*id < d->m->types.n);
#else
	(void)d;
#endif
}

void ditype_init(struct ditype *d, struct ir_module *m, LLVMContextRef ctx, const char *triple)
{
	static const char *const unsigned_char[] = { "aarch64", "arm", "powerpc", "riscv", "s390" };

	memset(d, 0, sizeof(*d));
	d->m = m;
	d->ctx = ctx;
	for (size_t i = 0; i < ARRAY_LEN(unsigned_char); i++)
		if (str_starts(triple, unsigned_char[i]))
			d->char_unsigned = true;
}

void ditype_release(struct ditype *d)
{
	ditype_check(d);
	mdmap_release(&d->known);
	vec_release(&d->todo);
}
