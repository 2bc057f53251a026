/*
 * site.c - which call of its function is an allocation?
 *
 * An id must not change when other lines move, when the source tree lies
 * elsewhere, when it cannot be read, or when an engine learns to judge another
 * call of the same function.  So nothing of the source text, of the engine's
 * wording or of the other findings goes into it: a call is told by its callee,
 * by what its result is stored into, and by its number among the calls of the
 * function that are alike in both, in the order of their positions.
 *
 * The price: a call put before one that is alike (`p = malloc(m);` before
 * `p = malloc(n);` in one function) takes over its number.
 */
#include "finding/priv.h"

#include "ir/expr.h"
#include "ir/io.h"

#define MAP_NAME nameset
#define MAP_KEY const char *
#define MAP_VAL bool
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

#define MAP_NAME likemap
#define MAP_KEY const char *
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct site {
	const struct ir_inst *call;
	const char *callee;	/* "" if it is called through a pointer */
	const char *key;	/* callee and what the result is stored into */
	uint32_t nth;		/* among those of equal key */
};

VEC_TYPE(sites, struct site);

/* The callee and the lvalue that a STORE names; in the arena. */
static const char *key_of(struct findings *fs, const struct ir_module *m, const struct ir_func *f,
			  const char *callee, const struct ir_inst *store)
{
	struct sbuf lvalue = {0};
	const char *key;
	bool ok = store && ir_expr_lvalue(&lvalue, m, f, store->ops[0]);

	key = arena_printf(&fs->arena, "%s\n%s", callee, ok ? sbuf_str(&lvalue) : "");
	sbuf_release(&lvalue);
	return key;
}

/* The STORE that each call's result goes to first, by vreg. */
static const struct ir_inst **find_stores(const struct ir_func *f)
{
	const struct ir_inst **store = xcalloc(MAX(f->nvregs, 1), sizeof(*store)), *def;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		ir_ref value = in->op == IR_STORE ? expr_uncast(f, in->ops[1]) : IR_NULL;

		def = ir_def(f, value);
		if (def && def->op == IR_CALL && !store[IR_IDX(value)])
			store[IR_IDX(value)] = in;
	}
	return store;
}

static int by_position(const void *pa, const void *pb)
{
	const struct site *a = pa, *b = pb;
	const struct ir_pos *p = &a->call->pos, *q = &b->call->pos;

	if (p->file != q->file)
		return p->file < q->file ? -1 : 1;
	if (p->line != q->line)
		return p->line < q->line ? -1 : 1;
	if (p->col != q->col)
		return p->col < q->col ? -1 : 1;
	return a->call < b->call ? -1 : a->call > b->call;
}

/* All calls of a function, by position.  Calls of one position, which a macro
 * makes, count as several. */
static void number_calls(struct sites *out, struct findings *fs, const struct ir_module *m, const struct ir_func *f)
{
	const struct ir_inst **store = find_stores(f);
	struct likemap seen = {0};

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_func *callee = in->op == IR_CALL ? ir_callee(m, in) : NULL;
		struct site s = { .call = in, .callee = callee ? callee->src : "" };

		if (in->op != IR_CALL)
			continue;
		s.key = key_of(fs, m, f, s.callee, in->res == IR_NONE ? NULL : store[in->res]);
		vec_push(out, s);
	}
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_position);
	for (uint32_t i = 0; i < out->n; i++)
		out->v[i].nth = (*likemap_put(&seen, out->v[i].key, NULL))++;
	likemap_release(&seen);
	free(store);
}

static bool is_at(const struct ir_module *m, const struct site *s, const struct finding_loc *at)
{
	const struct ir_pos *p = &s->call->pos;

	return p->line == at->line && p->col == at->column && p->file != IR_NONE && str_eq(m->files.v[p->file], at->file);
}

/* The call that a finding means: at its place, and of its allocator if several
 * are there. */
static const struct site *find_site(const struct ir_module *m, const struct sites *sites, const struct finding *f)
{
	const struct site *found = NULL;

	for (uint32_t i = 0; i < sites->n; i++) {
		const struct site *s = &sites->v[i];

		if (!is_at(m, s, &f->alloc))
			continue;
		if (f->allocator && str_eq(s->callee, f->allocator))
			return s;
		if (!found)
			found = s;
	}
	return found;
}

static void name_sites(struct findings *fs, const struct ir_module *m, const struct ir_func *func)
{
	struct sites sites = {0};

	number_calls(&sites, fs, m, func);
	for (uint32_t i = 0; i < fs->v.n; i++) {
		struct finding *f = fs->v.v[i];
		const struct site *s = NULL;

		if (!f->site && f->alloc.file && f->alloc.function && str_eq(f->alloc.function, func->src))
			s = find_site(m, &sites, f);
		if (s)
			f->site = arena_printf(&fs->arena, "%s\n%u", s->key, s->nth);
	}
	vec_release(&sites);
}

void findings_sites(struct findings *fs, const struct ir_module *m)
{
	struct nameset wanted = {0};

	for (uint32_t i = 0; i < fs->v.n; i++)
		if (fs->v.v[i]->alloc.function)
			nameset_put(&wanted, fs->v.v[i]->alloc.function, NULL);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		if (!ir_is_decl(&m->funcs.v[i]) && nameset_get(&wanted, m->funcs.v[i].src))
			name_sites(fs, m, &m->funcs.v[i]);
	nameset_release(&wanted);
}
