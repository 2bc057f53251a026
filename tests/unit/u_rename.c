/*
 * u_rename.c - SSA construction: for any variables (rename.h), and for the slots
 * of a function (ssa.h).
 *
 * Random functions are run along random paths, with their variables as memory
 * and through SSA names at once; both must give the same everywhere.  Where phis
 * stand is compared with the definition: the iterated dominance frontier of the
 * definitions, where the variable is live.
 */
#include "u_ir.h"

#include "base/mem.h"
#include "ir/rename.h"
#include "ir/ssa.h"

enum { MAX_BLOCKS = 14, MAX_STEPS = 60, PATHS = 6 };

/* ---- random bodies ------------------------------------------------------ */

struct flow {
	uint32_t n;
	uint32_t nto[MAX_BLOCKS], to[MAX_BLOCKS][3];
};

/* Nothing leads to the entry; some blocks nothing leads to. */
static void random_flow(struct flow *fl, struct unit_rng *r)
{
	fl->n = 1 + unit_below(r, MAX_BLOCKS);
	for (uint32_t b = 0; b < fl->n; b++) {
		fl->nto[b] = fl->n > 1 ? unit_below(r, 4) : 0;
		if (!fl->nto[b] && b + 1 < fl->n && unit_below(r, 4))
			fl->nto[b] = 1;
		for (uint32_t k = 0; k < fl->nto[b]; k++)
			fl->to[b][k] = unit_below(r, 2) && b + 1 < fl->n ? b + 1 : 1 + unit_below(r, fl->n - 1);
	}
}

static void put_end(struct ir_builder *b, const struct flow *fl, uint32_t block)
{
	if (fl->nto[block])
		ir_body_targets(b, ir_body_inst(b, IR_GOTO, IR_C_VOID, 0, (ir_ref[]){ IR_UNDEF }, 1), fl->to[block],
				fl->nto[block]);
	else
		ir_body_inst(b, IR_RET, IR_C_VOID, 0, NULL, 0);
}

static void begin(struct ir_builder *b, struct ir_module *m, const struct flow *fl)
{
	ir_add_func(m, "f", IR_L_EXTERNAL);
	ir_body_begin(b, m, 0);
	for (uint32_t i = 0; i < fl->n; i++)
		ir_body_block(b);
}

static struct ir_module *bare_function(const struct flow *fl)
{
	struct ir_module *m = ir_module_new();
	struct ir_builder b;

	begin(&b, m, fl);
	for (uint32_t i = 0; i < fl->n; i++) {
		ir_body_at(&b, i);
		put_end(&b, fl, i);
	}
	ir_body_end(&b);
	return m;
}

/* Which predecessor of `to` is `from`? */
static uint32_t pred_index(const struct ir_func *f, uint32_t to, uint32_t from)
{
	uint32_t k = 0;

	while (f->blocks[to].pred[k] != from)
		k++;
	return k;
}

/* ---- where phis belong --------------------------------------------------- */

enum { NOTHING, USED, DEFINED };

/* What happens first to a variable in a block. */
typedef int first_fn(const void *ctx, uint32_t block, uint32_t var);

static bool live_at(const struct ir_func *f, first_fn *first, const void *ctx, uint32_t block, uint32_t var,
		    bool *seen)
{
	int what = first(ctx, block, var);

	if (seen[block] || what != NOTHING)
		return !seen[block] && what == USED;
	seen[block] = true;
	for (uint32_t k = 0; k < f->blocks[block].nsucc; k++)
		if (live_at(f, first, ctx, f->blocks[block].succ[k], var, seen))
			return true;
	return false;
}

/* The blocks of var's phis, unpruned: the frontier of the defining blocks and of
 * what was added so. */
static void iterate_frontier(const struct dom *d, const bool *defines, bool *phi)
{
	uint32_t *row, *to;
	bool changed = true;

	dom_frontier(d, &row, &to);
	while (changed) {
		changed = false;
		for (uint32_t b = 0; b < d->n; b++)
			for (uint32_t k = row[b]; (defines[b] || phi[b]) && k < row[b + 1]; k++) {
				changed |= !phi[to[k]];
				phi[to[k]] = true;
			}
	}
	free(row);
	free(to);
}

/* Checks that `has` (by block) is exactly where var needs a phi. */
static void check_places(const struct ir_func *f, const struct dom *d, first_fn *first, const void *ctx,
			 uint32_t var, const bool *defines, const bool *has)
{
	bool phi[MAX_BLOCKS] = {0};

	iterate_frontier(d, defines, phi);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		bool seen[MAX_BLOCKS] = {0};
		bool want = phi[b] && live_at(f, first, ctx, b, var, seen);

		if (has[b] != want)
			FAIL("variable %u at block %u: %d phis, expected %d", var, b, has[b], want);
	}
}

/* ---- rename_run() --------------------------------------------------------- */

struct events {
	uint32_t nvars, n;
	struct rename_event v[MAX_BLOCKS * 6];
	uint32_t row[MAX_BLOCKS + 1];
};

static void random_events(struct events *e, uint32_t nblocks, struct unit_rng *r)
{
	memset(e, 0, sizeof(*e));
	e->nvars = 1 + unit_below(r, 4);
	for (uint32_t b = 0; b < nblocks; b++) {
		for (uint32_t k = unit_below(r, 6); k > 0; k--) {
			uint32_t what = 1 + unit_below(r, 3);

			e->v[e->n++] = (struct rename_event){ unit_below(r, e->nvars), what & 1, what & 2 };
		}
		e->row[b + 1] = e->n;
	}
}

static int first_event(const void *ctx, uint32_t block, uint32_t var)
{
	const struct events *e = ctx;

	for (uint32_t i = e->row[block]; i < e->row[block + 1]; i++)
		if (e->v[i].var == var)
			return e->v[i].use ? USED : DEFINED;
	return NOTHING;
}

static void check_rename_places(const struct rename *r, const struct events *e)
{
	for (uint32_t var = 0; var < e->nvars; var++) {
		bool defines[MAX_BLOCKS] = {0}, has[MAX_BLOCKS] = {0};

		for (uint32_t b = 0; b < r->f->nblocks; b++)
			for (uint32_t i = e->row[b]; i < e->row[b + 1]; i++)
				if (e->v[i].var == var && e->v[i].def && dom_reachable(r->dom, b))
					defines[b] = true;
		for (uint32_t i = 0; i < r->nphis; i++)
			if (r->phis[i].var == var) {
				CHECK(!has[r->phis[i].block]);
				has[r->phis[i].block] = true;
			}
		check_places(r->f, r->dom, first_event, e, var, defines, has);
	}
}

static void check_rename_shape(const struct rename *r)
{
	CHECK_EQ_INT(r->phi_row[0], 0);
	CHECK_EQ_INT(r->phi_row[r->f->nblocks], r->nphis);
	for (uint32_t b = 0; b < r->f->nblocks; b++) {
		for (uint32_t i = r->phi_row[b]; i < r->phi_row[b + 1]; i++) {
			CHECK_EQ_INT(r->phis[i].block, b);
			CHECK(i == r->phi_row[b] || r->phis[i - 1].var < r->phis[i].var);
			for (uint32_t k = 0; k < r->f->blocks[b].npred; k++)
				CHECK(dom_reachable(r->dom, r->f->blocks[b].pred[k]) ||
				      r->phis[i].args[k] == IR_NONE);
		}
		for (uint32_t i = r->row[b]; i < r->row[b + 1]; i++)
			CHECK(dom_reachable(r->dom, b) || r->reach[i] == IR_NONE);
	}
}

/* The event behind a definition, now that the phis have these values. */
static uint32_t event_of(const struct rename *r, uint32_t def, const uint32_t *phi)
{
	return def != IR_NONE && def >= r->nevents ? phi[def - r->nevents] : def;
}

static void walk_events(const struct rename *r, struct unit_rng *rng)
{
	uint32_t now[4] = { IR_NONE, IR_NONE, IR_NONE, IR_NONE }, b = 0;
	uint32_t *phi = xcalloc(MAX(r->nphis, 1), sizeof(*phi)), *old = xcalloc(MAX(r->nphis, 1), sizeof(*old));

	for (int step = 0; step < MAX_STEPS; step++) {
		const struct ir_block *bl = &r->f->blocks[b];
		uint32_t next, k;

		for (uint32_t i = r->row[b]; i < r->row[b + 1]; i++) {
			const struct rename_event *e = &r->events[i];

			if (e->use)
				CHECK_EQ_INT(event_of(r, r->reach[i], phi), now[e->var]);
			if (e->def)
				now[e->var] = i;
		}
		if (!bl->nsucc)
			break;
		next = bl->succ[unit_below(rng, bl->nsucc)];
		k = pred_index(r->f, next, b);
		memcpy(old, phi, r->nphis * sizeof(*phi));
		for (uint32_t i = r->phi_row[next]; i < r->phi_row[next + 1]; i++) {
			phi[i] = event_of(r, r->phis[i].args[k], old);
			CHECK_EQ_INT(phi[i], now[r->phis[i].var]);
		}
		b = next;
	}
	free(phi);
	free(old);
}

TEST(random_events)
{
	struct unit_rng rng = { 6 };
	uint32_t phis = 0;

	for (int round = 0; round < 1500; round++) {
		struct flow fl;
		struct events e;
		struct ir_module *m;
		struct arena arena;
		struct dom d;

		random_flow(&fl, &rng);
		random_events(&e, fl.n, &rng);
		m = bare_function(&fl);
		check_valid(m);
		arena_init(&arena);
		dom_init(&d, &m->funcs.v[0]);
		struct rename r = { .f = &m->funcs.v[0], .dom = &d, .nvars = e.nvars, .nevents = e.n,
				    .events = e.v, .row = e.row };
		rename_run(&r, &arena);
		check_rename_shape(&r);
		check_rename_places(&r, &e);
		for (int i = 0; i < PATHS; i++)
			walk_events(&r, &rng);
		phis += r.nphis;
		dom_release(&d);
		arena_release(&arena);
		ir_module_free(m);
	}
	CHECK(phis > 1000);	/* the rounds are worth something */
}

TEST(no_variables)
{
	struct flow fl = { .n = 1 };
	struct ir_module *m = bare_function(&fl);
	uint32_t row[2] = {0};
	struct arena arena;
	struct dom d;

	arena_init(&arena);
	dom_init(&d, &m->funcs.v[0]);
	struct rename r = { .f = &m->funcs.v[0], .dom = &d, .row = row };
	rename_run(&r, &arena);
	CHECK_EQ_INT(r.nphis, 0);
	CHECK_EQ_INT(r.phi_row[1], 0);
	dom_release(&d);
	arena_release(&arena);
	ir_module_free(m);
}

/* ---- ssa_init() on random functions ---------------------------------------- */

enum { MAX_SLOTS = 4, UNDEF_VALUE = 77777777, ADDRESS = 1000000 };

/* A value that may stand as an operand in block b: a vreg whose block dominates
 * it, or a constant. */
static ir_ref random_operand(struct ir_builder *b, const struct dom *d, uint32_t block, const uint32_t *block_of,
			     struct unit_rng *r)
{
	ir_ref pick = IR_UNDEF;
	uint32_t n = 0;

	for (uint32_t v = 0; v < b->nvregs; v++)
		if ((block_of[v] == block || dom_dominates(d, block_of[v], block)) && !unit_below(r, ++n))
			pick = IR_VREG(v);
	return n && unit_below(r, 4) ? pick : ir_int(b->m, unit_below(r, 1000));
}

/* The last of the slots may have its address taken; the others are promoted. */
static void random_inst(struct ir_builder *b, const struct dom *d, uint32_t block, uint32_t *block_of,
			struct unit_rng *r)
{
	ir_ref x = random_operand(b, d, block, block_of, r), y = random_operand(b, d, block, block_of, r);
	ir_ref slot = IR_SLOT(unit_below(r, MAX_SLOTS + 1));
	struct ir_inst *in = NULL;

	switch (unit_below(r, 8)) {
	case 0:
	case 1:
	case 2:
		in = ir_body_inst(b, IR_LOAD, IR_C_INT, 64, &slot, 1);
		break;
	case 3:
	case 4:
		ir_body_inst(b, IR_STORE, IR_C_INT, 64, (ir_ref[]){ slot, x }, 2);
		return;
	case 5:
		in = ir_body_inst(b, IR_COPY, IR_C_INT, 64, &x, 1);
		break;
	case 6:
		slot = IR_SLOT(MAX_SLOTS);
		in = ir_body_inst(b, IR_CAST, IR_C_INT, 64, unit_below(r, 4) ? &x : &slot, 1);
		in->sub = in->ops[0] == slot ? IR_CAST_PTRTOINT : IR_CAST_BITCAST;
		in->from = 64;
		break;
	case 7:
		in = ir_body_inst(b, IR_BIN, IR_C_INT, 64, (ir_ref[]){ x, y }, 2);
		in->sub = IR_B_ADD;
		break;
	}
	block_of[in->res] = block;
}

static struct ir_module *random_function(const struct flow *fl, struct unit_rng *r)
{
	struct ir_module *bare = bare_function(fl), *m = ir_module_new();
	struct ir_slot slot = { .name = "v", .size = 8, .pos = { IR_NONE, 0, 0 } };
	uint32_t block_of[MAX_BLOCKS * 10];
	struct ir_builder b;
	struct dom d;

	dom_init(&d, &bare->funcs.v[0]);
	begin(&b, m, fl);
	b.pos.file = IR_NONE;
	for (int i = 0; i <= MAX_SLOTS; i++)
		ir_body_slot(&b, &slot);
	for (uint32_t i = 0; i < fl->n; i++) {
		const struct ir_block *bl = &bare->funcs.v[0].blocks[i];

		ir_body_at(&b, i);
		if (bl->npred && !unit_below(r, 4)) {
			ir_ref ops[MAX_BLOCKS];
			struct ir_inst *in;

			for (uint32_t k = 0; k < bl->npred; k++)
				ops[k] = ir_int(m, 2000 + k);
			in = ir_body_inst(&b, IR_PHI, IR_C_INT, 64, ops, bl->npred);
			ir_body_targets(&b, in, bl->pred, bl->npred);
			block_of[in->res] = i;
		}
		for (uint32_t k = unit_below(r, 9); k > 0; k--)
			random_inst(&b, &d, i, block_of, r);
		put_end(&b, fl, i);
	}
	ir_body_end(&b);
	dom_release(&d);
	ir_module_free(bare);
	return m;
}

struct machine {
	const struct ir_module *m;
	const struct ir_func *f;
	const struct ssa *s;
	uint64_t slot[MAX_SLOTS + 1];
	uint64_t *value;		/* vregs as computed from memory, then phis */
};

static uint64_t value_of(const struct machine *mc, ir_ref r)
{
	if (IR_KIND(r) == IR_R_VREG) {
		CHECK(IR_IDX(r) < mc->s->nvalues);
		return mc->value[IR_IDX(r)];
	}
	if (IR_KIND(r) == IR_R_SLOT)
		return ADDRESS + IR_IDX(r);
	if (IR_KIND(r) == IR_R_INT)
		return (uint64_t)ir_int_value(mc->m, r);
	CHECK(r == IR_UNDEF);
	return UNDEF_VALUE;
}

static void run_block(struct machine *mc, uint32_t block, uint32_t pred)
{
	const struct ir_block *bl = &mc->f->blocks[block];

	for (uint32_t i = bl->first; i < bl->first + bl->n; i++) {
		const struct ir_inst *in = &mc->f->insts[i];
		uint32_t slot = in->nops ? IR_IDX(in->ops[0]) : 0;

		for (uint32_t k = 0; k < in->nops && in->op != IR_PHI; k++)
			CHECK_EQ_INT(value_of(mc, ssa_ref(mc->s, in->ops[k])), value_of(mc, in->ops[k]));
		switch (in->op) {
		case IR_PHI:
			mc->value[in->res] = value_of(mc, in->ops[pred]);
			break;
		case IR_LOAD:
			mc->value[in->res] = mc->slot[slot];
			break;
		case IR_STORE:
			mc->slot[slot] = value_of(mc, in->ops[1]);
			break;
		case IR_COPY:
		case IR_CAST:
			mc->value[in->res] = value_of(mc, in->ops[0]);
			break;
		case IR_BIN:
			mc->value[in->res] = value_of(mc, in->ops[0]) + value_of(mc, in->ops[1]);
			break;
		}
		if (in->res != IR_NONE)
			CHECK_EQ_INT(value_of(mc, ssa_ref(mc->s, IR_VREG(in->res))), mc->value[in->res]);
	}
}

static void walk_function(struct machine *mc, struct unit_rng *rng)
{
	const struct ssa *s = mc->s;
	uint64_t *fresh = xcalloc(MAX(s->nphis, 1), sizeof(*fresh));
	uint32_t b = 0, next, k = 0;

	mc->value = xcalloc(MAX(s->nvalues, 1), sizeof(*mc->value));
	for (int i = 0; i <= MAX_SLOTS; i++)
		mc->slot[i] = UNDEF_VALUE;
	for (int step = 0; step < MAX_STEPS; step++) {
		run_block(mc, b, k);
		if (!mc->f->blocks[b].nsucc)
			break;
		next = mc->f->blocks[b].succ[unit_below(rng, mc->f->blocks[b].nsucc)];
		k = pred_index(mc->f, next, b);
		for (uint32_t i = s->phi_row[next]; i < s->phi_row[next + 1]; i++)
			fresh[i] = value_of(mc, s->phis[i].args[k]);
		for (uint32_t i = s->phi_row[next]; i < s->phi_row[next + 1]; i++)
			mc->value[mc->f->nvregs + i] = fresh[i];
		b = next;
	}
	free(fresh);
	free(mc->value);
}

static int first_access(const void *ctx, uint32_t block, uint32_t var)
{
	const struct ir_func *f = ctx;
	const struct ir_block *bl = &f->blocks[block];

	for (uint32_t i = bl->first; i < bl->first + bl->n; i++) {
		const struct ir_inst *in = &f->insts[i];

		if ((in->op == IR_LOAD || in->op == IR_STORE) && in->ops[0] == IR_SLOT(var))
			return in->op == IR_LOAD ? USED : DEFINED;
	}
	return NOTHING;
}

static void check_ssa_shape(const struct ssa *s)
{
	const struct ir_func *f = s->f;

	CHECK_EQ_INT(s->nvalues, f->nvregs + s->nphis);
	for (uint32_t slot = 0; slot <= MAX_SLOTS; slot++) {
		bool defines[MAX_BLOCKS] = {0}, has[MAX_BLOCKS] = {0};

		for (uint32_t i = 0; i < f->ninsts; i++)
			if (f->insts[i].op == IR_STORE && f->insts[i].ops[0] == IR_SLOT(slot) &&
			    dom_reachable(&s->dom, f->insts[i].block))
				defines[f->insts[i].block] = true;
		for (uint32_t i = 0; i < s->nphis; i++)
			if (s->phis[i].slot == slot)
				has[s->phis[i].block] = true;
		CHECK(s->promoted[slot] || slot == MAX_SLOTS);
		if (s->promoted[slot])
			check_places(f, &s->dom, first_access, f, slot, defines, has);
		else
			for (uint32_t b = 0; b < f->nblocks; b++)
				CHECK(!has[b]);
	}
	/* canonical: looking again changes nothing, and no load of a variable is left */
	for (uint32_t v = 0; v < f->nvregs; v++) {
		ir_ref r = ssa_ref(s, IR_VREG(v));
		const struct ir_inst *in = ssa_def(s, r);

		CHECK_EQ_INT(ssa_ref(s, r), r);
		if (ssa_is_phi(s, r))
			CHECK(s->promoted[ssa_phi(s, r)->slot]);
		if (in && dom_reachable(&s->dom, in->block))
			CHECK(in->op != IR_COPY && in->op != IR_CAST &&
			      (in->op != IR_LOAD || !s->promoted[IR_IDX(in->ops[0])]));
	}
	for (uint32_t i = 0; i < s->nphis; i++)
		for (uint32_t k = 0; k < f->blocks[s->phis[i].block].npred; k++)
			CHECK_EQ_INT(ssa_ref(s, s->phis[i].args[k]), s->phis[i].args[k]);
}

TEST(random_functions)
{
	struct unit_rng rng = { 7 };
	uint32_t phis = 0;

	for (int round = 0; round < 1500; round++) {
		struct flow fl;
		struct ir_module *m;
		struct ssa s;

		random_flow(&fl, &rng);
		m = random_function(&fl, &rng);
		check_valid(m);
		ssa_init(&s, &m->funcs.v[0]);
		check_ssa_shape(&s);
		struct machine mc = { .m = m, .f = &m->funcs.v[0], .s = &s };
		for (int i = 0; i < PATHS; i++)
			walk_function(&mc, &rng);
		phis += s.nphis;
		ssa_release(&s);
		ir_module_free(m);
	}
	CHECK(phis > 1000);
}

/* ---- by hand ----------------------------------------------------------------- */

#define UNIT "unit 0 \"/a.c\" dir \"/\"\n"

TEST(what_is_promoted)
{
	struct ir_module *m = from_text(UNIT
		"func @f(ptr) void external {\n"
		"	slot $0 plain: t0 size 8\n"
		"	slot $1 passed: t0 size 8\n"
		"	slot $2 mixed: t0 size 8\n"
		"	slot $3 stored: t0 size 8\n"
		"	slot $4 maybe: t0 size 8\n"
		"	slot $5 vla: t0 size 0 dynamic\n"
		"	slot $6 byval: t0 size 8 byval param 1\n"
		"	slot $7 member: t0 size 16\n"
		"	slot $8 unused: t0 size 8\n"
		"b0:\n"
		"	store ptr $0, %0\n"
		"	%1 = load ptr $0\n"
		"	store ptr $1, %0\n"
		"	call void @g($1)\n"
		"	store i64 $2, 1\n"
		"	%2 = load i32 $2\n"
		"	store ptr $0, $3\n"
		"	store maybe ptr $4, %1\n"
		"	%3 = load ptr $6\n"
		"	%4 = field $7, +8\n"
		"	%5 = load ptr %4\n"
		"	ret\n"
		"}\n"
		"func @g(ptr) void extern\n");
	const bool want[] = { true, false, false, false, false, false, false, false, true };
	struct ssa s;

	ssa_init(&s, &m->funcs.v[0]);
	for (uint32_t i = 0; i < ARRAY_LEN(want); i++)
		if (s.promoted[i] != want[i])
			FAIL("slot %s: promoted %d, expected %d", m->funcs.v[0].slots[i].name, s.promoted[i], want[i]);
	CHECK_EQ_INT(ssa_ref(&s, IR_VREG(1)), IR_VREG(0));
	CHECK_EQ_INT(ssa_ref(&s, IR_VREG(2)), IR_VREG(2));
	CHECK_EQ_INT(ssa_ref(&s, IR_VREG(3)), IR_VREG(3));
	CHECK_EQ_INT(s.var[0], 0);
	CHECK_EQ_INT(s.nphis, 0);
	ssa_release(&s);
	ir_module_free(m);
}

/* p is set on both ways and used after; q is not used any more, so it needs no
 * phi; a cast that cuts a pointer short is a value of its own. */
TEST(phi_and_casts)
{
	struct ir_module *m = from_text(UNIT
		"func @f(ptr, ptr, i1) ptr external {\n"
		"	slot $0 p: t0 size 8\n"
		"	slot $1 q: t0 size 8\n"
		"b0:\n"
		"	store ptr $0, %0\n"
		"	condbr %2, b1, b2\n"
		"b1:\n"
		"	%3 = ptrtoint i64 %1 from 64\n"
		"	%4 = inttoptr ptr %3 from 64\n"
		"	%5 = ptrtoint i32 %1 from 64\n"
		"	store ptr $0, %4\n"
		"	store ptr $1, %4\n"
		"	br b2\n"
		"b2:\n"
		"	store ptr $1, null\n"
		"	%6 = load ptr $0\n"
		"	%7 = copy ptr %6\n"
		"	%8 = load ptr $1\n"
		"	ret %7\n"
		"}\n");
	const struct ir_func *f = &m->funcs.v[0];
	const struct ssa_phi *phi;
	struct ssa s;

	ssa_init(&s, f);
	CHECK_EQ_INT(s.nphis, 1);
	CHECK_EQ_INT(ssa_ref(&s, IR_VREG(4)), IR_VREG(1));
	CHECK_EQ_INT(ssa_ref(&s, IR_VREG(5)), IR_VREG(5));
	CHECK_EQ_INT(ssa_ref(&s, IR_VREG(8)), IR_NULL);
	CHECK(ssa_is_phi(&s, ssa_ref(&s, IR_VREG(7))));
	CHECK(!ssa_def(&s, ssa_ref(&s, IR_VREG(7))));
	phi = ssa_phi(&s, ssa_ref(&s, IR_VREG(7)));
	CHECK_EQ_INT(phi->slot, 0);
	CHECK_EQ_INT(phi->block, 2);
	CHECK_EQ_INT(phi->args[pred_index(f, 2, 0)], IR_VREG(0));
	CHECK_EQ_INT(phi->args[pred_index(f, 2, 1)], IR_VREG(1));
	CHECK_EQ_INT(s.var[f->nvregs], 0);
	ssa_release(&s);
	ir_module_free(m);
}

TEST(read_before_written)
{
	struct ir_module *m = from_text(UNIT
		"func @f() void external {\n"
		"	slot $0 p: t0 size 8\n"
		"b0:\n"
		"	%0 = load ptr $0\n"
		"	store ptr $0, %0\n"
		"	%1 = load ptr $0\n"
		"	ret\n"
		"b1:\n"
		"	%2 = load ptr $0\n"
		"	store ptr $0, %2\n"
		"	%3 = copy ptr %2\n"
		"	br b1\n"
		"}\n");
	struct ssa s;

	ssa_init(&s, &m->funcs.v[0]);
	CHECK_EQ_INT(ssa_ref(&s, IR_VREG(0)), IR_UNDEF);
	CHECK_EQ_INT(ssa_ref(&s, IR_VREG(1)), IR_UNDEF);
	CHECK_EQ_INT(s.nphis, 0);
	/* what cannot be reached stands for itself */
	CHECK_EQ_INT(ssa_ref(&s, IR_VREG(2)), IR_VREG(2));
	ssa_release(&s);
	ir_module_free(m);
}
