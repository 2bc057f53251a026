/*
 * mssa.c - mu and chi (Figure 4), and SSA form for regions.
 *
 * [S-LD]: a mu for every region that a load may read.  [S-ST]: a chi for every
 * region a store may modify; if the store names one concrete place the old
 * version is dropped (a strong update).  [S-CSMU], [S-CSCHI]: the same for calls
 * by what their callees read and modify.  [S-RET]: a mu at the return for every
 * region that the function may have modified for its caller.
 */
#include "mssa/priv.h"

#include "pta/facts.h"

#include "base/clock.h"
#include "base/sbuf.h"
#include "ir/rename.h"

#define MAP_NAME setmap
#define MAP_KEY const struct sbits *
#define MAP_VAL uint32_t
#define MAP_HASH(k) sbits_hash(k)
#define MAP_EQ(a, b) sbits_equal(a, b)
#include "base/map.h"

struct build {
	struct mssa *s;
	uint32_t func;
	const struct ir_func *f;
	struct mssa_access *acc;	/* by instruction */
	struct mssa_classes cls;
	uint32_t *word_base;		/* rank of each word of cls.all */
	struct setmap sets;		/* distinct sets -> index into set_regions */
	VEC(struct bits) set_regions;	/* regions of that set */
	VEC(struct rename_event) events;
	VEC(uint32_t) event_inst;
	uint32_t *row;
};

static uint32_t class_of(const struct build *b, uint32_t loc)
{
	const struct sbits *all = &b->cls.all;
	uint32_t lo = 0, hi = all->n, rank;
	uint64_t before = (1ull << (loc & 63)) - 1;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (all->v[mid].at < loc >> 6)
			lo = mid + 1;
		else
			hi = mid;
	}
	assert(lo < all->n && all->v[lo].at == loc >> 6);
	rank = b->word_base[lo] + (uint32_t)__builtin_popcountll(all->v[lo].w & before);
	return b->cls.class_of[rank];
}

static void collect_sets(struct build *b)
{
	VEC(const struct sbits *) sets = {0};
	const struct sbits *k;
	uint32_t it = 0, members = 0;

	b->acc = xcalloc(MAX(b->f->ninsts, 1), sizeof(*b->acc));
	for (uint32_t i = 0; i < b->f->ninsts; i++) {
		mssa__access(b->s, b->func, i, &b->acc[i]);
		if (b->acc[i].ref.n)
			setmap_put(&b->sets, &b->acc[i].ref, NULL);
		if (b->acc[i].mod.n)
			setmap_put(&b->sets, &b->acc[i].mod, NULL);
	}
	if (b->s->mod[b->func].n)
		setmap_put(&b->sets, &b->s->mod[b->func], NULL);
	while (setmap_next(&b->sets, &it, &k, NULL))
		vec_push(&sets, k);
	mssa__classes(&b->cls, sets.v, sets.n);
	b->word_base = xcalloc((size_t)b->cls.all.n + 1, sizeof(*b->word_base));
	for (uint32_t i = 0; i < b->cls.all.n; i++) {
		b->word_base[i] = members;
		members += (uint32_t)__builtin_popcountll(b->cls.all.v[i].w);
	}
	vec_release(&sets);
}

/* The regions that make up each distinct set. */
static void find_set_regions(struct build *b)
{
	const struct sbits *k;
	uint32_t it = 0, *index;

	while (setmap_next(&b->sets, &it, &k, &index)) {
		struct bits r;

		bits_init(&r, b->cls.n);
		SBITS_FOREACH(loc, k)
			bits_set(&r, class_of(b, loc));
		*index = b->set_regions.n;
		vec_push(&b->set_regions, r);
	}
}

static void add_events(struct build *b, const struct sbits *set, uint32_t inst, bool use, bool def)
{
	const uint32_t *index = set->n ? setmap_get(&b->sets, set) : NULL;
	const struct bits *r;

	if (!index)
		return;
	r = &b->set_regions.v[*index];
	for (uint32_t i = bits_next(r, 0); i != UINT32_MAX; i = bits_next(r, i + 1)) {
		vec_push(&b->events, ((struct rename_event){ i, use, def }));
		vec_push(&b->event_inst, inst);
	}
}

static void make_events(struct build *b)
{
	b->row = xcalloc((size_t)b->f->nblocks + 1, sizeof(*b->row));
	for (uint32_t bl = 0; bl < b->f->nblocks; bl++) {
		const struct ir_block *block = &b->f->blocks[bl];

		for (uint32_t i = block->first; i < block->first + block->n; i++) {
			add_events(b, &b->acc[i].ref, i, true, false);
			add_events(b, &b->acc[i].mod, i, !b->acc[i].strong, true);
			if (b->f->insts[i].op == IR_RET)
				add_events(b, &b->s->mod[b->func], i, true, false);
		}
		b->row[bl + 1] = b->events.n;
	}
}

/* How versions are numbered: entries, then chis in program order, then phis. */
struct numbering {
	uint32_t nregions, nchi, nevents;
	uint32_t *of_event;		/* by event that is a chi */
};

/* The version that a definition of rename.c is, for a region. */
static uint32_t version(const struct numbering *n, uint32_t def, uint32_t region)
{
	if (def == IR_NONE)
		return region;
	if (def >= n->nevents)
		return n->nregions + n->nchi + def - n->nevents;
	assert(n->of_event[def] >= n->nregions);
	return n->of_event[def];
}

/* Makes the versions of what rename.c found. */
static void take_over(struct build *b, const struct rename *r)
{
	struct mssa_func *out = &b->s->funcs[b->func];
	struct arena *arena = &b->s->arena;
	uint32_t *of_event = xcalloc((size_t)r->nevents + 1, sizeof(*of_event));
	struct numbering n = { .nregions = b->cls.n, .nevents = r->nevents, .of_event = of_event };
	uint32_t nchi = 0, nmu = 0, d, u = 0;

	for (uint32_t i = 0; i < r->nevents; i++) {
		nchi += r->events[i].def;
		nmu += !r->events[i].def;
	}
	n.nchi = nchi;
	out->nregions = b->cls.n;
	out->ndefs = out->nregions + nchi + r->nphis;
	out->defs = arena_array(arena, struct mssa_def, out->ndefs);
	out->nuses = nmu;
	out->uses = arena_array(arena, struct mssa_use, nmu);
	out->use_row = arena_array(arena, uint32_t, b->f->ninsts + 1);
	out->def_row = arena_array(arena, uint32_t, b->f->ninsts + 1);
	out->def_of = arena_array(arena, uint32_t, nchi);
	for (d = 0; d < out->nregions; d++)
		out->defs[d] = (struct mssa_def){ MSSA_ENTRY, false, d, 0, IR_NONE, IR_NONE, NULL };
	for (uint32_t i = 0; i < r->nevents; i++)
		if (r->events[i].def)
			of_event[i] = d++;
	assert(d == out->nregions + nchi);
	d = 0;
	for (uint32_t i = 0; i < r->nevents; i++) {
		uint32_t inst = b->event_inst.v[i], region = r->events[i].var;

		if (r->events[i].def) {
			out->defs[of_event[i]] = (struct mssa_def){
				b->acc[inst].kind, b->acc[inst].strong, region, b->f->insts[inst].block, inst,
				version(&n, r->reach[i], region), NULL,
			};
			out->def_row[inst + 1]++;
			out->def_of[d++] = of_event[i];
		} else {
			out->uses[u++] = (struct mssa_use){ inst, region, version(&n, r->reach[i], region) };
			out->use_row[inst + 1]++;
		}
	}
	for (uint32_t i = 0; i < b->f->ninsts; i++) {
		out->def_row[i + 1] += out->def_row[i];
		out->use_row[i + 1] += out->use_row[i];
	}
	for (uint32_t i = 0; i < r->nphis; i++) {
		uint32_t npred = b->f->blocks[r->phis[i].block].npred, region = r->phis[i].var;
		uint32_t *args = arena_array(arena, uint32_t, npred);

		for (uint32_t k = 0; k < npred; k++)
			args[k] = version(&n, r->phis[i].args[k], region);
		out->defs[out->nregions + nchi + i] = (struct mssa_def){
			MSSA_PHI, false, region, r->phis[i].block, IR_NONE, IR_NONE, args,
		};
	}
	out->cells = arena_array(arena, struct sbits, out->nregions);
	SBITS_FOREACH(loc, &b->cls.all)
		sbits_set(&out->cells[class_of(b, loc)], loc);
	for (uint32_t k = 0; k < out->nregions; k++)
		shares_put(&b->s->shares, &out->cells[k]);
	b->s->stats.regions += out->nregions;
	b->s->stats.defs += out->ndefs;
	b->s->stats.uses += out->nuses;
	free(of_event);
}

static void build_function(struct mssa *s, uint32_t func)
{
	struct build b = { .s = s, .func = func, .f = &s->m->funcs.v[func] };
	struct rename r = { .f = b.f, .dom = &pta_ssa(s->p, func)->dom };
	struct arena scratch;

	arena_init(&scratch);
	collect_sets(&b);
	find_set_regions(&b);
	make_events(&b);
	r.nvars = b.cls.n;
	r.nevents = b.events.n;
	r.events = b.events.v;
	r.row = b.row;
	rename_run(&r, &scratch);
#ifdef PLUMB_DEBUG
	rename_check(&r);
#endif
	take_over(&b, &r);
	for (uint32_t i = 0; i < b.f->ninsts; i++)
		mssa__access_release(&b.acc[i]);
	free(b.acc);
	free(b.row);
	free(b.word_base);
	for (uint32_t i = 0; i < b.set_regions.n; i++)
		bits_release(&b.set_regions.v[i]);
	vec_release(&b.set_regions);
	vec_release(&b.events);
	vec_release(&b.event_inst);
	setmap_release(&b.sets);
	mssa__classes_release(&b.cls);
	arena_release(&scratch);
}

struct mssa *mssa_new(const struct pta *p)
{
	struct mssa *s = xcalloc(1, sizeof(*s));
	double start = clock_now();

	s->p = p;
	s->m = pta_module(p);
	arena_init(&s->arena);
	mssa__find_tracked(s);
	mssa__find_visible(s);
	mssa__modref(s);
	s->stats.seconds_modref = clock_now() - start;
	start = clock_now();
	s->funcs = xcalloc(MAX(s->m->funcs.n, 1), sizeof(*s->funcs));
	for (uint32_t i = 0; i < s->m->funcs.n; i++)
		if (!ir_is_decl(&s->m->funcs.v[i]))
			build_function(s, i);
	s->stats.seconds_ssa = clock_now() - start;
#ifdef PLUMB_DEBUG
	mssa_check(s);
#endif
	return s;
}

/* ---- invariants ------------------------------------------------------ */

static void check_set(const struct mssa *s, const struct sbits *set)
{
	assert(sbits__check(set));
	SBITS_FOREACH(loc, set)
		assert(bits_test(&s->tracked, loc));
}

static void check_def(const struct mssa_func *mf, const struct ir_func *f, uint32_t d)
{
	const struct mssa_def *x = &mf->defs[d];

	assert(x->region < mf->nregions && x->block < f->nblocks);
	assert(!x->strong || x->kind == MSSA_STORE);
	switch ((enum mssa_kind)x->kind) {
	case MSSA_ENTRY:
		assert(d == x->region && x->inst == IR_NONE && x->block == 0);
		break;
	case MSSA_STORE:
	case MSSA_COPY:
	case MSSA_CALL:
		assert(f->insts[x->inst].block == x->block);
		assert(x->old < mf->ndefs && mf->defs[x->old].region == x->region);
		break;
	case MSSA_PHI:
		assert(x->inst == IR_NONE);
		for (uint32_t k = 0; k < f->blocks[x->block].npred; k++)
			assert(x->args[k] < mf->ndefs && mf->defs[x->args[k]].region == x->region);
		break;
	}
}

static void check_use(const struct mssa_func *mf, const struct mssa_use *u, uint32_t inst)
{
	assert(u->inst == inst && u->def < mf->ndefs && mf->defs[u->def].region == u->region);
}

static void check_func(const struct mssa *s, uint32_t func)
{
	const struct mssa_func *mf = &s->funcs[func];
	const struct ir_func *f = &s->m->funcs.v[func];
	struct sbits all = {0};
	uint32_t members = 0;

	for (uint32_t r = 0; r < mf->nregions; r++) {
		check_set(s, &mf->cells[r]);
		assert(mf->cells[r].n && mf->defs[r].kind == MSSA_ENTRY);
		members += sbits_count(&mf->cells[r]);
		sbits_or(&all, &mf->cells[r]);
	}
	assert(sbits_count(&all) == members);	/* disjoint */
	sbits_release(&all);
	for (uint32_t d = 0; d < mf->ndefs; d++)
		check_def(mf, f, d);
	assert(mf->use_row[f->ninsts] == mf->nuses);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		assert(mf->use_row[i] <= mf->use_row[i + 1] && mf->def_row[i] <= mf->def_row[i + 1]);
		for (uint32_t k = mf->use_row[i]; k < mf->use_row[i + 1]; k++)
			check_use(mf, &mf->uses[k], i);
		for (uint32_t k = mf->def_row[i]; k < mf->def_row[i + 1]; k++)
			assert(mf->defs[mf->def_of[k]].inst == i);
	}
}

void mssa_check(const struct mssa *s)
{
	for (uint32_t l = bits_next(&s->tracked, 0); l != UINT32_MAX; l = bits_next(&s->tracked, l + 1))
		assert(!bits_test(&s->escaped, pta_loc(s->p, l)->obj));
	for (uint32_t i = 0; i < s->m->funcs.n; i++) {
		check_set(s, &s->visible[i]);
		check_set(s, &s->ref[i]);
		check_set(s, &s->mod[i]);
		if (!ir_is_decl(&s->m->funcs.v[i]))
			check_func(s, i);
	}
}

void mssa_free(struct mssa *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->m->funcs.n; i++) {
		for (uint32_t r = 0; r < s->funcs[i].nregions; r++)
			sbits_release(&s->funcs[i].cells[r]);
		sbits_release(&s->visible[i]);
		sbits_release(&s->ref[i]);
		sbits_release(&s->mod[i]);
	}
	shares_release(&s->shares);
	free(s->funcs);
	free(s->visible);
	free(s->ref);
	free(s->mod);
	bits_release(&s->tracked);
	bits_release(&s->escaped);
	arena_release(&s->arena);
	free(s);
}

const struct pta *mssa_pta(const struct mssa *s)
{
	return s->p;
}

const struct mssa_func *mssa_func(const struct mssa *s, uint32_t func)
{
	trace_note(FACT_INSIDE, func, 0);
	trace_note(FACT_MEMORY, func, 0);
	return ir_is_decl(&s->m->funcs.v[func]) ? NULL : &s->funcs[func];
}

bool mssa_tracked(const struct mssa *s, uint32_t loc)
{
	trace_note(FACT_OTHER, 0, 0);
	return bits_test(&s->tracked, loc);
}

bool mssa_escaped(const struct mssa *s, uint32_t obj)
{
	trace_note(FACT_OBJECT, obj, 0);
	return bits_test(&s->escaped, obj);
}

const struct sbits *mssa_ref(const struct mssa *s, uint32_t func)
{
	trace_note(FACT_OTHER, 0, 0);
	return &s->ref[func];
}

const struct sbits *mssa_mod(const struct mssa *s, uint32_t func)
{
	trace_note(FACT_OTHER, 0, 0);
	return &s->mod[func];
}

void mssa_get_stats(const struct mssa *s, struct mssa_stats *out)
{
	*out = s->stats;
}

/* ---- as text --------------------------------------------------------- */

static void dump_set(const struct mssa *s, const struct sbits *set, FILE *f)
{
	struct sbuf b = {0};

	SBITS_FOREACH(loc, set) {
		sbuf_adds(&b, b.n ? ", " : "");
		pta_loc_name(s->p, loc, &b);
	}
	fprintf(f, "{%s}", sbuf_str(&b));
	sbuf_release(&b);
}

static void dump_inst(const struct mssa_func *mf, const struct ir_func *fn, uint32_t i, FILE *f)
{
	if (mf->use_row[i] == mf->use_row[i + 1] && mf->def_row[i] == mf->def_row[i + 1])
		return;
	fprintf(f, "  %u: %s", fn->insts[i].pos.line, ir_opinfo[fn->insts[i].op].name);
	for (uint32_t k = mf->use_row[i]; k < mf->use_row[i + 1]; k++)
		fprintf(f, " mu(R%u.%u)", mf->uses[k].region, mf->uses[k].def);
	for (uint32_t k = mf->def_row[i]; k < mf->def_row[i + 1]; k++) {
		const struct mssa_def *d = &mf->defs[mf->def_of[k]];

		if (d->strong)
			fprintf(f, " R%u.%u=strong", d->region, mf->def_of[k]);
		else
			fprintf(f, " R%u.%u=chi(R%u.%u)", d->region, mf->def_of[k], d->region, d->old);
	}
	fprintf(f, "\n");
}

static void dump_phis(const struct mssa_func *mf, const struct ir_func *fn, uint32_t block, FILE *f)
{
	for (uint32_t d = 0; d < mf->ndefs; d++) {
		if (mf->defs[d].kind != MSSA_PHI || mf->defs[d].block != block)
			continue;
		fprintf(f, "  b%u: R%u.%u=phi(", block, mf->defs[d].region, d);
		for (uint32_t k = 0; k < fn->blocks[block].npred; k++)
			fprintf(f, "%sR%u.%u", k ? ", " : "", mf->defs[d].region, mf->defs[d].args[k]);
		fprintf(f, ")\n");
	}
}

void mssa_dump(const struct mssa *s, FILE *f)
{
	for (uint32_t i = 0; i < s->m->funcs.n; i++) {
		const struct ir_func *fn = &s->m->funcs.v[i];
		const struct mssa_func *mf = mssa_func(s, i);

		if (!mf)
			continue;
		fprintf(f, "%s: ref ", fn->name);
		dump_set(s, &s->ref[i], f);
		fprintf(f, " mod ");
		dump_set(s, &s->mod[i], f);
		fprintf(f, "\n");
		for (uint32_t r = 0; r < mf->nregions; r++) {
			fprintf(f, "  R%u = ", r);
			dump_set(s, &mf->cells[r], f);
			fprintf(f, "\n");
		}
		for (uint32_t b = 0; b < fn->nblocks; b++) {
			dump_phis(mf, fn, b, f);
			for (uint32_t k = fn->blocks[b].first; k < fn->blocks[b].first + fn->blocks[b].n; k++)
				dump_inst(mf, fn, k, f);
		}
	}
}
