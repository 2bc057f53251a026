/*
 * priv.h - the inside of the value-flow engine, for the files of this folder.
 */
#ifndef VFG_PRIV_H
#define VFG_PRIV_H

#include "vfg/bdd.h"
#include "ir/ident.h"
#include "pta/enums.h"
#include "pta/nulls.h"
#include "pta/facts.h"
#include "vfg/vfg.h"

/* A node: bit 63 tells a memory version from a value, bit 62 what is in the memory
 * that a value points to from the value itself (held.c); then function, number. */
typedef uint64_t vnode;

#define VNODE_VALUE(func, v) ((uint64_t)(func) << 32 | (uint32_t)(v))
#define VNODE_DEF(func, d) (1ull << 63 | (uint64_t)(func) << 32 | (uint32_t)(d))
#define VNODE_IS_DEF(n) ((n) >> 63)
#define VNODE_FUNC(n) ((uint32_t)((n) >> 32) & 0x1fffffff)
#define VNODE_IDX(n) ((uint32_t)(n))
/* In what a value points to; and the same from an instruction on, which put it
 * there. */
#define VNODE_HELD(func, v) (1ull << 62 | VNODE_VALUE(func, v))
#define VNODE_PUT(func, inst) (1ull << 62 | VNODE_AFTER(func, inst))
#define VNODE_IS_HELD(n) ((n) >> 62 & 1)
#define VNODE_DEEP (1ull << 61)		/* in something in it, maybe */
#define VNODE_IS_PUT(n) (VNODE_IS_HELD(n) && (n) >> 31 & 1)
#define VNODE_PUT_INST(n) ((uint32_t)(n) & 0x7fffffff)
/* Places that define nothing, for guards: a function's entry, and the point
 * behind an instruction. */
#define VNODE_ENTRY(func) VNODE_VALUE(func, UINT32_MAX)
#define VNODE_AFTER(func, inst) VNODE_VALUE(func, 1u << 31 | (inst))

/* Is it a comparison by == or !=?  NULL: no instruction. */
static inline bool vfg__is_equality(const struct ir_inst *in)
{
	return in && in->op == IR_CMP && (in->sub == IR_P_EQ || in->sub == IR_P_NE);
}

enum vedge_kind {
	VE_FLOW,		/* to a node defined by instruction `inst` */
	VE_PHI,			/* to a phi of `block`, if control comes by its predecessor number `pred` */
	VE_CALL,		/* into the callee, at call `inst` */
	VE_RET,			/* out of the function, at return `inst`:
				 * `to` is in a caller, at call `site` */
	VE_FREE,		/* sinks, at instruction `inst` */
	VE_ESCAPE,
	VE_OUT,			/* sink: handed to a caller outside the program, at return `inst` */
};

/* Where an object is put into one that we follow anyway, there are two ways to
 * continue: with the memory, or with the holder (held.c). */
enum { VE_EITHER, VE_BY_MEMORY, VE_BY_HOLDER };

struct vedge {
	uint8_t kind;
	uint8_t way;		/* VE_EITHER: always to be taken */
	bool again;		/* only in a later round of a loop: for paths, not for guards */
	bool if_result;		/* FREE: only if the call's result is not null (realloc) ... */
	uint8_t or_zero;	/* ... or this argument is 0; 0 if there is none */
	uint32_t inst, block, pred;
	uint32_t site;		/* RET: the call, in VNODE_FUNC(to) */
	uint32_t by;		/* at a call: the function that does it, plus 1; 0: not one alone */
	vnode to;
};
VEC_TYPE(vedges, struct vedge);

/* Who uses a value or a version, per function: rows of instructions. */
struct vuses {
	uint32_t *row, *inst;			/* by value: instructions that use it */
	uint32_t *phi_row, *phi;		/* by value: SSA phis that take it */
	uint32_t *mu_row, *mu;			/* by memory version: indices into mssa_func.uses */
	uint32_t *chi_row, *chi;		/* by memory version: chis and phis that take it over */
	struct bits heap;			/* values that may point to some heap object */
};

struct vsite {
	uint32_t func, inst;
};

struct vloop {			/* the natural loops of one header, together */
	uint32_t header;	/* of one that jumps enter elsewhere, too:
				 * the block that control goes back to */
	VEC(uint32_t) latches;
	struct bits blocks;
};

/* What guards need of a function's control flow. */
struct vflow {
	uint32_t *ends;			/* by block: its first call that does not return, IR_NONE */
	struct bits to_return;		/* blocks from which a return can be reached */
	uint32_t nloops;		/* natural ones; behind them those that are
					 * entered in the middle ... */
	uint32_t nrounds;		/* ... so many together */
	struct vloop *loops;
};

/* What can become of a pointer that a function is given. */
enum { FATE_SINK = 1, FATE_LEAVES = 2, FATE_KEPT = 4 /* stored, or given to somebody unknown */ };
struct vfates {
	uint8_t *param, *region;	/* FATE_* */
	uint8_t *held;			/* by parameter: of what is in the memory it points to */
	struct bits live;		/* values, versions, held values: something can become of them */
	struct bits put;		/* stores into something that is still ours */
	struct bits put_too;		/* ... and that we follow anyway */
};

struct vvisible {		/* of a call: numbers of sets of locs */
	uint32_t in, out;
};

#define VSITE_KEY(func, inst) ((uint64_t)(func) << 32 | (uint32_t)(inst))

#define MAP_NAME vsitemap	/* by call */
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct retrange {		/* what a function returns, if that is known */
	bool done, known;
	int64_t lo, hi;
};

struct vfg {
	struct vsitemap said;		/* by vfg_check(): enum vfg_said */
	struct vfg_ended *ended;	/* by object; ditto */
	struct idents ids;		/* identities of values must not depend on indices */
	const struct mssa *s;
	const struct pta *p;
	const struct ir_module *m;
	struct arena arena;
	struct vuses *uses;		/* by function */
	uint32_t *caller_row;		/* calls that may reach a function */
	struct vsite *callers;
	struct sbits *holders;		/* by object: tracked locs whose cell may point to it */
	struct sbits *heap_holders;	/* by object: heap objects that may hold a pointer to it */
	struct sbits *returned;		/* by function without callers: objects it hands out */
	struct vvisible **visible;	/* by function, instruction */
	VEC(struct sbits *) visible_sets;
	bool *never_returns;		/* by function */
	struct vflow *flow;		/* by function */
	struct sbits *writes;		/* by function: globals that it or a callee stores to by name */
	bool *by_arguments;		/* by function: what it returns depends on its arguments only */
	struct vfates *fates;		/* by function */
	struct retrange *returns;	/* by function (walk_value.c) */
	struct enums enums;
	struct nulls nulls;
	/* locs: a pointer there is loaded and used, anything there is loaded (overwrite.c) */
	struct sbits taken, read;
};

struct vsource {
	uint32_t obj;
	uint32_t func, inst;
};
VEC_TYPE(vsources, struct vsource);
VEC_TYPE(vnodes, vnode);

/* graph.c */
void vfg__sources(const struct vfg *g, struct vsources *out);
/* The nodes where a source's object first is. */
void vfg__start(const struct vfg *g, const struct vsource *src, struct vnodes *out);
/* The same, if the call hands the object out in this way (NULL: it is no wrapper's). */
void vfg__start_by(const struct vfg *g, const struct vsource *src, const struct pta_handout *h,
		    struct vnodes *out);
/* How a source's object, or the nth object of a call, comes out of it: NULL if not by a wrapper. */
const struct pta_handout *vfg__nth_handout(const struct vfg *g, uint32_t func, uint32_t inst, uint32_t nth,
					   uint32_t *callee);
const struct pta_handout *vfg__handout(const struct vfg *g, const struct vsource *src, uint32_t *callee);
/* The edges out of a node along which the object can go; IR_NONE: any object. */
void vfg__edges(const struct vfg *g, vnode n, uint32_t obj, struct vedges *out);
/* The edges from number `from` on are what the callee does. */
void vfg__edges_by(struct vedges *out, uint32_t from, uint32_t callee);
/* May the node hold a pointer to the object? */
bool vfg__may_hold(const struct vfg *g, vnode n, uint32_t obj);
/* Does the set point into the object? */
bool vfg__points_to(const struct vfg *g, const struct sbits *pts, uint32_t obj);
/* Adds where pointers to what may hold what is in the region, or to holders of
 * that, may point. */
void vfg__holder_locs(const struct vfg *g, uint32_t func, uint32_t region, struct sbits *out);
/* The block where a node is defined, and the instruction (IR_NONE at a block's begin). */
void vfg__where(const struct vfg *g, vnode n, uint32_t *block, uint32_t *inst);
void vfg__node_name(const struct vfg *g, vnode n, struct sbuf *out);

/* summary.c */
void vfg__summarise(struct vfg *g);
void vfg__summary_release(struct vfg *g);
uint8_t vfg__fate(const struct vfg *g, vnode n);	/* of a parameter or an entry version */
/* Can a pointer there reach a sink, or leave the function? */
bool vfg__live(const struct vfg *g, vnode n);

/* visible.c */
void vfg__visible_init(struct vfg *g);
void vfg__visible_release(struct vfg *g);
/* Can the callees get at this memory?  out: or what they leave there be found by the caller? */
bool vfg__visible(const struct vfg *g, uint32_t func, uint32_t inst, bool out, const struct sbits *cells);

/* held.c */
/* What the address, used by the instruction, is made from, if that is an object
 * still in this function's hands; else IR_UNDEF. */
ir_ref vfg__put_base(const struct vfg *g, uint32_t func, uint32_t inst, ir_ref addr);
/* The value that points to the holder. */
ir_ref vfg__held_value(const struct vfg *g, vnode n, uint32_t obj);
/* Is the address where a `put` node put it? */
bool vfg__is_put_place(const struct vfg *g, vnode n, uint32_t obj, ir_ref addr);
/* Is it put into an element of an array, any of them? */
bool vfg__is_put_element(const struct vfg *g, vnode n, uint32_t obj);
void vfg__held_edges(const struct vfg *g, vnode n, uint32_t obj, struct vedges *out);
void vfg__find_puts(struct vfg *g, uint32_t func);

/* flow.c */
void vfg__flow_init(struct vfg *g);
void vfg__flow_release(struct vfg *g);
/* Does the function ask whether the call returned null, and continue if it did? */
bool vfg__can_fail(const struct vfg *g, uint32_t func, uint32_t inst);
bool vfg__never_returns(const struct vfg *g, uint32_t func, uint32_t inst);

#endif
