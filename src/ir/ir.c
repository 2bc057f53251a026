/*
 * ir.c - questions about a module that need no analysis.
 */
#include "ir/ir.h"

#include "base/bits.h"

#include "ir/priv.h"

const struct ir_opinfo ir_opinfo[IR__OPS] = {
#define V 1
#define T 2
#define X(e, name, n, f) [IR_##e] = { name, n, ((f) & V) != 0, ((f) & T) != 0 },
#include "ir/ops.def"
#undef X
#undef V
#undef T
};

enum ir_class ir_vreg_class(const struct ir_func *f, uint32_t vreg, uint16_t *bits)
{
	const struct ir_inst *in;

	assert(vreg < f->nvregs);
	if (vreg < f->nparams) {
		*bits = f->params[vreg].bits;
		return f->params[vreg].cls;
	}
	in = &f->insts[f->def[vreg]];
	if (in->op == IR_CMP) {
		*bits = 1;
		return IR_C_INT;
	}
	*bits = in->bits;
	return in->cls;
}

/* Chains of typedefs are finite in a verified module; the bound makes it safe
 * to ask before verification. */
uint32_t ir_type_strip(const struct ir_module *m, uint32_t type)
{
	uint32_t steps = 0;

	assert(type < m->types.n);
	while (m->types.v[type].kind == IR_T_TYPEDEF) {
		type = m->types.v[type].elem;
		if (type >= m->types.n || ++steps > m->types.n)
			return 0;
	}
	return type;
}

const struct ir_field *ir_field_at(const struct ir_module *m, uint32_t type, uint64_t offset)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];
	const struct ir_field *empty = NULL, *around = NULL;

	if (t->kind != IR_T_STRUCT && t->kind != IR_T_UNION)
		return NULL;
	for (uint32_t i = 0; i < t->nfields; i++) {
		const struct ir_field *f = &t->fields[i];
		uint64_t size = m->types.v[ir_type_strip(m, f->type)].size;

		if (f->offset == offset) {
			if (size)
				return f;
			if (!empty)
				empty = f;
		} else if (f->offset < offset && offset - f->offset < size && !around) {
			around = f;
		}
	}
	return empty ? empty : around;
}

/* How good a match a symbol of this linkage is for a bare name. */
static int rank(uint8_t linkage)
{
	switch (linkage) {
	case IR_L_EXTERNAL:
		return 0;
	case IR_L_WEAK:
	case IR_L_COMMON:
		return 1;
	case IR_L_STATIC:
		return 3;
	default:
		return 2;
	}
}

/* The symbol of least rank on the chain of a name, the lowest number among
 * equals; linkage_of is called for each. */
static uint32_t find_symbol(const struct ir_module *m, const struct ir_symtab *tab, const char *name,
			    uint8_t (*linkage_of)(const struct ir_module *, uint32_t))
{
	const char *key = ir__find_string(m, name);
	uint32_t best = IR_NONE;
	const uint32_t *at;

	if (!key || !(at = ir_ptrmap_get(&tab->head, key)))
		return IR_NONE;
	for (uint32_t i = *at; i; i = tab->next.v[i - 1])
		if (best == IR_NONE || rank(linkage_of(m, i - 1)) <= rank(linkage_of(m, best)))
			best = i - 1;
	return best;
}

static uint8_t func_linkage(const struct ir_module *m, uint32_t i)
{
	return m->funcs.v[i].linkage;
}

static uint8_t global_linkage(const struct ir_module *m, uint32_t i)
{
	return m->globals.v[i].linkage;
}

static uint8_t alias_linkage(const struct ir_module *m, uint32_t i)
{
	return m->aliases.v[i].linkage;
}

uint32_t ir_find_func(const struct ir_module *m, const char *name)
{
	return find_symbol(m, &m->lookup->funcs, name, func_linkage);
}

uint32_t ir_find_global(const struct ir_module *m, const char *name)
{
	return find_symbol(m, &m->lookup->globals, name, global_linkage);
}

struct ir_func *ir_callee(const struct ir_module *m, const struct ir_inst *call)
{
	const struct ir_alias *alias;
	struct ir_func *f;
	uint32_t a;

	if (call->op != IR_CALL || IR_KIND(call->ops[0]) != IR_R_FUNC)
		return NULL;
	f = &m->funcs.v[IR_IDX(call->ops[0])];
	if (!ir_is_decl(f) || !m->aliases.n)
		return f;
	a = find_symbol(m, &m->lookup->aliases, f->name, alias_linkage);
	if (a == IR_NONE)
		return f;
	alias = &m->aliases.v[a];
	if (IR_KIND(alias->target) != IR_R_FUNC || (alias->linkage == IR_L_STATIC && alias->unit != f->unit))
		return f;
	return &m->funcs.v[IR_IDX(alias->target)];
}

bool ir_bin_carries(const struct ir_func *f, const struct ir_inst *in, uint32_t k)
{
	const struct ir_inst *d;

	assert(in->op == IR_BIN && k < 2);
	if (in->bits < 64)
		return false;
	switch (in->sub) {
	case IR_B_ADD:
		return true;
	case IR_B_SUB:
		d = ir_def(f, in->ops[1]);
		return k == 0 && !(d && d->op == IR_CAST && d->sub == IR_CAST_PTRTOINT);
	case IR_B_AND:
	case IR_B_OR:
		return IR_KIND(in->ops[1 - k]) == IR_R_INT;
	default:
		return false;
	}
}

enum ir_pred ir_pred_base(enum ir_pred p, bool *flip)
{
	switch (p) {
	case IR_P_NE: *flip = !*flip; return IR_P_EQ;
	case IR_P_SGE: *flip = !*flip; return IR_P_SLT;
	case IR_P_SLE: *flip = !*flip; return IR_P_SGT;
	case IR_P_UGE: *flip = !*flip; return IR_P_ULT;
	case IR_P_ULE: *flip = !*flip; return IR_P_UGT;
	default: return p;
	}
}

bool ir_comes_before(const struct ir_func *f, uint32_t from, uint32_t to, uint32_t avoid)
{
	uint32_t at = f->insts[from].block, goal = f->insts[to].block;
	VEC(uint32_t) queue = {0};
	struct bits seen;
	bool found = at == goal && from < to;

	assert(from < f->ninsts && to < f->ninsts);
	bits_init(&seen, f->nblocks);
	if (avoid != IR_NONE)
		bits_set(&seen, avoid);
	while (!found) {
		for (uint32_t k = 0; k < f->blocks[at].nsucc; k++)
			if (bits_set(&seen, f->blocks[at].succ[k]))
				vec_push(&queue, f->blocks[at].succ[k]);
		if (!queue.n)
			break;
		at = vec_pop(&queue);
		found = at == goal;
	}
	bits_release(&seen);
	vec_release(&queue);
	return found;
}

uint64_t ir_member_offset(const struct ir_module *m, uint32_t *type, const char *name)
{
	uint64_t off = 0;

	while (*name) {
		const struct ir_type *t = &m->types.v[ir_type_strip(m, *type)];
		size_t n = strcspn(name, ".");
		uint32_t i;

		for (i = 0; i < t->nfields; i++)
			if (strlen(t->fields[i].name) == n && !memcmp(t->fields[i].name, name, n))
				break;
		if (i == t->nfields)
			return off;
		off += t->fields[i].offset;
		*type = t->fields[i].type;
		name += n + (name[n] == '.');
	}
	return off;
}

bool ir_is_program(const struct ir_module *m)
{
	uint32_t f = ir_find_func(m, "main");

	return f != IR_NONE && !ir_is_decl(&m->funcs.v[f]);
}

static void take_address(const struct ir_module *m, struct bits *funcs, ir_ref r)
{
	if (IR_KIND(r) == IR_R_ADDR)
		r = m->addrs.v[IR_IDX(r)].base;
	if (IR_KIND(r) == IR_R_FUNC)
		bits_unset(funcs, IR_IDX(r));
}

void ir_called_by_name(const struct ir_module *m, struct bits *funcs)
{
	bool whole = ir_is_program(m);

	bits_init(funcs, m->funcs.n + 1);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		if (!ir_is_decl(&m->funcs.v[i]) && !str_eq(m->funcs.v[i].name, "main") &&
		    (m->funcs.v[i].linkage == IR_L_STATIC || whole))
			bits_set(funcs, i);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		for (uint32_t k = 0; k < m->funcs.v[i].ninsts; k++) {
			const struct ir_inst *in = &m->funcs.v[i].insts[k];

			for (uint32_t o = in->op == IR_CALL; o < in->nops; o++)
				take_address(m, funcs, in->ops[o]);
		}
	for (uint32_t i = 0; i < m->globals.n; i++)
		for (uint32_t k = 0; k < m->globals.v[i].ninits; k++)
			take_address(m, funcs, m->globals.v[i].inits[k].value);
	for (uint32_t i = 0; i < m->aliases.n; i++)
		take_address(m, funcs, m->aliases.v[i].target);
}

static bool is_next_case(const struct ir_module *m, const struct ir_inst *in, uint32_t t)
{
	int64_t before = ir_int_value(m, in->ops[t - 1]);

	if (in->targets[t] != in->targets[t - 1] || before == INT64_MAX)
		return false;
	return ir_int_value(m, in->ops[t]) == before + 1;
}

bool ir_case_range(const struct ir_module *m, const struct ir_inst *in, uint32_t t, int64_t *lo, int64_t *hi)
{
	assert(in->op == IR_SWITCH && t && t < in->nops);
	if (t > 1 && is_next_case(m, in, t))
		return false;
	*lo = ir_int_value(m, in->ops[t]);
	while (t + 1 < in->nops && is_next_case(m, in, t + 1))
		t++;
	*hi = ir_int_value(m, in->ops[t]);
	return true;
}

ir_ref ir_init_at(const struct ir_global *g, uint64_t offset)
{
	uint32_t lo = 0, hi = g->ninits;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (g->inits[mid].offset < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < g->ninits && g->inits[lo].offset == offset ? g->inits[lo].value : IR_UNDEF;
}
