/*
 * sym.c - values on one path.  See sym.h.
 */
#include "sym/sym.h"
#include "sym/text.h"

#include "base/bits.h"
#include "base/hash.h"

enum { MAX_CLOSURE = 6, MAX_APART = 64 };

#define TAG_MASK (3ull << 62)

static uint64_t tagged(enum sym_tag t, uint64_t h)
{
	return (uint64_t)t << 62 | (h & ~TAG_MASK);
}

/* ---- cells ----------------------------------------------------------- */

void sym_release(struct syms *s)
{
	symcells_release(&s->cells);
	symchains_release(&s->chains);
	vec_release(&s->links);
	symexprs_release(&s->exprs);
	symids_release(&s->ids);
	symids_release(&s->known);
	vec_release(&s->on);
	vec_release(&s->facts);
	vec_release(&s->assumed);
	vec_release(&s->trail);
}

void sym_clear(struct syms *s)
{
	symcells_clear(&s->cells);
	symchains_clear(&s->chains);
	vec_clear(&s->links);
	symexprs_clear(&s->exprs);
	vec_clear(&s->assumed);
	vec_clear(&s->trail);
}

uint32_t sym_mark(const struct syms *s)
{
	return s->trail.n;
}

/* The last cell is the last of its frame. */
static void chain(struct syms *s, uint64_t frame)
{
	uint32_t cell = s->cells.n - 1;
	bool is_new;
	struct sym_chain *c = symchains_put(&s->chains, frame, &is_new);

	s->links.v[cell] = (struct sym_link){ is_new ? SYM_NO_CELL : c->last, SYM_NO_CELL };
	if (is_new)
		c->first = cell;
	else
		s->links.v[c->last].next = cell;
	c->last = cell;
}

/* The last cell goes. */
static void unchain(struct syms *s)
{
	uint32_t cell = s->cells.n - 1, prev = vec_pop(&s->links).prev;
	const struct sym_cell *c = &s->cells.e[cell].val;

	if (c->kind != SYM_MEM)
		return;
	if (prev == SYM_NO_CELL) {
		symchains_del(&s->chains, c->frame);
		return;
	}
	assert(symchains_get(&s->chains, c->frame)->last == cell);
	symchains_get(&s->chains, c->frame)->last = prev;
	s->links.v[prev].next = SYM_NO_CELL;
}

void sym_undo(struct syms *s, uint32_t mark)
{
	while (s->trail.n > mark) {
		const struct sym_change *c = &vec_pop(&s->trail);

		if (c->assumed)
			s->assumed.n--;
		else if (c->was_there)
			symcells_set(&s->cells, c->key, c->old);
		else {
			if (s->chained) {
				assert(s->cells.e[s->cells.n - 1].key == c->key);
				unchain(s);
			}
			symcells_del(&s->cells, c->key);
		}
	}
}

static struct sym_cell *change(struct syms *s, uint64_t key)
{
	struct sym_cell *old = symcells_get(&s->cells, key), none = {0};

	vec_push(&s->trail, ((struct sym_change){ key, false, old != NULL, old ? *old : none }));
	if (old)
		return old;
	if (s->chained)
		vec_push(&s->links, ((struct sym_link){ SYM_NO_CELL, SYM_NO_CELL }));
	return symcells_put(&s->cells, key, NULL);
}

static uint64_t key_of(enum sym_kind k, uint64_t a, uint64_t b)
{
	return hash_join(hash_join(k + 1, a), b);
}

void sym_env_set(struct syms *s, uint64_t frame, uint32_t value, struct sym v)
{
	*change(s, key_of(SYM_ENV, frame, value)) =
		(struct sym_cell){ .kind = SYM_ENV, .frame = frame, .value = value, .v = v };
}

const struct sym *sym_env_get(const struct syms *s, uint64_t frame, uint32_t value)
{
	const struct sym_cell *c = symcells_get(&s->cells, key_of(SYM_ENV, frame, value));

	return c ? &c->v : NULL;
}

struct sym_cell *sym_mem_set(struct syms *s, struct sym addr, struct sym root, uint64_t frame, ir_ref op,
			     struct sym v, bool written)
{
	uint32_t n = s->cells.n;
	struct sym_cell *c = change(s, key_of(SYM_MEM, addr.id, 0));

	assert(!s->chained || n < s->cells.n || c->frame == frame);
	if (s->chained && n < s->cells.n)
		chain(s, frame);
	*c = (struct sym_cell){ .kind = SYM_MEM, .written = written, .frame = frame, .value = op,
				.root = root.id, .from = INT64_MIN, .to = INT64_MAX, .v = v };
	return c;
}

const struct sym_cell *sym_mem_get(const struct syms *s, struct sym addr)
{
	return symcells_get(&s->cells, key_of(SYM_MEM, addr.id, 0));
}

void sym_mem_forget(struct syms *s, uint64_t salt, bool (*which)(const struct sym_cell *c, void *arg),
		    void *arg)
{
	for (uint32_t i = 0; i < s->cells.n; i++) {
		struct sym_cell *c = &s->cells.e[i].val;
		uint64_t key = s->cells.e[i].key;

		if (c->kind == SYM_MEM && which(c, arg)) {
			c = change(s, key);
			c->v = sym_any(hash_join(key, salt), IR_C_OPAQUE, 0);
			c->written = false;
		}
	}
}

void sym_mem_fill(struct syms *s, struct sym v, bool (*which)(const struct sym_cell *c, void *arg), void *arg)
{
	for (uint32_t i = 0; i < s->cells.n; i++) {
		struct sym_cell *c = &s->cells.e[i].val;

		if (c->kind == SYM_MEM && which(c, arg)) {
			c = change(s, s->cells.e[i].key);
			c->v = v;
			c->written = true;
		}
	}
}

void sym_note_set(struct syms *s, uint64_t key, uint32_t value, struct sym v, uint64_t aside)
{
	*change(s, key_of(SYM_NOTE, key, 0)) =
		(struct sym_cell){ .kind = SYM_NOTE, .frame = aside, .root = key, .value = value, .v = v };
}

const struct sym_cell *sym_note_get(const struct syms *s, uint64_t key)
{
	return symcells_get(&s->cells, key_of(SYM_NOTE, key, 0));
}

void sym_mem_rename(struct syms *s, uint64_t key, uint64_t frame, ir_ref op)
{
	struct sym_cell *c = change(s, key);

	assert(c->kind == SYM_MEM && !s->chained);
	c->frame = frame;
	c->value = op;
}

void sym_leave(struct syms *s, uint64_t frame)
{
	assert(!s->chained);
	for (uint32_t i = s->cells.n; i-- > 0;) {
		const struct sym_cell *c = &s->cells.e[i].val;
		uint64_t key = s->cells.e[i].key;

		if (c->frame != frame || c->kind == SYM_FACT || c->kind == SYM_MEM || c->kind == SYM_NOTE)
			continue;
		vec_push(&s->trail, ((struct sym_change){ key, false, true, *c }));
		symcells_del(&s->cells, key);
	}
}

uint32_t sym_visit(struct syms *s, uint64_t frame, uint32_t block, bool anew)
{
	struct sym_cell *c = change(s, key_of(SYM_VISITS, frame, block));

	*c = (struct sym_cell){ .kind = SYM_VISITS, .frame = frame, .root = block,
				.value = anew ? 1 : c->value + 1 };
	return c->value;
}

uint32_t sym_visits(const struct syms *s, uint64_t frame, uint32_t block)
{
	const struct sym_cell *c = symcells_get(&s->cells, key_of(SYM_VISITS, frame, block));

	return c ? c->value : 0;
}

/* ---- facts ----------------------------------------------------------- */

static const struct sym_cell *fact(const struct syms *s, uint64_t id)
{
	return symcells_get(&s->cells, key_of(SYM_FACT, id, 0));
}

static struct sym_cell *change_fact(struct syms *s, struct sym a)
{
	bool known = fact(s, a.id) != NULL;
	struct sym_cell *c = change(s, key_of(SYM_FACT, a.id, 0));

	if (!known)
		*c = (struct sym_cell){ .kind = SYM_FACT, .v = { a.id, INT64_MIN, INT64_MAX } };
	return c;
}

struct sym sym_refined(const struct syms *s, struct sym a)
{
	const struct sym_cell *c;

	if (a.lo == a.hi || !(c = fact(s, a.id)))
		return a;
	a.lo = MAX(a.lo, c->v.lo);
	a.hi = MIN(a.hi, c->v.hi);
	return a;
}

/* What the domain computes with: an address with an offset is like any other. */
static const struct sym_expr *expr_of(const struct syms *s, uint64_t id)
{
	const struct sym_expr *e = symexprs_get(&s->exprs, id);

	return e && e->op != SYM_OFFSET ? e : NULL;
}

static const struct sym_expr *expr(const struct syms *s, struct sym a)
{
	return expr_of(s, a.id);
}

static uint64_t zeros(const struct syms *s, struct sym a)
{
	const struct sym_cell *c = fact(s, a.id);

	return c ? c->zeros : 0;
}

struct sym sym_less(const struct syms *s, struct sym a, int64_t *off)
{
	const struct sym_expr *e = expr(s, a);

	*off = 0;
	if (!e || e->op != IR_BIN || e->sub != IR_B_ADD || !sym_is_const(e->b))
		return a;
	*off = e->b.lo;
	return e->a;
}

/* ---- making values --------------------------------------------------- */

static void width(unsigned bits, int64_t *lo, int64_t *hi)
{
	if (bits == 1) {
		*lo = 0;
		*hi = 1;
	} else if (!bits || bits >= 64) {
		*lo = INT64_MIN;
		*hi = INT64_MAX;
	} else {
		*hi = (int64_t)(1ull << (bits - 1)) - 1;
		*lo = -*hi - 1;
	}
}

static int64_t wrapped(unsigned bits, int64_t v)
{
	if (bits == 1)
		return v & 1;
	if (!bits || bits >= 64)
		return v;
	return (int64_t)((uint64_t)v << (64 - bits)) >> (64 - bits);
}

struct sym sym_const(int64_t v)
{
	return (struct sym){ tagged(SYM_T_CONST, hash_mix((uint64_t)v)), v, v };
}

struct sym sym_addr(uint64_t which)
{
	return (struct sym){ tagged(SYM_T_ADDR, hash_mix(which)), 1, INT64_MAX };
}

struct sym sym_maybe(uint64_t which)
{
	return (struct sym){ tagged(SYM_T_ADDR, hash_mix(which)), 0, INT64_MAX };
}

struct sym sym_object(void)
{
	return (struct sym){ tagged(SYM_T_OBJ, 1), 1, INT64_MAX };
}

struct sym sym_between(uint64_t which, int64_t lo, int64_t hi)
{
	return lo == hi ? sym_const(lo) : (struct sym){ tagged(SYM_T_ANY, hash_mix(which)), lo, hi };
}

struct sym sym_any(uint64_t which, enum ir_class cls, unsigned bits)
{
	struct sym r = { tagged(SYM_T_ANY, hash_mix(which)), INT64_MIN, INT64_MAX };

	if (cls == IR_C_PTR)
		r.lo = 0;
	else if (cls == IR_C_INT)
		width(bits, &r.lo, &r.hi);
	return r;
}

static uint64_t identity(uint8_t op, uint8_t sub, unsigned bits, struct sym a, struct sym b)
{
	return tagged(SYM_T_ANY, hash_join(hash_join(hash_join(hash_join(op, sub), bits), a.id), b.id));
}

static void widen(struct sym *a, struct sym b)
{
	a->lo = MIN(a->lo, b.lo);
	a->hi = MAX(a->hi, b.hi);
}

/* Whoever has the value made it here or on the way here, so that the widest
 * ranges of its parts are true for everybody. */
static void record(struct syms *s, uint64_t id, struct sym_expr x)
{
	bool is_new;
	struct sym_expr *e = symexprs_put(&s->exprs, id, &is_new);

	if (is_new) {
		*e = x;
	} else {
		widen(&e->a, x.a);
		widen(&e->b, x.b);
	}
}

static struct sym make(struct syms *s, uint8_t op, uint8_t sub, unsigned bits, struct sym a, struct sym b,
		       int64_t lo, int64_t hi)
{
	struct sym r = { identity(op, sub, bits, a, b), lo, hi };

	if (lo == hi)
		return sym_const(lo);
	record(s, r.id, (struct sym_expr){ op, sub, (uint16_t)bits, a, b });
	return r;
}

/* ---- arithmetic ------------------------------------------------------ */

static uint64_t mask_of(unsigned bits)
{
	return bits && bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;
}

static int64_t fold(enum ir_bin op, unsigned bits, int64_t a, int64_t b, bool *ok)
{
	uint64_t mask = mask_of(bits), ua = (uint64_t)a & mask, ub = (uint64_t)b & mask;

	*ok = true;
	switch (op) {
	case IR_B_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
	case IR_B_SUB: return (int64_t)((uint64_t)a - (uint64_t)b);
	case IR_B_MUL: return (int64_t)((uint64_t)a * (uint64_t)b);
	case IR_B_AND: return a & b;
	case IR_B_OR: return a | b;
	case IR_B_XOR: return a ^ b;
	default: break;
	}
	if ((op == IR_B_SHL || op == IR_B_LSHR || op == IR_B_ASHR) && ub < MIN(bits ? bits : 64u, 64u)) {
		if (op == IR_B_SHL)
			return (int64_t)(ua << ub);
		return op == IR_B_LSHR ? (int64_t)(ua >> ub) : a >> ub;
	}
	if (b > 0 && (op == IR_B_SDIV || op == IR_B_SREM))
		return op == IR_B_SDIV ? a / b : a % b;
	if (ub && (op == IR_B_UDIV || op == IR_B_UREM))
		return (int64_t)(op == IR_B_UDIV ? ua / ub : ua % ub);
	*ok = false;
	return 0;
}

/* Does a + b look like a size that something is added to? */
static bool is_grown_size(struct sym a, struct sym b)
{
	return a.lo >= 0 && !sym_is_const(a) && b.hi >= 0;
}

/* The range of a sum, difference or product; the whole width if it may wrap. */
static void spread(enum ir_bin op, unsigned bits, struct sym a, struct sym b, int64_t *lo, int64_t *hi)
{
	int64_t min = INT64_MAX, max = INT64_MIN, wlo, whi;

	width(bits, &wlo, &whi);
	*lo = wlo;
	*hi = whi;
	/* A counter is taken not to overflow. */
	if (op == IR_B_ADD && sym_is_const(b) && b.lo > 0 && a.lo >= 0 && a.lo <= whi - b.lo) {
		*lo = a.lo + b.lo;
		*hi = a.hi <= whi - b.lo ? a.hi + b.lo : whi;
		return;
	}
	/* Nor does a product of sizes, */
	if (op == IR_B_MUL && a.lo >= 0 && b.lo >= 0) {
		if (__builtin_mul_overflow(a.lo, b.lo, lo) || *lo > whi)
			*lo = 0;
		if (__builtin_mul_overflow(a.hi, b.hi, hi) || *hi > whi)
			*hi = whi;
		return;
	}
	/* or a size that something is added to. */
	if (op == IR_B_ADD && bits == 64 && (is_grown_size(a, b) || is_grown_size(b, a))) {
		*lo = 0;
		return;
	}
	for (int k = 0; k < 4; k++) {
		int64_t x = k & 1 ? a.hi : a.lo;
		int64_t y = k & 2 ? b.hi : b.lo;
		int64_t r;
		bool wraps;

		if (op == IR_B_ADD)
			wraps = __builtin_add_overflow(x, y, &r);
		else if (op == IR_B_SUB)
			wraps = __builtin_sub_overflow(x, y, &r);
		else
			wraps = __builtin_mul_overflow(x, y, &r);
		if (wraps)
			return;
		min = MIN(min, r);
		max = MAX(max, r);
	}
	if (min >= wlo && max <= whi) {
		*lo = min;
		*hi = max;
	}
}

static bool zero_changes_nothing(enum ir_bin op)
{
	return op == IR_B_ADD || op == IR_B_OR || op == IR_B_XOR || op == IR_B_SHL;
}

static bool commutes(enum ir_bin op)
{
	return op == IR_B_ADD || op == IR_B_MUL || op == IR_B_AND || op == IR_B_OR || op == IR_B_XOR;
}

static void range_of(const struct syms *s, enum ir_bin op, unsigned bits, struct sym a, struct sym b,
		     int64_t *lo, int64_t *hi)
{
	width(bits, lo, hi);
	switch (op) {
	case IR_B_ADD:
	case IR_B_SUB:
	case IR_B_MUL:
		spread(op, bits, a, b, lo, hi);
		break;
	case IR_B_AND:
		if (a.lo >= 0 || b.lo >= 0) {
			*lo = 0;
			if (a.lo < 0)
				*hi = b.hi;
			else
				*hi = b.lo < 0 ? a.hi : MIN(a.hi, b.hi);
		}
		if (sym_is_const(b) && !(b.lo & ~(int64_t)zeros(s, a)))
			*lo = *hi = 0;
		break;
	case IR_B_OR:
		if (a.lo >= 0 && b.lo >= 0)
			*lo = MAX(a.lo, b.lo);
		break;
	case IR_B_LSHR:
	case IR_B_ASHR:
		if (a.lo >= 0 && sym_is_const(b) && b.lo >= 0 && b.lo < 64) {
			*lo = a.lo >> b.lo;
			*hi = a.hi >> b.lo;
		}
		break;
	case IR_B_UDIV:
	case IR_B_SDIV:
		if (a.lo >= 0 && sym_is_const(b) && b.lo > 0) {
			*lo = a.lo / b.lo;
			*hi = a.hi / b.lo;
		}
		break;
	case IR_B_UREM:
	case IR_B_SREM:
		if (a.lo >= 0 && sym_is_const(b) && b.lo > 0) {
			*lo = 0;
			*hi = MIN(a.hi, b.lo - 1);
		}
		break;
	default:
		break;
	}
}

struct sym sym_bin(struct syms *s, enum ir_bin op, unsigned bits, struct sym a, struct sym b)
{
	int64_t lo, hi;
	bool ok;

	a = sym_refined(s, a);
	b = sym_refined(s, b);
	if (sym_is_const(a) && sym_is_const(b)) {
		lo = fold(op, bits, a.lo, b.lo, &ok);
		if (ok)
			return sym_const(wrapped(bits, lo));
	}
	if (commutes(op) && (sym_is_const(a) || (!sym_is_const(b) && a.id > b.id))) {
		struct sym t = a;

		a = b;
		b = t;
	}
	if (op == IR_B_SUB && a.id == b.id)
		return sym_const(0);
	if (op == IR_B_SUB && sym_is_const(b) && b.lo != INT64_MIN) {
		op = IR_B_ADD;
		b = sym_const(-b.lo);
	}
	if (sym_is_const(b) && b.lo == 0 && zero_changes_nothing(op))
		return a;
	if (op == IR_B_XOR && bits == 1 && sym_is_const(b))
		return sym_cmp(s, IR_P_EQ, a, sym_const(0));
	if (op == IR_B_ADD && sym_is_const(b)) {	/* (x + 1) + 2 is x + 3 */
		const struct sym_expr *e = expr(s, a);

		if (e && e->op == IR_BIN && e->sub == IR_B_ADD && e->bits == bits && sym_is_const(e->b))
			return sym_bin(s, op, bits, e->a,
				       sym_const(wrapped(bits, (int64_t)((uint64_t)e->b.lo +
									 (uint64_t)b.lo))));
	}
	if (op == IR_B_AND && sym_is_const(b) && !(mask_of(bits) & ~(uint64_t)b.lo & ~zeros(s, a)))
		return a;	/* the bits that are cleared are zero anyway */
	if ((op == IR_B_OR || op == IR_B_AND) && sym_is_const(b)) {
		const struct sym_expr *e = expr(s, a);

		if (e && e->op == IR_BIN && e->sub == IR_B_OR && e->bits == bits && sym_is_const(e->b)) {
			if (op == IR_B_OR)		/* (x | 1) | 2 is x | 3 */
				return sym_bin(s, op, bits, e->a, sym_const(e->b.lo | b.lo));
			if ((e->b.lo & b.lo) == b.lo)	/* (x | 3) & 1 is 1 */
				return b;
			if (!(e->b.lo & b.lo))		/* (x | 4) & 1 is x & 1 */
				return sym_bin(s, op, bits, e->a, b);
		}
	}
	range_of(s, op, bits, a, b, &lo, &hi);
	return make(s, IR_BIN, op, bits, a, b, lo, hi);
}

/* Is it computed from two unknowns? */
static bool is_mixed(const struct syms *s, struct sym a)
{
	const struct sym_expr *e = expr(s, a);

	return e && e->op == IR_BIN && !sym_is_const(e->b);
}

/* With one bit more nothing wraps around; what does not fit is no value that there can be.  Long sums are
 * not treated so: the solver would be at them for ever. */
struct sym sym_bin_fits(struct syms *s, enum ir_bin op, unsigned bits, struct sym a, struct sym b)
{
	int64_t lo, hi;
	struct sym r;
	bool widens = (op == IR_B_ADD || op == IR_B_SUB) && bits >= 2 && bits <= 32;

	if (!widens || is_mixed(s, a) || is_mixed(s, b))
		return sym_bin(s, op, bits, a, b);
	width(bits, &lo, &hi);
	r = sym_bin(s, op, bits + 1, a, b);
	if (r.lo > hi || r.hi < lo)
		return sym_bin(s, op, bits, a, b);
	r.lo = MAX(r.lo, lo);
	r.hi = MIN(r.hi, hi);
	return r;
}

struct sym sym_cast(struct syms *s, enum ir_cast op, unsigned from, unsigned bits, struct sym a)
{
	const struct sym_expr *e;
	int64_t lo, hi;

	a = sym_refined(s, a);
	if (op == IR_CAST_SEXT && from == 1)
		return sym_bin(s, IR_B_SUB, bits, sym_const(0), a);
	if (op == IR_CAST_PTRTOINT && bits && bits < 64)
		op = IR_CAST_TRUNC;
	switch (op) {
	case IR_CAST_ZEXT:
		if (a.lo >= 0 || from >= 63 || !from)
			return a;
		if (sym_is_const(a))
			return sym_const((int64_t)((uint64_t)a.lo & ((1ull << from) - 1)));
		return make(s, IR_CAST, op, from, a, a, 0, (int64_t)((1ull << from) - 1));
	case IR_CAST_TRUNC:
		width(bits, &lo, &hi);
		if (sym_is_const(a))
			return sym_const(wrapped(bits, a.lo));
		if (a.lo >= lo && a.hi <= hi)
			return a;
		e = expr(s, a);
		if (e && e->op == IR_BIN && (e->sub == IR_B_OR || e->sub == IR_B_AND)) {
			/* bit by bit */
			struct sym x = e->a, y = e->b;
			enum ir_bin bin = (enum ir_bin)e->sub;

			return sym_bin(s, bin, bits, sym_cast(s, op, from, bits, x),
				       sym_cast(s, op, from, bits, y));
		}
		return make(s, IR_CAST, op, bits, a, a, lo, hi);
	default:
		return a;	/* the same bits */
	}
}

struct sym sym_text(struct syms *s, struct sym a, uint64_t text)
{
	const struct sym_cell *c = fact(s, a.id);

	if (c && text_kind(c->text) == text_kind(text))
		return sym_const(c->text != text);
	return make(s, SYM_TEXT, 0, 32, a, sym_const((int64_t)text), INT32_MIN, INT32_MAX);
}

struct sym sym_index(struct syms *s, struct sym base, struct sym i, int64_t size)
{
	struct sym r;

	i = sym_refined(s, i);
	base = sym_refined(s, base);
	if (sym_is_const(i)) {
		int64_t off = (int64_t)((uint64_t)i.lo * (uint64_t)size);

		if (!off)
			return base;
		if (sym_is_const(base))
			return sym_const((int64_t)((uint64_t)base.lo + (uint64_t)off));
		r.id = tagged(sym_tag(base), hash_join(hash_join(base.id, 0x0ff5e7), (uint64_t)off));
		r.lo = base.lo > 0 ? 1 : 0;
		r.hi = INT64_MAX;
		record(s, r.id, (struct sym_expr){ SYM_OFFSET, 0, 64, base, sym_const(off) });
		return r;
	}
	if (size < 0 || size > UINT16_MAX) {
		i = sym_bin(s, IR_B_MUL, 64, i, sym_const(size));
		size = 1;
	}
	return make(s, IR_INDEX, 0, (unsigned)size, base, i, base.lo > 0 ? 1 : 0, INT64_MAX);
}

/* ---- comparisons ----------------------------------------------------- */

/* x & m against zero, with what is known of x's bits. */
static int masked(const struct syms *s, struct sym a)
{
	const struct sym_expr *e = expr(s, a);
	const struct sym_cell *c;
	uint64_t m;

	if (!e || e->op != IR_BIN || e->sub != IR_B_AND || !sym_is_const(e->b))
		return -1;
	c = fact(s, e->a.id);
	m = (uint64_t)e->b.lo;
	if (!c)
		return -1;
	if (!(m & ~c->zeros))
		return 1;
	return m & c->ones || (c->some && !(c->some & ~c->zeros & ~m)) ? 0 : -1;
}

/* x | y with one of them known not to be zero, or a part of something that has no other bits? */
static bool is_some_bit(const struct syms *s, struct sym a)
{
	const struct sym_expr *e = expr(s, a);

	if (e && e->op == IR_CAST && e->sub == IR_CAST_TRUNC && e->bits < 63) {
		struct sym x = sym_refined(s, e->a);

		return x.lo > 0 && x.hi < (int64_t)1 << e->bits;
	}
	if (!e || e->op != IR_BIN || e->sub != IR_B_OR)
		return false;
	return sym_truth(s, e->a) == 1 || sym_truth(s, e->b) == 1;
}

static int equal(const struct syms *s, struct sym a, struct sym b)
{
	enum sym_tag ta = sym_tag(a), tb = sym_tag(b);
	bool a_null = ta == SYM_T_ADDR && a.lo == 0, b_null = tb == SYM_T_ADDR && b.lo == 0;

	if (a.id == b.id || (sym_is_const(a) && sym_is_const(b) && a.lo == b.lo))
		return 1;
	if (a.hi < b.lo || b.hi < a.lo)
		return 0;
	if ((a_null && sym_is_const(b)) || (b_null && sym_is_const(a)))
		return -1;	/* may be null, which is all that its range still allows */
	if (ta != SYM_T_ANY && tb != SYM_T_ANY)
		return 0;
	/* What does not hold the object is not its address; but `p + n` may be `p`. */
	if (ta == SYM_T_OBJ && !expr(s, b))
		return 0;
	if (tb == SYM_T_OBJ && !expr(s, a))
		return 0;
	if (sym_is_const(b) && b.lo == 0)
		return is_some_bit(s, a) ? 0 : masked(s, a);
	return -1;
}

/* 1, 0, or -1 for not known. */
static int compare(const struct syms *s, enum ir_pred p, struct sym a, struct sym b)
{
	a = sym_refined(s, a);
	b = sym_refined(s, b);
	switch (p) {
	case IR_P_EQ:
		return equal(s, a, b);
	case IR_P_ULT:
		if (sym_is_const(b) && b.lo == 0)
			return 0;
		if (a.lo < 0 || b.lo < 0) {
			if (sym_is_const(a) && sym_is_const(b))
				return (uint64_t)a.lo < (uint64_t)b.lo;
			break;
		}
		/* fallthrough */
	case IR_P_SLT:
		if (a.id == b.id)
			return 0;
		if (a.hi < b.lo)
			return 1;
		return a.lo >= b.hi ? 0 : -1;
	case IR_P_UGT:
		if (sym_is_const(a) && a.lo == 0)
			return 0;
		if (a.lo < 0 || b.lo < 0) {
			if (sym_is_const(a) && sym_is_const(b))
				return (uint64_t)a.lo > (uint64_t)b.lo;
			break;
		}
		/* fallthrough */
	case IR_P_SGT:
		if (a.id == b.id)
			return 0;
		if (a.lo > b.hi)
			return 1;
		return a.hi <= b.lo ? 0 : -1;
	default:
		break;
	}
	return a.id == b.id ? 0 : -1;
}

static bool is_boolean(const struct syms *s, struct sym a)
{
	const struct sym_expr *e = expr(s, a);

	return e && (e->op == IR_CMP || e->op == SYM_NOT);
}

static struct sym negation(struct syms *s, struct sym a)
{
	const struct sym_expr *e = expr(s, a);

	if (sym_is_const(a))
		return sym_const(!a.lo);
	return e && e->op == SYM_NOT ? e->a : make(s, SYM_NOT, 0, 1, a, a, 0, 1);
}

/* Sees through what does not matter to an equality with a constant. */
static struct sym bare(const struct syms *s, struct sym a, struct sym c)
{
	const struct sym_expr *e;

	while ((e = expr(s, a)) && e->op == IR_CAST && e->sub == IR_CAST_ZEXT && e->bits > 1) {
		if (c.lo < 0 || c.lo >= (int64_t)1 << (e->bits - 1))
			break;
		a = e->a;
	}
	return a;
}

struct sym sym_cmp(struct syms *s, enum ir_pred p, struct sym a, struct sym b)
{
	bool flip = false;
	struct sym r;
	int known;

	p = ir_pred_base(p, &flip);
	a = sym_refined(s, a);
	b = sym_refined(s, b);
	if (p == IR_P_UGT && sym_is_const(b) && b.lo == 0) {
		p = IR_P_EQ;
		flip = !flip;
	}
	if (p == IR_P_EQ && sym_is_const(a)) {
		r = a;
		a = b;
		b = r;
	}
	if (p == IR_P_EQ && sym_is_const(b))
		a = bare(s, a, b);
	known = compare(s, p, a, b);
	if (known >= 0)
		return sym_const((known == 1) != flip);
	if (p == IR_P_EQ && sym_is_const(b) && is_boolean(s, a) && (b.lo == 0 || b.lo == 1))
		return (b.lo == 0) != flip ? negation(s, a) : a;
	if (p == IR_P_EQ && !sym_is_const(b) && a.id > b.id) {
		r = a;
		a = b;
		b = r;
	}
	r = make(s, IR_CMP, p, 1, a, b, 0, 1);
	return flip ? negation(s, r) : r;
}

/* ---- knowing more ---------------------------------------------------- */

static bool nonzero(struct syms *s, struct sym a);

/* Was it told apart from this?  A range cannot say that of a value that may be on
 * both sides of it. */
static bool is_not(const struct syms *s, struct sym a, int64_t v)
{
	const struct sym_cell *c = fact(s, identity(IR_CMP, IR_P_EQ, 1, a, sym_const(v)));

	return c && c->v.hi == 0;
}

static bool is_nonzero(const struct syms *s, struct sym a)
{
	return is_not(s, a, 0);
}

static bool restrict_to(struct syms *s, struct sym a, int64_t lo, int64_t hi)
{
	const struct sym_expr *e = expr(s, a);
	struct sym_cell *c;
	struct sym now = sym_refined(s, a);
	int64_t x, y, wlo, whi;

	if (now.lo >= lo && now.hi <= hi)
		return true;
	lo = MAX(now.lo, lo);
	hi = MIN(now.hi, hi);
	for (int k = 0; k < MAX_APART && lo < hi && is_not(s, a, lo); k++)
		lo++;
	for (int k = 0; k < MAX_APART && lo < hi && is_not(s, a, hi); k++)
		hi--;
	if (lo > hi || (lo == hi && is_not(s, a, lo)))
		return false;
	c = change_fact(s, a);
	c->v.lo = lo;
	c->v.hi = hi;
	if (!e)
		return true;
	if (e->op == SYM_TEXT && lo == 0 && hi == 0)
		change_fact(s, e->a)->text = (uint64_t)e->b.lo;
	if (e->op == IR_BIN && e->sub == IR_B_ADD && sym_is_const(e->b)) {
		width(e->bits, &wlo, &whi);
		if (!__builtin_sub_overflow(lo, e->b.lo, &x) && !__builtin_sub_overflow(hi, e->b.lo, &y) &&
		    x >= wlo && y <= whi)
			return restrict_to(s, e->a, x, y);
	} else if (e->op == IR_BIN && e->sub == IR_B_AND && sym_is_const(e->b)) {
		if (lo == 0 && hi == 0)
			change_fact(s, e->a)->zeros |= (uint64_t)e->b.lo;
		else if (lo > 0)
			return nonzero(s, a);
	} else if (e->op == IR_CAST && e->sub == IR_CAST_ZEXT && e->bits > 1 &&
		   hi < (int64_t)1 << (e->bits - 1)) {
		return restrict_to(s, e->a, lo, hi);
	}
	return true;
}

static bool nonzero(struct syms *s, struct sym a)
{
	const struct sym_expr *e = expr(s, a);
	struct sym now = sym_refined(s, a);

	if (e && e->op == IR_BIN && e->sub == IR_B_AND && sym_is_const(e->b)) {
		struct sym_cell *c = change_fact(s, e->a);
		uint64_t m = (uint64_t)e->b.lo & ~c->zeros;

		if (bits_is_one(m))
			c->ones |= m;
		else if (!c->some)
			c->some = m;
	}
	if (now.lo == 0)
		return restrict_to(s, a, 1, INT64_MAX);
	if (now.hi == 0)
		return restrict_to(s, a, INT64_MIN, -1);
	return true;
}

/* The comparison came out so: what does that tell of its sides? */
static bool learn(struct syms *s, enum ir_pred p, struct sym a, struct sym b, bool truth)
{
	struct sym x = sym_refined(s, a), y = sym_refined(s, b);

	switch (p) {
	case IR_P_EQ:
		if (truth)
			return restrict_to(s, a, y.lo, y.hi) && restrict_to(s, b, x.lo, x.hi);
		if (!sym_is_const(y))
			return true;
		if (y.lo == 0)
			return nonzero(s, a);
		if (y.lo == -1 && x.lo == INT64_MIN)	/* a size or an offset: -1 is its only error */
			return restrict_to(s, a, 0, INT64_MAX);
		if (x.lo == y.lo)
			return restrict_to(s, a, x.lo + 1, INT64_MAX);
		if (x.hi == y.lo)
			return restrict_to(s, a, INT64_MIN, x.hi - 1);
		return true;
	case IR_P_ULT:
		if (truth && y.lo >= 0)		/* below something positive */
			return restrict_to(s, a, 0, y.hi - 1);
		if (x.lo < 0 || y.lo < 0)
			return true;
		/* fallthrough */
	case IR_P_SLT:
		if (truth)
			return (y.hi == INT64_MIN || restrict_to(s, a, INT64_MIN, y.hi - 1)) &&
			       (x.lo == INT64_MAX || restrict_to(s, b, x.lo + 1, INT64_MAX));
		return restrict_to(s, a, y.lo, INT64_MAX) && restrict_to(s, b, INT64_MIN, x.hi);
	case IR_P_UGT:
		if (truth && x.lo >= 0 && y.lo < 0)
			return restrict_to(s, b, 0, x.hi - 1);
		if (!truth && y.lo >= 0)
			return restrict_to(s, a, 0, y.hi);
		if (x.lo < 0 || y.lo < 0)
			return true;
		/* fallthrough */
	case IR_P_SGT:
		if (truth)
			return (y.lo == INT64_MAX || restrict_to(s, a, y.lo + 1, INT64_MAX)) &&
			       (x.hi == INT64_MIN || restrict_to(s, b, INT64_MIN, x.hi - 1));
		return restrict_to(s, a, INT64_MIN, y.hi) && restrict_to(s, b, x.lo, INT64_MAX);
	default:
		return true;
	}
}

int sym_truth(const struct syms *s, struct sym a)
{
	const struct sym_expr *e = expr(s, a);
	int t;

	a = sym_refined(s, a);
	if (sym_is_const(a) || a.lo > 0 || a.hi < 0)
		return a.lo != 0;
	if (e && e->op == SYM_NOT) {
		t = sym_truth(s, e->a);
		return t < 0 ? t : !t;
	}
	if (e && e->op == IR_CMP)
		return compare(s, (enum ir_pred)e->sub, e->a, e->b);
	t = masked(s, a);
	if (t >= 0)
		return !t;
	return is_nonzero(s, a) || is_some_bit(s, a) ? 1 : -1;
}

static bool believe(struct syms *s, struct sym a, bool truth)
{
	const struct sym_expr *e = expr(s, a);
	struct sym x, y;
	uint8_t sub;
	int t = sym_truth(s, a);

	if (t >= 0)
		return (t == 1) == truth;
	if (!e || (e->op != IR_CMP && e->op != SYM_NOT)) {
		/* remembered as the comparison with zero that a test of it is */
		struct sym zero = make(s, IR_CMP, IR_P_EQ, 1, a, sym_const(0), 0, 1);

		if (!restrict_to(s, zero, !truth, !truth))
			return false;
		return truth ? nonzero(s, a) : restrict_to(s, a, 0, 0);
	}
	if (e->op == SYM_NOT)
		return believe(s, e->a, !truth);
	x = e->a;
	y = e->b;
	sub = e->sub;
	return restrict_to(s, a, truth, truth) && learn(s, (enum ir_pred)sub, x, y, truth);
}

bool sym_assume(struct syms *s, struct sym a, bool truth)
{
	int t = sym_truth(s, a);

	if (t >= 0)
		return (t == 1) == truth;
	vec_push(&s->assumed, ((struct sym_term){ sym_refined(s, a), truth }));
	vec_push(&s->trail, ((struct sym_change){ .assumed = true }));
	return believe(s, a, truth);
}

/* ---- digests --------------------------------------------------------- */

static void add_ids(const struct syms *s, struct symids *ids, uint64_t id, int depth)
{
	const struct sym_expr *e;
	bool is_new;

	if (id >> 62 == SYM_T_CONST)
		return;
	symids_put(ids, id, &is_new);
	if (!is_new || depth >= MAX_CLOSURE || !(e = expr_of(s, id)))
		return;
	add_ids(s, ids, e->a.id, depth + 1);
	add_ids(s, ids, e->b.id, depth + 1);
}

static bool among(const struct symids *ids, struct sym a)
{
	return sym_tag(a) == SYM_T_CONST || symids_get(ids, a.id);
}

static bool fact_matters(const struct syms *s, const struct symids *ids, const struct sym_cell *c)
{
	const struct sym_expr *e;

	if (symids_get(ids, c->v.id))
		return true;
	e = expr(s, c->v);
	return e && among(ids, e->a) && among(ids, e->b);
}

/* One multiplication for each part: this is done for every live cell of every block
 * that paths meet in. */
static uint64_t cell_hash(uint64_t key, struct sym v, const struct sym_cell *c)
{
	const uint64_t k = 0x9e3779b97f4a7c15ull;
	uint64_t h = ((key * k + v.id) * k + (uint64_t)v.lo) * k + (uint64_t)v.hi;

	h = h * k + c->value;
	if (c->kind == SYM_FACT)
		h = (((h * k + c->zeros) * k + c->ones) * k + c->some) * k + c->text;
	return hash_mix(h);
}

/* Identities that something is known of, directly or as a part of something. */
static void add_known(const struct syms *s, struct symids *known, uint64_t id, int depth)
{
	const struct sym_expr *e = expr_of(s, id);

	symids_put(known, id, NULL);
	if (!e || depth >= MAX_CLOSURE)
		return;
	add_known(s, known, e->a.id, depth + 1);
	if (e->b.id != e->a.id)
		add_known(s, known, e->b.id, depth + 1);
}

/* A value that only one cell has, and nothing is known of but its range: it does
 * not matter which one it is. */
static bool is_anonymous(const struct symids *ids, const struct symids *known, struct sym v)
{
	const bool *twice = symids_get(ids, v.id);

	return sym_tag(v) == SYM_T_ANY && !(twice && *twice) && !symids_get(known, v.id);
}

uint64_t sym_digest(struct syms *s, bool (*live)(const struct sym_cell *c, void *arg), void *arg)
{
	uint64_t h = 0;
	uint32_t n = 0;

	symids_clear(&s->ids);
	symids_clear(&s->known);
	vec_clear(&s->on);
	vec_clear(&s->facts);
	for (uint32_t i = 0; i < s->cells.n; i++) {
		const struct sym_cell *c = &s->cells.e[i].val;
		bool *twice;

		if (c->kind == SYM_FACT)
			vec_push(&s->facts, i);
		if (c->kind == SYM_FACT || !live(c, arg))
			continue;
		vec_push(&s->on, i);
		if (c->kind == SYM_VISITS || sym_tag(c->v) == SYM_T_CONST)
			continue;
		twice = symids_get(&s->ids, c->v.id);
		if (twice)
			*twice = true;
		add_ids(s, &s->ids, c->v.id, 0);
	}
	n = s->on.n;
	for (uint32_t i = 0; i < s->facts.n; i++)
		if (fact_matters(s, &s->ids, &s->cells.e[s->facts.v[i]].val)) {
			vec_push(&s->on, s->facts.v[i]);
			add_known(s, &s->known, s->cells.e[s->facts.v[i]].val.v.id, 0);
		}
	for (uint32_t i = 0; i < s->on.n; i++) {
		const struct sym_cell *c = &s->cells.e[s->on.v[i]].val;
		struct sym v = c->v;
		bool holds_value = c->kind == SYM_ENV || c->kind == SYM_MEM;

		if (i < n && holds_value && is_anonymous(&s->ids, &s->known, v))
			v.id = 0;
		/* in any order; memory that nothing is known of is like memory not met */
		if (c->kind != SYM_MEM || v.id)
			h += cell_hash(s->cells.e[s->on.v[i]].key, v, c);
	}
	return h;
}
