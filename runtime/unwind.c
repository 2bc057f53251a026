/*
 * unwind.c - the return addresses of a call, from cached unwind rules.
 *
 * malloc is told apart by the last four return addresses on the stack (Hound,
 * section 4.1).  Frame pointers are the cheap way to them, but crash on code built
 * without; libunwind costs 45 to 57 ns for four frames and may allocate.  Here each
 * return address gets a *rule* of one machine word, derived once from the module's
 * .eh_frame: where is the caller's frame (CFA), and where is its saved frame
 * pointer.  The rules are kept in a table that is read without a lock, so that a
 * step is a hash, a comparison and two loads.
 *
 * Rules know four kinds of frame: CFA = sp + n, CFA = bp + n, CFA = *(bp + n)
 * (functions that realign their stack), and the end.  Everything else ends the
 * walk: signal frames, code without unwind tables (JIT), _start.  A walk that ends
 * early gives a shorter context, never a wrong one: sites may be merged that could
 * have been told apart.
 *
 * What makes it safe on any code: a module is found with _dl_find_object(), which
 * takes no lock and may be called anywhere; every read of .eh_frame stays within
 * the module's mapping; frames must grow, be aligned, and lie in memory that was
 * seen to be mapped (msync tells, once for each stretch of a stack).
 *
 * x86-64 only; elsewhere, and with a libc that has no _dl_find_object(), a context
 * is the caller of malloc alone.
 */
#include "unwind.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_FRAME ((uintptr_t)8 << 20)

/*
 * Rules.  kind | bp << 3 | bp offset / 8 (24 bits, signed) << 8 | CFA offset << 32
 */

enum { RULE_END, RULE_SP, RULE_BP, RULE_BP_DEREF };
enum { BP_SAME, BP_AT, BP_LOST };

static inline uint64_t rule_make(unsigned kind, unsigned bp, int bp_off, int cfa_off)
{
	return kind | bp << 3 | (uint64_t)((uint32_t)(bp_off / 8) & 0xffffff) << 8 |
	       (uint64_t)(uint32_t)cfa_off << 32;
}

static inline unsigned rule_kind(uint64_t r)
{
	return r & 7;
}

static inline unsigned rule_bp(uint64_t r)
{
	return r >> 3 & 3;
}

static inline intptr_t rule_bp_off(uint64_t r)
{
	return (intptr_t)((int32_t)(uint32_t)r >> 8) * 8;
}

static inline intptr_t rule_cfa_off(uint64_t r)
{
	return (int32_t)(r >> 32);
}

/*
 * A reader of .eh_frame that does not leave the module
 */

struct reader {
	const uint8_t *p, *end;
	bool bad;
};

static uint64_t read_bytes(struct reader *r, unsigned n)
{
	uint64_t v = 0;

	if (r->bad || (size_t)(r->end - r->p) < n) {
		r->bad = true;
		return 0;
	}
	memcpy(&v, r->p, n);
	r->p += n;
	return v;
}

static uint64_t read_uleb(struct reader *r)
{
	uint64_t v = 0;

	for (unsigned shift = 0; !r->bad; shift += 7) {
		uint8_t b = (uint8_t)read_bytes(r, 1);

		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			break;
	}
	return v;
}

static int64_t read_sleb(struct reader *r)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b;

	do {
		b = (uint8_t)read_bytes(r, 1);
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	} while ((b & 0x80) && !r->bad);
	if (shift < 64 && (b & 0x40))
		v |= ~(uint64_t)0 << shift;
	return (int64_t)v;
}

/* A pointer in the encoding DW_EH_PE_...; 0 and r->bad for those not in use. */
static uintptr_t read_encoded(struct reader *r, uint8_t enc)
{
	uintptr_t at = (uintptr_t)r->p, v;

	if (enc == 0xff)
		return 0;
	switch (enc & 0x0f) {
	case 0x00: v = read_bytes(r, 8); break;
	case 0x01: v = read_uleb(r); break;
	case 0x02: v = read_bytes(r, 2); break;
	case 0x03: v = read_bytes(r, 4); break;
	case 0x04: v = read_bytes(r, 8); break;
	case 0x09: v = (uintptr_t)read_sleb(r); break;
	case 0x0a: v = (uintptr_t)(int16_t)read_bytes(r, 2); break;
	case 0x0b: v = (uintptr_t)(int32_t)read_bytes(r, 4); break;
	case 0x0c: v = read_bytes(r, 8); break;
	default: r->bad = true; return 0;
	}
	switch (enc & 0x70) {
	case 0x00: return v;
	case 0x10: return v + at;
	default: r->bad = true; return 0;
	}
}

/*
 * Call frame information
 */

struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra_reg;
	uint8_t fde_enc;
	bool augmented, signal;
	struct reader program;
};

struct row {
	unsigned kind;		/* RULE_... of the CFA */
	int64_t cfa_off;
	unsigned bp;
	int64_t bp_off;
	bool ra_lost;
};

enum { REG_BP = 6, REG_SP = 7 };

/* A reader of the record (CIE or FDE) at p; its length is consumed. */
static struct reader record_at(const uint8_t *p, const uint8_t *low, const uint8_t *high)
{
	struct reader r = { p, high, p < low || p >= high };
	uint64_t n = read_bytes(&r, 4);

	if (r.bad || n == 0 || n >= 0xfffffff0u || n > (size_t)(r.end - r.p))
		r.bad = true;
	else
		r.end = r.p + n;
	return r;
}

static bool read_cie(struct cie *c, const uint8_t *p, const uint8_t *low, const uint8_t *high)
{
	struct reader r = record_at(p, low, high), a;
	const char *aug;
	uint8_t version;

	memset(c, 0, sizeof(*c));
	read_bytes(&r, 4);
	version = (uint8_t)read_bytes(&r, 1);
	if (r.bad || (version != 1 && version != 3))
		return false;
	aug = (const char *)r.p;
	while (read_bytes(&r, 1) != 0)
		;
	if (r.bad)
		return false;
	c->code_align = read_uleb(&r);
	c->data_align = read_sleb(&r);
	c->ra_reg = version == 1 ? read_bytes(&r, 1) : read_uleb(&r);
	if (*aug == 'z') {
		uint64_t n = read_uleb(&r);

		if (r.bad || n > (size_t)(r.end - r.p))
			return false;
		c->augmented = true;
		a = (struct reader){ r.p, r.p + n, false };
		r.p += n;
		for (aug++; *aug; aug++)
			if (*aug == 'R')
				c->fde_enc = (uint8_t)read_bytes(&a, 1);
			else if (*aug == 'P')
				read_encoded(&a, (uint8_t)read_bytes(&a, 1) & 0x7f);
			else if (*aug == 'L')
				read_bytes(&a, 1);
			else if (*aug == 'S')
				c->signal = true;
			else
				return false;
		if (a.bad)
			return false;
	} else if (*aug) {
		return false;
	}
	c->program = r;
	return !r.bad && c->ra_reg == 16;
}

static void set_cfa(struct row *w, uint64_t reg, int64_t off)
{
	w->kind = reg == REG_SP ? RULE_SP : reg == REG_BP ? RULE_BP : RULE_END;
	w->cfa_off = off;
}

/* Only *(bp + n) is understood: what compilers emit for realigned stacks. */
static void set_cfa_expression(struct row *w, struct reader *r)
{
	uint64_t n = read_uleb(r);
	struct reader e;

	w->kind = RULE_END;
	if (r->bad || n > (size_t)(r->end - r->p)) {
		r->bad = true;
		return;
	}
	e = (struct reader){ r->p, r->p + n, false };
	r->p += n;
	if (read_bytes(&e, 1) == 0x70 + REG_BP) {
		w->cfa_off = read_sleb(&e);
		if (read_bytes(&e, 1) == 0x06 && !e.bad && e.p == e.end)
			w->kind = RULE_BP_DEREF;
	}
}

static void set_register(struct row *w, uint64_t reg, unsigned how, int64_t off)
{
	if (reg == REG_BP) {
		w->bp = how;
		w->bp_off = off;
	} else if (reg == 16) {
		w->ra_lost = how != BP_AT || off != -8;
	}
}

static void skip_block(struct reader *r)
{
	uint64_t n = read_uleb(r);

	if (r->bad || n > (size_t)(r->end - r->p))
		r->bad = true;
	else
		r->p += n;
}

/* Runs call frame instructions until `target` is passed.  *loc moves on. */
static void run_program(struct row *w, const struct row *initial, const struct cie *c,
			struct reader *r, uintptr_t *loc, uintptr_t target)
{
	struct row saved[8];
	unsigned nsaved = 0;

	while (!r->bad && r->p < r->end) {
		uint8_t op = (uint8_t)read_bytes(r, 1);
		uint64_t reg;
		uintptr_t step = 0;

		switch (op & 0xc0 ? op & 0xc0 : op) {
		case 0x40: step = (op & 0x3f) * c->code_align; break;
		case 0x02: step = read_bytes(r, 1) * c->code_align; break;
		case 0x03: step = read_bytes(r, 2) * c->code_align; break;
		case 0x04: step = read_bytes(r, 4) * c->code_align; break;
		case 0x01: step = read_encoded(r, c->fde_enc) - *loc; break;
		case 0x80: set_register(w, op & 0x3f, BP_AT, (int64_t)read_uleb(r) * c->data_align);
			break;
		case 0x05: reg = read_uleb(r);
			set_register(w, reg, BP_AT, (int64_t)read_uleb(r) * c->data_align);
			break;
		case 0x11: reg = read_uleb(r);
			set_register(w, reg, BP_AT, read_sleb(r) * c->data_align);
			break;
		case 0xc0: case 0x06:
			reg = op & 0xc0 ? op & 0x3f : read_uleb(r);
			if (reg == REG_BP && initial) {
				w->bp = initial->bp;
				w->bp_off = initial->bp_off;
			} else if (reg == 16 && initial) {
				w->ra_lost = initial->ra_lost;
			}
			break;
		case 0x07: set_register(w, read_uleb(r), BP_LOST, 0); break;
		case 0x08: set_register(w, read_uleb(r), BP_SAME, 0); break;
		case 0x09: reg = read_uleb(r); read_uleb(r);
			set_register(w, reg, BP_LOST, 0);
			break;
		case 0x0a:
			if (nsaved == 8)
				r->bad = true;
			else
				saved[nsaved++] = *w;
			break;
		case 0x0b:
			if (nsaved == 0)
				r->bad = true;
			else
				*w = saved[--nsaved];
			break;
		case 0x0c: reg = read_uleb(r); set_cfa(w, reg, (int64_t)read_uleb(r)); break;
		case 0x12: reg = read_uleb(r); set_cfa(w, reg, read_sleb(r) * c->data_align); break;
		case 0x0d: set_cfa(w, read_uleb(r), w->cfa_off); break;
		case 0x0e: w->cfa_off = (int64_t)read_uleb(r); break;
		case 0x13: w->cfa_off = read_sleb(r) * c->data_align; break;
		case 0x0f: set_cfa_expression(w, r); break;
		case 0x10: case 0x16: reg = read_uleb(r); skip_block(r);
			/* bp saved below a realigned frame: DW_OP_breg6 0 is common */
			set_register(w, reg, BP_LOST, 0);
			break;
		case 0x14: case 0x15: reg = read_uleb(r); read_sleb(r);
			set_register(w, reg, BP_LOST, 0);
			break;
		case 0x2e: read_uleb(r); break;
		case 0x00: break;
		default: r->bad = true; break;
		}
		if (step > target - *loc)
			return;
		*loc += step;
	}
}

/* The FDE for pc by the search table of .eh_frame_hdr; NULL: none. */
static const uint8_t *find_fde(const uint8_t *hdr, uintptr_t pc, const uint8_t *low,
			       const uint8_t *high)
{
	struct reader r = { hdr, high, hdr < low || hdr >= high };
	uint8_t version = (uint8_t)read_bytes(&r, 1), eh_enc = (uint8_t)read_bytes(&r, 1);
	uint8_t count_enc = (uint8_t)read_bytes(&r, 1), table_enc = (uint8_t)read_bytes(&r, 1);
	size_t n, a = 0, b;
	int32_t e[2];

	if (r.bad || version != 1 || table_enc != 0x3b)
		return NULL;
	read_encoded(&r, eh_enc);
	n = read_encoded(&r, count_enc);
	if (r.bad || n == 0 || n > (size_t)(r.end - r.p) / 8)
		return NULL;
	b = n;
	while (b - a > 1) {	/* the last entry at or before pc */
		size_t mid = a + (b - a) / 2;

		memcpy(e, r.p + 8 * mid, 8);
		if ((uintptr_t)hdr + (uintptr_t)(intptr_t)e[0] <= pc)
			a = mid;
		else
			b = mid;
	}
	memcpy(e, r.p + 8 * a, 8);
	return hdr + e[1];
}

static uint64_t derive_rule(const uint8_t *hdr, uintptr_t pc, const uint8_t *low,
			    const uint8_t *high)
{
	const uint8_t *fde = find_fde(hdr, pc, low, high), *cie_at;
	struct reader r;
	struct cie c;
	struct row w = { RULE_END, 0, BP_SAME, 0, true }, initial;
	uintptr_t begin, range, loc;
	uint64_t delta;

	if (fde == NULL)
		return 0;
	r = record_at(fde, low, high);
	cie_at = r.p;
	delta = read_bytes(&r, 4);
	if (r.bad || delta == 0 || delta > (size_t)(cie_at - low) ||
	    !read_cie(&c, cie_at - delta, low, high) || c.signal)
		return 0;
	begin = read_encoded(&r, c.fde_enc);
	range = read_encoded(&r, c.fde_enc & 0x0f);
	if (c.augmented)
		skip_block(&r);
	if (r.bad || pc < begin || pc - begin >= range)
		return 0;
	loc = begin;
	run_program(&w, NULL, &c, &c.program, &loc, pc);
	initial = w;
	loc = begin;
	run_program(&w, &initial, &c, &r, &loc, pc);
	if (c.program.bad || r.bad || w.ra_lost || w.cfa_off != (int32_t)w.cfa_off ||
	    w.bp_off % 8 != 0 || w.bp_off > 0 || w.bp_off < -(1 << 23))
		return 0;
	return rule_make(w.kind, w.bp, (int)w.bp_off, (int)w.cfa_off);
}

/*
 * The table of rules.  A slot is written by whoever turns its key into BUSY, so
 * that a reader who sees the same key before and after has that key's rule.
 */

#define RULES 16384
#define BUSY 1

static struct {
	_Atomic uintptr_t key;
	_Atomic uint64_t rule;
} rules[RULES];

static inline size_t rule_slot(uintptr_t pc)
{
	return pc * 0x9e3779b97f4a7c15u >> 50;
}

_Static_assert(RULES == 1 << 14, "rule_slot() gives 14 bits");

extern int _dl_find_object(void *, struct dl_find_object *) __attribute__((weak));

static uint64_t find_rule(uintptr_t pc)
{
	struct dl_find_object o;
	size_t i = rule_slot(pc);
	uintptr_t old = atomic_load_explicit(&rules[i].key, memory_order_relaxed);
	uint64_t rule;

	if (_dl_find_object == NULL || _dl_find_object((void *)(pc - 1), &o) != 0 ||
	    o.dlfo_eh_frame == NULL)
		return 0;	/* not kept: code may be loaded here later */
	rule = derive_rule(o.dlfo_eh_frame, pc - 1, o.dlfo_map_start, o.dlfo_map_end);
	if (old != BUSY && atomic_compare_exchange_strong(&rules[i].key, &old, BUSY)) {
		atomic_store_explicit(&rules[i].rule, rule, memory_order_relaxed);
		atomic_store_explicit(&rules[i].key, pc, memory_order_release);
	}
	return rule;
}

static inline uint64_t rule_of(uintptr_t pc)
{
	size_t i = rule_slot(pc);

	if (likely(atomic_load_explicit(&rules[i].key, memory_order_acquire) == pc)) {
		uint64_t rule = atomic_load_explicit(&rules[i].rule, memory_order_relaxed);

		atomic_thread_fence(memory_order_acquire);
		if (likely(atomic_load_explicit(&rules[i].key, memory_order_relaxed) == pc))
			return rule;
	}
	return find_rule(pc);
}

bool unwind_is_bare(uintptr_t pc)
{
	uint64_t rule = rule_of(pc + 1);	/* rules are for what is before an address */

	return rule_kind(rule) == RULE_SP && rule_cfa_off(rule) == 8 && rule_bp(rule) == BP_SAME;
}

bool unwind_next(uintptr_t pc, intptr_t *off, bool *by_bp)
{
	uint64_t rule = rule_of(pc);

	*by_bp = rule_kind(rule) == RULE_BP;
	*off = rule_cfa_off(rule) - 8;
	return rule_kind(rule) == RULE_SP || rule_kind(rule) == RULE_BP;
}

void unwind_forget(void)
{
	for (size_t i = 0; i < RULES; i++) {
		uintptr_t old = atomic_load(&rules[i].key);

		if (old > BUSY)
			atomic_compare_exchange_strong(&rules[i].key, &old, 0);
	}
}

/*
 * The walk
 */

_Atomic bool unwind_filtered;

/* May [sp, high) be read?  Known parts of a stack are only extended; another stack
 * (a coroutine's, a signal handler's) takes their place. */
static bool stack_extend(struct unwind_stack *s, uintptr_t sp, uintptr_t high)
{
	uintptr_t from = sp & ~(PAGE - 1), to = (high + PAGE - 1) & ~(PAGE - 1);
	int saved = errno;
	bool ok = !unwind_filtered && msync((void *)from, to - from, MS_ASYNC) == 0;

	errno = saved;
	if (!ok)
		return false;
	if (from <= s->high && to >= s->low) {
		s->low = from < s->low ? from : s->low;
		s->high = to > s->high ? to : s->high;
	} else {
		s->low = from;
		s->high = to;
	}
	return true;
}

static inline bool stack_has(struct unwind_stack *s, uintptr_t sp, uintptr_t high)
{
	if (likely(sp >= s->low && high <= s->high))
		return true;
	return stack_extend(s, sp, high);
}

static inline void add_check(struct unwind *u, uintptr_t at, uintptr_t value)
{
	if (u->nchecks < UNWIND_CHECKS)
		u->checks[u->nchecks] =
			(struct unwind_check){ (const uintptr_t *)at, value };
	u->nchecks++;
}

void unwind_walk(struct unwind *u, uintptr_t *ra, unsigned depth, const uintptr_t *frame,
		 struct unwind_stack *stack)
{
	uintptr_t sp = (uintptr_t)(frame + 2), bp = frame[0], bp_at = 0, pc = frame[1];
	bool bp_known = true, bp_checked = false;

	u->n = u->nchecks = 0;
	u->uses_bp = false;
	ra[u->n++] = pc;
	while (u->n < depth) {
		uint64_t rule = rule_of(pc);
		unsigned kind = rule_kind(rule);
		uintptr_t cfa;

		if (kind == RULE_END)
			break;
		if (kind == RULE_SP) {
			cfa = sp + (uintptr_t)rule_cfa_off(rule);
		} else {
			if (!bp_known)
				break;
			if (bp_at == 0)
				u->uses_bp = true;
			else if (!bp_checked)
				add_check(u, bp_at, bp);
			bp_checked = true;
			cfa = bp + (uintptr_t)rule_cfa_off(rule);
			if (kind == RULE_BP_DEREF) {
				uintptr_t at = cfa;

				if (at < sp || at - sp > MAX_FRAME || at % 8 != 0 ||
				    !stack_has(stack, sp, at + 8))
					break;
				cfa = *(const uintptr_t *)at;
				add_check(u, at, cfa);
			}
		}
		if (cfa < sp + 8 || cfa - sp > MAX_FRAME || cfa % 8 != 0 ||
		    !stack_has(stack, sp, cfa))
			break;
		pc = *(const uintptr_t *)(cfa - 8);
		add_check(u, cfa - 8, pc);
		if (rule_bp(rule) == BP_AT) {
			uintptr_t at = cfa + (uintptr_t)rule_bp_off(rule);

			bp_known = at >= sp && at <= cfa - 8;
			if (bp_known) {
				bp = *(const uintptr_t *)at;
				bp_at = at;
				bp_checked = false;
			}
		} else if (rule_bp(rule) == BP_LOST) {
			bp_known = false;
		}
		sp = cfa;
		if (pc < PAGE)
			break;
		ra[u->n++] = pc;
	}
}

/* The word at an address of a stack of which there is a copy; false: not in it. */
static bool copied(uintptr_t *out, uintptr_t at, uintptr_t sp, const void *stack, size_t n)
{
	if (at < sp || at % 8 != 0 || at - sp > n || n - (at - sp) < sizeof(*out))
		return false;
	memcpy(out, (const char *)stack + (at - sp), sizeof(*out));
	return true;
}

unsigned unwind_copy(uintptr_t *ra, unsigned depth, uintptr_t pc, uintptr_t sp, uintptr_t bp,
		     const void *stack, size_t n)
{
	uintptr_t low = sp, cfa;
	unsigned found = 0;

	pc++;
	while (found < depth && pc > PAGE) {
		uint64_t rule = rule_of(pc);
		unsigned kind = rule_kind(rule);

		ra[found++] = pc;
		if (kind == RULE_END)
			break;
		cfa = (kind == RULE_SP ? sp : bp) + (uintptr_t)rule_cfa_off(rule);
		if (kind == RULE_BP_DEREF && !copied(&cfa, cfa, low, stack, n))
			break;
		if (cfa < sp + 8 || !copied(&pc, cfa - 8, low, stack, n))
			break;
		if (rule_bp(rule) == BP_LOST ||
		    (rule_bp(rule) == BP_AT &&
		     !copied(&bp, cfa + (uintptr_t)rule_bp_off(rule), low, stack, n)))
			bp = 0;
		sp = cfa;
	}
	return found;
}
