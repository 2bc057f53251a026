/*
 * link.c - one program from its units, with the rules of a linker.
 *
 *   1. A unit that is given twice is taken once.
 *   2. Types, files, integers are put together (linktypes.c).
 *   3. Definitions compete for their names: a strong one beats a common one beats
 *      a weak one, the first beats its equals; commons grow to the largest.
 *      An alias competes like a definition.
 *   4. Every symbol of every unit gets its ref in the output.  Static and strong
 *      ones are copied, so that of two strong definitions each serves its own unit
 *      and the first the others.  Weak and common ones and declarations become
 *      the winner of their name; if nobody defines it, one declaration remains.
 *   5. Bodies and initialisers are copied with all refs changed.
 *
 * For plumb fix, which changes a few functions and links the program again, a unit may
 * have some of its bodies from another module, which was compiled from the same source
 * with little else in it (ir_link_over()).  Names are resolved as in the unit alone;
 * from the other module come the bodies, and literals and inline functions that only
 * these need.
 *
 * Shared libraries are scopes of their own (struct ir_scopes).  The rules above hold within each
 * scope.  Between scopes the rule is that of the dynamic linker: the first scope that exports a
 * definition wins, also against a definition in the later scope itself; a name that is not exported
 * is seen by its own scope only.
 *
 * Functions and variables have separate names: a function declared in one unit
 * and defined as a variable in another stays declared.
 *
 * Where this differs from a linker: an alias follows its target's name, so that the
 * alias of a weak function that was beaten means the winner; archives are taken
 * whole; symbol versions are not looked at, nor is -Bsymbolic.
 */
#include "ir/io.h"

#include "ir/link.h"
#include "ir/priv.h"

/* A name that can be defined anywhere in the program. */
struct symkey {
	const char *name;	/* interned in the output */
	bool is_func;
	uint32_t scope;
};

enum strength { NOT_DEFINED, BY_WEAK, BY_COMMON, BY_STRONG };

struct winner {
	enum strength strength;
	unsigned input;
	bool is_alias;
	uint32_t index;		/* of the global, function or alias in its input */
	ir_ref decl;		/* the output's declaration, if nobody defines the name; or 0 */
};

#define MAP_NAME winners
#define MAP_KEY struct symkey
#define MAP_VAL struct winner
#define MAP_HASH(k) hash_join(hash_join((uintptr_t)(k).name, (k).is_func), (k).scope)
#define MAP_EQ(a, b) ((a).name == (b).name && (a).is_func == (b).is_func && (a).scope == (b).scope)
#include "base/map.h"

struct input {
	const struct ir_module *m;
	uint32_t scope;
	uint32_t unit0;			/* the output's number of its first unit */
	uint32_t *files, *types;	/* the output's numbers */
	ir_ref *ints, *addrs, *globals, *funcs;	/* refs in the output; UNMAPPED at first */
	struct ir_ptrmap aliases;	/* name -> number + 1 of an alias of this unit's own */
	struct input *over;		/* the module that other bodies come from, or NULL */
	uint32_t *bodies;		/* of each function the one there, IR_NONE: its own */
	/* name in the output -> number + 1, of those that the other module means by that name */
	struct ir_ptrmap unit_funcs, unit_globals;
};

/* Where a symbol of the output comes from. */
struct origin {
	unsigned input;
	uint32_t index;
};

struct linker {
	struct ir_module *out;
	struct input *in;
	unsigned n, dups;	/* n units; behind them are those that have other bodies for one */
	unsigned nall;
	const struct ir_scopes *scopes;
	struct winners winners;
	VEC(struct origin) globals, funcs;	/* of the definitions in the output */
};

#define UNMAPPED IR_UNDEF

/* How far a name is followed from alias to alias. */
enum { MAX_ALIASES = 16 };

/* ---- the same unit twice --------------------------------------------- */

struct unitkey {
	const char *path;
	uint64_t hash;
	uint32_t scope;		/* a library has a copy of its own */
};

#define MAP_NAME unitset
#define MAP_KEY struct unitkey
#define MAP_VAL char
#define MAP_HASH(k) hash_join(hash_join(hash_str((k).path), (k).hash), (k).scope)
#define MAP_EQ(a, b) ((a).hash == (b).hash && (a).scope == (b).scope && str_eq((a).path, (b).path))
#include "base/map.h"

/* Puts the numbers of the modules that are not repetitions into list; returns how many there are. */
static unsigned drop_repeated(unsigned *list, struct ir_module *const *in, unsigned n,
			      const struct ir_scopes *scopes)
{
	struct unitset seen = {0};
	unsigned nlist = 0;

	for (unsigned i = 0; i < n; i++) {
		bool is_new = true;

		if (n > 1 && in[i]->units.n == 1) {
			const struct ir_unit *u = &in[i]->units.v[0];
			struct unitkey key = { .path = u->path, .hash = u->hash };

			if (!key.hash)
				key.hash = ir__content_hash(in[i]);
			if (scopes)
				key.scope = scopes->of[i];
			unitset_put(&seen, key, &is_new);
		}
		if (is_new)
			list[nlist++] = i;
	}
	unitset_release(&seen);
	return nlist;
}

/* ---- who defines a name ---------------------------------------------- */

static enum strength strength_of(unsigned linkage)
{
	switch (linkage) {
	case IR_L_EXTERNAL:
		return BY_STRONG;
	case IR_L_COMMON:
		return BY_COMMON;
	case IR_L_WEAK:
		return BY_WEAK;
	default:
		return NOT_DEFINED;
	}
}

static void compete(struct linker *l, const char *name, bool is_func, unsigned linkage, struct winner w)
{
	struct symkey key = { ir_intern(l->out, name), is_func, l->in[w.input].scope };
	struct winner *best;

	w.strength = strength_of(linkage);
	if (w.strength == NOT_DEFINED)
		return;
	best = winners_put(&l->winners, key, NULL);
	if (w.strength == BY_STRONG && best->strength == BY_STRONG)
		l->dups++;
	if (w.strength > best->strength)
		*best = w;
}

/* Does an alias stand for a function?  An indirect function's target is unknown. */
static bool alias_is_func(const struct ir_module *m, const struct ir_alias *a)
{
	if (IR_KIND(a->target) == IR_R_ADDR)
		return IR_KIND(m->addrs.v[IR_IDX(a->target)].base) == IR_R_FUNC;
	return IR_KIND(a->target) != IR_R_GLOBAL;
}

static void compete_all(struct linker *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		const struct ir_module *m = l->in[i].m;

		for (uint32_t k = 0; k < m->globals.n; k++)
			compete(l, m->globals.v[k].name, false, m->globals.v[k].linkage,
				(struct winner){ .input = i, .index = k });
		for (uint32_t k = 0; k < m->funcs.n; k++)
			compete(l, m->funcs.v[k].name, true, m->funcs.v[k].linkage,
				(struct winner){ .input = i, .index = k });
		for (uint32_t k = 0; k < m->aliases.n; k++) {
			const struct ir_alias *a = &m->aliases.v[k];

			compete(l, a->name, alias_is_func(m, a), a->linkage,
				(struct winner){ .input = i, .index = k, .is_alias = true });
			if (a->linkage != IR_L_WEAK)
				ir_ptrmap_set(&l->in[i].aliases, a->name, k + 1);
		}
	}
}

/* ---- between scopes --------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	return strcmp(a, *(char *const *)b);
}

bool ir_exports(const struct ir_exports *e, const char *name)
{
	return e->all || (e->names.n && bsearch(name, e->names.v, e->names.n, sizeof(*e->names.v), by_name));
}

static const struct winner *defined_in(struct linker *l, struct symkey key, uint32_t scope)
{
	const struct winner *w;

	key.scope = scope;
	w = winners_get(&l->winners, key);
	return w && w->strength != NOT_DEFINED ? w : NULL;
}

/* The definition that a name means in the scope of the key; NULL if there is none. */
static const struct winner *find_winner(struct linker *l, struct symkey key)
{
	const struct winner *here = defined_in(l, key, key.scope), *w = NULL;

	assert(l->scopes ? key.scope < l->scopes->n : key.scope == 0);
	if (!l->scopes || (here && !ir_exports(&l->scopes->exports[key.scope], key.name)))
		return here;
	for (uint32_t s = 0; s < l->scopes->n && !w; s++)
		w = ir_exports(&l->scopes->exports[s], key.name) ? defined_in(l, key, s) : NULL;
	return w;
}

/* ---- refs ------------------------------------------------------------ */

/* Is the definition copied to the output? */
static bool is_copied(struct linker *l, unsigned i, const char *name, bool is_func, unsigned linkage,
		    uint32_t index)
{
	struct symkey key = { ir_intern(l->out, name), is_func, l->in[i].scope };
	const struct winner *w;

	if (linkage == IR_L_STATIC)
		return true;
	if (strength_of(linkage) == NOT_DEFINED)
		return false;
	w = find_winner(l, key);
	assert(w);	/* at least this definition competes */
	if (linkage == IR_L_EXTERNAL)
		return l->in[w->input].scope == key.scope;
	return w->input == i && w->index == index && !w->is_alias;
}

/* Makes the definitions of the output, without content, in the order of units. */
static void place_definitions(struct linker *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		struct input *in = &l->in[i];

		for (uint32_t k = 0; k < in->m->globals.n; k++) {
			const struct ir_global *g = &in->m->globals.v[k];
			struct origin from = { i, k };

			in->globals[k] = UNMAPPED;
			if (!is_copied(l, i, g->name, false, g->linkage, k))
				continue;
			in->globals[k] = IR_REF(IR_R_GLOBAL, ir_add_global(l->out, g->name, g->linkage));
			vec_push(&l->globals, from);
		}
		for (uint32_t k = 0; k < in->m->funcs.n; k++) {
			const struct ir_func *f = &in->m->funcs.v[k];
			struct origin from = { i, k };

			in->funcs[k] = UNMAPPED;
			if (!is_copied(l, i, f->name, true, f->linkage, k))
				continue;
			in->funcs[k] = IR_REF(IR_R_FUNC, ir_add_func(l->out, f->name, f->linkage));
			vec_push(&l->funcs, from);
		}
	}
}

/* base + offset in the output, where base may be an address with an offset. */
static ir_ref add_offset(struct ir_module *out, ir_ref base, int64_t offset)
{
	uint64_t sum = (uint64_t)offset;

	if (IR_KIND(base) == IR_R_ADDR) {
		sum += (uint64_t)out->addrs.v[IR_IDX(base)].offset;
		base = out->addrs.v[IR_IDX(base)].base;
	}
	return ir_addr(out, base, (int64_t)sum);
}

static ir_ref follow_alias(struct linker *l, struct input *in, const struct ir_alias *a, unsigned depth);

static const char *symbol_name(const struct ir_module *m, ir_ref r, uint32_t *unit)
{
	if (IR_KIND(r) == IR_R_FUNC) {
		*unit = m->funcs.v[IR_IDX(r)].unit;
		return m->funcs.v[IR_IDX(r)].name;
	}
	*unit = m->globals.v[IR_IDX(r)].unit;
	return m->globals.v[IR_IDX(r)].name;
}

/* What an input's symbol is in the output; UNMAPPED if nobody defines it. */
static ir_ref resolve(struct linker *l, struct input *in, ir_ref r, unsigned depth)
{
	bool is_func = IR_KIND(r) == IR_R_FUNC;
	ir_ref have = is_func ? in->funcs[IR_IDX(r)] : in->globals[IR_IDX(r)];
	struct symkey key = { .is_func = is_func, .scope = in->scope };
	const struct winner *w;
	const uint32_t *alias;
	const char *name;
	uint32_t unit;

	assert(is_func || IR_KIND(r) == IR_R_GLOBAL);
	if (have != UNMAPPED || depth > MAX_ALIASES)
		return have;
	name = symbol_name(in->m, r, &unit);
	alias = ir_ptrmap_get(&in->aliases, name);
	if (alias && in->m->aliases.v[*alias - 1].unit == unit)
		return follow_alias(l, in, &in->m->aliases.v[*alias - 1], depth);
	key.name = ir_intern(l->out, name);
	if (!(w = find_winner(l, key)))
		return UNMAPPED;
	in = &l->in[w->input];
	if (w->is_alias)
		return follow_alias(l, in, &in->m->aliases.v[w->index], depth);
	return is_func ? in->funcs[w->index] : in->globals[w->index];
}

static ir_ref follow_alias(struct linker *l, struct input *in, const struct ir_alias *a, unsigned depth)
{
	const struct ir_addr *addr;
	ir_ref base;

	switch (IR_KIND(a->target)) {
	case IR_R_GLOBAL:
	case IR_R_FUNC:
		return resolve(l, in, a->target, depth + 1);
	case IR_R_ADDR:
		addr = &in->m->addrs.v[IR_IDX(a->target)];
		base = resolve(l, in, addr->base, depth + 1);
		return base == UNMAPPED ? base : add_offset(l->out, base, addr->offset);
	default:
		return UNMAPPED;
	}
}

/* The one declaration of a name that nobody defines. */
static ir_ref declare(struct linker *l, struct input *in, ir_ref r)
{
	bool is_func = IR_KIND(r) == IR_R_FUNC;
	const struct ir_func *f = is_func ? &in->m->funcs.v[IR_IDX(r)] : NULL;
	const struct ir_global *g = is_func ? NULL : &in->m->globals.v[IR_IDX(r)];
	unsigned linkage = is_func ? f->linkage : g->linkage;
	struct symkey key = { ir_intern(l->out, is_func ? f->name : g->name), is_func, 0 };
	struct winner *w = winners_put(&l->winners, key, NULL);
	struct origin from = { (unsigned)(in - l->in), IR_IDX(r) };

	linkage = linkage == IR_L_DECL_WEAK ? IR_L_DECL_WEAK : IR_L_DECL;
	if (!w->decl && is_func) {
		w->decl = IR_REF(IR_R_FUNC, ir_add_func(l->out, key.name, linkage));
		vec_push(&l->funcs, from);
	} else if (!w->decl) {
		w->decl = IR_REF(IR_R_GLOBAL, ir_add_global(l->out, key.name, linkage));
		vec_push(&l->globals, from);
	}
	if (linkage == IR_L_DECL && is_func)
		l->out->funcs.v[IR_IDX(w->decl)].linkage = IR_L_DECL;
	else if (linkage == IR_L_DECL)
		l->out->globals.v[IR_IDX(w->decl)].linkage = IR_L_DECL;
	if (is_func)	/* one unit's attributes serve all */
		l->out->funcs.v[IR_IDX(w->decl)].flags |=
			f->flags & (IR_FN_NORETURN | IR_FN_TWICE | IR_FN_MALLOC | IR_FN_READONLY);
	return w->decl;
}

static ir_ref find_or_declare(struct linker *l, struct input *in, ir_ref r)
{
	ir_ref to = resolve(l, in, r, 0);

	return to == UNMAPPED ? declare(l, in, r) : to;
}

/* An address whose symbol is mapped. */
static ir_ref map_addr(struct linker *l, const struct input *in, const struct ir_addr *a)
{
	uint32_t b = IR_IDX(a->base);
	ir_ref base = IR_KIND(a->base) == IR_R_FUNC ? in->funcs[b] : in->globals[b];

	assert(base != UNMAPPED);
	return add_offset(l->out, base, a->offset);
}

/* Maps the symbols that are not definitions of the output themselves. */
static void resolve_all(struct linker *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		struct input *in = &l->in[i];

		for (uint32_t k = 0; k < in->m->globals.n; k++)
			in->globals[k] = find_or_declare(l, in, IR_REF(IR_R_GLOBAL, k));
		for (uint32_t k = 0; k < in->m->funcs.n; k++)
			in->funcs[k] = find_or_declare(l, in, IR_REF(IR_R_FUNC, k));
		for (uint32_t k = 0; k < in->m->addrs.n; k++)
			in->addrs[k] = map_addr(l, in, &in->m->addrs.v[k]);
	}
}

static ir_ref map_ref(const struct input *in, ir_ref r)
{
	switch (IR_KIND(r)) {
	case IR_R_GLOBAL:
		assert(in->globals[IR_IDX(r)] != UNMAPPED);
		return in->globals[IR_IDX(r)];
	case IR_R_FUNC:
		assert(in->funcs[IR_IDX(r)] != UNMAPPED);
		return in->funcs[IR_IDX(r)];
	case IR_R_INT:
		return in->ints[IR_IDX(r)];
	case IR_R_ADDR:
		return in->addrs[IR_IDX(r)];
	default:
		return r;
	}
}

/* ---- bodies from elsewhere ------------------------------------------- */

/* Enters the symbols of a unit that its other module must mean by the same names: not literals, whose
 * names are just numbers. */
static void enter_symbols(struct linker *l, struct input *in)
{
	for (uint32_t k = 0; k < in->m->funcs.n; k++)
		ir_ptrmap_set(&in->unit_funcs, ir_intern(l->out, in->m->funcs.v[k].name), k + 1);
	for (uint32_t k = 0; k < in->m->globals.n; k++)
		if (in->m->globals.v[k].src[0])
			ir_ptrmap_set(&in->unit_globals, ir_intern(l->out, in->m->globals.v[k].name), k + 1);
}

/* The function of the unit that a definition of the other module is; IR_NONE. */
static uint32_t unit_func(struct linker *l, const struct input *in, const struct ir_func *f)
{
	const uint32_t *k = ir_ptrmap_get(&in->unit_funcs, ir_intern(l->out, f->name));

	if (!k || (ir_is_declared(in->m->funcs.v[*k - 1].linkage) && !ir_is_declared(f->linkage)))
		return IR_NONE;
	return *k - 1;
}

static uint32_t unit_global(struct linker *l, const struct input *in, const struct ir_global *g)
{
	const uint32_t *k = g->src[0] ? ir_ptrmap_get(&in->unit_globals, ir_intern(l->out, g->name)) : NULL;

	if (!k || (ir_is_declared(in->m->globals.v[*k - 1].linkage) && !ir_is_declared(g->linkage)))
		return IR_NONE;
	return *k - 1;
}

/* A name for what only the other module has: in a unit there is but one of a name. */
static const char *new_name(struct linker *l, const char *name, bool taken)
{
	return taken ? ir_intern(l->out, arena_printf(&l->out->arena, "%s.over", name)) : name;
}

static void want_body(struct linker *l, struct input *in, const struct ir_func *f);

static void want(struct linker *l, struct input *in, ir_ref r);

static void want_func(struct linker *l, struct input *in, uint32_t k)
{
	struct input *over = in->over;
	const struct ir_func *f = &over->m->funcs.v[k];
	uint32_t same = unit_func(l, in, f);
	struct origin from = { (unsigned)(over - l->in), k };
	const char *name;

	if (same != IR_NONE) {
		over->funcs[k] = in->funcs[same];
	} else if (ir_is_declared(f->linkage)) {
		over->funcs[k] = find_or_declare(l, over, IR_REF(IR_R_FUNC, k));
	} else {
		name = new_name(l, f->name, ir_ptrmap_get(&in->unit_funcs, ir_intern(l->out, f->name)));
		over->funcs[k] = IR_REF(IR_R_FUNC, ir_add_func(l->out, name, IR_L_STATIC));
		vec_push(&l->funcs, from);
		want_body(l, in, f);
	}
}

static void want_global(struct linker *l, struct input *in, uint32_t k)
{
	struct input *over = in->over;
	const struct ir_global *g = &over->m->globals.v[k];
	uint32_t same = unit_global(l, in, g);
	struct origin from = { (unsigned)(over - l->in), k };
	const char *name;
	bool taken;

	if (same != IR_NONE) {
		over->globals[k] = in->globals[same];
	} else if (ir_is_declared(g->linkage)) {
		over->globals[k] = find_or_declare(l, over, IR_REF(IR_R_GLOBAL, k));
	} else {
		taken = !g->src[0] || ir_ptrmap_get(&in->unit_globals, ir_intern(l->out, g->name));
		name = new_name(l, g->name, taken);
		over->globals[k] = IR_REF(IR_R_GLOBAL, ir_add_global(l->out, name, IR_L_STATIC));
		vec_push(&l->globals, from);
		for (uint32_t i = 0; i < g->ninits; i++)
			want(l, in, g->inits[i].value);
	}
}

/* Maps what the other module of a unit means by a ref. */
static void want(struct linker *l, struct input *in, ir_ref r)
{
	struct input *over = in->over;

	switch (IR_KIND(r)) {
	case IR_R_FUNC:
		if (over->funcs[IR_IDX(r)] == UNMAPPED)
			want_func(l, in, IR_IDX(r));
		break;
	case IR_R_GLOBAL:
		if (over->globals[IR_IDX(r)] == UNMAPPED)
			want_global(l, in, IR_IDX(r));
		break;
	case IR_R_ADDR:
		want(l, in, over->m->addrs.v[IR_IDX(r)].base);
		over->addrs[IR_IDX(r)] = map_addr(l, over, &over->m->addrs.v[IR_IDX(r)]);
		break;
	default:
		break;
	}
}

static void want_body(struct linker *l, struct input *in, const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++)
			want(l, in, f->insts[i].ops[k]);
}

/* Finds the bodies that a unit has from elsewhere, and what they need. */
static void take_bodies(struct linker *l, struct input *in)
{
	const struct ir_module *m = in->over->m;

	enter_symbols(l, in);
	in->bodies = xcalloc(in->m->funcs.n + 1, sizeof(*in->bodies));
	for (uint32_t k = 0; k < in->m->funcs.n; k++)
		in->bodies[k] = IR_NONE;
	for (uint32_t k = 0; k < m->globals.n; k++)
		in->over->globals[k] = UNMAPPED;
	for (uint32_t k = 0; k < m->funcs.n; k++)
		in->over->funcs[k] = UNMAPPED;
	for (uint32_t k = 0; k < m->funcs.n; k++) {
		uint32_t same = IR_NONE;

		if (!ir_is_declared(m->funcs.v[k].linkage))
			same = unit_func(l, in, &m->funcs.v[k]);
		if (same == IR_NONE)
			continue;
		in->bodies[same] = k;
		want_body(l, in, &m->funcs.v[k]);
	}
}

static struct ir_pos map_pos(const struct input *in, struct ir_pos pos)
{
	if (pos.file != IR_NONE)
		pos.file = in->files[pos.file];
	return pos;
}

/* ---- content --------------------------------------------------------- */

static void copy_global(struct linker *l, uint32_t id)
{
	const struct input *in = &l->in[l->globals.v[id].input];
	const struct ir_global *g = &in->m->globals.v[l->globals.v[id].index];
	struct ir_global *o = &l->out->globals.v[id];
	ir_ref fn = g->func == IR_NONE ? UNMAPPED : in->funcs[g->func];

	o->src = ir_intern(l->out, g->src);
	o->type = in->types[g->type];
	o->size = g->size;
	o->flags = g->flags;
	o->unit = in->unit0 + g->unit;
	o->func = IR_KIND(fn) == IR_R_FUNC ? IR_IDX(fn) : IR_NONE;
	o->pos = map_pos(in, g->pos);
	o->text = g->text ? ir_intern(l->out, g->text) : NULL;
	if (ir_is_declared(o->linkage))
		return;
	o->ninits = g->ninits;
	o->inits = arena_copy(&l->out->arena, g->inits, g->ninits * sizeof(*g->inits));
	for (uint32_t i = 0; i < g->ninits; i++)
		o->inits[i].value = map_ref(in, g->inits[i].value);
}

/* Common symbols become as large as the largest of their name. */
static void grow_commons(struct linker *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		const struct input *in = &l->in[i];

		for (uint32_t k = 0; k < in->m->globals.n; k++) {
			const struct ir_global *g = &in->m->globals.v[k];
			struct ir_global *o;

			if (g->linkage != IR_L_COMMON || IR_KIND(in->globals[k]) != IR_R_GLOBAL)
				continue;
			o = &l->out->globals.v[IR_IDX(in->globals[k])];
			if (o->linkage == IR_L_COMMON && g->size > o->size) {
				o->size = g->size;
				o->type = in->types[g->type];
			}
		}
	}
}

static void copy_insts(struct ir_module *out, const struct input *in, struct ir_func *o,
		       const struct ir_func *f)
{
	size_t nops = 0, ntargets = 0;
	ir_ref *ops;
	uint32_t *targets;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		nops += f->insts[i].nops;
		ntargets += f->insts[i].op == IR_PHI ? 0 : f->insts[i].ntargets;
	}
	ops = arena_array(&out->arena, ir_ref, nops);
	targets = arena_array(&out->arena, uint32_t, ntargets);
	o->insts = arena_copy(&out->arena, f->insts, f->ninsts * sizeof(*f->insts));
	assert(o->nblocks == f->nblocks);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		struct ir_inst *n = &o->insts[i];

		for (uint32_t k = 0; k < n->nops; k++)
			ops[k] = map_ref(in, n->ops[k]);
		n->ops = n->nops ? ops : NULL;
		ops += n->nops;
		if (n->op == IR_PHI) {
			n->targets = o->blocks[n->block].pred;
		} else if (n->ntargets) {
			memcpy(targets, n->targets, n->ntargets * sizeof(*targets));
			n->targets = targets;
			targets += n->ntargets;
		}
		n->type = in->types[n->type];
		n->pos = map_pos(in, n->pos);
	}
}

static void copy_blocks(struct ir_module *out, struct ir_func *o, const struct ir_func *f)
{
	size_t nsucc = 0, npred = 0;
	uint32_t *succ, *pred;

	for (uint32_t i = 0; i < f->nblocks; i++) {
		nsucc += f->blocks[i].nsucc;
		npred += f->blocks[i].npred;
	}
	succ = arena_array(&out->arena, uint32_t, nsucc);
	pred = arena_array(&out->arena, uint32_t, npred);
	o->blocks = arena_copy(&out->arena, f->blocks, f->nblocks * sizeof(*f->blocks));
	for (uint32_t i = 0; i < f->nblocks; i++) {
		struct ir_block *b = &o->blocks[i];

		if (b->nsucc)
			memcpy(succ, b->succ, b->nsucc * sizeof(*succ));
		if (b->npred)
			memcpy(pred, b->pred, b->npred * sizeof(*pred));
		b->succ = succ;
		b->pred = pred;
		succ += b->nsucc;
		pred += b->npred;
	}
}

static void copy_body(struct ir_module *out, const struct input *in, struct ir_func *o,
		      const struct ir_func *f)
{
	o->nslots = f->nslots;
	o->nblocks = f->nblocks;
	o->ninsts = f->ninsts;
	o->nvregs = f->nvregs;
	o->slots = arena_copy(&out->arena, f->slots, f->nslots * sizeof(*f->slots));
	for (uint32_t i = 0; i < f->nslots; i++) {
		struct ir_slot *s = &o->slots[i];

		s->name = ir_intern(out, s->name);
		s->type = in->types[s->type];
		s->pos = map_pos(in, s->pos);
	}
	copy_blocks(out, o, f);
	copy_insts(out, in, o, f);
	o->def = arena_copy(&out->arena, f->def, f->nvregs * sizeof(*f->def));
}

static void copy_func(struct linker *l, uint32_t id)
{
	const struct input *in = &l->in[l->funcs.v[id].input];
	uint32_t index = l->funcs.v[id].index, other = in->over ? in->bodies[index] : IR_NONE;
	struct ir_func *o = &l->out->funcs.v[id];
	const struct ir_func *f;

	in = other == IR_NONE ? in : in->over;
	f = &in->m->funcs.v[other == IR_NONE ? index : other];
	assert(ir_is_declared(o->linkage) || !ir_is_decl(f));
	o->src = ir_intern(l->out, f->src);
	o->type = in->types[f->type];
	o->flags |= f->flags;
	o->unit = in->unit0 + f->unit;
	o->pos = map_pos(in, f->pos);
	o->ret_cls = f->ret_cls;
	o->ret_bits = f->ret_bits;
	o->nparams = f->nparams;
	o->params = arena_copy(&l->out->arena, f->params, f->nparams * sizeof(*f->params));
	if (!ir_is_declared(o->linkage))
		copy_body(l->out, in, o, f);
}

/* By now everything is mapped, if only to a declaration; the target of an indirect
 * function stays unknown. */
static void copy_aliases(struct linker *l, struct input *in)
{
	for (uint32_t i = 0; i < in->m->aliases.n; i++) {
		const struct ir_alias *a = &in->m->aliases.v[i];
		ir_ref target = a->target == IR_CONST ? IR_CONST : follow_alias(l, in, a, 0);
		uint32_t id = ir_add_alias(l->out, a->name, a->linkage, target);

		assert(target != UNMAPPED);
		l->out->aliases.v[id].unit = in->unit0 + a->unit;
	}
}

/* ---- tables ---------------------------------------------------------- */

/* Units of one input. */
static void open_units(struct linker *l, struct input *in)
{
	const struct ir_module *m = in->m;

	in->unit0 = l->out->units.n;
	for (uint32_t i = 0; i < m->units.n; i++) {
		uint32_t u = ir_add_unit(l->out, m->units.v[i].path, m->units.v[i].dir);

		l->out->units.v[u].flags = ir_intern(l->out, m->units.v[i].flags);
		l->out->units.v[u].hash = m->units.v[i].hash;
	}
	if (!m->units.n)	/* its symbols must not mix with another unit's */
		ir_add_unit(l->out, "", "");
}

/* Files and integers of one input; room for its symbols. */
static void open_input(struct linker *l, struct input *in)
{
	const struct ir_module *m = in->m;

	in->files = xcalloc(m->files.n + 1, sizeof(*in->files));
	for (uint32_t i = 0; i < m->files.n; i++)
		in->files[i] = ir_file(l->out, m->files.v[i]);
	in->ints = xcalloc(m->ints.n + 1, sizeof(*in->ints));
	for (uint32_t i = 0; i < m->ints.n; i++)
		in->ints[i] = ir_int(l->out, m->ints.v[i]);
	in->addrs = xcalloc(m->addrs.n + 1, sizeof(*in->addrs));
	in->globals = xcalloc(m->globals.n + 1, sizeof(*in->globals));
	in->funcs = xcalloc(m->funcs.n + 1, sizeof(*in->funcs));
}

/* Each model text once. */
static void copy_models(struct linker *l)
{
	struct ir_ptrmap seen = {0};

	for (unsigned i = 0; i < l->n; i++) {
		const struct ir_module *m = l->in[i].m;

		for (uint32_t k = 0; k < m->models.n; k++) {
			const char *s = ir_intern(l->out, m->models.v[k]);
			bool is_new;

			ir_ptrmap_put(&seen, s, &is_new);
			if (is_new)
				vec_push(&l->out->models, s);
		}
	}
	ir_ptrmap_release(&seen);
}

static void close_input(struct input *in)
{
	free(in->files);
	free(in->types);
	free(in->ints);
	free(in->addrs);
	free(in->globals);
	free(in->funcs);
	free(in->bodies);
	ir_ptrmap_release(&in->aliases);
	ir_ptrmap_release(&in->unit_funcs);
	ir_ptrmap_release(&in->unit_globals);
}

static void link_types(struct linker *l)
{
	struct typelink *t = typelink_new(l->out);
	struct ir_module **list = xcalloc(l->nall + 1, sizeof(*list));
	uint32_t **maps;

	for (unsigned i = 0; i < l->nall; i++)
		list[i] = (struct ir_module *)l->in[i].m;
	maps = typelink_all(t, list, l->nall);
	for (unsigned i = 0; i < l->nall; i++)
		l->in[i].types = maps[i];
	free(maps);
	free(list);
	typelink_free(t);
}

/* Makes the inputs: the units that are not repetitions, then the modules that other bodies come from. */
static void open_all(struct linker *l, struct ir_module *const *in, struct ir_module *const *over,
		     unsigned n)
{
	unsigned *list = xcalloc(n + 1, sizeof(*list));

	l->n = drop_repeated(list, in, n, l->scopes);
	l->nall = l->n;
	l->in = xcalloc(2 * l->n + 1, sizeof(*l->in));
	for (unsigned i = 0; i < l->n; i++) {
		l->in[i].m = in[list[i]];
		l->in[i].scope = l->scopes ? l->scopes->of[list[i]] : 0;
		open_units(l, &l->in[i]);
		open_input(l, &l->in[i]);
	}
	for (unsigned i = 0; i < l->n; i++)
		if (over && over[list[i]]) {
			struct input *o = l->in[i].over = &l->in[l->nall++];

			o->m = over[list[i]];
			o->unit0 = l->in[i].unit0;
			o->scope = l->in[i].scope;
			open_input(l, o);
		}
	free(list);
}

int ir_link_over(struct ir_module **out, struct ir_module *const *in, struct ir_module *const *over,
		 unsigned n, const struct ir_scopes *scopes, unsigned *dups)
{
	struct linker l = { .out = ir_module_new(), .scopes = scopes };

	open_all(&l, in, over, n);
	copy_models(&l);
	link_types(&l);
	compete_all(&l);
	place_definitions(&l);
	resolve_all(&l);
	for (unsigned i = 0; i < l.n; i++)
		if (l.in[i].over)
			take_bodies(&l, &l.in[i]);
	assert(l.globals.n == l.out->globals.n && l.funcs.n == l.out->funcs.n);
	for (uint32_t i = 0; i < l.out->globals.n; i++)
		copy_global(&l, i);
	grow_commons(&l);
	for (uint32_t i = 0; i < l.out->funcs.n; i++)
		copy_func(&l, i);
	for (unsigned i = 0; i < l.n; i++)
		copy_aliases(&l, &l.in[i]);
	*out = l.out;
	if (dups)
		*dups = l.dups;

	for (unsigned i = 0; i < l.nall; i++)
		close_input(&l.in[i]);
	free(l.in);
	winners_release(&l.winners);
	vec_release(&l.globals);
	vec_release(&l.funcs);
	/* plumb-ignore: close_input() was called for each of the inputs */
	return 0;
}

int ir_link(struct ir_module **out, struct ir_module *const *in, unsigned n, unsigned *dups)
{
	return ir_link_over(out, in, NULL, n, NULL, dups);
}
