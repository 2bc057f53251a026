/*
 * cyclic_frames.c - rules for unwinding, read from .eh_frame.
 *
 * The dynamic linker finds the .eh_frame_hdr of an address (_dl_find_object: no
 * lock, no allocation), its sorted table leads to the function's record, and the
 * instructions of that are carried out up to the address.  We keep what x86-64
 * code needs to find its callers: where the frame ends (counted from rsp or rbp)
 * and where rbp was saved.  What is described by DWARF expressions, signal frames
 * among it, has no rule here: the walk ends, the site is not recognised, and its
 * objects come from the ordinary heap.  That errs to the safe side.
 *
 * The tables are the program's own and mapped read-only; they are trusted as far
 * as the unwinder of every C++ program trusts them.
 */
#include "cyclic_frames.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

enum { REG_BP = 6, REG_SP = 7, REG_RA = 16 };	/* DWARF's numbers on x86-64 */

/* Encodings of pointers (DW_EH_PE_*) and of instructions (DW_CFA_*). */
enum {
	PE_UDATA2 = 2, PE_UDATA4 = 3, PE_UDATA8 = 4, PE_SDATA2 = 10, PE_SDATA4 = 11, PE_SDATA8 = 12,
	PE_PCREL = 0x10, PE_DATAREL = 0x30, PE_INDIRECT = 0x80, PE_OMIT = 0xff,
};
enum {
	CFA_NOP = 0, CFA_SET_LOC, CFA_ADVANCE1, CFA_ADVANCE2, CFA_ADVANCE4, CFA_OFFSET_EXTENDED,
	CFA_RESTORE_EXTENDED, CFA_UNDEFINED, CFA_SAME_VALUE, CFA_REGISTER, CFA_REMEMBER, CFA_RESTORE_STATE,
	CFA_DEF, CFA_DEF_REGISTER, CFA_DEF_OFFSET, CFA_DEF_EXPRESSION, CFA_EXPRESSION,
	CFA_OFFSET_EXTENDED_SF, CFA_DEF_SF, CFA_DEF_OFFSET_SF, CFA_VAL_OFFSET, CFA_VAL_OFFSET_SF,
	CFA_VAL_EXPRESSION, CFA_ARGS_SIZE = 0x2e,
	CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0,	/* two upper bits */
};

struct cursor {
	const uint8_t *p, *end;
	bool bad;
};

static uint64_t get_bytes(struct cursor *c, unsigned n)
{
	uint64_t x = 0;

	if (c->bad || (size_t)(c->end - c->p) < n)
		return c->bad = true, 0;
	memcpy(&x, c->p, n);
	c->p += n;
	return x;
}

static uint64_t get_uleb(struct cursor *c)
{
	uint64_t x = 0, b;
	unsigned shift = 0;

	do {
		b = get_bytes(c, 1);
		if (shift < 64)
			x |= (b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	return x;
}

static int64_t get_sleb(struct cursor *c)
{
	uint64_t x = 0, b;
	unsigned shift = 0;

	do {
		b = get_bytes(c, 1);
		if (shift < 64)
			x |= (b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	if (shift < 64 && (b & 0x40))
		x |= -(UINT64_C(1) << shift);
	return (int64_t)x;
}

/* A pointer without what it is relative to. */
static uint64_t get_value(struct cursor *c, uint8_t enc)
{
	switch (enc & 0x0f) {
	case 0: case PE_UDATA8: case PE_SDATA8:
		return get_bytes(c, 8);
	case PE_UDATA2:
		return get_bytes(c, 2);
	case PE_UDATA4:
		return get_bytes(c, 4);
	case PE_SDATA2:
		return (uint64_t)(int64_t)(int16_t)get_bytes(c, 2);
	case PE_SDATA4:
		return (uint64_t)(int64_t)(int32_t)get_bytes(c, 4);
	default:
		c->bad = true;
		return 0;
	}
}

static uint64_t get_pointer(struct cursor *c, uint8_t enc, uintptr_t data)
{
	uintptr_t here = (uintptr_t)c->p;
	uint64_t x = get_value(c, enc);

	switch (enc & 0x70) {
	case 0:
		return x;
	case PE_PCREL:
		return x + here;
	case PE_DATAREL:
		return x + data;
	default:
		c->bad = true;
		return 0;
	}
}

/* The record (FDE) that may cover pc, from the sorted table of .eh_frame_hdr. */
static const uint8_t *find_record(uintptr_t pc)
{
	struct dl_find_object o;
	struct cursor c;
	const int32_t *table;
	const uint8_t *hdr;
	size_t lo = 0, hi, n;

	if (_dl_find_object((void *)pc, &o) != 0 || o.dlfo_eh_frame == NULL)
		return NULL;
	hdr = o.dlfo_eh_frame;
	c = (struct cursor){ hdr + 4, (const uint8_t *)o.dlfo_map_end, false };
	if (hdr[0] != 1 || hdr[2] == PE_OMIT || hdr[3] != (PE_DATAREL | PE_SDATA4))
		return NULL;
	get_pointer(&c, hdr[1], (uintptr_t)hdr);
	n = get_pointer(&c, hdr[2], (uintptr_t)hdr);
	if (c.bad || n == 0 || n > (size_t)(c.end - c.p) / 8)
		return NULL;
	table = (const int32_t *)(const void *)c.p;
	if (pc < (uintptr_t)hdr + (uintptr_t)(intptr_t)table[0])
		return NULL;
	for (hi = n; hi - lo > 1;) {
		size_t mid = lo + (hi - lo) / 2;

		if ((uintptr_t)hdr + (uintptr_t)(intptr_t)table[2 * mid] <= pc)
			lo = mid;
		else
			hi = mid;
	}
	return hdr + table[2 * lo + 1];
}

/* A function's record and what it shares with others. */
struct record {
	struct cursor shared, own;	/* instructions */
	uint64_t begin, length;		/* the code it is about */
	uint64_t code_factor;
	int64_t data_factor;
	uint8_t enc;
};

/* Opens the length-prefixed entry at p; c covers what is behind the length. */
static bool open_entry(struct cursor *c, const uint8_t *p)
{
	uint32_t len;

	memcpy(&len, p, 4);
	if (len == 0 || len == 0xffffffffu)
		return false;
	*c = (struct cursor){ p + 4, p + 4 + len, false };
	return true;
}

/* The part that functions share (CIE).  False: nothing we can follow. */
static bool read_shared(struct record *r, const uint8_t *p)
{
	struct cursor c;
	const char *aug;
	uint64_t len;

	if (!open_entry(&c, p) || get_bytes(&c, 4) != 0)
		return false;
	if (get_bytes(&c, 1) > 3)
		return false;
	aug = (const char *)c.p;
	while (get_bytes(&c, 1) != 0)
		if (c.bad)
			return false;
	r->code_factor = get_uleb(&c);
	r->data_factor = get_sleb(&c);
	if (get_uleb(&c) != REG_RA || aug[0] != 'z')
		return false;
	len = get_uleb(&c);
	if (c.bad || len > (size_t)(c.end - c.p))
		return false;
	r->shared = (struct cursor){ c.p + len, c.end, false };
	r->enc = 0;
	for (aug++; *aug; aug++)
		if (*aug == 'R')
			r->enc = (uint8_t)get_bytes(&c, 1);
		else if (*aug == 'L')
			get_bytes(&c, 1);
		else if (*aug == 'P')
			get_value(&c, (uint8_t)get_bytes(&c, 1));
		else
			return false;	/* 'S': a signal frame */
	return !c.bad;
}

static bool read_record(struct record *r, const uint8_t *p)
{
	struct cursor c;
	const uint8_t *at;
	uint32_t back;
	uint64_t len;

	if (!open_entry(&c, p))
		return false;
	at = c.p;
	back = (uint32_t)get_bytes(&c, 4);
	if (back == 0 || !read_shared(r, at - back))
		return false;
	r->begin = get_pointer(&c, r->enc, 0);
	r->length = get_value(&c, r->enc & 0x0f);
	len = get_uleb(&c);
	if (c.bad || len > (size_t)(c.end - c.p))
		return false;
	r->own = (struct cursor){ c.p + len, c.end, false };
	return true;
}

struct state {
	uint64_t cfa_reg;
	int64_t cfa, bp;
	bool bp_saved, bp_lost, cfa_lost;
};

struct machine {
	const struct record *r;
	uint64_t loc, pc;
	struct state now, initial, stack[8];
	unsigned depth;
	bool bad;
};

static void set_saved(struct machine *m, uint64_t reg, int64_t offset)
{
	if (reg == REG_BP) {
		m->now.bp = offset;
		m->now.bp_saved = true;
		m->now.bp_lost = false;
	} else if (reg == REG_RA && offset != -8) {
		m->bad = true;
	} else if (reg == REG_SP) {
		m->bad = true;
	}
}

static void set_same(struct machine *m, uint64_t reg)
{
	if (reg == REG_BP)
		m->now.bp_saved = m->now.bp_lost = false;
}

static void set_initial(struct machine *m, uint64_t reg)
{
	if (reg == REG_BP) {
		m->now.bp = m->initial.bp;
		m->now.bp_saved = m->initial.bp_saved;
		m->now.bp_lost = m->initial.bp_lost;
	}
}

/* What we do not follow: rbp may still be not needed. */
static void set_lost(struct machine *m, uint64_t reg)
{
	if (reg == REG_BP)
		m->now.bp_lost = true;
	else if (reg == REG_RA || reg == REG_SP)
		m->bad = true;
}

static void set_cfa(struct machine *m, uint64_t reg, int64_t offset)
{
	m->now.cfa_reg = reg;
	m->now.cfa = offset;
	m->now.cfa_lost = false;
}

static void skip_block(struct cursor *c)
{
	uint64_t n = get_uleb(c);

	if (n > (size_t)(c->end - c->p))
		c->bad = true;
	else
		c->p += n;
}

static void save_state(struct machine *m)
{
	if (m->depth == sizeof(m->stack) / sizeof(m->stack[0]))
		m->bad = true;
	else
		m->stack[m->depth++] = m->now;
}

static void restore_state(struct machine *m)
{
	if (m->depth == 0)
		m->bad = true;
	else
		m->now = m->stack[--m->depth];
}

/* One instruction of the long kind. */
static void execute_long(struct machine *m, struct cursor *c, uint8_t op)
{
	int64_t f = m->r->data_factor;
	uint64_t reg;

	switch (op) {
	case CFA_NOP: break;
	case CFA_SET_LOC: m->loc = get_pointer(c, m->r->enc, 0); break;
	case CFA_ADVANCE1: m->loc += get_bytes(c, 1) * m->r->code_factor; break;
	case CFA_ADVANCE2: m->loc += get_bytes(c, 2) * m->r->code_factor; break;
	case CFA_ADVANCE4: m->loc += get_bytes(c, 4) * m->r->code_factor; break;
	case CFA_OFFSET_EXTENDED: reg = get_uleb(c); set_saved(m, reg, (int64_t)get_uleb(c) * f); break;
	case CFA_OFFSET_EXTENDED_SF: reg = get_uleb(c); set_saved(m, reg, get_sleb(c) * f); break;
	case CFA_RESTORE_EXTENDED: set_initial(m, get_uleb(c)); break;
	case CFA_UNDEFINED: set_lost(m, get_uleb(c)); break;
	case CFA_SAME_VALUE: set_same(m, get_uleb(c)); break;
	case CFA_REGISTER: set_lost(m, get_uleb(c)); get_uleb(c); break;
	case CFA_REMEMBER: save_state(m); break;
	case CFA_RESTORE_STATE: restore_state(m); break;
	case CFA_DEF: reg = get_uleb(c); set_cfa(m, reg, (int64_t)get_uleb(c)); break;
	case CFA_DEF_SF: reg = get_uleb(c); set_cfa(m, reg, get_sleb(c) * f); break;
	case CFA_DEF_REGISTER: m->now.cfa_reg = get_uleb(c); break;
	case CFA_DEF_OFFSET: m->now.cfa = (int64_t)get_uleb(c); break;
	case CFA_DEF_OFFSET_SF: m->now.cfa = get_sleb(c) * f; break;
	case CFA_DEF_EXPRESSION: skip_block(c); m->now.cfa_lost = true; break;
	case CFA_EXPRESSION:
	case CFA_VAL_EXPRESSION: set_lost(m, get_uleb(c)); skip_block(c); break;
	case CFA_VAL_OFFSET: set_lost(m, get_uleb(c)); get_uleb(c); break;
	case CFA_VAL_OFFSET_SF: set_lost(m, get_uleb(c)); get_sleb(c); break;
	case CFA_ARGS_SIZE: get_uleb(c); break;
	default: m->bad = true; break;
	}
}

/* Carries out instructions while they are about code up to pc. */
static void execute(struct machine *m, struct cursor c)
{
	while (c.p < c.end && !c.bad && !m->bad) {
		uint8_t op = (uint8_t)get_bytes(&c, 1), low = op & 0x3f;

		switch (op & 0xc0) {
		case CFA_ADVANCE: m->loc += low * m->r->code_factor; break;
		case CFA_OFFSET: set_saved(m, low, (int64_t)get_uleb(&c) * m->r->data_factor); break;
		case CFA_RESTORE: set_initial(m, low); break;
		default: execute_long(m, &c, op); break;
		}
		if (m->loc > m->pc)
			return;
	}
	m->bad |= c.bad;
}

struct frame_rule frame_rule_find(uintptr_t pc)
{
	struct frame_rule none = { 0, 0, false, false }, rule = none;
	struct record r;
	struct machine m;
	const uint8_t *p;

	pc--;			/* the call, not what comes after it */
	p = find_record(pc);
	if (p == NULL || !read_record(&r, p) || pc - r.begin >= r.length)
		return none;
	memset(&m, 0, sizeof(m));
	m.r = &r;
	m.loc = 0;
	m.pc = UINT64_MAX;
	execute(&m, r.shared);
	m.initial = m.now;
	m.loc = r.begin;
	m.pc = pc;
	execute(&m, r.own);
	if (m.bad || m.now.cfa_lost || m.now.bp_lost ||
	    (m.now.cfa_reg != REG_SP && m.now.cfa_reg != REG_BP) || m.now.cfa != (int32_t)m.now.cfa ||
	    m.now.bp != (int16_t)m.now.bp || (m.now.bp_saved && m.now.bp == 0))
		return none;
	rule.cfa = (int32_t)m.now.cfa;
	rule.bp = m.now.bp_saved ? (int16_t)m.now.bp : 0;
	rule.from_bp = m.now.cfa_reg == REG_BP;
	rule.known = true;
	return rule;
}
