/*
 * lower_type.c - LLVM's types, and which debug type a struct of LLVM's is.
 *
 * LLVM's types have layouts but no member names; debug types have both but hang
 * on variables, not on instructions.  Two ways lead from a struct of LLVM's to
 * the debug type:
 *
 *   by name	clang calls them "struct.tag", "union.tag", "struct.typedef_name",
 *		with ".1", ".2", ... behind where two scopes use one tag
 *   by object	the debug type of the object whose member is taken, as far as it
 *		is known (lower_addr.c follows it through loads and members)
 *
 * Nameless structs, "struct.anon", are found by object only.  Each is one debug type,
 * and no two are the same one.  Once it is known, by its place in a struct that is
 * known or by the first access, it helps to distinguish the members of a union that
 * have the same layout.
 *
 * Both ways are believed only if the sizes agree, and a member only if one lies at
 * that offset with that size.  Where this errs: two structs with one tag and one
 * size in different scopes may be taken for each other if the object's type is
 * not known; offsets are LLVM's own and right in any case.
 */
#include "front/lower_int.h"

#define MAX_LEAVES 64

/* ---- layout ---------------------------------------------------------- */

static void add_leaves(struct low_type *t, struct low_type *part, uint64_t offset)
{
	if (part->cls != IR_C_AGG) {
		t->leaves[t->nleaves++] = (struct low_leaf){ offset, part };
		return;
	}
	for (uint32_t i = 0; i < part->nleaves; i++) {
		t->leaves[t->nleaves] = part->leaves[i];
		t->leaves[t->nleaves++].offset += offset;
	}
}

static bool is_container(const struct low_type *t)
{
	return t->kind == LLVMStructTypeKind || t->kind == LLVMArrayTypeKind;
}

/* How many leaves a part adds; more than MAX_LEAVES if it cannot be taken apart. */
static uint64_t leaf_count(const struct low_type *part)
{
	if (part->cls == IR_C_AGG)
		return part->nleaves;
	return is_container(part) ? MAX_LEAVES + 1 : 1;
}

/* An aggregate of too many scalars is opaque: clang makes no values of them. */
static void set_leaves(struct lower *l, struct low_type *t)
{
	uint64_t parts = t->kind == LLVMStructTypeKind ? t->n : t->count, total = 0;

	if (t->kind == LLVMStructTypeKind) {
		for (uint32_t i = 0; i < t->n && total <= MAX_LEAVES; i++)
			total += leaf_count(t->members[i]);
	} else if (parts <= MAX_LEAVES) {
		total = parts * leaf_count(t->members[0]);
	} else {
		total = leaf_count(t->members[0]) ? MAX_LEAVES + 1 : 0;
		parts = 0;
	}
	if (total > MAX_LEAVES || !t->sized) {
		t->cls = IR_C_OPAQUE;
		t->bits = (uint16_t)MIN(t->size, UINT16_MAX / 8) * 8;
		return;
	}
	t->cls = IR_C_AGG;
	t->bits = (uint16_t)MIN(t->size, UINT16_MAX / 8) * 8;
	t->leaves = arena_array(&l->arena, struct low_leaf, total);
	for (uint64_t i = 0; i < parts; i++) {
		if (t->kind == LLVMStructTypeKind)
			add_leaves(t, t->members[i], t->offsets[i]);
		else
			add_leaves(t, t->members[0], i * t->members[0]->size);
	}
	assert(t->nleaves == total);
}

/* The name that clang gave the struct, if that tells its tag. */
static void set_tag(struct lower *l, struct low_type *t)
{
	const char *s = LLVMIsLiteralStruct(t->ty) ? NULL : LLVMGetStructName(t->ty);
	size_t n;

	if (!s)
		return;
	if (str_starts(s, "struct.") || str_starts(s, "class."))
		t->tag.kind = IR_T_STRUCT;
	else if (str_starts(s, "union."))
		t->tag.kind = IR_T_UNION;
	else
		return;
	s = strchr(s, '.') + 1;
	n = strcspn(s, ".");		/* what follows only distinguishes structs of one tag */
	t->anon = n == 4 && memcmp(s, "anon", 4) == 0;
	if (n > 0 && !t->anon)
		t->tag.name = ir_intern_n(l->m, s, n);
}

static void set_struct(struct lower *l, struct low_type *t)
{
	uint64_t *offsets;

	t->sized = LLVMTypeIsSized(t->ty);
	t->n = LLVMCountStructElementTypes(t->ty);
	t->members = arena_array(&l->arena, struct low_type *, t->n);
	offsets = arena_array(&l->arena, uint64_t, t->n);
	for (uint32_t i = 0; i < t->n; i++) {
		t->members[i] = low_type(l, LLVMStructGetTypeAtIndex(t->ty, i));
		t->sized &= t->members[i]->sized;
	}
	if (t->sized) {
		t->size = LLVMABISizeOfType(l->layout, t->ty);
		for (uint32_t i = 0; i < t->n; i++)
			offsets[i] = LLVMOffsetOfElement(l->layout, t->ty, i);
	}
	t->offsets = offsets;
	set_tag(l, t);
	set_leaves(l, t);
}

static void set_sequence(struct lower *l, struct low_type *t)
{
	t->members = arena_array(&l->arena, struct low_type *, 1);
	t->members[0] = low_type(l, LLVMGetElementType(t->ty));
	t->sized = t->members[0]->sized;
	if (t->sized)
		t->size = LLVMABISizeOfType(l->layout, t->ty);
	if (t->kind == LLVMArrayTypeKind) {
		t->count = LLVMGetArrayLength2(t->ty);
		set_leaves(l, t);
	} else {
		t->count = LLVMGetVectorSize(t->ty);
		t->cls = IR_C_OPAQUE;
		t->bits = (uint16_t)MIN(t->size, UINT16_MAX / 8) * 8;
	}
}

static void set_scalar(struct lower *l, struct low_type *t)
{
	unsigned long long bits;

	switch (t->kind) {
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind:
	case LLVMFP128TypeKind:
	case LLVMPPC_FP128TypeKind:
		t->cls = IR_C_FLOAT;
		break;
	case LLVMIntegerTypeKind:
		t->cls = IR_C_INT;
		break;
	case LLVMPointerTypeKind:
		t->cls = IR_C_PTR;
		break;
#if LLVM_VERSION_MAJOR < 20
	case LLVMX86_MMXTypeKind:
		t->cls = IR_C_OPAQUE;
		break;
#endif
	case LLVMVoidTypeKind:
	case LLVMFunctionTypeKind:
		return;
	default:	/* label, metadata, token, scalable vector, AMX tile, target's own */
		t->cls = IR_C_OPAQUE;
		return;
	}
	t->sized = true;
	t->size = LLVMABISizeOfType(l->layout, t->ty);
	bits = LLVMSizeOfTypeInBits(l->layout, t->ty);
	if (bits > UINT16_MAX) {	/* a very wide _BitInt */
		t->cls = IR_C_OPAQUE;
		bits = UINT16_MAX;
	}
	t->bits = (uint16_t)bits;
}

/* An aggregate that can be taken apart has scalars only, which lie in it in the order of their offsets. */
static void type_check(const struct low_type *t)
{
	assert(t->sized || !t->size);
	assert(t->cls != IR_C_AGG || (is_container(t) && t->sized));
	assert(t->cls == IR_C_AGG || !t->nleaves);
	assert(!(t->tag.name || t->anon) || t->kind == LLVMStructTypeKind);
	assert(!t->tag.name || !t->anon);
#ifdef PLUMB_DEBUG
	for (uint32_t i = 0; i < t->nleaves; i++) {
		const struct low_leaf *leaf = &t->leaves[i];

		assert(leaf->type->cls != IR_C_AGG && leaf->type->cls != IR_C_VOID);
		assert(leaf->offset + leaf->type->size <= t->size);
		assert(!i || leaf->offset >= t->leaves[i - 1].offset);
	}
#endif
}

struct low_type *low_type(struct lower *l, LLVMTypeRef ty)
{
	struct low_type **have = typemap_get(&l->types, ty), *t;

	if (have)
		return *have;
	t = arena_new(&l->arena, struct low_type);
	t->ty = ty;
	t->kind = LLVMGetTypeKind(ty);
	t->cls = IR_C_VOID;
	switch (t->kind) {
	case LLVMStructTypeKind:
		set_struct(l, t);
		break;
	case LLVMArrayTypeKind:
	case LLVMVectorTypeKind:
		set_sequence(l, t);
		break;
	default:
		set_scalar(l, t);
		break;
	}
	type_check(t);
	typemap_set(&l->types, ty, t);
	return t;
}

/* ---- debug types ----------------------------------------------------- */

static uint32_t strip(const struct lower *l, uint32_t type)
{
	return ir_type_strip(l->m, type);
}

/* The type without typedefs; of an array, its innermost element's. */
static uint32_t element(const struct lower *l, uint32_t type)
{
	type = strip(l, type);
	for (unsigned i = 0; i < 8 && l->m->types.v[type].kind == IR_T_ARRAY; i++)
		type = strip(l, l->m->types.v[type].elem);
	return type;
}

static bool is_record(const struct ir_type *t)
{
	return (t->kind == IR_T_STRUCT || t->kind == IR_T_UNION) && !(t->flags & IR_TF_DECL);
}

static void add_tag(struct lower *l, const char *name, uint8_t kind, uint32_t type)
{
	struct low_tag tag = { name, kind };
	uint32_t *head = tagmap_put(&l->tags, tag, NULL);
	struct low_tagged e = { type, *head };

	vec_push(&l->tagged, e);
	*head = l->tagged.n;
}

/* Enters the names of the debug types that were made since the last time. */
static void index_tags(struct lower *l)
{
	for (; l->ntagged < l->m->types.n; l->ntagged++) {
		const struct ir_type *t = &l->m->types.v[l->ntagged], *to;

		if (is_record(t) && t->name[0])
			add_tag(l, t->name, t->kind, l->ntagged);
		if (t->kind != IR_T_TYPEDEF)
			continue;
		to = &l->m->types.v[t->elem];
		if (is_record(to) && !to->name[0])
			add_tag(l, t->name, to->kind, t->elem);
	}
}

/* Does every member of LLVM's struct begin where one of ours does?  Bytes may be
 * padding. */
static bool fits(struct lower *l, uint32_t type, const struct low_type *t)
{
	const struct ir_type *d = &l->m->types.v[type];
	uint32_t k = 0;

	assert(t->kind == LLVMStructTypeKind && type < l->m->types.n);
	if (!is_record(d) || d->size != t->size)
		return false;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct low_type *part = t->members[i];

		if (part->kind == LLVMArrayTypeKind)
			part = part->members[0];
		if (part->bits == 8)
			continue;
		for (k = 0; k < d->nfields; k++)
			if (d->fields[k].offset == t->offsets[i])
				break;
		if (k == d->nfields)
			return false;
	}
	return true;
}

static void settle(struct lower *l, struct low_type *t, uint32_t type);

/* Is `type` nameless, and not known to be another struct of LLVM's than t? */
static bool may_be_settled(struct lower *l, const struct low_type *t, uint32_t type)
{
	return !l->m->types.v[type].name[0] &&
	       (type >= l->anons.n || !l->anons.v[type] || l->anons.v[type] == t);
}

/* Settles the nameless structs that are members of a known one.  LLVM's union has one
 * member: the first of the largest alignment and size. */
static void settle_members(struct lower *l, const struct low_type *t, uint32_t type)
{
	const struct ir_type *d = &l->m->types.v[type];

	for (uint32_t i = 0; i < t->n; i++) {
		struct low_type *part = t->members[i];

		while (part->kind == LLVMArrayTypeKind)
			part = part->members[0];
		if (!part->anon || part->debug)
			continue;
		for (uint32_t k = 0; k < d->nfields && !part->debug; k++) {
			uint32_t in = d->fields[k].type;

			if (d->fields[k].offset == t->offsets[i])
				settle(l, part, element(l, in));
		}
	}
}

/* Says that t is the debug type `type`, if that is possible. */
static void settle(struct lower *l, struct low_type *t, uint32_t type)
{
	if (!fits(l, type, t))
		return;
	if (t->anon) {
		if (!may_be_settled(l, t, type))
			return;
		assert(!t->debug || t->debug == type);
		if (type >= l->anons.n)
			(void)vec_add(&l->anons, type + 1 - l->anons.n);
		l->anons.v[type] = t;
	}
	t->debug = type;
	settle_members(l, t, type);
}

static uint32_t struct_by_name(struct lower *l, struct low_type *t, uint32_t object)
{
	uint32_t *head, first = 0;

	assert(t->tag.name);
	if (t->debug && (t->debug == object || !object))
		return t->debug;
	if (!t->debug && t->debug_tried == l->m->types.n)
		return 0;
	index_tags(l);
	head = tagmap_get(&l->tags, t->tag);
	for (uint32_t i = head ? *head : 0; i; i = l->tagged.v[i - 1].next) {
		uint32_t type = l->tagged.v[i - 1].type;

		if (l->m->types.v[type].size != t->size)
			continue;
		first = type;		/* of several, the one that was declared first */
		if (type == object)
			break;
	}
	if (first && first != t->debug) {
		t->debug = first;
		settle_members(l, t, first);
	}
	t->debug_tried = l->m->types.n;
	return first;
}

bool low_debug_matches(struct lower *l, struct low_type *t, uint32_t type)
{
	type = strip(l, type);
	if (t->tag.name && struct_by_name(l, t, type) == type)
		return true;
	if (t->debug)
		return t->debug == type;
	return fits(l, type, t) && (!t->anon || may_be_settled(l, t, type));
}

uint32_t low_debug_struct(struct lower *l, struct low_type *t, uint32_t object)
{
	uint32_t found;

	assert(t->kind == LLVMStructTypeKind);
	object = element(l, object);
	if (t->tag.name) {
		found = struct_by_name(l, t, object);
		if (found)
			return found;
	}
	if (t->anon) {
		if (!t->debug)
			settle(l, t, object);
		return t->debug;
	}
	return fits(l, object, t) ? object : 0;
}

uint32_t low_debug_member(struct lower *l, uint32_t type, uint64_t offset, uint64_t size)
{
	const struct ir_type *t = &l->m->types.v[strip(l, type)];
	uint32_t exact = IR_NONE, bits = IR_NONE, nexact = 0, nbits = 0;

	for (uint32_t i = 0; is_record(t) && i < t->nfields; i++) {
		const struct ir_field *f = &t->fields[i];

		if (f->offset != offset)
			continue;
		if (f->bit_size) {
			bits = i;
			nbits++;
		} else if (l->m->types.v[strip(l, f->type)].size == size) {
			exact = i;
			nexact++;
		}
	}
	if (nexact == 1)
		return exact;
	return nexact == 0 && nbits == 1 ? bits : IR_NONE;
}

uint32_t low_debug_at(struct lower *l, uint32_t type, int64_t offset)
{
	for (unsigned depth = 0; depth < 32 && offset > 0; depth++) {
		const struct ir_type *t = &l->m->types.v[strip(l, type)];
		uint32_t next = 0;

		if (t->kind == IR_T_ARRAY && l->m->types.v[strip(l, t->elem)].size) {
			next = t->elem;
			offset %= (int64_t)l->m->types.v[strip(l, t->elem)].size;
		}
		for (uint32_t i = 0; t->kind == IR_T_STRUCT && i < t->nfields; i++) {
			const struct ir_field *f = &t->fields[i];
			uint64_t size = l->m->types.v[strip(l, f->type)].size;

			if (f->bit_size || f->offset > (uint64_t)offset ||
			    (uint64_t)offset - f->offset >= MAX(size, 1))
				continue;
			next = f->type;
			offset -= (int64_t)f->offset;
			break;
		}
		type = next;
		if (!type)
			return 0;
	}
	return offset == 0 ? type : 0;
}
