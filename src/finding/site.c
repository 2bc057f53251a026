/*
 * site.c - which call of its function is an allocation?
 *
 * An id must not change when other lines move, when the source tree lies
 * elsewhere, when it cannot be read, or when an engine learns to judge another
 * call of the same function.  So nothing of the source text, of the engine's
 * wording or of the other findings goes into the id.  A call is identified by its
 * callee, by what its result is stored into, and by its number among the calls of
 * the function that are alike in both, in the order of their positions.
 *
 * The price: a call that is inserted before one that is alike (`p = malloc(m);`
 * before `p = malloc(n);` in one function) takes over its number.
 *
 * needs: the linked program.
 * gives: f->site where the call is found; NULL elsewhere.
 */
#include "finding/priv.h"

#include "ir/expr.h"
#include "ir/io.h"

#include <assert.h>

#define MAP_NAME textmap
#define MAP_KEY const char *
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

#define MAP_NAME placemap
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct site {
	const struct ir_inst *call;
	const char *callee;	/* "" if it is called through a pointer */
	const char *key;	/* callee and what the result is stored into */
	uint32_t nth;		/* among those of equal key */
	uint32_t next;		/* number + 1 of the next one in the same line and column; 0: none */
};

/* The calls of a function, by position. */
struct sites {
	VEC(struct site) all;
	struct placemap first;	/* by line and column: number + 1 */
};

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
		if (!def || def->op != IR_CALL)
			continue;
		assert(IR_IDX(value) < f->nvregs);
		if (!store[IR_IDX(value)])
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

static uint64_t place_key(uint32_t line, uint32_t column)
{
	return (uint64_t)line << 32 | column;
}

/* All calls of a function, by position.  Calls of one position, which a macro
 * makes, count as several. */
static void number_calls(struct sites *out, struct findings *fs, const struct ir_module *m,
			 const struct ir_func *f)
{
	const struct ir_inst **store = find_stores(f);
	struct textmap seen = {0};

	assert(out->all.n == 0);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_func *callee = in->op == IR_CALL ? ir_callee(m, in) : NULL;
		struct site s = { .call = in, .callee = callee ? callee->src : "" };

		if (in->op != IR_CALL)
			continue;
		s.key = key_of(fs, m, f, s.callee, in->res == IR_NONE ? NULL : store[in->res]);
		vec_push(&out->all, s);
	}
	if (out->all.n)
		qsort(out->all.v, out->all.n, sizeof(*out->all.v), by_position);
	for (uint32_t i = 0; i < out->all.n; i++)
		out->all.v[i].nth = (*textmap_put(&seen, out->all.v[i].key, NULL))++;
	for (uint32_t i = out->all.n; i-- > 0;) {
		const struct ir_pos *p = &out->all.v[i].call->pos;
		uint32_t *first = placemap_put(&out->first, place_key(p->line, p->col), NULL);

		out->all.v[i].next = *first;
		*first = i + 1;
	}
	textmap_release(&seen);
	free(store);
}

/* The line and the column are right: is the file? */
static bool is_in_file(const struct ir_module *m, const struct site *s, const struct finding_loc *at)
{
	const struct ir_pos *p = &s->call->pos;

	return p->file != IR_NONE && str_eq(m->files.v[p->file], at->file);
}

/* The call that a finding means: at its place, and of its allocator if several
 * are there. */
static const struct site *find_site(const struct ir_module *m, const struct sites *sites,
				    const struct finding *f)
{
	const uint32_t *first = placemap_get(&sites->first, place_key(f->alloc.line, f->alloc.column));
	const struct site *found = NULL;

	for (uint32_t i = first ? *first : 0; i; i = sites->all.v[i - 1].next) {
		const struct site *s = &sites->all.v[i - 1];

		assert(!s->next || (s->next > i && s->next <= sites->all.n));
		if (!is_in_file(m, s, &f->alloc))
			continue;
		if (f->allocator && str_eq(s->callee, f->allocator))
			return s;
		if (!found)
			found = s;
	}
	return found;
}

/* first: number + 1 of the first finding in a function of this name; next: of the next one, by finding. */
static void name_sites(struct findings *fs, const struct ir_module *m, const struct ir_func *func,
		       uint32_t first, const uint32_t *next)
{
	struct sites sites = {0};

	number_calls(&sites, fs, m, func);
	for (uint32_t i = first; i; i = next[i - 1]) {
		struct finding *f = fs->v.v[i - 1];
		const struct site *s = !f->site && f->alloc.file ? find_site(m, &sites, f) : NULL;

		if (s)
			f->site = arena_printf(&fs->arena, "%s\n%u", s->key, s->nth);
	}
	vec_release(&sites.all);
	placemap_release(&sites.first);
}

void findings_sites(struct findings *fs, const struct ir_module *m)
{
	uint32_t *next = xcalloc(fs->v.n, sizeof(*next));	/* by finding: the next one of its function */
	struct textmap first = {0};

	for (uint32_t i = fs->v.n; i-- > 0;)
		if (fs->v.v[i]->alloc.function) {
			uint32_t *at = textmap_put(&first, fs->v.v[i]->alloc.function, NULL);

			next[i] = *at;
			*at = i + 1;
		}
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		const struct ir_func *f = &m->funcs.v[i];
		const uint32_t *at = ir_is_decl(f) ? NULL : textmap_get(&first, f->src);

		if (at)
			name_sites(fs, m, f, *at, next);
	}
	textmap_release(&first);
	free(next);
}
