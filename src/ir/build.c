/*
 * build.c - making a module.
 *
 * A module interns what repeats: strings, files, integers, addresses, types.
 * The memo tables live beside the module's arena, so that ir_module_free() takes
 * a few calls however large the program is.
 *
 * ir_body_end() gives a body its normal form, on which the rest relies (and
 * which verify.c checks): instructions lie block after block, results are
 * numbered in that order, a PHI names its block's predecessors in their order.
 */
#include "ir/build.h"

#include "ir/priv.h"

/* ---- the module ------------------------------------------------------ */

struct ir_module *ir_module_new(void)
{
	struct ir_module *m = xcalloc(1, sizeof(*m));
	static const struct ir_type unknown = { .kind = IR_T_UNKNOWN, .name = "" };
	struct ir_type t = unknown;

	arena_init(&m->arena);
	m->strings = xcalloc(1, sizeof(*m->strings));
	m->lookup = xcalloc(1, sizeof(*m->lookup));
	t.name = ir_intern(m, "");
	vec_push(&m->types, t);
	return m;
}

static void symtab_release(struct ir_symtab *t)
{
	ir_ptrmap_release(&t->head);
	vec_release(&t->next);
}

void ir_module_free(struct ir_module *m)
{
	if (!m)
		return;
	ir_strtab_release(&m->strings->tab);
	ir_ptrmap_release(&m->lookup->files);
	ir_intmap_release(&m->lookup->ints);
	ir_addrmap_release(&m->lookup->addrs);
	ir_typemap_release(&m->lookup->types);
	symtab_release(&m->lookup->funcs);
	symtab_release(&m->lookup->globals);
	symtab_release(&m->lookup->aliases);
	free(m->strings);
	free(m->lookup);
	vec_release(&m->files);
	vec_release(&m->types);
	vec_release(&m->ints);
	vec_release(&m->addrs);
	vec_release(&m->globals);
	vec_release(&m->funcs);
	vec_release(&m->aliases);
	vec_release(&m->units);
	vec_release(&m->models);
	arena_release(&m->arena);
	free(m);
}

/* ---- what is interned ------------------------------------------------ */

const char *ir_intern_n(struct ir_module *m, const char *s, size_t n)
{
	struct ir_strkey key = { s, strnlen(s, n) };
	const char **have = ir_strtab_get(&m->strings->tab, key);

	if (have)
		return *have;
	key.s = arena_strndup(&m->arena, s, key.n);
	ir_strtab_set(&m->strings->tab, key, key.s);
	return key.s;
}

const char *ir_intern(struct ir_module *m, const char *s)
{
	return ir_intern_n(m, s, strlen(s));
}

const char *ir__find_string(const struct ir_module *m, const char *s)
{
	struct ir_strkey key = { s, strlen(s) };
	const char **have = ir_strtab_get(&m->strings->tab, key);

	return have ? *have : NULL;
}

/* The readers fill files, ints, addrs and types without asking the memo tables,
 * since most modules are never added to.  Brings the tables up to date. */
static void catch_up(struct ir_module *m)
{
	struct ir_lookup *l = m->lookup;

	assert(l->nfiles <= m->files.n && l->nints <= m->ints.n && l->naddrs <= m->addrs.n);
	for (; l->nfiles < m->files.n; l->nfiles++)
		ir_ptrmap_set(&l->files, m->files.v[l->nfiles], l->nfiles);
	for (; l->nints < m->ints.n; l->nints++)
		ir_intmap_set(&l->ints, m->ints.v[l->nints], l->nints);
	for (; l->naddrs < m->addrs.n; l->naddrs++)
		ir_addrmap_set(&l->addrs, m->addrs.v[l->naddrs], l->naddrs);
}

uint32_t ir_file(struct ir_module *m, const char *path)
{
	bool is_new;
	uint32_t *at;

	catch_up(m);
	path = ir_intern(m, path);
	at = ir_ptrmap_put(&m->lookup->files, path, &is_new);
	if (is_new) {
		*at = m->files.n;
		vec_push(&m->files, path);
		m->lookup->nfiles = m->files.n;
	}
	return *at;
}

ir_ref ir_int(struct ir_module *m, int64_t x)
{
	bool is_new;
	uint32_t *at;

	catch_up(m);
	at = ir_intmap_put(&m->lookup->ints, x, &is_new);
	if (is_new) {
		assert(m->ints.n <= IR_MAX_IDX);
		*at = m->ints.n;
		vec_push(&m->ints, x);
		m->lookup->nints = m->ints.n;
	}
	return IR_REF(IR_R_INT, *at);
}

ir_ref ir_addr(struct ir_module *m, ir_ref base, int64_t offset)
{
	struct ir_addr a = { base, offset };
	bool is_new;
	uint32_t *at;

	assert(IR_KIND(base) == IR_R_GLOBAL || IR_KIND(base) == IR_R_FUNC);
	if (!offset)
		return base;
	catch_up(m);
	at = ir_addrmap_put(&m->lookup->addrs, a, &is_new);
	if (is_new) {
		assert(m->addrs.n <= IR_MAX_IDX);
		*at = m->addrs.n;
		vec_push(&m->addrs, a);
		m->lookup->naddrs = m->addrs.n;
	}
	return IR_REF(IR_R_ADDR, *at);
}

/* ---- types ----------------------------------------------------------- */

uint64_t ir__type_hash(const struct ir_type *t)
{
	uint64_t h = hash_join(t->kind, t->flags);

	h = hash_join(h, (uintptr_t)t->name);
	h = hash_join(h, t->size);
	h = hash_join(h, t->elem);
	h = hash_join(hash_join(h, t->count), (uint64_t)t->first);
	for (uint32_t i = 0; i < t->nfields; i++) {
		const struct ir_field *f = &t->fields[i];

		h = hash_join(h, (uintptr_t)f->name);
		h = hash_join(h, f->type);
		h = hash_join(h, f->offset);
		h = hash_join(h, (uint64_t)f->bit_offset << 16 | f->bit_size);
	}
	return h;
}

bool ir__type_same(const struct ir_type *a, const struct ir_type *b)
{
	if (a->kind != b->kind || a->flags != b->flags || a->name != b->name || a->size != b->size)
		return false;
	if (a->elem != b->elem || a->count != b->count || a->first != b->first || a->nfields != b->nfields)
		return false;
	for (uint32_t i = 0; i < a->nfields; i++) {
		const struct ir_field *x = &a->fields[i], *y = &b->fields[i];

		if (x->name != y->name || x->type != y->type || x->offset != y->offset ||
		    x->bit_offset != y->bit_offset || x->bit_size != y->bit_size)
			return false;
	}
	return true;
}

struct ir_type ir__own_type(struct ir_module *m, const struct ir_type *t)
{
	struct ir_type copy = *t;

	assert(t->kind < IR_T__COUNT);
	copy.name = ir_intern(m, t->name ? t->name : "");
	copy.fields = NULL;
	if (t->nfields) {
		copy.fields = arena_copy(&m->arena, t->fields, t->nfields * sizeof(*t->fields));
		for (uint32_t i = 0; i < t->nfields; i++) {
			const char *name = t->fields[i].name;

			copy.fields[i].name = ir_intern(m, name ? name : "");
		}
	}
	return copy;
}

static bool is_interned(const struct ir_type *t)
{
	return t->kind != IR_T_STRUCT && t->kind != IR_T_UNION && t->kind != IR_T_UNKNOWN;
}

/* The memo's keys must not move as m->types does. */
static void remember_type(struct ir_module *m, uint32_t id)
{
	struct ir_type *key = arena_copy(&m->arena, &m->types.v[id], sizeof(*key));
	bool is_new;
	uint32_t *at = ir_typemap_put(&m->lookup->types, key, &is_new);

	if (is_new)
		*at = id;
}

uint32_t ir_type_add(struct ir_module *m, const struct ir_type *t)
{
	struct ir_type copy = ir__own_type(m, t);
	const uint32_t *have;

	if (is_interned(t)) {
		for (uint32_t *n = &m->lookup->ntypes; *n < m->types.n; ++*n)
			if (is_interned(&m->types.v[*n]))
				remember_type(m, *n);
		have = ir_typemap_get(&m->lookup->types, &copy);
		if (have)
			return *have;
	}
	vec_push(&m->types, copy);
	return m->types.n - 1;
}

uint32_t ir_type_reserve(struct ir_module *m)
{
	struct ir_type t = m->types.v[0];

	vec_push(&m->types, t);
	return m->types.n - 1;
}

void ir_type_set(struct ir_module *m, uint32_t id, const struct ir_type *t)
{
	assert(id > 0 && id < m->types.n);
	m->types.v[id] = ir__own_type(m, t);
}

/* ---- symbols --------------------------------------------------------- */

static void symtab_add(struct ir_symtab *t, const char *name)
{
	uint32_t *head = ir_ptrmap_put(&t->head, name, NULL);

	vec_push(&t->next, *head);
	*head = t->next.n;
}

void ir__index_symbols(struct ir_module *m)
{
	struct ir_lookup *l = m->lookup;

	assert(l->globals.next.n <= m->globals.n && l->funcs.next.n <= m->funcs.n);
	for (uint32_t i = l->globals.next.n; i < m->globals.n; i++)
		symtab_add(&l->globals, m->globals.v[i].name);
	for (uint32_t i = l->funcs.next.n; i < m->funcs.n; i++)
		symtab_add(&l->funcs, m->funcs.v[i].name);
}

static const struct ir_pos nowhere = { .file = IR_NONE };

uint32_t ir_add_global(struct ir_module *m, const char *name, enum ir_linkage l)
{
	struct ir_global g = { .linkage = l, .func = IR_NONE, .pos = nowhere };

	assert(m->globals.n <= IR_MAX_IDX);
	g.name = ir_intern(m, name);
	g.src = ir_intern(m, "");
	assert(m->lookup->globals.next.n == m->globals.n);
	symtab_add(&m->lookup->globals, g.name);
	vec_push(&m->globals, g);
	return m->globals.n - 1;
}

uint32_t ir_add_func(struct ir_module *m, const char *name, enum ir_linkage l)
{
	struct ir_func f = { .linkage = l, .pos = nowhere };

	assert(m->funcs.n <= IR_MAX_IDX);
	f.name = ir_intern(m, name);
	f.src = f.name;
	assert(m->lookup->funcs.next.n == m->funcs.n);
	symtab_add(&m->lookup->funcs, f.name);
	vec_push(&m->funcs, f);
	return m->funcs.n - 1;
}

uint32_t ir_add_alias(struct ir_module *m, const char *name, enum ir_linkage l, ir_ref target)
{
	struct ir_alias a = { .linkage = l, .target = target };

	a.name = ir_intern(m, name);
	symtab_add(&m->lookup->aliases, a.name);
	vec_push(&m->aliases, a);
	return m->aliases.n - 1;
}

uint32_t ir_add_unit(struct ir_module *m, const char *path, const char *dir)
{
	struct ir_unit u = {0};

	u.path = ir_intern(m, path);
	u.dir = ir_intern(m, dir);
	u.flags = ir_intern(m, "");
	vec_push(&m->units, u);
	return m->units.n - 1;
}

/* ---- bodies ---------------------------------------------------------- */

void ir_body_begin(struct ir_builder *b, struct ir_module *m, uint32_t func)
{
	assert(func < m->funcs.n && ir_is_decl(&m->funcs.v[func]));
	memset(b, 0, sizeof(*b));
	b->m = m;
	b->func = func;
	b->pos = nowhere;
	b->nvregs = m->funcs.v[func].nparams;
}

uint32_t ir_body_block(struct ir_builder *b)
{
	return b->nblocks++;
}

uint32_t ir_body_slot(struct ir_builder *b, const struct ir_slot *s)
{
	struct ir_slot copy = *s;

	copy.name = ir_intern(b->m, s->name ? s->name : "");
	assert(b->slots.n <= IR_MAX_IDX);
	vec_push(&b->slots, copy);
	return b->slots.n - 1;
}

struct ir_inst *ir_body_inst(struct ir_builder *b, enum ir_opcode op, enum ir_class cls,
			     uint16_t bits, const ir_ref *ops, uint32_t nops)
{
	struct ir_inst *in;

	assert(op < IR__OPS && cls < IR_C__COUNT && b->cur < b->nblocks);
	assert(ir_opinfo[op].nops < 0 || ir_opinfo[op].nops == (int)nops);
	in = vec_add(&b->insts, 1);
	in->op = op;
	in->flags = b->flags;
	in->cls = cls;
	in->bits = bits;
	in->block = b->cur;
	in->pos = b->pos;
	in->member = IR_NONE;
	in->res = IR_NONE;
	if (ir_opinfo[op].has_res && cls != IR_C_VOID) {
		assert(b->nvregs <= IR_MAX_IDX);
		in->res = b->nvregs++;
	}
	ir_body_ops(b, in, ops, nops);
	return in;
}

void ir_body_ops(struct ir_builder *b, struct ir_inst *in, const ir_ref *ops, uint32_t n)
{
	in->nops = n;
	in->ops = n ? arena_copy(&b->m->arena, ops, n * sizeof(*ops)) : NULL;
}

void ir_body_targets(struct ir_builder *b, struct ir_inst *in, const uint32_t *t, uint32_t n)
{
	in->ntargets = n;
	in->targets = n ? arena_copy(&b->m->arena, t, n * sizeof(*t)) : NULL;
}

/* Sorts the instructions by block, stably, into the function. */
static void lay_out(struct ir_builder *b, struct ir_func *f)
{
	uint32_t *at = xcalloc(f->nblocks, sizeof(*at));
	uint32_t next = 0;

	for (uint32_t i = 0; i < b->insts.n; i++)
		f->blocks[b->insts.v[i].block].n++;
	for (uint32_t i = 0; i < f->nblocks; i++) {
		assert(f->blocks[i].n > 0);
		at[i] = f->blocks[i].first = next;
		next += f->blocks[i].n;
	}
	for (uint32_t i = 0; i < b->insts.n; i++)
		f->insts[at[b->insts.v[i].block]++] = b->insts.v[i];
	free(at);
}

void ir_renumber(struct ir_func *f)
{
	uint32_t *map = xmalloc(((size_t)f->nvregs + 1) * sizeof(*map));
	uint32_t next = f->nparams;
	bool same = true;

	for (uint32_t i = 0; i < f->nparams; i++)
		map[i] = i;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		uint32_t *res = &f->insts[i].res;

		if (*res == IR_NONE)
			continue;
		assert(*res < f->nvregs);
		same &= *res == next;
		map[*res] = next;
		*res = next++;
	}
	assert(next == f->nvregs);
	for (uint32_t i = 0; !same && i < f->ninsts; i++) {
		struct ir_inst *in = &f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++)
			if (IR_KIND(in->ops[k]) == IR_R_VREG && IR_IDX(in->ops[k]) < f->nvregs)
				in->ops[k] = IR_VREG(map[IR_IDX(in->ops[k])]);
	}
	free(map);
}

struct edge {
	uint32_t from, to;
};

static void make_edges(struct ir_module *m, struct ir_func *f)
{
	uint32_t *mark = xcalloc(f->nblocks, sizeof(*mark)), *succ, *pred;
	VEC(struct edge) edges = {0};

	for (uint32_t i = 0; i < f->nblocks; i++) {
		const struct ir_inst *end = &f->insts[f->blocks[i].first + f->blocks[i].n - 1];

		assert(ir_is_term(end));
		for (uint32_t k = 0; k < end->ntargets; k++) {
			struct edge e = { i, end->targets[k] };

			assert(e.to < f->nblocks);
			if (mark[e.to] == i + 1)
				continue;
			mark[e.to] = i + 1;
			f->blocks[e.from].nsucc++;
			f->blocks[e.to].npred++;
			vec_push(&edges, e);
		}
	}
	succ = arena_array(&m->arena, uint32_t, edges.n);
	pred = arena_array(&m->arena, uint32_t, edges.n);
	for (uint32_t i = 0; i < f->nblocks; i++) {
		struct ir_block *b = &f->blocks[i];

		b->succ = succ;
		b->pred = pred;
		succ += b->nsucc;
		pred += b->npred;
		b->nsucc = b->npred = 0;
	}
	for (uint32_t i = 0; i < edges.n; i++) {
		struct ir_block *a = &f->blocks[edges.v[i].from], *b = &f->blocks[edges.v[i].to];

		a->succ[a->nsucc++] = edges.v[i].to;
		b->pred[b->npred++] = edges.v[i].from;
	}
	vec_release(&edges);
	free(mark);
}

void ir__finish_body(struct ir_module *m, struct ir_func *f)
{
	make_edges(m, f);
	f->def = arena_array(&m->arena, uint32_t, f->nvregs);
	for (uint32_t i = 0; i < f->nparams; i++)
		f->def[i] = IR_NONE;
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].res != IR_NONE)
			f->def[f->insts[i].res] = i;
}

/* Puts the operands of PHIs into the order of the predecessors.  What came twice
 * (clang lists a switch's edges one by one) or from no predecessor is dropped;
 * a missing one is left missing, for verify.c to complain. */
static void order_phis(struct ir_func *f)
{
	ir_ref *value = xmalloc(f->nblocks * sizeof(*value));
	uint32_t *mark = xcalloc(f->nblocks, sizeof(*mark));

	for (uint32_t i = 0; i < f->ninsts; i++) {
		struct ir_inst *phi = &f->insts[i];
		const struct ir_block *b = &f->blocks[phi->block];
		uint32_t n = 0;

		if (phi->op != IR_PHI)
			continue;
		assert(phi->nops == phi->ntargets);
		for (uint32_t k = 0; k < phi->nops; k++) {
			mark[phi->targets[k]] = i + 1;
			value[phi->targets[k]] = phi->ops[k];
		}
		for (uint32_t p = 0; p < b->npred; p++) {
			if (mark[b->pred[p]] != i + 1)
				continue;
			phi->targets[n] = b->pred[p];
			phi->ops[n++] = value[b->pred[p]];
		}
		phi->nops = phi->ntargets = n;
	}
	free(value);
	free(mark);
}

void ir_body_end(struct ir_builder *b)
{
	struct ir_func *f = &b->m->funcs.v[b->func];

	assert(b->nblocks > 0);
	f->nblocks = b->nblocks;
	f->ninsts = b->insts.n;
	f->nvregs = b->nvregs;
	f->nslots = b->slots.n;
	f->blocks = arena_array(&b->m->arena, struct ir_block, f->nblocks);
	f->insts = arena_array(&b->m->arena, struct ir_inst, f->ninsts);
	f->slots = arena_array(&b->m->arena, struct ir_slot, f->nslots);
	if (f->nslots)
		memcpy(f->slots, b->slots.v, f->nslots * sizeof(*f->slots));
	lay_out(b, f);
	ir_renumber(f);
	for (uint32_t i = 0; i < f->nblocks; i++)
		for (uint32_t k = 0; k < f->blocks[i].n; k++)
			assert(ir_is_term(&f->insts[f->blocks[i].first + k]) == (k + 1 == f->blocks[i].n));
	ir__finish_body(b->m, f);
	order_phis(f);
	ir_body_abort(b);
}

void ir_body_abort(struct ir_builder *b)
{
	vec_release(&b->slots);
	vec_release(&b->insts);
	memset(b, 0, sizeof(*b));
}
