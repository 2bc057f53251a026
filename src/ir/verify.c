/*
 * verify.c - everything an analysis may rely on.
 *
 * ir.h says what a module is; here is what makes one valid:
 *
 *   everywhere   numbers name something that exists, enumerations and flags have
 *                known values, a position has a line only if it has a file
 *   types        a field that its kind does not have is zero; typedefs lead
 *                somewhere; no type contains itself
 *   files        no path twice
 *   ints, addrs  no value twice, so that equal refs are equal values
 *   symbols      a name is unique within its unit; exactly the definitions have
 *                a body; initialisers lie in order inside their variable
 *   bodies       blocks lie one after another, each ends in its only terminator;
 *                the entry has no predecessor; PHIs come first in a block and name
 *                its predecessors in order; results are numbered in order; edges
 *                and the definition table are right
 *   instructions operand counts, classes and widths fit; what the opcode does not
 *                have is zero
 *   values       exist where they are used (uses.c)
 *
 * The first failure ends the check; its message names the place.
 */
#include "ir/io.h"

#include "ir/code.h"
#include "ir/priv.h"

#include "base/error.h"

/* No object is larger; keeps sums of offsets and sizes from wrapping. */
#define SIZE_LIMIT ((uint64_t)1 << 48)

static int check_pos(const struct ir_module *m, struct ir_pos pos, const char *kind, const char *name)
{
	if (pos.file == IR_NONE ? pos.line || pos.col : pos.file >= m->files.n)
		return error_set("%s %s: bad position", kind, name);
	return 0;
}

/* ---- types ----------------------------------------------------------- */

static bool flags_fit(const struct ir_type *t)
{
	static const uint8_t allowed[IR_T__COUNT] = {
		[IR_T_INT] = IR_TF_UNSIGNED | IR_TF_BOOL | IR_TF_CHAR,
		[IR_T_ENUM] = IR_TF_UNSIGNED,
		[IR_T_PTR] = IR_TF_CONST,
		[IR_T_FUNC] = IR_TF_VARIADIC,
		[IR_T_STRUCT] = IR_TF_DECL,
		[IR_T_UNION] = IR_TF_DECL,
	};

	return !(t->flags & ~allowed[t->kind]);
}

static bool has_members(const struct ir_type *t)
{
	return t->kind == IR_T_STRUCT || t->kind == IR_T_UNION;
}

static int check_field(const struct ir_module *m, uint32_t id, uint32_t k)
{
	const struct ir_type *t = &m->types.v[id];
	const struct ir_field *f = &t->fields[k];

	if (!f->name || f->type >= m->types.n)
		return error_set("type %u: bad member %u", id, k);
	if (has_members(t)) {
		if (f->offset > t->size)
			return error_set("type %u: member %u lies outside", id, k);
	} else if (*f->name || f->offset || f->bit_offset || f->bit_size) {
		return error_set("type %u: a parameter has only a type", id);
	}
	return 0;
}

static int check_type(const struct ir_module *m, uint32_t id)
{
	const struct ir_type *t = &m->types.v[id];
	int ret;

	if (t->kind >= IR_T__COUNT)
		return error_set("type %u: bad kind %u", id, t->kind);
	if (!t->name || !flags_fit(t) || t->size >= SIZE_LIMIT)
		return error_set("type %u: bad properties", id);
	if (t->elem >= m->types.n || (t->elem && !type_has_elem(t->kind)))
		return error_set("type %u: bad element type", id);
	if (t->count && t->kind != IR_T_ARRAY && t->kind != IR_T_ENUM)
		return error_set("type %u: neither array nor enumeration, but has a count", id);
	if (t->first && (t->kind != IR_T_ENUM || !t->count))
		return error_set("type %u: no enumeration, but has a first value", id);
	if (t->kind == IR_T_ENUM && t->count > UINT32_MAX)
		return error_set("type %u: more enumerators than there are values", id);
	if (t->kind == IR_T_ENUM && t->count && t->first > INT64_MAX - (int64_t)t->count)
		return error_set("type %u: more enumerators than there are values", id);
	if (t->nfields && !has_members(t) && t->kind != IR_T_FUNC)
		return error_set("type %u: cannot have members", id);
	if (t->nfields && t->flags & IR_TF_DECL)
		return error_set("type %u: only declared, but has members", id);
	for (uint32_t k = 0; k < t->nfields; k++)
		if ((ret = check_field(m, id, k)) < 0)
			return ret;
	return 0;
}

/* The types that a type is made of; IR_NONE after the last. */
static uint32_t part(const struct ir_type *t, uint32_t k)
{
	if (has_members(t))
		return k < t->nfields ? t->fields[k].type : IR_NONE;
	if (t->kind == IR_T_ARRAY || t->kind == IR_T_TYPEDEF || t->kind == IR_T_ENUM)
		return k == 0 ? t->elem : IR_NONE;
	return IR_NONE;
}

static void cut_part(struct ir_type *t, uint32_t k)
{
	if (has_members(t))
		t->fields[k].type = 0;
	else
		t->elem = 0;
}

/* A walk in depth: a part that is still open contains what it is part of. */
uint32_t ir__type_cycle(const struct ir_module *m, bool cut)
{
	enum { NEW, OPEN, DONE };
	struct item { uint32_t type, next; } *stack = xmalloc(m->types.n * sizeof(*stack));
	uint8_t *state = xcalloc(m->types.n, 1);
	uint32_t found = IR_NONE;

	for (uint32_t i = 0; i < m->types.n && (cut || found == IR_NONE); i++) {
		uint32_t top = 0;

		if (state[i] != NEW)
			continue;
		state[i] = OPEN;
		stack[top++] = (struct item){ i, 0 };
		while (top) {
			struct item *it = &stack[top - 1];
			struct ir_type *t = &m->types.v[it->type];
			uint32_t k = it->next++, p = part(t, k);

			if (p == IR_NONE) {
				state[it->type] = DONE;
				top--;
			} else if (state[p] == OPEN) {
				found = it->type;
				if (cut)
					cut_part(t, k);
			} else if (state[p] == NEW) {
				state[p] = OPEN;
				stack[top++] = (struct item){ p, 0 };
			}
		}
	}
	free(stack);
	free(state);
	return found;
}

static int check_types(const struct ir_module *m)
{
	uint32_t cycle;
	int ret;

	if (!m->types.n || m->types.v[0].kind != IR_T_UNKNOWN)
		return error_set("type 0 is not \"unknown\"");
	for (uint32_t i = 0; i < m->types.n; i++)
		if ((ret = check_type(m, i)) < 0)
			return ret;
	cycle = ir__type_cycle(m, false);
	if (cycle != IR_NONE)
		return error_set("type %u contains itself", cycle);
	return 0;
}

/* ---- files and constants ---------------------------------------------- */

static bool symbol_ok(const struct ir_module *m, ir_ref r)
{
	if (IR_KIND(r) == IR_R_GLOBAL)
		return IR_IDX(r) < m->globals.n;
	return IR_KIND(r) == IR_R_FUNC && IR_IDX(r) < m->funcs.n;
}

static int check_files(const struct ir_module *m)
{
	struct ir_ptrmap seen = {0};
	bool is_new = true;

	for (uint32_t i = 0; i < m->files.n && is_new; i++)
		ir_ptrmap_put(&seen, m->files.v[i], &is_new);
	ir_ptrmap_release(&seen);
	return is_new ? 0 : error_set("a file is there twice");
}

static int check_ints(const struct ir_module *m)
{
	struct ir_intmap seen = {0};
	bool is_new = true;

	for (uint32_t i = 0; i < m->ints.n && is_new; i++)
		ir_intmap_put(&seen, m->ints.v[i], &is_new);
	ir_intmap_release(&seen);
	return is_new ? 0 : error_set("an integer constant is there twice");
}

static int check_addrs(const struct ir_module *m)
{
	struct ir_addrmap seen = {0};
	bool ok = true, is_new = true;

	for (uint32_t i = 0; i < m->addrs.n && ok; i++) {
		ok = m->addrs.v[i].offset && symbol_ok(m, m->addrs.v[i].base);
		if (ok)
			ir_addrmap_put(&seen, m->addrs.v[i], &is_new);
		ok &= is_new;
	}
	ir_addrmap_release(&seen);
	return ok ? 0 : error_set("bad or repeated address constant");
}

/* A constant operand or initialiser. */
static bool constant_ok(const struct ir_module *m, ir_ref r)
{
	switch (IR_KIND(r)) {
	case IR_R_GLOBAL:
	case IR_R_FUNC:
		return symbol_ok(m, r);
	case IR_R_INT:
		return IR_IDX(r) < m->ints.n;
	case IR_R_ADDR:
		return IR_IDX(r) < m->addrs.n;
	case IR_R_SPECIAL:
		return r == IR_NULL || r == IR_UNDEF || r == IR_CONST;
	default:
		return false;
	}
}

/* ---- symbols --------------------------------------------------------- */

static bool unit_ok(const struct ir_module *m, uint32_t unit)
{
	return unit < MAX(m->units.n, 1);
}

static int check_inits(const struct ir_module *m, const struct ir_global *g)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < g->ninits; i++) {
		const struct ir_init *in = &g->inits[i];

		if (in->offset < end || in->offset >= SIZE_LIMIT || !in->size ||
		    in->offset + in->size > g->size)
			return error_set("global %s: initialiser %u lies outside or out of order",
					 g->name, i);
		if (!constant_ok(m, in->value) || in->value == IR_NULL || in->value == IR_UNDEF)
			return error_set("global %s: bad initialiser %u", g->name, i);
		end = in->offset + in->size;
	}
	return 0;
}

static int check_global(const struct ir_module *m, const struct ir_global *g)
{
	const unsigned known = IR_G_CONST | IR_G_TLS | IR_G_STRING | IR_G_PARTIAL | IR_G_LOCAL;
	int ret;

	if (!g->name || !*g->name || !g->src)
		return error_set("a global has no name");
	if (g->linkage >= IR_L__COUNT || g->flags & ~known || g->type >= m->types.n ||
	    g->size >= SIZE_LIMIT || !unit_ok(m, g->unit))
		return error_set("global %s: bad properties", g->name);
	if (g->func != IR_NONE && (g->func >= m->funcs.n || !(g->flags & IR_G_LOCAL)))
		return error_set("global %s: bad function", g->name);
	if (g->text && !(g->flags & IR_G_STRING))
		return error_set("global %s: text, but no literal", g->name);
	if (ir_is_declared(g->linkage) && g->ninits)
		return error_set("global %s: only declared, but initialised", g->name);
	if ((ret = check_pos(m, g->pos, "global", g->name)) < 0)
		return ret;
	return check_inits(m, g);
}

static bool value_class(unsigned cls)
{
	return cls > IR_C_VOID && cls < IR_C__COUNT && cls != IR_C_AGG;
}

static int check_func_head(const struct ir_module *m, const struct ir_func *f)
{
	const unsigned known = IR_FN_VARIADIC | IR_FN_NORETURN | IR_FN_TWICE | IR_FN_MALLOC |
			       IR_FN_READONLY | IR_FN_CTOR | IR_FN_DTOR | IR_FN_INLINE;

	if (!f->name || !*f->name || !f->src)
		return error_set("a function has no name");
	if (f->linkage >= IR_L__COUNT || f->linkage == IR_L_COMMON || f->flags & ~known ||
	    !unit_ok(m, f->unit) || f->ret_cls >= IR_C__COUNT)
		return error_set("function %s: bad properties", f->name);
	if (f->type >= m->types.n || (f->type && m->types.v[ir_type_strip(m, f->type)].kind != IR_T_FUNC))
		return error_set("function %s: its type is no function type", f->name);
	for (uint32_t i = 0; i < f->nparams; i++)
		if (!value_class(f->params[i].cls))
			return error_set("function %s: bad class of parameter %u", f->name, i);
	if (!ir_is_declared(f->linkage) && ir_is_decl(f))
		return error_set("function %s: defined, but has no body", f->name);
	if (ir_is_declared(f->linkage) && !ir_is_decl(f))
		return error_set("function %s: only declared, but has a body", f->name);
	return check_pos(m, f->pos, "function", f->name);
}

struct unitname {
	const char *name;
	uint32_t unit;
};

#define MAP_NAME unitnames
#define MAP_KEY struct unitname
#define MAP_VAL bool		/* is it a declaration? */
#define MAP_HASH(k) hash_join((uintptr_t)(k).name, (k).unit)
#define MAP_EQ(a, b) ((a).name == (b).name && (a).unit == (b).unit)
#include "base/map.h"

/* Enters a name; false if the unit has it already. */
static bool enter(struct unitnames *names, const char *name, uint32_t unit, bool decl)
{
	struct unitname key = { name, unit };
	bool is_new;

	*unitnames_put(names, key, &is_new) = decl;
	return is_new;
}

/* An alias may stand beside a declaration of the same name: in its own unit the
 * alias is referred to by that declaration. */
static int check_names(const struct ir_module *m)
{
	struct unitnames names = {0}, aliases = {0};
	const char *twice = NULL;

	for (uint32_t i = 0; i < m->globals.n && !twice; i++) {
		const struct ir_global *g = &m->globals.v[i];

		if (!enter(&names, g->name, g->unit, ir_is_declared(g->linkage)))
			twice = g->name;
	}
	for (uint32_t i = 0; i < m->funcs.n && !twice; i++) {
		const struct ir_func *f = &m->funcs.v[i];

		if (!enter(&names, f->name, f->unit, ir_is_declared(f->linkage)))
			twice = f->name;
	}
	for (uint32_t i = 0; i < m->aliases.n && !twice; i++) {
		const struct ir_alias *a = &m->aliases.v[i];
		struct unitname key = { a->name, a->unit };
		const bool *decl = unitnames_get(&names, key);

		if (!enter(&aliases, a->name, a->unit, false) || (decl && !*decl))
			twice = a->name;
	}
	unitnames_release(&names);
	unitnames_release(&aliases);
	return twice ? error_set("the name %s is there twice in one unit", twice) : 0;
}

static int check_alias(const struct ir_module *m, const struct ir_alias *a)
{
	bool has_name = a->name && *a->name, bad_linkage;

	bad_linkage = a->linkage >= IR_L__COUNT || ir_is_declared(a->linkage) || a->linkage == IR_L_COMMON;
	if (!has_name || bad_linkage || !unit_ok(m, a->unit))
		return error_set("alias %s: bad properties", has_name ? a->name : "without a name");
	if (a->target == IR_CONST || symbol_ok(m, a->target) ||
	    (IR_KIND(a->target) == IR_R_ADDR && IR_IDX(a->target) < m->addrs.n))
		return 0;
	return error_set("alias %s: bad target", a->name);
}

/* ---- bodies ---------------------------------------------------------- */

struct body {
	const struct ir_module *m;
	const struct ir_func *f;
	uint32_t i;		/* the instruction at hand */
	const struct ir_inst *in;
};

static int bad(const struct body *b, const char *what)
{
	return error_set("function %s: instruction %u (%s): %s", b->f->name, b->i,
			 b->in->op < IR__OPS ? ir_opinfo[b->in->op].name : "?", what);
}

/* Class and width of an operand; false for a constant, which fits anywhere its
 * kind does. */
static bool vreg_class(const struct body *b, ir_ref r, unsigned *cls, uint16_t *bits)
{
	if (IR_KIND(r) != IR_R_VREG)
		return false;
	*cls = ir_vreg_class(b->f, IR_IDX(r), bits);
	return true;
}

static bool operand_is(const struct body *b, ir_ref r, unsigned cls, unsigned bits)
{
	unsigned c;
	uint16_t w;

	return !vreg_class(b, r, &c, &w) || (c == cls && w == bits);
}

static bool operand_ptr(const struct body *b, ir_ref r)
{
	unsigned c;
	uint16_t w;

	return !vreg_class(b, r, &c, &w) || c == IR_C_PTR;
}

static bool operand_int(const struct body *b, ir_ref r)
{
	unsigned c;
	uint16_t w;

	return !vreg_class(b, r, &c, &w) || c == IR_C_INT;
}

/* Every operand is something; an aggregate is only for EXTRACT. */
static int check_operands(const struct body *b)
{
	const struct ir_inst *in = b->in;

	for (uint32_t k = 0; k < in->nops; k++) {
		ir_ref r = in->ops[k];
		unsigned cls;
		uint16_t bits;

		if (IR_KIND(r) == IR_R_SLOT) {
			if (IR_IDX(r) >= b->f->nslots)
				return bad(b, "no such slot");
		} else if (IR_KIND(r) == IR_R_VREG) {
			if (IR_IDX(r) >= b->f->nvregs)
				return bad(b, "no such vreg");
			vreg_class(b, r, &cls, &bits);
			if ((cls == IR_C_AGG) != (in->op == IR_EXTRACT))
				return bad(b, "aggregate operand, or extract of a scalar");
		} else if (!constant_ok(b->m, r)) {
			return bad(b, "bad operand");
		}
	}
	return 0;
}

static int check_field_inst(const struct body *b)
{
	const struct ir_inst *in = b->in;
	const struct ir_type *t;

	if (in->type >= b->m->types.n)
		return bad(b, "no such type");
	t = &b->m->types.v[ir_type_strip(b->m, in->type)];
	if (in->type && !has_members(t))
		return bad(b, "its type has no members");
	if (in->member == IR_NONE)
		return 0;
	if (in->member >= t->nfields)
		return bad(b, "no such member");
	/* clang reads a bit field from where it likes. */
	if ((uint64_t)in->imm != t->fields[in->member].offset && !t->fields[in->member].bit_size)
		return bad(b, "offset is not the member's");
	return 0;
}

static int check_cast(const struct body *b)
{
	const struct ir_inst *in = b->in;
	unsigned cls;
	uint16_t bits;
	bool ptr_in = in->sub == IR_CAST_PTRTOINT, ptr_out = in->sub == IR_CAST_INTTOPTR;

	if (in->sub >= IR_CAST__COUNT)
		return bad(b, "bad kind of cast");
	if (vreg_class(b, in->ops[0], &cls, &bits)) {
		if (bits != in->from)
			return bad(b, "operand of another width");
		if (in->sub != IR_CAST_BITCAST && cls != (ptr_in ? IR_C_PTR : IR_C_INT))
			return bad(b, "operand of the wrong class");
	}
	if (in->sub != IR_CAST_BITCAST && in->cls != (ptr_out ? IR_C_PTR : IR_C_INT))
		return bad(b, "result of the wrong class");
	if ((in->sub == IR_CAST_TRUNC && in->bits >= in->from) ||
	    ((in->sub == IR_CAST_ZEXT || in->sub == IR_CAST_SEXT) && in->bits <= in->from))
		return bad(b, "bad widths");
	return 0;
}

static int check_alloca(const struct body *b)
{
	const struct ir_inst *in = b->in;

	if (in->imm < 0 || in->imm >= b->f->nslots || !(b->f->slots[in->imm].flags & IR_S_DYNAMIC))
		return bad(b, "its slot is none of dynamic size");
	if (!operand_int(b, in->ops[0]))
		return bad(b, "size is no integer");
	return 0;
}

/* All operands from number k on have the class and width of the instruction. */
static bool operands_like(const struct body *b, uint32_t k)
{
	for (; k < b->in->nops; k++)
		if (!operand_is(b, b->in->ops[k], b->in->cls, b->in->bits))
			return false;
	return true;
}

static int check_phi(const struct body *b)
{
	const struct ir_inst *in = b->in;
	const struct ir_block *bl = &b->f->blocks[in->block];

	assert(b->i >= bl->first && b->i < bl->first + bl->n);	/* by check_layout() */
	if (b->i > bl->first && in[-1].op != IR_PHI)
		return bad(b, "not at the start of its block");
	if (in->nops != bl->npred || in->ntargets != bl->npred ||
	    (bl->npred && memcmp(in->targets, bl->pred, bl->npred * sizeof(*bl->pred))))
		return bad(b, "does not match the predecessors");
	return operands_like(b, 0) ? 0 : bad(b, "operand of another class or width");
}

static int check_ret(const struct body *b)
{
	const struct ir_inst *in = b->in;
	const struct ir_func *f = b->f;

	if (f->ret_cls == IR_C_AGG)
		return 0;
	if (in->nops != (f->ret_cls == IR_C_VOID ? 0 : 1))
		return bad(b, "wrong number of results");
	if (in->nops && !operand_is(b, in->ops[0], f->ret_cls, f->ret_bits))
		return bad(b, "result of another class or width");
	return 0;
}

static int check_switch(const struct body *b)
{
	const struct ir_inst *in = b->in;

	if (in->nops < 1 || in->ntargets != in->nops)
		return bad(b, "cases and targets do not match");
	for (uint32_t k = 1; k < in->nops; k++)
		if (IR_KIND(in->ops[k]) != IR_R_INT && in->ops[k] != IR_CONST)
			return bad(b, "case is no constant");
	return operand_int(b, in->ops[0]) ? 0 : bad(b, "value is no integer");
}

/* Classes and widths, opcode by opcode. */
static int check_classes(const struct body *b)
{
	const struct ir_inst *in = b->in;
	bool ok = true;

	switch (in->op) {
	case IR_LOAD:
	case IR_VAARG:
		ok = operand_ptr(b, in->ops[0]) && value_class(in->cls);
		break;
	case IR_STORE:
		ok = operand_ptr(b, in->ops[0]) && value_class(in->cls) && operands_like(b, 1);
		break;
	case IR_MEMCPY:
		ok = operand_ptr(b, in->ops[0]) && operand_ptr(b, in->ops[1]) && operand_int(b, in->ops[2]);
		break;
	case IR_MEMSET:
		ok = operand_ptr(b, in->ops[0]) && operand_int(b, in->ops[1]) && operand_int(b, in->ops[2]);
		break;
	case IR_ALLOCA:
		ok = in->cls == IR_C_PTR;
		break;
	case IR_FIELD:
		ok = in->cls == IR_C_PTR && operand_ptr(b, in->ops[0]);
		break;
	case IR_ELEM:
	case IR_INDEX:
		ok = in->cls == IR_C_PTR && operand_ptr(b, in->ops[0]) && operand_int(b, in->ops[1]);
		break;
	case IR_COPY:
		ok = value_class(in->cls) && operands_like(b, 0);
		break;
	case IR_BIN:
		ok = in->sub < IR_B__COUNT && in->cls == IR_C_INT && operands_like(b, 0);
		break;
	case IR_CMP:
		ok = in->cls == IR_C_INT || in->cls == IR_C_PTR;
		ok = ok && in->sub < IR_P__COUNT && operands_like(b, 0);
		break;
	case IR_SELECT:
		ok = value_class(in->cls) && operand_is(b, in->ops[0], IR_C_INT, 1) && operands_like(b, 1);
		break;
	case IR_PHI:
	case IR_EXTRACT:
	case IR_OPAQUE:
		ok = value_class(in->cls) && in->imm >= 0;
		break;
	case IR_CALL:
		ok = in->nops >= 1 && operand_ptr(b, in->ops[0]);
		break;
	case IR_CONDBR:
		ok = operand_is(b, in->ops[0], IR_C_INT, 1);
		break;
	default:
		break;
	}
	return ok ? 0 : bad(b, "operand or result of the wrong class or width");
}

/* What the opcode does not have is zero. */
static bool rest_is_zero(const struct ir_inst *in)
{
	if (in->cls != 0 && !ir_opinfo[in->op].has_res && in->op != IR_STORE)
		return false;
	if (in->bits != 0 && in->cls == 0)
		return false;
	if (in->sub != 0 && !op_has_sub(in->op))
		return false;
	if (in->from != 0 && in->op != IR_CAST)
		return false;
	if (in->imm != 0 && !op_has_imm(in->op) && in->op != IR_FIELD)
		return false;
	if ((in->type != 0 || in->member != IR_NONE) && in->op != IR_FIELD)
		return false;
	return in->ntargets == 0 || ir_is_term(in) || in->op == IR_PHI;
}

static int check_inst(const struct body *b)
{
	const struct ir_inst *in = b->in;
	int n = ir_opinfo[in->op].nops, ret;

	assert(in->op < IR__OPS && in->block < b->f->nblocks);	/* by check_layout() */
	if (in->cls >= IR_C__COUNT || !rest_is_zero(in))	/* all eight flags mean something */
		return bad(b, "bad properties");
	if (n >= 0 && in->nops != (uint32_t)n)
		return bad(b, "wrong number of operands");
	n = op_targets(in->op, in->nops);
	if (in->op != IR_PHI && n >= 0 && in->ntargets != (uint32_t)n)
		return bad(b, "wrong number of targets");
	if ((ret = check_pos(b->m, in->pos, "function", b->f->name)) < 0)
		return ret;
	if ((ret = check_operands(b)) < 0 || (ret = check_classes(b)) < 0)
		return ret;
	switch (in->op) {
	case IR_FIELD:
		return check_field_inst(b);
	case IR_CAST:
		return check_cast(b);
	case IR_ALLOCA:
		return check_alloca(b);
	case IR_PHI:
		return check_phi(b);
	case IR_RET:
		return check_ret(b);
	case IR_SWITCH:
		return check_switch(b);
	default:
		return 0;
	}
}

/* Blocks, terminators, targets, results: what the rest of the check relies on. */
static int check_layout(const struct ir_func *f)
{
	uint32_t next = 0, vreg = f->nparams;

	for (uint32_t i = 0; i < f->nblocks; i++) {
		const struct ir_block *bl = &f->blocks[i];

		if (bl->first != next || bl->n == 0 || bl->n > f->ninsts - next)
			return error_set("function %s: bad block %u", f->name, i);
		next += bl->n;
		for (uint32_t k = 0; k < bl->n; k++) {
			const struct ir_inst *in = &f->insts[bl->first + k];

			if (in->op >= IR__OPS || in->block != i)
				return error_set("function %s: bad instruction in block %u", f->name, i);
			if (ir_opinfo[in->op].is_term != (k + 1 == bl->n))
				return error_set("function %s: block %u does not end in its only terminator",
						 f->name, i);
			for (uint32_t t = 0; t < in->ntargets; t++)
				if (in->targets[t] >= f->nblocks)
					return error_set("function %s: block %u: bad target", f->name, i);
			if (in->res != (ir_opinfo[in->op].has_res && in->cls != IR_C_VOID ? vreg++ : IR_NONE))
				return error_set("function %s: results are not numbered in order", f->name);
		}
	}
	if (next != f->ninsts || vreg != f->nvregs || f->nvregs > IR_MAX_IDX)
		return error_set("function %s: bad number of instructions or results", f->name);
	return 0;
}

/* Do succ and pred agree with the terminators?  pred lies in the order of the
 * blocks that it names, so that one counter for each block follows it. */
static bool edges_ok(const struct ir_func *f, uint32_t *mark, uint32_t *seen)
{
	for (uint32_t i = 0; i < f->nblocks; i++) {
		const struct ir_block *bl = &f->blocks[i];
		const struct ir_inst *end = &f->insts[bl->first + bl->n - 1];
		uint32_t n = 0;

		for (uint32_t t = 0; t < end->ntargets; t++) {
			uint32_t to = end->targets[t];
			const struct ir_block *s = &f->blocks[to];

			if (mark[to] == i + 1)
				continue;
			mark[to] = i + 1;
			if (n >= bl->nsucc || bl->succ[n++] != to)
				return false;
			if (seen[to] >= s->npred || s->pred[seen[to]++] != i)
				return false;
		}
		if (n != bl->nsucc)
			return false;
	}
	for (uint32_t i = 0; i < f->nblocks; i++)
		if (seen[i] != f->blocks[i].npred)
			return false;
	return true;
}

static int check_edges(const struct ir_func *f)
{
	uint32_t *mark = xcalloc(2 * (size_t)f->nblocks, sizeof(*mark));
	bool ok = edges_ok(f, mark, mark + f->nblocks);

	free(mark);
	if (!ok)
		return error_set("function %s: edges do not match the terminators", f->name);
	if (f->blocks[0].npred)
		return error_set("function %s: the entry block has a predecessor", f->name);
	for (uint32_t v = 0; v < f->nvregs; v++) {
		uint32_t d = f->def[v];

		if (v < f->nparams ? d != IR_NONE : d >= f->ninsts || f->insts[d].res != v)
			return error_set("function %s: bad definition table", f->name);
	}
	return 0;
}

static int check_slot(const struct ir_module *m, const struct ir_func *f, uint32_t i)
{
	const unsigned known = IR_S_TEMP | IR_S_DYNAMIC | IR_S_RETVAL | IR_S_BYVAL;
	const struct ir_slot *s = &f->slots[i];

	if (!s->name || s->type >= m->types.n || s->flags & ~known || s->size >= SIZE_LIMIT)
		return error_set("function %s: bad slot %u", f->name, i);
	if (s->flags & IR_S_TEMP && *s->name)
		return error_set("function %s: bad slot %u", f->name, i);
	return check_pos(m, s->pos, "function", f->name);
}

static int check_body(const struct ir_module *m, const struct ir_func *f)
{
	struct body b = { .m = m, .f = f };
	int ret;

	for (uint32_t i = 0; i < f->nslots; i++)
		if ((ret = check_slot(m, f, i)) < 0)
			return ret;
	if ((ret = check_layout(f)) < 0 || (ret = check_edges(f)) < 0)
		return ret;
	for (b.i = 0; b.i < f->ninsts; b.i++) {
		b.in = &f->insts[b.i];
		if ((ret = check_inst(&b)) < 0)
			return ret;
	}
	return ir__check_uses(f);
}

int ir_verify(const struct ir_module *m)
{
	int ret;

	if ((ret = check_types(m)) < 0 || (ret = check_files(m)) < 0 || (ret = check_ints(m)) < 0 ||
	    (ret = check_addrs(m)) < 0)
		return ret;
	for (uint32_t i = 0; i < m->globals.n; i++)
		if ((ret = check_global(m, &m->globals.v[i])) < 0)
			return ret;
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		if ((ret = check_func_head(m, &m->funcs.v[i])) < 0)
			return ret;
		if (!ir_is_decl(&m->funcs.v[i]) && (ret = check_body(m, &m->funcs.v[i])) < 0)
			return ret;
	}
	for (uint32_t i = 0; i < m->aliases.n; i++)
		if ((ret = check_alias(m, &m->aliases.v[i])) < 0)
			return ret;
	return check_names(m);
}
