/*
 * suggest.c - which functions without code or model look like allocators?
 *
 * A function that has neither code nor model is unknown, and nothing is reported of the objects that it
 * may make.  The program itself often shows what such a function does: the result of get() is
 * passed to get_free().  Two things together are taken for a sign:
 *
 *   - the result of one function is passed to another: as it is, by variables in SSA form, or by way of a
 *     variable whose address is used, a global, or the same member of a struct anywhere in the program; and
 *   - the other is named like a releaser (a verb of the table below) of what the first makes: all other words
 *     of its name are in the name of the first, too, or the two begin alike (kmalloc, kfree).
 *
 * Where the other has a model by which it releases its argument, the first sign is enough, but only for
 * variables in SSA form.  No library is known by name here; and a suggestion changes no finding.
 *
 * Which way it errs: a suggestion is a guess for a person to judge, by names and by flows that no path
 * was looked for.  Allocators with unusual names are missed.
 */
#include "model/suggest.h"

#include "base/hash.h"
#include "base/sbuf.h"
#include "ir/ssa.h"

#include <ctype.h>
#include <stdlib.h>

/* Verbs of releasers.  is_suffix: they are also met at the end of a word (kfree). */
#define RELEASERS(X) \
	X("free", true) X("delete", true) X("destroy", true) X("release", true) X("dispose", true) \
	X("close", true) X("unref", true) X("dealloc", true) X("clear", true) X("drop", false) \
	X("del", false) X("put", false) X("destruct", true) X("finalize", true) X("cleanup", true) \
	X("unload", true) X("disconnect", true) X("fini", false) X("deinit", false) X("uninit", false) \
	X("term", false) X("finish", false) X("done", false) X("end", false) X("stop", false) \
	X("remove", false) X("discard", false) X("decref", true) X("dtor", false)

/* Verbs of allocators, for names with one letter before the verb: kmalloc, xdup. */
#define MAKERS(X) \
	X("alloc") X("malloc") X("calloc") X("zalloc") X("realloc") X("memdup") X("strdup") X("strndup") \
	X("dup") X("new") X("create") X("make") X("open") X("clone") X("copy") X("printf") X("asprintf")

static const struct releaser {
	const char *verb;
	bool is_suffix;
} releasers[] = {
#define X(verb, is_suffix) { verb, is_suffix },
	RELEASERS(X)
#undef X
};

static const char *const makers[] = {
#define X(verb) verb,
	MAKERS(X)
#undef X
};

/* ---- names ------------------------------------------------------------ */

enum { MAX_WORDS = 12, MAX_NAME = 120 };

struct words {
	char text[2 * MAX_NAME];
	const char *v[MAX_WORDS];
	unsigned n;
};

/* "uv_loop_new", "uvLoopNew": uv, loop, new.  Names that are too long have no words. */
static void split(struct words *w, const char *name)
{
	char *at = w->text;
	bool inside = false;

	w->n = 0;
	if (strlen(name) >= MAX_NAME)
		return;
	for (const char *s = name; *s; s++) {
		bool is_sign = !isalnum((unsigned char)*s);
		bool is_camel = isupper((unsigned char)*s) && s > name && islower((unsigned char)s[-1]);

		if (inside && (is_sign || is_camel)) {
			*at++ = '\0';
			inside = false;
		}
		if (is_sign)
			continue;
		if (!inside && w->n < MAX_WORDS)
			w->v[w->n++] = at;
		inside = true;
		*at++ = (char)tolower((unsigned char)*s);
	}
	assert(at < w->text + sizeof(w->text));		/* each character, and a NUL before it at most */
	*at = '\0';
}

static bool has_word(const struct words *w, const char *word)
{
	for (unsigned i = 0; i < w->n; i++)
		if (str_eq(w->v[i], word))
			return true;
	return false;
}

static bool is_maker(const char *verb)
{
	for (size_t i = 0; i < ARRAY_LEN(makers); i++)
		if (str_eq(verb, makers[i]))
			return true;
	return false;
}

/* Are all words of `of`, except number `skipped`, words of `in`, too? */
static bool others_in(const struct words *of, unsigned skipped, const struct words *in)
{
	for (unsigned i = 0; i < of->n; i++)
		if (i != skipped && !has_word(in, of->v[i]))
			return false;
	return true;
}

/* Does the allocator have a longer word that begins with these n characters?  After a single one the rest
 * must be a verb. */
static bool has_word_after(const struct words *alloc, const char *stem, size_t n)
{
	for (unsigned i = 0; i < alloc->n; i++) {
		const char *w = alloc->v[i];

		if (strncmp(w, stem, n) == 0 && w[n] && (n > 1 || is_maker(w + n)))
			return true;
	}
	return false;
}

/* Is word number i of the releaser the verb, with the allocator's words around it? */
static bool is_pair_by(const struct releaser *r, const struct words *free, unsigned i,
		       const struct words *alloc)
{
	const char *word = free->v[i];

	if (str_eq(word, r->verb))
		return free->n > 1 && others_in(free, i, alloc);
	if (!r->is_suffix || !str_ends(word, r->verb))
		return false;
	return others_in(free, i, alloc) && has_word_after(alloc, word, strlen(word) - strlen(r->verb));
}

/* Is `free` named like the releaser of what `alloc` makes? */
static bool is_pair(const char *alloc, const char *free)
{
	struct words a, f;

	split(&a, alloc);
	split(&f, free);
	for (unsigned i = 0; i < f.n; i++)
		for (size_t k = 0; k < ARRAY_LEN(releasers); k++)
			if (is_pair_by(&releasers[k], &f, i, &a))
				return true;
	return false;
}

static bool is_releaser(const char *name)
{
	struct words w;

	split(&w, name);
	for (unsigned i = 0; i < w.n; i++)
		for (size_t k = 0; k < ARRAY_LEN(releasers); k++)
			if (strstr(w.v[i], releasers[k].verb))
				return true;
	return false;
}

/* ---- what is passed on ------------------------------------------------- */

/* A place in memory: a variable whose address is used, a global, a member of any struct of a type. */
struct location {
	uint32_t kind;		/* enum ir_rkind, or IR_NONE: a member */
	uint32_t a, b;		/* function and slot; global and 0; type and member */
};

#define MAP_NAME locationmap
#define MAP_KEY struct location
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_join(hash_join((k).kind, (k).a), (k).b)
#define MAP_EQ(x, y) ((x).kind == (y).kind && (x).a == (y).a && (x).b == (y).b)
#include "base/map.h"

VEC_TYPE(sources, uint32_t);	/* functions that look like allocators */

/* An allocator whose result is passed to a releaser. */
struct pair {
	uint32_t alloc, free;
	uint32_t arg;		/* of the releaser, from 1 */
	bool by_address;	/* the argument is the address of the pointer */
};

static bool pair_eq(struct pair x, struct pair y)
{
	return x.alloc == y.alloc && x.free == y.free && x.arg == y.arg && x.by_address == y.by_address;
}

#define MAP_NAME pairmap
#define MAP_KEY struct pair
#define MAP_VAL char
#define MAP_HASH(k) hash_join((uint64_t)(k).alloc << 32 | (k).free, (k).arg << 1 | (k).by_address)
#define MAP_EQ(x, y) pair_eq(x, y)
#include "base/map.h"

struct suggest {
	const struct ir_module *m;
	const struct model_set *models;
	uint32_t *calls;		/* by function: how often it is called; 0: it is no allocator */
	bool *releases;			/* by function: may it be a releaser? */
	struct locationmap locations;	/* -> number in stored, from 1 */
	VEC(struct sources) stored;
	struct pairmap pairs;
};

static bool is_unknown(const struct suggest *s, const struct ir_func *f)
{
	return ir_is_decl(f) && !model_find(s->models, f->name);
}

/* The location of an address in function number `func`. */
static bool find_location(const struct suggest *s, const struct ssa *ssa, uint32_t func, ir_ref addr,
			  struct location *out)
{
	const struct ir_inst *d = ssa_def(ssa, addr = ssa_ref(ssa, addr));

	if (d && d->op == IR_FIELD && d->type && d->member != IR_NONE) {
		*out = (struct location){ IR_NONE, d->type, d->member };
		return true;
	}
	if (IR_KIND(addr) == IR_R_SLOT && !ssa->promoted[IR_IDX(addr)])
		*out = (struct location){ IR_R_SLOT, func, IR_IDX(addr) };
	else if (IR_KIND(addr) == IR_R_GLOBAL && !(s->m->globals.v[IR_IDX(addr)].flags & IR_G_STRING))
		*out = (struct location){ IR_R_GLOBAL, IR_IDX(addr), 0 };
	else
		return false;
	return true;
}

static void add_source(struct sources *to, uint32_t func)
{
	for (uint32_t i = 0; i < to->n; i++)
		if (to->v[i] == func)
			return;
	vec_push(to, func);
}

/* The functions whose result the value may be, through phis and casts, but not through memory. */
static void find_sources(const struct suggest *s, const struct ssa *ssa, ir_ref value, struct sources *out)
{
	struct bits seen;
	VEC(ir_ref) todo = {0};

	bits_init(&seen, ssa->nvalues + 1);
	vec_push(&todo, ssa_ref(ssa, value));
	while (todo.n) {
		ir_ref r = vec_pop(&todo);
		const struct ir_inst *d;
		const struct ir_func *g;

		if (IR_KIND(r) != IR_R_VREG || !bits_set(&seen, IR_IDX(r)))
			continue;
		if (ssa_is_phi(ssa, r)) {
			const struct ssa_phi *p = ssa_phi(ssa, r);

			for (uint32_t k = 0; k < ssa->f->blocks[p->block].npred; k++)
				vec_push(&todo, ssa_ref(ssa, p->args[k]));
			continue;
		}
		d = ssa_def(ssa, r);
		if (d && (d->op == IR_CAST || d->op == IR_PHI))
			for (uint32_t k = 0; k < d->nops; k++)
				vec_push(&todo, ssa_ref(ssa, d->ops[k]));
		g = d && d->op == IR_CALL ? ir_callee(s->m, d) : NULL;
		if (g && s->calls[g - s->m->funcs.v])
			add_source(out, (uint32_t)(g - s->m->funcs.v));
	}
	bits_release(&seen);
	vec_release(&todo);
}

static void note_store(struct suggest *s, const struct ssa *ssa, uint32_t func, const struct ir_inst *in)
{
	struct sources found = {0};
	struct location where;
	uint32_t *at;

	if (find_location(s, ssa, func, in->ops[0], &where))
		find_sources(s, ssa, in->ops[1], &found);
	if (found.n) {
		at = locationmap_put(&s->locations, where, NULL);
		if (!*at) {
			vec_add(&s->stored, 1);
			*at = s->stored.n;
		}
		assert(*at <= s->stored.n);
		for (uint32_t i = 0; i < found.n; i++)
			add_source(&s->stored.v[*at - 1], found.v[i]);
	}
	vec_release(&found);
}

/* ---- pairs -------------------------------------------------------------- */

static void add_pairs(struct suggest *s, const struct sources *found, struct pair p, bool is_known)
{
	const struct ir_func *f = s->m->funcs.v;

	assert(s->releases[p.free]);
	for (uint32_t i = 0; i < found->n; i++) {
		p.alloc = found->v[i];
		assert(s->calls[p.alloc] > 0);
		if (p.alloc != p.free && (is_known || is_pair(f[p.alloc].src, f[p.free].src)))
			pairmap_put(&s->pairs, p, NULL);
	}
}

static void add_stored(struct suggest *s, const struct location *where, struct pair p)
{
	const uint32_t *at = locationmap_get(&s->locations, *where);

	if (at)
		add_pairs(s, &s->stored.v[*at - 1], p, false);
}

static void note_argument(struct suggest *s, const struct ssa *ssa, uint32_t func, const struct ir_inst *call,
			  struct pair p)
{
	const struct ir_func *g = &s->m->funcs.v[p.free];
	const struct model *md = model_find(s->models, g->name);
	const struct ir_inst *d = ssa_def(ssa, ssa_ref(ssa, call->ops[p.arg]));
	struct sources found = {0};
	struct location where;

	assert(p.arg >= 1 && p.arg < call->nops);
	if (md && !model_frees(md, p.arg))
		return;
	find_sources(s, ssa, call->ops[p.arg], &found);
	add_pairs(s, &found, p, md != NULL);
	vec_release(&found);
	if (md)
		return;
	if (d && d->op == IR_LOAD && find_location(s, ssa, func, d->ops[0], &where))
		add_stored(s, &where, p);
	p.by_address = true;
	if (find_location(s, ssa, func, call->ops[p.arg], &where))
		add_stored(s, &where, p);
}

/* Does the function call an allocator (stores), or a releaser? */
static bool calls_some(const struct suggest *s, const struct ir_func *f, bool stores)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_func *g = f->insts[i].op == IR_CALL ? ir_callee(s->m, &f->insts[i]) : NULL;
		uint32_t k = g ? (uint32_t)(g - s->m->funcs.v) : 0;

		if (g && (stores ? s->calls[k] > 0 : s->releases[k]))
			return true;
	}
	return false;
}

/* Notes where allocators' results are stored, or which of them are passed to releasers. */
static void read_function(struct suggest *s, uint32_t func, bool stores)
{
	const struct ir_func *f = &s->m->funcs.v[func];
	struct ssa ssa;

	if (!calls_some(s, f, stores))
		return;
	ssa_init(&ssa, f);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_func *g = in->op == IR_CALL ? ir_callee(s->m, in) : NULL;
		struct pair p = { .free = g ? (uint32_t)(g - s->m->funcs.v) : 0, .arg = 1 };

		if (stores && in->op == IR_STORE)
			note_store(s, &ssa, func, in);
		for (; !stores && g && s->releases[p.free] && p.arg < in->nops; p.arg++)
			note_argument(s, &ssa, func, in, p);
	}
	ssa_release(&ssa);
}

static bool has_free(const struct model *md)
{
	for (unsigned i = 0; i < md->neffects; i++)
		if (md->effects[i].kind == MODEL_E_FREE)
			return true;
	return false;
}

static void find_releasers(struct suggest *s)
{
	for (uint32_t i = 0; i < s->m->funcs.n; i++) {
		const struct ir_func *f = &s->m->funcs.v[i];
		const struct model *md = ir_is_decl(f) ? model_find(s->models, f->name) : NULL;

		s->releases[i] = ir_is_decl(f) && (md ? has_free(md) : is_releaser(f->src));
	}
}

static void find_calls(struct suggest *s)
{
	for (uint32_t f = 0; f < s->m->funcs.n; f++)
		for (uint32_t i = 0; i < s->m->funcs.v[f].ninsts; i++) {
			const struct ir_inst *in = &s->m->funcs.v[f].insts[i];
			bool gives_pointer = in->op == IR_CALL && in->cls == IR_C_PTR;
			const struct ir_func *g = gives_pointer ? ir_callee(s->m, in) : NULL;

			if (g && is_unknown(s, g))
				s->calls[g - s->m->funcs.v]++;
		}
}

/* ---- as text ------------------------------------------------------------- */

static int by_names(const void *pa, const void *pb, void *arg)
{
	const struct ir_module *m = arg;
	const struct pair *a = pa, *b = pb;
	int c = strcmp(m->funcs.v[a->free].name, m->funcs.v[b->free].name);

	if (!c)
		c = strcmp(m->funcs.v[a->alloc].name, m->funcs.v[b->alloc].name);
	if (!c)
		c = a->by_address - b->by_address;
	return c ? c : (a->arg > b->arg) - (a->arg < b->arg);
}

static int by_calls(const void *pa, const void *pb)
{
	const struct model_suggestion *a = pa, *b = pb;

	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	return strcmp(a->text, b->text);
}

/* The models of pairs with one releaser, of which the first says what that does. */
static void write_one(struct suggest *s, const struct pair *v, uint32_t n, struct model_suggestions *out)
{
	const struct ir_func *g = &s->m->funcs.v[v->free];
	const struct model *md = model_find(s->models, g->name);
	const char *resource = md ? model_frees(md, v->arg)->resource->name : "memory";
	struct model_suggestion *x = vec_add(out, 1);
	struct sbuf names = {0};
	size_t size;
	FILE *f = open_memstream(&x->text, &size);

	if (!f)
		mem_exhausted(0);
	for (uint32_t i = 0; i < n; i++) {
		const struct ir_func *a = &s->m->funcs.v[v[i].alloc];
		uint32_t calls = s->calls[v[i].alloc];
		const char *separator = x->functions ? ", " : "";

		assert(v[i].free == v->free && calls > 0);
		fputs(separator, f);
		model_name_print(a->name, f);
		sbuf_printf(&names, "%s%s() (%u call%s)", separator, a->src, calls, calls == 1 ? "" : "s");
		x->functions++;
		x->calls += calls;
	}
	fprintf(f, " { return new %s", resource);
	if (!str_eq(g->name, "free")) {
		fputs(" freed by ", f);
		model_name_print(g->name, f);
	}
	fputs("; }", f);
	if (!md) {
		putc(' ', f);
		model_name_print(g->name, f);
		fprintf(f, " { free %sarg%u; }", v->by_address ? "*" : "", v->arg);
	}
	fclose(f);
	x->names = sbuf_detach(&names);
}

static void write_all(struct suggest *s, struct model_suggestions *out)
{
	struct bits has_model;		/* by allocator */
	VEC(struct pair) v = {0}, chosen = {0};
	uint32_t end;

	for (uint32_t i = 0; i < s->pairs.n; i++)
		vec_push(&v, s->pairs.e[i].key);
	if (v.n)
		qsort_r(v.v, v.n, sizeof(*v.v), by_names, (void *)s->m);
	bits_init(&has_model, s->m->funcs.n + 1);
	/* an allocator has one model, and so one releaser: the first by name */
	for (uint32_t i = 0; i < v.n; i++)
		if (bits_set(&has_model, v.v[i].alloc))
			vec_push(&chosen, v.v[i]);
	for (uint32_t i = 0; i < chosen.n; i = end) {
		for (end = i + 1; end < chosen.n && chosen.v[end].free == chosen.v[i].free; end++)
			;
		write_one(s, &chosen.v[i], end - i, out);
	}
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_calls);
	bits_release(&has_model);
	vec_release(&v);
	vec_release(&chosen);
}

void model_suggest(struct model_suggestions *out, const struct ir_module *m, const struct model_set *models)
{
	struct suggest s = { .m = m, .models = models };

	s.calls = xcalloc(m->funcs.n + 1, sizeof(*s.calls));
	s.releases = xcalloc(m->funcs.n + 1, sizeof(*s.releases));
	find_calls(&s);
	find_releasers(&s);
	for (uint32_t f = 0; f < m->funcs.n; f++)
		read_function(&s, f, true);
	for (uint32_t f = 0; f < m->funcs.n; f++)
		read_function(&s, f, false);
	write_all(&s, out);
	for (uint32_t i = 0; i < s.stored.n; i++)
		vec_release(&s.stored.v[i]);
	vec_release(&s.stored);
	locationmap_release(&s.locations);
	pairmap_release(&s.pairs);
	free(s.calls);
	free(s.releases);
}

void model_suggestions_release(struct model_suggestions *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		free(s->v[i].names);
		free(s->v[i].text);
	}
	vec_release(s);
}
