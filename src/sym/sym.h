/*
 * sym.h - values on one path: what is the same, what is known, what was stored.
 *
 * The walker (vfg/walk.c) and the path engine (path/exec.c) follow one path at a time and
 * ask of each branch: can it go this way, after all that was decided before?  Here are the
 * values they compute with.  A value is an identity and a range: two values with one
 * identity are equal, whatever they are, and a constant is a range of one.
 * Identities are hashes of how a value came about, so that `n + 1` computed
 * twice is one value.
 *
 * Facts about a value (its range, which of its bits are zero) come from the
 * branches taken.  All that changes along a path is in cells with a trail:
 * sym_undo() goes back to any point before, for the next path.
 *
 * How a value came about is kept too, and so is all that was assumed on the path,
 * for a solver that knows more of relations than ranges do (path/solver.h).
 *
 * Which way this errs: hash collisions of 62 bits are not looked for; facts that
 * the domain cannot express are forgotten, so that an infeasible path may be
 * taken for a feasible one, never the other way round.
 */
#ifndef SYM_SYM_H
#define SYM_SYM_H

#include "ir/ir.h"

struct sym {
	uint64_t id;
	int64_t lo, hi;		/* narrow integers are sign-extended; one bit is 0 or 1 */
};

/* What is known of a number, apart from who it is. */
struct sym_range {
	int64_t lo, hi;
	bool not_zero;
};

/* What is known, before a call, of its argument `param`, counted from 0, or of what is reached from there by
 * n loads, each so many bytes further on.  False: nothing. */
typedef bool sym_at_fn(void *arg, uint32_t param, const int64_t *off, uint32_t n, struct sym_range *out);

/* The two highest bits of an identity. */
enum sym_tag {
	SYM_T_ANY,		/* nothing in particular */
	SYM_T_ADDR,		/* the address of something that has a name, or a constant offset from it */
	SYM_T_OBJ,		/* the same of the object that is followed */
	SYM_T_CONST,
};

enum sym_kind { SYM_FACT, SYM_MEM, SYM_ENV, SYM_VISITS, SYM_NOTE };

struct sym_cell {
	uint8_t kind;
	bool written;		/* MEM: by a store on the path, not just seen by a load */
	bool all;		/* MEM: stands for all that is reached by root and has no cell of its own */
	uint32_t value;		/* ENV: which SSA value; VISITS: how many; MEM: operand whose value is root */
	uint64_t frame;		/* ENV, VISITS; MEM: where it was last reached; NOTE: aside */
	struct sym v;		/* ENV, MEM; FACT: id and range */
	union {
		struct {
			uint64_t root;		/* MEM: identity of the pointer to it; VISITS: block */
			int64_t from, to;	/* MEM: so many bytes from there, at least and at most */
		};
		struct {			/* FACT */
			uint64_t zeros, ones;	/* bits that are zero, and those that are set */
			uint64_t text;		/* it points to this string; 0: not known */
			uint64_t some;		/* of these bits at least one is set; 0: none said */
		};
	};
};

#define MAP_NAME symcells
#define MAP_KEY uint64_t
#define MAP_VAL struct sym_cell
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* How a value came about.  The ranges of its parts hold on every path that made it:
 * what only one path knows of them is in its facts. */
struct sym_expr {
	uint8_t op;		/* enum ir_opcode: BIN, CAST, CMP, INDEX; or one of those below */
	uint8_t sub;
	uint16_t bits;		/* of the result; ZEXT: of the operand; INDEX: size of an element */
	struct sym a, b;
};
enum {
	SYM_NOT = 255,		/* a is zero */
	SYM_TEXT = 254,		/* what a points to compared with the text b (text.h) */
	SYM_OFFSET = 253,	/* a + b, b constant: an address */
};

struct sym_term {		/* v is zero, or is not */
	struct sym v;
	bool truth;
};

#define MAP_NAME symexprs
#define MAP_KEY uint64_t
#define MAP_VAL struct sym_expr
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME symids
#define MAP_KEY uint64_t
#define MAP_VAL bool
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct sym_link {		/* of a cell to others of its frame */
	uint32_t prev, next;	/* cells; SYM_NO_CELL: none */
};
#define SYM_NO_CELL UINT32_MAX

struct sym_chain {
	uint32_t first, last;
};

#define MAP_NAME symchains
#define MAP_KEY uint64_t
#define MAP_VAL struct sym_chain
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct syms {
	struct symcells cells;
	/* For clients that never leave a frame: memory cells of one frame are linked, in the order
	 * in which they were made.  Cells then go in the order in which they came, so that a
	 * cell's index is its own for as long as it is there. */
	bool chained;
	struct symchains chains;	/* by frame: those that have cells */
	VEC(struct sym_link) links;	/* by cell */
	struct symexprs exprs;		/* grows only: identities mean the same on every path */
	VEC(struct sym_term) assumed;	/* on this path, where it was not known before */
	VEC(struct sym_change) trail;
	/* of the last sym_digest(), kept for their memory */
	struct symids ids, known;
	VEC(uint32_t) on, facts;
};

struct sym_change {
	uint64_t key;
	bool assumed;			/* a term, not a cell */
	bool was_there;
	struct sym_cell old;
};

void sym_release(struct syms *s);
void sym_clear(struct syms *s);

uint32_t sym_mark(const struct syms *s);
void sym_undo(struct syms *s, uint32_t mark);

/* ---- values ---------------------------------------------------------- */

static inline enum sym_tag sym_tag(struct sym a)
{
	return (enum sym_tag)(a.id >> 62);
}

struct sym sym_const(int64_t v);
struct sym sym_addr(uint64_t which);		/* of something that has a name */
struct sym sym_object(void);
struct sym sym_maybe(uint64_t which);		/* such an address, or null */
struct sym sym_any(uint64_t which, enum ir_class cls, unsigned bits);
struct sym sym_between(uint64_t which, int64_t lo, int64_t hi);

struct sym sym_bin(struct syms *s, enum ir_bin op, unsigned bits, struct sym a, struct sym b);
/* The same of numbers for which the result fits, or would not be defined (IR_F_NSW). */
struct sym sym_bin_fits(struct syms *s, enum ir_bin op, unsigned bits, struct sym a, struct sym b);
struct sym sym_cast(struct syms *s, enum ir_cast op, unsigned from, unsigned bits, struct sym a);
struct sym sym_cmp(struct syms *s, enum ir_pred p, struct sym a, struct sym b);
/* 0 if a points to just this string (its number, see text.h), as strcmp() has it. */
struct sym sym_text(struct syms *s, struct sym a, uint64_t text);
/* If the value is another one plus a constant, that one; else itself, and 0. */
struct sym sym_less(const struct syms *s, struct sym a, int64_t *off);
struct sym sym_index(struct syms *s, struct sym base, struct sym i, int64_t size);	/* base + i * size */

/* The value with what is known of it by now. */
struct sym sym_refined(const struct syms *s, struct sym a);
static inline bool sym_is_const(struct sym a)
{
	return a.lo == a.hi;
}

/* Is it true, that is not zero?  1 yes, 0 no, -1 not known. */
int sym_truth(const struct syms *s, struct sym a);
/* From now on it is (not) true.  False if that cannot be. */
bool sym_assume(struct syms *s, struct sym a, bool truth);

/* ---- what holds values ----------------------------------------------- */

void sym_env_set(struct syms *s, uint64_t frame, uint32_t value, struct sym v);
const struct sym *sym_env_get(const struct syms *s, uint64_t frame, uint32_t value);

/* Gives the cell, for what else the caller knows of it; valid until something is set. */
struct sym_cell *sym_mem_set(struct syms *s, struct sym addr, struct sym root, uint64_t frame, ir_ref op,
			     struct sym v, bool written);
const struct sym_cell *sym_mem_get(const struct syms *s, struct sym addr);
/* Where they are chained: the first cell of the frame, and the one behind another.  SYM_NO_CELL: none. */
static inline uint32_t sym_first_of(const struct syms *s, uint64_t frame)
{
	const struct sym_chain *c = symchains_get(&s->chains, frame);

	assert(s->chained);
	return c ? c->first : SYM_NO_CELL;
}
static inline uint32_t sym_next_of(const struct syms *s, uint32_t cell)
{
	return s->links.v[cell].next;
}
/* Memory for which the question is answered with yes now holds something that
 * nobody knows; salt tells one such occasion from another. */
void sym_mem_forget(struct syms *s, uint64_t salt, bool (*which)(const struct sym_cell *c, void *arg),
		    void *arg);

/* ... now holds the value. */
void sym_mem_fill(struct syms *s, struct sym v, bool (*which)(const struct sym_cell *c, void *arg),
		  void *arg);

/* Anything else that changes along a path, under a key of the client's.  `aside` does
 * not count in digests. */
void sym_note_set(struct syms *s, uint64_t key, uint32_t value, struct sym v, uint64_t aside);
const struct sym_cell *sym_note_get(const struct syms *s, uint64_t key);

/* Memory, by its key, is from now on reached in this frame by this operand. */
void sym_mem_rename(struct syms *s, uint64_t key, uint64_t frame, ir_ref op);

/* A frame is left for good: its values and visits are gone. */
void sym_leave(struct syms *s, uint64_t frame);

/* Counts a visit (anew: from one) and gives the number of visits, this one
 * included. */
uint32_t sym_visit(struct syms *s, uint64_t frame, uint32_t block, bool anew);
uint32_t sym_visits(const struct syms *s, uint64_t frame, uint32_t block);

/* A hash of all that can matter from here on: cells of the environment that the
 * question is answered with yes for, memory, and what is known of the values in
 * these. */
uint64_t sym_digest(struct syms *s, bool (*live)(const struct sym_cell *c, void *arg), void *arg);

#endif
