/*
 * priv.h - the inside of the points-to analysis, for the files of this folder.
 */
#ifndef PTA_PRIV_H
#define PTA_PRIV_H

#include "base/shares.h"
#include "base/vec.h"
#include "pta/pta.h"

enum con_kind {
	CON_LOAD,		/* other >= *node */
	CON_STORE,		/* *node >= other */
	CON_FIELD,		/* other >= node + off */
	CON_SHIFT,		/* the same by byte arithmetic: within structs only, see shift() */
	CON_CALL,		/* node is called at site `other` */
	CON_CALLBACK,		/* node is called as callbacks.v[other] says */
	CON_COPY_FROM,		/* node is the source of copies.v[other] */
	CON_COPY_TO,		/* ... the destination */
	CON_ESCAPE,		/* functions that node points to are called by unknown code */
};

struct con {			/* a constraint that looks at what a node points to */
	uint8_t kind;
	bool alone;		/* `other` gets nothing but from here: LOAD, FIELD, SHIFT */
	uint32_t other;
	int32_t off;
	uint32_t type;		/* FIELD: of the struct that has the member; 0 if unknown.
				 * SHIFT: not 0 if only to the beginning of the object */
};

#define WANT_NOTHING IR_NONE	/* it is declared as something that is no pointer */

struct node {
	uint32_t rep;		/* union-find; itself if it is the representative */
	uint32_t want;		/* it is declared as a pointer to this type; 0 if to anything */
	bool merged;		/* others were merged into it: its constraints may be double */
	struct share *share;	/* pts borrows its words; NULL if they are its own */
	struct sbits pts;	/* all of it */
	struct sbits fresh;	/* the part not yet passed on */
	struct sbits succ;	/* copy edges to these nodes */
	VEC(struct con) cons;
};

/* May a pointer to `type` point to what lies in an `outer` at an offset?  The last answers are
 * remembered, in the place that their hash says. */
enum { FITS_MEMO = 1 << 16 };
struct fits {
	uint32_t outer, type, off;
	bool yes;
};

/* The locs at which a struct of some type may lie. */
struct fitting {
	struct sbits set;
	uint32_t upto;		/* locs below this number were looked at */
};

struct site {			/* a call */
	uint32_t func, inst;
	struct sbits callees;
	bool unknown;
};

/* Memory copied as a whole: see copies.c. */
struct copy_cell {
	uint64_t distance;
	uint32_t type;		/* of the struct that is copied; 0 if unknown */
	uint32_t node;
};
struct copy {
	uint64_t size;		/* UINT64_MAX: all */
	bool away;		/* some destination is out of our hands */
	uint32_t from_want, to_want;	/* what the pointers are declared to point to */
	struct sbits from, to;	/* locs */
	VEC(struct copy_cell) cells;
};
struct watcher {		/* of an object: a copy that reads it */
	uint32_t copy, off, next;
};

struct new_view {		/* node wants a view of loc that is not there yet */
	uint32_t node, loc;
};

struct callback {
	uint32_t site;
	const struct model_effect *effect;
	uint32_t nargs;
	uint32_t args[4];	/* nodes, IR_NONE if nothing */
};

/* What wrappers.c finds out of a parameter: see there. */
enum {
	FLOW_CAPTURED = 1,	/* stored away or given to somebody who may */
	FLOW_RETURNED = 2,
	FLOW_FREED = 4,		/* it may be */
};

#define PTA_KEY(a, b) ((uint64_t)(a) << 32 | (uint32_t)(b))

#define MAP_NAME u64map
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* What determines the only thing that flows into a node: where two agree the
 * nodes are one. */
struct con_key {
	uint32_t node;
	int32_t off;
	uint32_t type;		/* FIELD: of the struct; LOAD: what is wanted */
	uint32_t kind;
};

#define MAP_NAME conmap
#define MAP_KEY struct con_key
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_join(PTA_KEY((k).node, (k).off), PTA_KEY((k).type, (k).kind))
#define MAP_EQ(a, b) \
	((a).node == (b).node && (a).off == (b).off && (a).type == (b).type && (a).kind == (b).kind)
#include "base/map.h"

struct pta {
	const struct ir_module *m;
	const struct model_set *models;
	struct ssa *ssa;			/* by function; zeroed for declarations */
	const struct model **model;		/* by function */
	struct pta_wrapper **wrapper;		/* by function */
	uint8_t **param_flow;			/* by function, parameter: FLOW_* */
	uint32_t *same_as;			/* by function: the parameter always returned, or IR_NONE */
	struct arena arena;

	VEC(struct pta_obj) objs;
	VEC(struct pta_loc) locs;
	struct u64map loc_at;			/* obj, off -> loc */
	struct u64map text_copies;		/* func, inst of copies that are not followed */
	struct u64map slot_obj;			/* func, slot -> obj */
	struct u64map heap_obj;			/* func, inst, k -> obj */
	uint32_t *global_obj, *func_obj, *vararg_obj;
	uint32_t blob[PTA_B__COUNT];		/* objects */
	uint32_t given_away;			/* node: all that blobs and unknown code were given */
	struct u64map cast;			/* two struct types that pointers are cast between */
	struct fits *fits;			/* FITS_MEMO answers */
	struct bits blank_types;		/* structs and unions that hold no pointers */
	struct u64map fitting_at;		/* type -> index into fitting */
	struct sbits int_holders;		/* integer types and typedefs that pointers are stored as */
	struct sbits int_carriers;		/* ... that variables or parameters carry pointers as */
	VEC(struct fitting) fitting;
	struct u64map raw_loc;			/* obj, offset as given -> loc */
	uint32_t *watch;			/* by object: list of watchers; grows with objs */
	uint32_t watch_cap;
	VEC(struct watcher) watchers;
	VEC(uint32_t) pending;			/* new locs of watched objects */
	struct sbits raw;			/* locs of heap objects without a type */
	struct u64map view_at;			/* obj, type -> loc of the view's beginning */
	VEC(struct new_view) new_views;

	VEC(struct node) nodes;			/* until all is solved; then there is set_of */
	VEC(struct sbits) sets;
	uint32_t *set_of;			/* by node: what it points to, in sets */
	struct shares shares;
	uint32_t *value_node;			/* by function: node of its value 0 */
	uint32_t *ret_node;			/* by function: node of its result's first leaf */
	struct u64map addr_node;		/* loc -> node that points just there */
	struct u64map leaf_node;		/* node, leaf -> node of that leaf of an aggregate */
	struct conmap con_node;			/* -> the node that is just this */

	VEC(struct site) sites;
	struct u64map site_at;			/* func, inst -> site */
	VEC(struct copy) copies;
	struct conmap copy_at;			/* to, size, from -> copy */
	struct conmap copy_cell_at;		/* copy, distance, type -> node */
	VEC(struct callback) callbacks;
	VEC(struct pta_callback) *called_back;	/* by function */
	bool *entry;				/* by function */
	bool edges_changed;
	uint64_t work, budget;

	uint32_t *bottom_up, nbottom_up;
	uint32_t *comp;
	bool *recursive;
	struct pta_stats stats;
};

/* objects.c */
void pta__objects_init(struct pta *p);
void pta__objects_forget(struct pta *p);	/* what only the solver needs */
void pta__objects_release(struct pta *p);
uint32_t pta__new_obj(struct pta *p, enum pta_okind kind, uint32_t func, uint32_t index, uint32_t type);
uint32_t pta__loc(struct pta *p, uint32_t obj, int64_t off);	/* made if needed */
uint32_t pta__find_loc(const struct pta *p, uint32_t obj, int64_t off);	/* IR_NONE if it was never met */
bool pta__holds_pointers(const struct pta *p, uint32_t type);
bool pta__cell_holds(const struct pta *p, uint32_t obj, uint64_t off);	/* may it be a pointer's cell? */
/* May there be a struct of this type at loc? */
bool pta__fits(struct pta *p, uint32_t loc, uint32_t type);
const struct sbits *pta__fitting(struct pta *p, uint32_t type);
uint32_t pta__slot_obj(struct pta *p, uint32_t func, uint32_t slot);
uint32_t pta__heap_obj(struct pta *p, uint32_t func, uint32_t inst, unsigned k, uint32_t type);
uint32_t pta__const_loc(struct pta *p, uint32_t func, ir_ref r);	/* IR_NONE if it is no address */

/* solve.c */
uint32_t pta__new_node(struct pta *p);
uint32_t pta__rep(struct pta *p, uint32_t node);
void pta__point(struct pta *p, uint32_t node, uint32_t loc);		/* node may point to loc */
uint32_t pta__store_node(const struct pta *p, uint32_t loc);	/* where a store to loc goes */
void pta__edge(struct pta *p, uint32_t from, uint32_t to);		/* to >= from */
void pta__declare(struct pta *p, uint32_t node, uint32_t type);	/* the node is declared with this type */
void pta__con(struct pta *p, uint32_t node, enum con_kind kind, uint32_t other, int64_t off);
/* The same for a node into which nothing else will flow: the result of an
 * instruction.  Results that are bound to be equal become one node. */
void pta__con_alone(struct pta *p, uint32_t node, enum con_kind kind, uint32_t other, int64_t off,
		    uint32_t type);
/* other gets what node has, and nothing else. */
void pta__same(struct pta *p, uint32_t node, uint32_t other);
void pta__solve(struct pta *p);

/* copies.c */
void pta__copy_new_loc(struct pta *p, uint32_t loc);	/* a loc was made in a watched object */
void pta__copy_new_view(struct pta *p, uint32_t obj, uint32_t view);
bool pta__copy_pending(struct pta *p);			/* looks at them; false if there were none */
void pta__copy_add_from(struct pta *p, uint32_t copy, uint32_t from);
void pta__copy_add_to(struct pta *p, uint32_t copy, uint32_t to);

/* views.c */
bool pta__is_raw(const struct pta *p, uint32_t loc);	/* is it in memory without a type? */
bool pta__is_struct(const struct pta *p, uint32_t type);
bool pta__is_scalar(const struct pta *p, uint32_t type);
uint32_t pta__view(struct pta *p, uint32_t loc, uint32_t type);	/* of raw memory as a struct: its beginning */
/* Raw locs in a set that node will get become views; those that are not there
 * yet follow with pta__make_views(), which returns false if there were none. */
void pta__raw_to_views(struct pta *p, uint32_t node, struct sbits *set);
bool pta__make_views(struct pta *p);
void pta__fold_views(struct pta *p);

/* constrain.c */
uint32_t pta__node(struct pta *p, uint32_t func, ir_ref r);	/* IR_NONE if r holds no pointer */
void pta__constrain(struct pta *p);
void pta__connect(struct pta *p, uint32_t site, uint32_t callee);
void pta__connect_unknown(struct pta *p, uint32_t site);
void pta__connect_callback(struct pta *p, uint32_t callback, uint32_t callee);
void pta__called_from_outside(struct pta *p, uint32_t callee, enum pta_blob by);
uint32_t pta__add_copy(struct pta *p, uint32_t to, uint32_t from, uint64_t size);

/* hints.c: types from how things are used; 0 if nothing tells */
/* The declared type of what a load from addr gives. */
uint32_t pta__loaded_type(const struct pta *p, uint32_t func, ir_ref addr);
/* What the result of a call points to; what argument `arg` (from 1) of a call points to a pointer to. */
uint32_t pta__pointee_hint(const struct pta *p, uint32_t func, uint32_t inst);
uint32_t pta__out_hint(const struct pta *p, uint32_t func, uint32_t inst, uint32_t arg);
/* Is `type` a larger struct that begins with the struct `first`? */
bool pta__begins_with(const struct pta *p, uint32_t type, uint32_t first);
uint64_t pta__size_hint(const struct pta *p, uint32_t func, uint32_t inst);	/* see pta_obj */

/* Does the program store pointers in members of this integer type? */
bool pta__int_holds(const struct pta *p, uint32_t type);
/* Is it an integer type that no pointer is ever stored, passed or returned as? */
bool pta__is_plain_int(const struct pta *p, uint32_t type);
void pta__find_int_holders(struct pta *p);

/* apply.c: a library function's model as constraints */
void pta__apply_model(struct pta *p, uint32_t site, const struct model *md, uint32_t callee);

/* wrappers.c */
void pta__find_wrappers(struct pta *p);
/* Is the nth object of this call inside a wrapper stored by the callee where the
 * wrapper's own caller finds it?  Then it is that caller's. */
bool pta__handed_on(const struct pta *p, uint32_t func, uint32_t inst, uint32_t nth);
/* Does this instruction of a wrapper copy something of the caller's into what is handed out?  Then the copy
 * counts at each call, for the object of that call. */
bool pta__copied_outside(const struct pta *p, uint32_t func, uint32_t inst);
/* Can the call reach what makes this? */
bool pta__may_make(const struct pta *p, uint32_t func, const struct ir_inst *call, const struct pta_made *m);

/* casts.c */
void pta__find_casts(struct pta *p);
bool pta__is_cast(const struct pta *p, uint32_t a, uint32_t b);	/* between pointers to these structs */
/* By the declared types: can the call of f through a pointer mean g? */
bool pta__is_meant(const struct pta *p, const struct ir_func *f, const struct ir_inst *call,
		   const struct ir_func *g);

/* callgraph.c */
void pta__order_functions(struct pta *p);
/* The order of functions by direct calls alone: callees first. */
void pta__order_direct(const struct pta *p, uint32_t *comp, uint32_t *order);

/* check.c: the invariants, asserted; once while the solver runs, once at the end */
void pta__check_solver(const struct pta *p);
void pta__check(const struct pta *p);

#endif
