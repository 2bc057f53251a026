/*
 * pta.h - which pointer may point where: Andersen's analysis of a whole program.
 *
 * Phase 1 of Sui, Ye and Xue (TSE 2014, section 4.1): inclusion-based, flow-
 * and context-insensitive over memory, field-sensitive by byte offset, arrays
 * monolithic, function pointers resolved while solving, allocation wrappers
 * cloned per call site.  Top-level variables are in SSA form (ir/ssa.h), so
 * that for them the result is flow-sensitive from the start.
 *
 * Vocabulary:
 *
 *   object    a piece of memory: global, function, slot, heap allocation, ...
 *   loc       an object and a byte offset in it: what a pointer points to
 *   node      something that holds pointers: an SSA value of a function, a
 *             function's result, or the cell at a loc
 *   site      an instruction of a function: (function, instruction)
 *
 * Blobs are objects that stand for memory nothing is known of.  What is stored
 * there, or passed to unknown code, is out of the program's hands: it is in the
 * set pta_given_away(), and the engines call it escaped.  What is loaded from a
 * blob is the blob again.  So unknown code never gives back what it got, and sets
 * stay small.  For leaks nothing is lost by that, since an object that was given
 * away is no longer asked for.
 */
#ifndef PTA_PTA_H
#define PTA_PTA_H

#include "base/bits.h"
#include "ir/ssa.h"
#include "model/model.h"

enum pta_okind {
	PTA_GLOBAL,		/* index: global; all string literals are one object, the first */
	PTA_FUNC,		/* index: function */
	PTA_SLOT,		/* func, index: slot */
	PTA_HEAP,		/* func, index: the allocating call */
	PTA_VARARG,		/* func: its variable arguments */
	PTA_BLOB,		/* see enum pta_blob */
	PTA_VIEW,		/* the analysis' own: no loc is in one */
};

enum pta_blob {
	PTA_B_UNKNOWN,		/* what unknown functions keep and return */
	PTA_B_LIBRARY,		/* static memory of modelled library functions */
	PTA_B_ENTRY,		/* what callers outside pass: main's argv, entry functions' parameters */
	PTA_B__COUNT
};

struct pta_obj {
	uint8_t kind;
	bool collapsed;		/* one cell for all offsets */
	bool given;		/* code out of sight can reach it */
	bool text;		/* characters, code, a library's own: is no struct of ours */
	bool blank;		/* holds no pointers, by its type; so does text */
	uint32_t func, index;
	uint32_t type;		/* 0 if unknown; a heap object is an array of these */
	uint64_t size;		/* bytes of type; 0 if unknown */
	uint32_t nlocs;		/* offsets seen */
	uint32_t first_loc;	/* list through pta_loc.next */
	/* heap objects */
	const struct model_effect *effect;	/* what the allocator's model says; NULL for a clone's own */
	uint32_t root;		/* the function whose model allocates: "malloc" under the wrappers */
	uint32_t site;		/* VIEW: of this object */
	uint32_t views;		/* list of its views */
	uint8_t nviews;
	bool common;		/* used as anything: what it holds is given away */
	uint64_t asked;		/* how much memory, at most, the call asked for; 0 if unknown */
	uint8_t nth;		/* of the objects that the call makes */
};

struct pta_loc {
	uint32_t obj;
	uint32_t off;
	uint32_t node;		/* its cell */
	uint32_t next;
	uint32_t layout;	/* the object whose type the offset is by: obj, or a view of it */
};

/* An argument must be such and such: (argument & mask) pred value. */
struct pta_need {
	uint32_t param;		/* IR_NONE: nothing is needed */
	enum ir_pred pred;
	int64_t mask, value;
};

/* A call inside a wrapper that makes what the wrapper hands out. */
struct pta_made {
	uint32_t inst, nth;	/* the nth object of this call */
	uint32_t arg;		/* 0: the call's result; else stored through this argument (from 1) ... */
	int64_t arg_off;	/* ... so many bytes from where it points */
	uint32_t store;		/* what stores it through the parameter; IR_NONE: the callee does */
	uint32_t copy;		/* the instruction that copies what `copied` below says into it; or IR_NONE */
	struct pta_need need;	/* the call is not reached otherwise */
};

/* One way in which a function hands out memory it allocates. */
struct pta_handout {
	uint32_t param;		/* through this parameter (0-based), or IR_NONE: it is the result */
	int64_t off;		/* ... stored so many bytes from where that points; of the result: a
				 * member of the object so many bytes from its begin */
	bool filled;		/* something may be stored in it, so that it must be known inside */
	uint32_t copied;	/* it gets a copy of what this parameter points to (memdup); or IR_NONE */
	uint32_t n;
	const struct pta_made *made;
};

enum { PTA_MAX_OUTS = 4 };

struct pta_wrapper {
	bool returns;		/* out[0]: its result is a new object, null, or one of its arguments */
	uint32_t nouts;
	struct pta_handout out[PTA_MAX_OUTS];	/* out[k] is the k-th heap object of each call */
};

struct pta_callback {		/* a call that a modelled library function makes */
	uint32_t inst;
	uint32_t callee;
	const struct model_effect *effect;
};

struct pta;

struct pta *pta_new(const struct ir_module *m, const struct model_set *models);
void pta_free(struct pta *p);

/* ---- what was found -------------------------------------------------- */

const struct ir_module *pta_module(const struct pta *p);
const struct model_set *pta_models(const struct pta *p);
const struct ssa *pta_ssa(const struct pta *p, uint32_t func);	/* NULL for a declaration */

/* What an operand of a function may point to; the empty set if nothing. */
const struct sbits *pta_points_to(const struct pta *p, uint32_t func, ir_ref r);
/* What the cell at a loc may point to. */
const struct sbits *pta_cell(const struct pta *p, uint32_t loc);
/* What was stored in blobs or given to unknown code: locs. */
const struct sbits *pta_given_away(const struct pta *p);
const struct pta_loc *pta_loc(const struct pta *p, uint32_t loc);
const struct pta_obj *pta_obj(const struct pta *p, uint32_t obj);
uint32_t pta_nlocs(const struct pta *p);
uint32_t pta_nobjs(const struct pta *p);

/* The loc of an operand that is an address constant (slot, global, ...), or IR_NONE. */
uint32_t pta_address(const struct pta *p, uint32_t func, ir_ref r);
/* The loc `offset` bytes further on, if the analysis has met it; else IR_NONE. */
uint32_t pta_loc_at(const struct pta *p, uint32_t loc, int64_t offset);

/* The k-th heap object that a call makes for its caller, or IR_NONE.  Most
 * calls make one; open_memstream makes two. */
uint32_t pta_heap_at(const struct pta *p, uint32_t func, uint32_t inst, unsigned k);

/* Is it a heap object that a call makes which control can get to? */
bool pta_is_source(const struct pta *p, uint32_t obj);

/* The functions, defined or declared, that a call may reach; and whether it may
 * reach code that we neither see nor have a model for. */
struct pta_callees {
	const struct sbits *set;
	bool unknown;
};
void pta_callees(const struct pta *p, uint32_t func, uint32_t inst, struct pta_callees *out);
/* What modelled library calls in this function call back. */
uint32_t pta_callbacks(const struct pta *p, uint32_t func, const struct pta_callback **out);
/* The model that decides what a function does, or NULL: only for functions
 * without a body. */
const struct model *pta_model(const struct pta *p, uint32_t func);

const struct pta_wrapper *pta_wrapper(const struct pta *p, uint32_t func);	/* NULL if it is none */
/* Does this instruction of a wrapper store what it hands out? */
bool pta_hands_out(const struct pta *p, uint32_t func, uint32_t store);
/* The locs that the call (func, inst) of a wrapper gets handout h in: added to out. */
void pta_handed_to(const struct pta *p, uint32_t func, uint32_t inst, const struct pta_handout *h,
		   struct sbits *out);
/* The object of a function's variable arguments, or IR_NONE. */
uint32_t pta_varargs(const struct pta *p, uint32_t func);
/* The operand as SSA sees it; the result of a function that always returns one
 * of its arguments is that argument. */
ir_ref pta_same(const struct pta *p, uint32_t func, ir_ref r);
/* The same without casts and copies. */
ir_ref pta_origin(const struct pta *p, uint32_t func, ir_ref r);
/* Adds the objects that these point to, and all that they lead to; what is in objs already is
 * not followed again. */
void pta_reach(const struct pta *p, const struct sbits *locs, struct bits *objs);
/* Is this MEMCPY from or to a char *, and taken for one of text?  Pointers that it copies are not
 * found in the destination. */
bool pta_is_text_copy(const struct pta *p, uint32_t func, uint32_t inst);
/* Adds the objects that the locations are in. */
void pta_add_objs(const struct pta *p, const struct sbits *locs, struct sbits *objs);
/* Is one of the locations in one of the objects? */
bool pta_meets(const struct pta *p, const struct sbits *locs, const struct sbits *objs);
/* Is it called from outside the program (main, or an external function of a
 * program without main), or through a pointer that left it? */
bool pta_is_entry(const struct pta *p, uint32_t func);
/* The blob that this object is, or PTA_B__COUNT. */
enum pta_blob pta_blob(const struct pta *p, uint32_t obj);

/* Functions in bottom-up order of the call graph's components: callees first.
 * comp[f] numbers the components in that order; recursive[f] tells whether f
 * calls itself directly or not. */
const uint32_t *pta_bottom_up(const struct pta *p, uint32_t *n);
uint32_t pta_component(const struct pta *p, uint32_t func);
bool pta_recursive(const struct pta *p, uint32_t func);
/* The strongly connected components of any graph in compressed rows, successors
 * first: order gets the nodes, comp their component's number. */
void pta_components(uint32_t n, const uint32_t *row, const uint32_t *to, uint32_t *comp, uint32_t *order);

struct pta_stats {
	uint32_t nodes, objects, locs, copy_edges, rounds, merged;
	uint32_t unknown_calls, indirect_calls, wrappers;
	bool gave_up;		/* the budget was used up: the sets are incomplete */
	double seconds_ssa, seconds_solve;
};
void pta_get_stats(const struct pta *p, struct pta_stats *s);

void pta_dump(const struct pta *p, FILE *f);
void pta_dump_callgraph(const struct pta *p, FILE *f);
struct sbuf;
/* "load.ctx", "malloc@a.c:41", "stdin", "*unknown*"; with "+8" for an offset. */
void pta_loc_name(const struct pta *p, uint32_t loc, struct sbuf *out);

#endif
