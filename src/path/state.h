/*
 * state.h - memory on one path: objects, where pointers point, what is stored.
 *
 * Sections 3.1 and 3.2 of Xu and Zhang (QSIC 2008): memory objects with a kind
 * and a state.  Values are those of sym/sym.h, whose cells can be undone, so
 * that paths are walked depth first with one state.  An object is known by the
 * identity of its address; what an unknown pointer points to is an object too,
 * under the identity of that pointer.
 *
 * Where we depart: members and elements are memory of their own, so that a
 * pointer in a struct is followed instead of given up; and the escape states
 * of the paper are not kept up to date at each store but read off at the end
 * of the path, from who can still reach the object.
 *
 * Which way this errs: two unknown pointers are taken to point to different
 * objects, so that a store through one is not seen through the other.
 */
#ifndef PATH_STATE_H
#define PATH_STATE_H

#include "ir/ident.h"
#include "path/summary.h"
#include "sym/sym.h"

enum mkind {
	M_SLOT, M_GLOBAL, M_FUNC,
	M_INPUT,		/* what the caller's pointers lead to: has a place */
	M_HEAP,			/* made on this path */
	M_OTHER,		/* whatever an unknown pointer points to */
};

struct mobj {
	uint8_t kind;
	bool zeroed;			/* HEAP: full of zeros at first */
	bool has_place;			/* INPUT: of the pointer to it; may be too long to have one */
	uint32_t index;			/* slot, global, function; HEAP: the call */
	struct place place;
	struct snew made;		/* HEAP */
	struct sym addr;
};

struct where {			/* what a pointer points to */
	uint64_t base;		/* identity of the object's address */
	int64_t off;
	bool any;		/* somewhere behind off: an element, or an offset not known */
};

enum ostate { O_LIVE, O_FREED, O_KEPT };

#define MAP_NAME mobjs
#define MAP_KEY uint64_t
#define MAP_VAL struct mobj
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME wheres
#define MAP_KEY uint64_t
#define MAP_VAL struct where
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME placemap
#define MAP_KEY uint64_t
#define MAP_VAL struct place
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME symmap
#define MAP_KEY uint64_t
#define MAP_VAL struct sym
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME digests
#define MAP_KEY uint64_t
#define MAP_VAL bool
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* Maps from identities grow only: what an identity means is the same on every path. */
struct state {
	const struct ir_module *m;
	struct syms s;
	struct mobjs objs;
	VEC(uint32_t) heaps, inputs;	/* which of them are of kind HEAP, or INPUT */
	struct wheres wheres;
	struct digests fresh;		/* values that no caller can know anything of */
	struct placemap places;		/* values that the caller knows as well */
	struct wheres elems;		/* values loaded from some element: of which array */
	struct digests rounds;		/* numbers of a loop's later rounds that were made up */
	struct symmap were;		/* contents of a global after a call of unknown code -> before it */
	bool copies;			/* some memory was copied before anybody looked at it */
	const struct bits *fixed;	/* globals that the program never changes */
	const struct idents *ids;	/* identities of values must not depend on indices */
	uint64_t salt;
};

void state_init(struct state *st, const struct ir_module *m, const struct bits *fixed,
		const struct idents *ids);
void state_release(struct state *st);
void state_clear(struct state *st);

/* ---- objects --------------------------------------------------------- */

/* A local variable; or what an alloca() makes on its visit-th execution. */
struct sym state_slot(struct state *st, uint32_t slot, uint32_t visit);
struct sym state_symbol(struct state *st, ir_ref r);	/* GLOBAL, FUNC or ADDR */
struct sym state_param(struct state *st, uint32_t k, enum ir_class cls, unsigned bits);
/* Where the variable arguments are, of a function with so many others. */
struct sym state_varargs(struct state *st, uint32_t nparams);
/* A new heap object; nth of those that the call makes on its visit-th execution. */
struct sym state_new(struct state *st, const struct snew *made, uint32_t call, uint32_t nth, uint32_t visit);
/* A value that nobody knows, never the same twice. */
struct sym state_fresh(struct state *st, enum ir_class cls, unsigned bits);

/* What the pointer points to, made known if it was not. */
struct where state_where(struct state *st, struct sym p);
/* The object that has this base; it exists. */
struct mobj *state_obj(struct state *st, uint64_t base);
/* The object a pointer points into, if it is one of this path's heap objects; else NULL. */
struct mobj *state_heap(struct state *st, struct sym p);
bool state_is_null(const struct state *st, struct sym p);
bool state_is_nonnull(const struct state *st, struct sym p);

bool state_exists(const struct state *st, uint64_t base);	/* was it made on this path? */
enum ostate state_of(const struct state *st, uint64_t base);
uint32_t state_at(const struct state *st, uint64_t base);	/* the instruction that made it so */
void state_set(struct state *st, uint64_t base, enum ostate o, uint32_t inst);
/* Whether it is freed or handed on was a guess: nothing is said of it. */
void state_set_vague(struct state *st, uint64_t base);
bool state_is_vague(const struct state *st, uint64_t base);
/* The instruction by which the last pointer to it was lost, or IR_NONE. */
uint32_t state_lost_at(const struct state *st, uint64_t base);

/* Changes whenever memory that others see does. */
uint64_t state_stamp(const struct state *st);
void state_set_stamp(struct state *st, uint32_t inst);

/* Something on this path was guessed: which element, which of a callee's cases. */
void state_doubt(struct state *st);
bool state_is_sure(const struct state *st);
/* Numbers of a loop's later rounds were made up, or one of several ways through a call was taken:
 * feasible as far as anybody knows, but not certain. */
void state_made_up(struct state *st);
bool state_is_exact(const struct state *st);	/* neither of these */
/* A library function has compared what is in memory on this path, here or in a callee. */
void state_compared(struct state *st);
bool state_has_compared(const struct state *st);
/* Does what was assumed on this path depend on numbers of later rounds? */
bool state_asks_rounds(const struct state *st);
/* Does this path ask a global before and after a call of unknown code, and need other answers? */
bool state_needs_change(const struct state *st);
/* Notes a question; true if it was asked on this path before. */
bool state_was_asked(struct state *st, uint64_t id);

/* A pointer that some element of the caller's holds: two calls may have got two different ones. */
struct sym state_another(struct state *st, struct sym v, uint64_t which);

/* ---- memory ---------------------------------------------------------- */

struct sym state_offset(struct state *st, struct sym p, int64_t off);
/* loop: 0, or which loop this is in.  There, an element that the round picks stands for all of
 * the array: the same index in another loop is another one. */
struct sym state_element(struct state *st, struct sym p, struct sym i, int64_t size, uint32_t loop);
/* What a pointer that moves through an array in a loop points to in this round. */
struct sym state_round(struct state *st, struct sym p, uint32_t loop);
/* Somewhere in what p points to; may be null if maybe_null. */
struct sym state_into(struct state *st, struct sym p, bool maybe_null);

/* cls_index tells which loads may see the cell (exec.c); inst: who stores. */
struct sym state_load(struct state *st, struct sym p, enum ir_class cls, unsigned bits, uint32_t cls_index);
void state_store(struct state *st, struct sym p, struct sym v, uint32_t cls_index, uint32_t inst);
/* ... where nothing is lost by it. */
void state_change(struct state *st, struct sym p, uint32_t cls_index, struct sym v);
void state_copy(struct state *st, struct sym to, struct sym from, int64_t size,
		uint32_t inst);		/* size -1: all */
/* Memory of the object whose first content is a copy of another's, not looked at when it was
 * copied: of which (0: none), from where on, to where, and how much (-1: all). */
uint64_t state_copied(const struct state *st, uint64_t base, int64_t *from, int64_t *to, int64_t *size);
void state_zero(struct state *st, struct sym to, int64_t size, uint32_t inst);
/* Memory of the object is written with something unknown; pointers: they, too.
 * What they held may have been taken by somebody. */
void state_forget(struct state *st, uint64_t base, bool pointers);
void state_forget_from(struct state *st, uint64_t base, int64_t from,
		       bool pointers);	/* only what is behind */
/* v can be reached through the object that p points to, somewhere behind p. */
void state_put_in(struct state *st, struct sym p, struct sym v, uint32_t inst);

/* Calls back for every cell of an object: where in it, and the value. */
struct state_cell {
	struct where at;
	struct sym addr, v;
	bool written;
};
void state_cells(const struct state *st, uint64_t base, void (*fn)(const struct state_cell *c, void *arg),
		 void *arg);
void state_all_cells(const struct state *st, void (*fn)(const struct state_cell *c, void *arg), void *arg);

/* The value that a place has now.  args: what the callee is given. */
struct sym state_place(struct state *st, const struct place *p, const struct sym *args, uint32_t nargs,
		       const struct sym *news, enum ir_class cls, unsigned bits);
/* ... and the address that its last step loads from.  False: there is none. */
bool state_place_addr(struct state *st, const struct place *p, const struct sym *args, uint32_t nargs,
		      const struct sym *news, struct sym *addr);

#endif
