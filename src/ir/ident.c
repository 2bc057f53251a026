/*
 * ident.c - identities and digests.  See ident.h.
 *
 * Types form a graph with cycles (a list's node).  A type's digest covers what
 * can be reached from the type in ROUNDS steps: each round joins the digests that the
 * types next to it had in the round before.  No analysis goes further from a type that
 * an instruction names: model.h allows 16 steps.
 */
#include "ir/ident.h"

#include "base/file.h"
#include "base/hash.h"

enum { ROUNDS = 24 };

#define MAP_NAME idmap
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME names
#define MAP_KEY const char *
#define MAP_VAL const char *
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct ident_index {
	struct idmap funcs, globals;	/* identity -> index */
	struct names names;		/* of functions */
};

/* ---- types ----------------------------------------------------------- */

static uint64_t type_head(const struct ir_type *t)
{
	uint64_t h = hash_join(hash_join(t->kind, t->flags), hash_str(t->name));

	h = hash_join(hash_join(hash_join(h, t->size), t->count), (uint64_t)t->first);
	for (uint32_t i = 0; i < t->nfields; i++) {
		const struct ir_field *f = &t->fields[i];

		h = hash_join(hash_join(h, hash_str(f->name)), f->offset);
		h = hash_join(h, (uint64_t)f->bit_offset << 16 | f->bit_size);
	}
	return h;
}

static void digest_types(struct idents *d)
{
	const struct ir_module *m = d->m;
	uint32_t n = m->types.n;
	uint64_t *head = xmalloc(MAX(n, 1) * sizeof(*head)), *old = xmalloc(MAX(n, 1) * sizeof(*old));

	d->type = xmalloc(MAX(n, 1) * sizeof(*d->type));
	for (uint32_t i = 0; i < n; i++)
		d->type[i] = head[i] = type_head(&m->types.v[i]);
	for (unsigned r = 0; r < ROUNDS; r++) {
		memcpy(old, d->type, n * sizeof(*old));
		for (uint32_t i = 0; i < n; i++) {
			const struct ir_type *t = &m->types.v[i];

			d->type[i] = hash_join(head[i], old[t->elem]);
			for (uint32_t k = 0; k < t->nfields; k++)
				d->type[i] = hash_join(d->type[i], old[t->fields[k].type]);
		}
	}
	free(head);
	free(old);
}

/* ---- identities ------------------------------------------------------ */

/* Of the unit's file only the last part of its name: identities decide between equals, and which
 * of two leaks is reported must not depend on the folder where the sources lie. */
static uint64_t unit_of(const struct ir_module *m, unsigned linkage, uint32_t unit)
{
	return linkage == IR_L_STATIC && unit < m->units.n ? hash_str(path_base(m->units.v[unit].path)) : 0;
}

/* A name for the index; the second of the same name gets another. */
static uint64_t settle(struct idmap *map, uint64_t id, uint32_t index)
{
	for (;; id = hash_mix(id + 1)) {
		bool is_new = false;
		uint32_t *at = id ? idmap_put(map, id, &is_new) : NULL;

		if (is_new) {
			*at = index;
			return id;
		}
	}
}

static uint64_t name_of_global(const struct ir_module *m, const struct ir_global *g)
{
	uint64_t unit = unit_of(m, g->linkage, g->unit);

	if (g->flags & IR_G_STRING && g->text)
		return hash_join(hash_join(hash_join(0x57, unit), hash_str(g->text)), g->size);
	return hash_join(hash_join(0x6, unit), hash_str(g->name));
}

static void name_all(struct idents *d)
{
	const struct ir_module *m = d->m;

	d->func = xmalloc(((size_t)m->funcs.n + 1) * sizeof(*d->func));
	d->global = xmalloc(((size_t)m->globals.n + 1) * sizeof(*d->global));
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		const struct ir_func *f = &m->funcs.v[i];
		uint64_t name = hash_join(hash_join(0xf, unit_of(m, f->linkage, f->unit)), hash_str(f->name));

		names_set(&d->index->names, f->src, f->src);
		d->func[i] = settle(&d->index->funcs, name, i);
	}
	for (uint32_t i = 0; i < m->globals.n; i++)
		d->global[i] = settle(&d->index->globals, name_of_global(m, &m->globals.v[i]), i);
}

void idents_init(struct idents *d, const struct ir_module *m)
{
	*d = (struct idents){ .m = m, .index = xcalloc(1, sizeof(*d->index)) };
	digest_types(d);
	name_all(d);
}

void idents_release(struct idents *d)
{
	if (d->index) {
		idmap_release(&d->index->funcs);
		idmap_release(&d->index->globals);
		names_release(&d->index->names);
	}
	free(d->index);
	free(d->func);
	free(d->global);
	free(d->type);
	memset(d, 0, sizeof(*d));
}

uint32_t ident_find_func(const struct idents *d, uint64_t id)
{
	const uint32_t *at = idmap_get(&d->index->funcs, id);

	return at ? *at : IR_NONE;
}

uint32_t ident_find_global(const struct idents *d, uint64_t id)
{
	const uint32_t *at = idmap_get(&d->index->globals, id);

	return at ? *at : IR_NONE;
}

const char *ident_name(const struct idents *d, const char *src)
{
	const char *const *at = names_get(&d->index->names, src);

	return at ? *at : NULL;
}

uint64_t ident_ref(const struct idents *d, ir_ref r)
{
	uint64_t kind = IR_KIND(r);
	const struct ir_addr *a;

	switch (IR_KIND(r)) {
	case IR_R_GLOBAL:
		return hash_join(kind, d->global[IR_IDX(r)]);
	case IR_R_FUNC:
		return hash_join(kind, d->func[IR_IDX(r)]);
	case IR_R_INT:
		return hash_join(kind, (uint64_t)ir_int_value(d->m, r));
	case IR_R_ADDR:
		a = &d->m->addrs.v[IR_IDX(r)];
		return hash_join(hash_join(kind, ident_ref(d, a->base)), (uint64_t)a->offset);
	case IR_R_VREG:
	case IR_R_SLOT:
	case IR_R_SPECIAL:
		break;
	}
	return hash_join(kind, r);
}

/* ---- digests --------------------------------------------------------- */

uint64_t ident_func_head(const struct idents *d, uint32_t func)
{
	const struct ir_func *f = &d->m->funcs.v[func];
	uint64_t h = hash_join(hash_join(d->func[func], hash_str(f->name)), hash_str(f->src));

	assert(func < d->m->funcs.n && d->func[func]);
	h = hash_join(hash_join(h, d->type[f->type]), (uint64_t)f->linkage << 32 | f->flags);
	h = hash_join(h, (uint64_t)f->ret_cls << 32 | f->ret_bits);
	h = hash_join(h, (uint64_t)f->nparams << 1 | ir_is_decl(f));
	for (uint32_t i = 0; i < f->nparams; i++)
		h = hash_join(h, (uint64_t)f->params[i].cls << 32 | (uint64_t)f->params[i].bits << 8 |
				      (uint64_t)f->params[i].sret << 1 | f->params[i].byval);
	return h;
}

/* What is behind a symbol that the function names, as far as its own text says it. */
static uint64_t named(const struct idents *d, ir_ref r)
{
	if (IR_KIND(r) == IR_R_ADDR)
		r = d->m->addrs.v[IR_IDX(r)].base;
	if (IR_KIND(r) == IR_R_FUNC)
		return ident_func_head(d, IR_IDX(r));
	if (IR_KIND(r) == IR_R_GLOBAL)
		return d->type[d->m->globals.v[IR_IDX(r)].type];
	return 0;
}

/* As ident_ref(), but literals with the same text are all alike: an edited function, compiled alone, has
 * one of its own. */
static uint64_t operand(const struct idents *d, ir_ref r)
{
	const struct ir_addr *a = IR_KIND(r) == IR_R_ADDR ? &d->m->addrs.v[IR_IDX(r)] : NULL;
	ir_ref base = a ? a->base : r;
	const struct ir_global *g = IR_KIND(base) == IR_R_GLOBAL ? &d->m->globals.v[IR_IDX(base)] : NULL;

	if (!g || !(g->flags & IR_G_STRING))
		return ident_ref(d, r);
	return hash_join(hash_join(IR_KIND(r), name_of_global(d->m, g)), a ? (uint64_t)a->offset : 0);
}

static uint64_t inst_digest(const struct idents *d, const struct ir_inst *in)
{
	uint64_t flags = (uint64_t)(in->flags & ~IR_F_ADDED);
	uint64_t h = (uint64_t)in->op << 24 | (uint64_t)in->sub << 16 | flags << 8 | in->cls;
	const struct ir_func *g;

	h = hash_join(h, (uint64_t)in->bits << 16 | in->from);
	h = hash_join(h, (uint64_t)in->res << 32 | in->block);
	if (in->op == IR_FIELD)
		h = hash_join(hash_join(h, d->type[in->type]), in->member);
	h = hash_join(h, (uint64_t)in->imm);
	h = hash_join(h, (uint64_t)in->nops << 32 | in->ntargets);
	for (uint32_t i = 0; i < in->nops; i++)
		h = hash_join(hash_join(h, operand(d, in->ops[i])), named(d, in->ops[i]));
	for (uint32_t i = 0; i < in->ntargets; i++)
		h = hash_join(h, in->targets[i]);
	g = in->op == IR_CALL ? ir_callee(d->m, in) : NULL;
	return g ? hash_join(h, ident_func_head(d, (uint32_t)(g - d->m->funcs.v))) : h;
}

uint64_t ident_func_body(const struct idents *d, uint32_t func)
{
	const struct ir_func *f = &d->m->funcs.v[func];
	uint64_t h = ident_func_head(d, func);

	h = hash_join(h, (uint64_t)f->nslots << 32 | f->nvregs);
	h = hash_join(h, (uint64_t)f->nblocks << 32 | f->ninsts);
	for (uint32_t i = 0; i < f->nslots; i++) {
		const struct ir_slot *s = &f->slots[i];

		h = hash_join(hash_join(h, hash_str(s->name)), d->type[s->type]);
		h = hash_join(hash_join(h, s->size), (uint64_t)s->flags << 16 | s->param);
	}
	for (uint32_t i = 0; i < f->nblocks; i++) {
		const struct ir_block *b = &f->blocks[i];

		h = hash_join(h, (uint64_t)b->first << 32 | b->n);
		h = hash_join(h, (uint64_t)b->nsucc << 32 | b->npred);
		for (uint32_t k = 0; k < b->nsucc; k++)
			h = hash_join(h, b->succ[k]);
		for (uint32_t k = 0; k < b->npred; k++)
			h = hash_join(h, b->pred[k]);
	}
	for (uint32_t i = 0; i < f->ninsts; i++)
		h = hash_join(h, inst_digest(d, &f->insts[i]));
	return h;
}

uint64_t ident_global_digest(const struct idents *d, uint32_t global)
{
	const struct ir_global *g = &d->m->globals.v[global];
	uint64_t h = hash_join(d->global[global], d->type[g->type]);

	assert(global < d->m->globals.n && d->global[global]);
	h = hash_join(hash_join(h, g->size), (uint64_t)g->linkage << 16 | g->flags);
	/* the name of a literal is a number that the compiler gave it */
	h = hash_join(h, g->flags & IR_G_STRING ? 1 : hash_join(hash_str(g->name), hash_str(g->src)));
	h = hash_join(h, g->func == IR_NONE || g->func >= d->m->funcs.n ? 0 : d->func[g->func]);
	h = hash_join(h, g->text ? hash_str(g->text) : 0);
	for (uint32_t i = 0; i < g->ninits; i++) {
		h = hash_join(hash_join(h, g->inits[i].offset), g->inits[i].size);
		h = hash_join(h, ident_ref(d, g->inits[i].value));
	}
	return h;
}

/* ---- instructions ---- */

uint32_t ident_inst(const struct ir_func *f, uint32_t inst)
{
	uint32_t before[2] = {0}, n[2] = {0};	/* of those that were there, and of those that are added */

	assert(inst < f->ninsts);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		bool added = f->insts[i].flags & IR_F_ADDED;

		before[added] += i < inst;
		n[added]++;
	}
	return f->insts[inst].flags & IR_F_ADDED ? n[0] + before[1] : before[0];
}

uint32_t ident_find_inst(const struct ir_func *f, uint32_t number)
{
	for (unsigned added = 0; added < 2; added++)
		for (uint32_t i = 0; i < f->ninsts; i++)
			if (!!(f->insts[i].flags & IR_F_ADDED) == added && number-- == 0)
				return i;
	return IR_NONE;
}
