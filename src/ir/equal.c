/*
 * equal.c - are two modules the same?
 *
 * Symbols, slots, blocks and instructions must be the same in the same order.
 * The numbers of files, types, integers and addresses do not matter, only what
 * they stand for: the writer orders those tables by use and drops what nobody
 * uses.  Types may be recursive; two of them are taken as equal until something
 * reached from them differs.
 */
#include "ir/io.h"

#include "ir/priv.h"

#include "base/error.h"

#define MAP_NAME pairset
#define MAP_KEY uint64_t
#define MAP_VAL char
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct pair {
	const struct ir_module *a, *b;
	struct pairset types;		/* pairs taken as equal; entries from done on are to be checked */
	uint32_t done;
};

static bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && str_eq(a, b));
}

static bool same_type(struct pair *p, uint32_t a, uint32_t b)
{
	pairset_put(&p->types, (uint64_t)a << 32 | b, NULL);
	return (a == 0) == (b == 0);
}

static bool same_pos(struct pair *p, struct ir_pos a, struct ir_pos b)
{
	if (a.line != b.line || a.col != b.col || (a.file == IR_NONE) != (b.file == IR_NONE))
		return false;
	return a.file == IR_NONE || same_string(p->a->files.v[a.file], p->b->files.v[b.file]);
}

static bool same_ref(struct pair *p, ir_ref a, ir_ref b)
{
	if (IR_KIND(a) != IR_KIND(b))
		return false;
	if (IR_KIND(a) == IR_R_INT)
		return ir_int_value(p->a, a) == ir_int_value(p->b, b);
	if (IR_KIND(a) == IR_R_ADDR) {
		const struct ir_addr *x = &p->a->addrs.v[IR_IDX(a)], *y = &p->b->addrs.v[IR_IDX(b)];

		return x->base == y->base && x->offset == y->offset;
	}
	return a == b;
}

static bool same_type_body(struct pair *p, const struct ir_type *a, const struct ir_type *b)
{
	if (a->kind != b->kind || a->flags != b->flags || !same_string(a->name, b->name))
		return false;
	if (a->size != b->size || a->count != b->count || a->first != b->first || a->nfields != b->nfields)
		return false;
	if (!same_type(p, a->elem, b->elem))
		return false;
	for (uint32_t i = 0; i < a->nfields; i++) {
		const struct ir_field *x = &a->fields[i], *y = &b->fields[i];

		if (!same_string(x->name, y->name) || x->offset != y->offset ||
		    x->bit_offset != y->bit_offset || x->bit_size != y->bit_size ||
		    !same_type(p, x->type, y->type))
			return false;
	}
	return true;
}

/* Checks the types that were compared so far, and those they lead to. */
static int compare_types(struct pair *p)
{
	for (; p->done < p->types.n; p->done++) {
		uint32_t a = (uint32_t)(p->types.e[p->done].key >> 32), b = (uint32_t)p->types.e[p->done].key;

		if (!same_type_body(p, &p->a->types.v[a], &p->b->types.v[b]))
			return error_set("types %u (%s) and %u (%s) differ", a, p->a->types.v[a].name,
					 b, p->b->types.v[b].name);
	}
	return 0;
}

static bool same_slot(struct pair *p, const struct ir_slot *a, const struct ir_slot *b)
{
	if (!same_string(a->name, b->name) || a->size != b->size || a->flags != b->flags)
		return false;
	return a->param == b->param && same_type(p, a->type, b->type) && same_pos(p, a->pos, b->pos);
}

static bool same_inst(struct pair *p, const struct ir_inst *a, const struct ir_inst *b)
{
	if (a->op != b->op || a->sub != b->sub || a->flags != b->flags)
		return false;
	if (a->cls != b->cls || a->bits != b->bits || a->from != b->from)
		return false;
	if (a->res != b->res || a->block != b->block || a->member != b->member || a->imm != b->imm)
		return false;
	if (a->nops != b->nops || a->ntargets != b->ntargets)
		return false;
	if (!same_type(p, a->type, b->type) || !same_pos(p, a->pos, b->pos))
		return false;
	for (uint32_t i = 0; i < a->nops; i++)
		if (!same_ref(p, a->ops[i], b->ops[i]))
			return false;
	return !a->ntargets || !memcmp(a->targets, b->targets, a->ntargets * sizeof(*a->targets));
}

static bool same_numbers(const uint32_t *a, const uint32_t *b, uint32_t n)
{
	return !n || !memcmp(a, b, n * sizeof(*a));
}

static bool same_block(const struct ir_block *a, const struct ir_block *b)
{
	if (a->first != b->first || a->n != b->n || a->nsucc != b->nsucc || a->npred != b->npred)
		return false;
	return same_numbers(a->succ, b->succ, a->nsucc) && same_numbers(a->pred, b->pred, a->npred);
}

static bool same_func_head(struct pair *p, const struct ir_func *a, const struct ir_func *b)
{
	if (!same_string(a->name, b->name) || !same_string(a->src, b->src) || a->linkage != b->linkage)
		return false;
	if (a->flags != b->flags || a->unit != b->unit)
		return false;
	if (a->ret_cls != b->ret_cls || a->ret_bits != b->ret_bits || a->nparams != b->nparams)
		return false;
	if (!same_type(p, a->type, b->type) || !same_pos(p, a->pos, b->pos))
		return false;
	for (uint32_t i = 0; i < a->nparams; i++) {
		const struct ir_param *x = &a->params[i], *y = &b->params[i];

		if (x->cls != y->cls || x->bits != y->bits || x->sret != y->sret || x->byval != y->byval)
			return false;
	}
	return a->nslots == b->nslots && a->nblocks == b->nblocks && a->ninsts == b->ninsts &&
	       a->nvregs == b->nvregs;
}

static int compare_funcs(struct pair *p, const struct ir_func *a, const struct ir_func *b)
{
	if (!same_func_head(p, a, b))
		return error_set("functions %s and %s differ", a->name, b->name);
	for (uint32_t i = 0; i < a->nslots; i++)
		if (!same_slot(p, &a->slots[i], &b->slots[i]))
			return error_set("function %s: slot %u differs", a->name, i);
	for (uint32_t i = 0; i < a->ninsts; i++)
		if (!same_inst(p, &a->insts[i], &b->insts[i]))
			return error_set("function %s: instruction %u differs", a->name, i);
	for (uint32_t i = 0; i < a->nblocks; i++)
		if (!same_block(&a->blocks[i], &b->blocks[i]))
			return error_set("function %s: block %u differs", a->name, i);
	for (uint32_t i = 0; i < a->nvregs; i++)
		if (a->def[i] != b->def[i])
			return error_set("function %s: definition of %%%u differs", a->name, i);
	return 0;
}

static bool same_global_head(struct pair *p, const struct ir_global *a, const struct ir_global *b)
{
	if (!same_string(a->name, b->name) || !same_string(a->src, b->src) || !same_string(a->text, b->text))
		return false;
	if (a->size != b->size || a->linkage != b->linkage || a->flags != b->flags)
		return false;
	if (a->unit != b->unit || a->func != b->func || a->ninits != b->ninits)
		return false;
	return same_type(p, a->type, b->type) && same_pos(p, a->pos, b->pos);
}

static int compare_globals(struct pair *p, const struct ir_global *a, const struct ir_global *b)
{
	if (!same_global_head(p, a, b))
		return error_set("globals %s and %s differ", a->name, b->name);
	for (uint32_t i = 0; i < a->ninits; i++) {
		const struct ir_init *x = &a->inits[i], *y = &b->inits[i];

		if (x->offset != y->offset || x->size != y->size || !same_ref(p, x->value, y->value))
			return error_set("global %s: initialiser %u differs", a->name, i);
	}
	return 0;
}

/* Units, models, aliases. */
static int compare_rest(struct pair *p)
{
	const struct ir_module *a = p->a, *b = p->b;

	assert(a->units.n == b->units.n && a->models.n == b->models.n && a->aliases.n == b->aliases.n);
	for (uint32_t i = 0; i < a->units.n; i++)
		if (!same_string(a->units.v[i].path, b->units.v[i].path) ||
		    !same_string(a->units.v[i].dir, b->units.v[i].dir))
			return error_set("unit %u differs", i);
	for (uint32_t i = 0; i < a->models.n; i++)
		if (!same_string(a->models.v[i], b->models.v[i]))
			return error_set("model %u differs", i);
	for (uint32_t i = 0; i < a->aliases.n; i++) {
		const struct ir_alias *x = &a->aliases.v[i], *y = &b->aliases.v[i];

		if (!same_string(x->name, y->name) || x->linkage != y->linkage || x->unit != y->unit ||
		    !same_ref(p, x->target, y->target))
			return error_set("alias %s differs", x->name);
	}
	return 0;
}

static int compare(struct pair *p)
{
	const struct ir_module *a = p->a, *b = p->b;
	int ret;

	if (a->globals.n != b->globals.n || a->funcs.n != b->funcs.n || a->aliases.n != b->aliases.n ||
	    a->units.n != b->units.n || a->models.n != b->models.n)
		return error_set("numbers of globals, functions, aliases, units or models differ");
	for (uint32_t i = 0; i < a->globals.n; i++)
		if ((ret = compare_globals(p, &a->globals.v[i], &b->globals.v[i])) < 0)
			return ret;
	for (uint32_t i = 0; i < a->funcs.n; i++)
		if ((ret = compare_funcs(p, &a->funcs.v[i], &b->funcs.v[i])) < 0)
			return ret;
	if ((ret = compare_rest(p)) < 0)
		return ret;
	return compare_types(p);
}

int ir_equal(const struct ir_module *a, const struct ir_module *b)
{
	struct pair p = { .a = a, .b = b };
	int ret = compare(&p);

	pairset_release(&p.types);
	return ret;
}
