/*
 * flow.c - classes of memory, liveness, loops.  See flow.h.
 */
#include "path/flow.h"

#include "ir/dom.h"

enum { MAX_BITS = 1 << 27, MAX_DEPTH = 30 };

#define MAP_NAME classmap
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* ---- classes --------------------------------------------------------- */

enum { BY_GLOBAL = 1, BY_MEMBER, BY_NOTHING };

/* What an address is reached by: a slot has a class of its own, so has a global and each
 * member of it, and each member of each struct. */
static uint64_t key_of_addr(const struct ir_module *m, const struct ir_func *f, ir_ref r, uint32_t *slot)
{
	uint64_t member = 0;

	*slot = IR_NONE;
	for (int depth = 0; depth < MAX_DEPTH; depth++) {
		const struct ir_inst *d;

		if (IR_KIND(r) == IR_R_SLOT) {
			*slot = IR_IDX(r);
			return 0;
		}
		if (IR_KIND(r) == IR_R_GLOBAL)
			return hash_join(BY_GLOBAL, IR_IDX(r));
		if (IR_KIND(r) == IR_R_ADDR)
			return hash_join(hash_join(BY_GLOBAL, m->addrs.v[IR_IDX(r)].base),
					 (uint64_t)m->addrs.v[IR_IDX(r)].offset);
		d = ir_def(f, r);
		if (!d)
			break;
		if (d->op == IR_FIELD && !member && d->type)
			member = hash_join(hash_join(BY_MEMBER, d->type), d->member);
		if (d->op == IR_ALLOCA) {
			*slot = (uint32_t)d->imm;
			return 0;
		}
		if (d->op != IR_FIELD && d->op != IR_ELEM && d->op != IR_INDEX && d->op != IR_CAST &&
		    d->op != IR_COPY)
			break;
		r = d->ops[0];
	}
	return member ? member : BY_NOTHING;
}

static void find_classes(struct flow *fl, const struct ir_module *m)
{
	const struct ir_func *f = fl->f;
	struct classmap classes = {0};

	fl->cls = xmalloc(MAX(f->ninsts, 1) * sizeof(*fl->cls));
	for (uint32_t i = 0; i < f->ninsts; i++) {
		uint32_t slot;
		uint64_t key;
		bool is_new;
		uint32_t *c;

		fl->cls[i] = IR_NONE;
		if (f->insts[i].op != IR_LOAD && f->insts[i].op != IR_STORE)
			continue;
		key = key_of_addr(m, f, f->insts[i].ops[0], &slot);
		if (slot != IR_NONE) {
			fl->cls[i] = slot;
			continue;
		}
		c = classmap_put(&classes, key, &is_new);
		if (is_new)
			*c = classes.n - 1;
		fl->cls[i] = f->nslots + *c;
	}
	fl->nclasses = f->nslots + classes.n;
	classmap_release(&classes);
}

static void find_plain(struct flow *fl)
{
	const struct ir_func *f = fl->f;

	bits_init(&fl->plain, f->nslots + 1);
	for (uint32_t i = 0; i < f->nslots; i++)
		if (!(f->slots[i].flags & IR_S_DYNAMIC))
			bits_set(&fl->plain, i);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		bool accesses = in->op == IR_LOAD || in->op == IR_STORE;

		for (uint32_t k = accesses; k < in->nops; k++)
			if (IR_KIND(in->ops[k]) == IR_R_SLOT)
				bits_unset(&fl->plain, IR_IDX(in->ops[k]));
	}
}

static void find_far(struct flow *fl)
{
	const struct ir_func *f = fl->f;
	uint32_t *calls = xcalloc((size_t)f->ninsts + 1, sizeof(*calls));

	for (uint32_t i = 0; i < f->ninsts; i++)
		calls[i + 1] = calls[i] + (f->insts[i].op == IR_CALL || f->insts[i].op == IR_SELECT);
	bits_init(&fl->far, f->nvregs + 1);
	for (uint32_t i = 0; i < f->ninsts; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++) {
			ir_ref r = f->insts[i].ops[k];
			uint32_t def;

			if (IR_KIND(r) != IR_R_VREG)
				continue;
			def = f->def[IR_IDX(r)];
			if (def == IR_NONE || f->insts[def].block != f->insts[i].block ||
			    f->insts[i].op == IR_PHI || def > i || calls[i] > calls[def + 1])
				bits_set(&fl->far, IR_IDX(r));
		}
	free(calls);
}

/* ---- liveness -------------------------------------------------------- */

static void use(const struct flow *fl, ir_ref r, struct bits *live)
{
	if (IR_KIND(r) == IR_R_VREG && bits_test(&fl->far, IR_IDX(r)))
		bits_set(live, fl->nclasses + IR_IDX(r));
}

static void through_block(const struct flow *fl, uint32_t b, struct bits *live)
{
	const struct ir_func *f = fl->f;

	for (uint32_t i = f->blocks[b].first + f->blocks[b].n; i-- > f->blocks[b].first;) {
		const struct ir_inst *in = &f->insts[i];

		if (in->res != IR_NONE && bits_test(&fl->far, in->res))
			bits_unset(live, fl->nclasses + in->res);
		if (in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT &&
		    bits_test(&fl->plain, IR_IDX(in->ops[0])))
			bits_unset(live, IR_IDX(in->ops[0]));
		if (in->op == IR_LOAD)
			bits_set(live, fl->cls[i]);
		if (in->op != IR_PHI)
			for (uint32_t k = 0; k < in->nops; k++)
				use(fl, in->ops[k], live);
	}
}

static void phi_uses(const struct flow *fl, uint32_t from, uint32_t to, struct bits *live)
{
	const struct ir_func *f = fl->f;

	for (uint32_t i = f->blocks[to].first; f->insts[i].op == IR_PHI; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++)
			if (f->insts[i].targets[k] == from)
				use(fl, f->insts[i].ops[k], live);
}

static void find_live(struct flow *fl, const struct dom *d)
{
	const struct ir_func *f = fl->f;
	uint32_t nbits = fl->nclasses + f->nvregs + 1;
	struct bits now;
	bool changed = true;

	if ((uint64_t)nbits * f->nblocks > MAX_BITS)
		return;
	fl->live = xcalloc(f->nblocks, sizeof(*fl->live));
	for (uint32_t b = 0; b < f->nblocks; b++)
		bits_init(&fl->live[b], nbits);
	bits_init(&now, nbits);
	while (changed) {
		changed = false;
		for (uint32_t i = d->nreach; i-- > 0;) {
			uint32_t b = d->order[i];

			bits_zero(&now);
			for (uint32_t k = 0; k < f->blocks[b].nsucc; k++) {
				bits_or(&now, &fl->live[f->blocks[b].succ[k]]);
				phi_uses(fl, b, f->blocks[b].succ[k], &now);
			}
			through_block(fl, b, &now);
			changed |= bits_or(&fl->live[b], &now);
		}
	}
	bits_release(&now);
}

/* ---- loops ----------------------------------------------------------- */

/* Does the value come from a load of the same class?  Then each round's depends on the
 * round's before. */
static bool depends_on(const struct flow *fl, ir_ref r, uint32_t cls, int depth)
{
	const struct ir_inst *d = ir_def(fl->f, r);

	if (!d || depth > 8)
		return false;
	switch (d->op) {
	case IR_LOAD:
		return fl->cls[d - fl->f->insts] == cls;
	case IR_BIN:
	case IR_CAST:
	case IR_COPY:
	case IR_INDEX:
	case IR_ELEM:
	case IR_OPAQUE:
		for (uint32_t k = 0; k < d->nops; k++)
			if (depends_on(fl, d->ops[k], cls, depth + 1))
				return true;
		return false;
	default:
		return false;
	}
}

static enum widen how_to_widen(const struct ir_module *m, const struct flow *fl, const struct ir_inst *store,
			       uint32_t cls)
{
	const struct ir_inst *d = ir_def(fl->f, store->ops[1]);

	while (d && (d->op == IR_CAST || d->op == IR_COPY))
		d = ir_def(fl->f, d->ops[0]);
	if (!d || d->op == IR_LOAD || !depends_on(fl, store->ops[1], cls, 0))
		return WIDEN_NOT;
	if (store->cls == IR_C_PTR)
		return WIDEN_POINTER;
	/* what is added to a sum is hardly ever negative, unless it is plain to see */
	if (d->op == IR_BIN && d->sub == IR_B_ADD && store->cls == IR_C_INT &&
	    (IR_KIND(d->ops[1]) != IR_R_INT || ir_int_value(m, d->ops[1]) > 0))
		return WIDEN_UP;
	return WIDEN_ANY;
}

static void find_widened(struct flow *fl, const struct ir_module *m, struct flow_loop *l)
{
	const struct ir_func *f = fl->f;

	for (uint32_t b = 0; b < f->nblocks; b++)
		for (uint32_t i = f->blocks[b].first;
		     bits_test(&l->body, b) && i < f->blocks[b].first + f->blocks[b].n; i++) {
			const struct ir_inst *in = &f->insts[i];
			struct flow_widen w = { .cls = fl->cls[i], .block = b, .bits = in->bits };

			if (in->op != IR_STORE || !(w.how = how_to_widen(m, fl, in, w.cls)))
				continue;
			for (uint32_t k = 0; k < l->widen.n; k++)
				if (l->widen.v[k].cls == w.cls && l->widen.v[k].how != w.how)
					l->widen.v[k].how = w.how = WIDEN_ANY;
			vec_push(&l->widen, w);
		}
}

static void find_inner(struct flow *fl)
{
	uint32_t *size = xmalloc(MAX(fl->f->nblocks, 1) * sizeof(*size));

	fl->inner = xmalloc(MAX(fl->f->nblocks, 1) * sizeof(*fl->inner));
	memset(fl->inner, 0xff, fl->f->nblocks * sizeof(*fl->inner));
	memset(size, 0xff, fl->f->nblocks * sizeof(*size));
	for (uint32_t i = 0; i < fl->loops.n; i++) {
		const struct bits *body = &fl->loops.v[i].body;
		uint32_t n = bits_count(body);

		for (uint32_t b = bits_next(body, 0); b != UINT32_MAX; b = bits_next(body, b + 1))
			if (n < size[b]) {
				size[b] = n;
				fl->inner[b] = fl->loops.v[i].header;
			}
	}
	free(size);
}

/* Is the address that of a pointer variable which moves in this loop? */
static bool moves(const struct flow *fl, const struct flow_loop *l, ir_ref addr)
{
	const struct ir_inst *d = ir_def(fl->f, addr);

	for (int depth = 0; d && depth < MAX_DEPTH; depth++) {
		if (d->op != IR_FIELD && d->op != IR_CAST && d->op != IR_COPY)
			break;
		d = ir_def(fl->f, d->ops[0]);
	}
	if (d && d->op == IR_INDEX)	/* *p++ */
		d = ir_def(fl->f, d->ops[0]);
	if (!d || d->op != IR_LOAD)
		return false;
	for (uint32_t k = 0; k < l->widen.n; k++)
		if (l->widen.v[k].cls == fl->cls[d - fl->f->insts] && l->widen.v[k].how == WIDEN_POINTER)
			return true;
	return false;
}

static void find_moving(struct flow *fl)
{
	const struct ir_func *f = fl->f;

	bits_init(&fl->moving, f->ninsts + 1);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		for (uint32_t l = 0; l < fl->loops.n && (in->op == IR_LOAD || in->op == IR_STORE); l++)
			if (bits_test(&fl->loops.v[l].body, in->block) &&
			    moves(fl, &fl->loops.v[l], in->ops[0]))
				bits_set(&fl->moving, i);
	}
}

/* Natural loops; of a loop with two entries there is none, and its counters stay what they
 * were in the first round. */
static void find_loops(struct flow *fl, const struct ir_module *m, const struct dom *d)
{
	const struct ir_func *f = fl->f;

	fl->loop_of = xmalloc(f->nblocks * sizeof(*fl->loop_of));
	memset(fl->loop_of, 0xff, f->nblocks * sizeof(*fl->loop_of));
	for (uint32_t b = 0; b < f->nblocks; b++)
		for (uint32_t k = 0; k < f->blocks[b].nsucc; k++) {
			uint32_t h = f->blocks[b].succ[k];

			if (!dom_dominates(d, h, b))
				continue;
			if (fl->loop_of[h] == IR_NONE) {
				struct flow_loop l = { .header = h };

				bits_init(&l.body, f->nblocks);
				bits_set(&l.body, h);
				fl->loop_of[h] = fl->loops.n;
				vec_push(&fl->loops, l);
			}
			dom_add_latch(&fl->loops.v[fl->loop_of[h]].body, f, b);
		}
	for (uint32_t i = 0; i < fl->loops.n; i++)
		find_widened(fl, m, &fl->loops.v[i]);
	find_inner(fl);
	find_moving(fl);
}

void flow_init(struct flow *fl, const struct ir_module *m, const struct ir_func *f)
{
	struct dom d;

	memset(fl, 0, sizeof(*fl));
	fl->f = f;
	dom_init(&d, f);
	find_classes(fl, m);
	find_plain(fl);
	find_far(fl);
	find_live(fl, &d);
	find_loops(fl, m, &d);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		const struct ir_block *bl = &f->blocks[b];

		fl->nrets += dom_reachable(&d, b) && f->insts[bl->first + bl->n - 1].op == IR_RET;
	}
	dom_release(&d);
}

void flow_release(struct flow *fl)
{
	for (uint32_t b = 0; fl->live && b < fl->f->nblocks; b++)
		bits_release(&fl->live[b]);
	for (uint32_t i = 0; i < fl->loops.n; i++) {
		bits_release(&fl->loops.v[i].body);
		vec_release(&fl->loops.v[i].widen);
	}
	vec_release(&fl->loops);
	free(fl->live);
	free(fl->cls);
	free(fl->loop_of);
	free(fl->inner);
	bits_release(&fl->plain);
	bits_release(&fl->far);
	bits_release(&fl->moving);
	memset(fl, 0, sizeof(*fl));
}
