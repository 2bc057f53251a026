/*
 * walker.h - the inside of the walker, for the files walk*.c.
 *
 *   walk.c		paths: blocks, branches, one source
 *   walk_value.c	what values are on a path, and what is in memory
 *   walk_object.c	where the object is, and what happens to it
 *   walk_call.c	into functions and out of them
 *   walk_sure.c	is the path possible, and is the leak certain?
 *   walk_round.c	what the rounds of a loop make of a variable
 *   walk_row.c	rows of constant tables that name functions
 *   walk_told.c	what another engine knows of the numbers that a call leaves behind
 */
#ifndef VFG_WALKER_H
#define VFG_WALKER_H

#include "sym/sym.h"
#include "vfg/latch.h"
#include "vfg/relevant.h"
#include "vfg/walk.h"

enum {
	MAX_FRAMES = 8,		/* calls below each other */
	MAX_CHAIN = 4,		/* callers above the source's function that it is returned to */
	MAX_CHAINS = 24,
	MAX_BLOCKS = 25000,	/* blocks entered for one source ... */
	MAX_COARSE = 15000,	/* ... where paths that differ only in memory are one */
	MAX_AGAIN = 6000,	/* ... of which a path was found that cannot be */
	MAX_DOUBT_BLOCKS = 1000,/* ... in doubt */
	MAX_ROUNDS = 5,		/* of a loop, with the values that they have */
	MAX_FORKS = 2000,	/* open branches on one path */
	MAX_EVAL = 40,		/* depth of an expression that is evaluated ... */
	MAX_EVALS = 1000,	/* ... and instructions in it, one that is used twice counted once ... */
	FEW_EVALS = 64,		/* ... if there are so many at least; see walk__eval() */
	MAX_DEEDS = 3000,	/* nodes followed to find where anything happens */
	MAX_SLICE = 300,	/* nodes looked at to tell whether a callee matters */
	MAX_JUDGED = 50,	/* paths that the judge is asked about, for one source */
	MAX_COUNTED = 300,	/* depth of an expression that the judge is asked about */
	MAX_LEAVES = 12,	/* depth of an expression whose unknowns are looked at */
	MAX_DEEP = 6000,	/* blocks entered for one source where
				 * callees are entered for their values ... */
	MAX_ASKED = 80,		/* ... those that have so many blocks at most ... */
	MAX_ASKED_BEFORE = 12,	/* ... and before the object is made only small ones */
	MAX_MAKERS = 4,		/* functions that one call may reach, and that make the object there */
};

struct frame {
	struct frame *parent;
	uint32_t func, call;	/* entered by this call of the parent's function */
	uint32_t depth;
	uint64_t serial;
	struct live *live;
	struct relevant *rel;
	uint32_t goal;		/* before the object is made: the call on the way to it; else IR_NONE */
	struct bits *reach;	/* blocks with a way to the goal */
	bool wraps;		/* an allocator, entered for the object it hands out */
	uint32_t outer;		/* wraps: the object as the caller knows it */
	const struct pta_handout *handout;	/* ... and how it gets out */
	bool passed;		/* ... into memory of the caller's caller */
	bool asks;		/* entered only for what it returns and writes */
};

struct holder {
	uint64_t frame;
	uint32_t slot;
};

struct spot {			/* where a path is */
	struct frame *fr;
	uint32_t inst;
	uint32_t obj;		/* what is followed; IR_NONE: not made yet */
	bool out;		/* it was handed out of the wrapper we are in */
	uint32_t last;		/* the jump that led to this block */
	uint32_t back;		/* the last jump back in a loop; IR_NONE */
};

#define MAP_NAME edgemap
#define MAP_KEY uint64_t
#define MAP_VAL struct vedges
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME keyset
#define MAP_KEY uint64_t
#define MAP_VAL bool
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME literals
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME relmap
#define MAP_KEY uint64_t
#define MAP_VAL struct relevant *
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME origins
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME evalmap
#define MAP_KEY uint64_t
#define MAP_VAL struct sym
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct found {			/* a path that loses the object */
	VEC(struct walk_step) steps;
	uint64_t guesses;
	bool in_memory;
};

struct walker {
	const struct vfg *g;
	const struct vfg_options *o;
	const struct vsource *src;
	uint8_t way;			/* see struct vedge */
	bool in_doubt;			/* see walk.h */
	uint32_t until;			/* walker_reaches(): the instruction to get to; else IR_NONE */
	struct syms s;
	const struct latches *latches;	/* NULL: nothing is known of them */
	const struct vfg_second *second;	/* says what calls leave behind; NULL: nobody does */
	bool gives;			/* the call that is done returns the object */
	uint32_t rounds;		/* of a loop, before its values are forgotten */
	const struct frame *root;	/* of the function that the path begins in */
	bool coarse;			/* paths that differ only in memory are one */
	bool deep;			/* callees are entered for what they return and write, too */
	struct live **live[2];		/* by deep, by function, made on demand */
	struct relmap rels;		/* of this source: by function and goal */
	uint32_t evals;			/* instructions evaluated for the expression at hand ... */
	struct evalmap evaluated;	/* ... what they gave, by value and depth, once they are many */
	struct literals literals;	/* identities of addresses -> globals */
	struct edgemap edges;		/* of (node, object) */
	struct keyset touched;		/* instructions that a known edge is at */
	struct keyset matter;		/* see walk__matters() */
	struct keyset deeds;		/* instructions that do something to the object */
	bool all_deeds;			/* these are all */
	struct keyset seen;		/* digests of blocks entered */
	struct keyset holds;		/* (function, region, value) -> may the value point to a holder? */
	struct arena frames;
	VEC(struct bits) reaches;
	struct vnodes held;		/* nodes that hold the object */
	VEC(struct holder) holders;	/* variables that do */
	VEC(struct walk_step) steps;
	const struct vsite *chain;	/* calls from the outermost function down to the source */
	uint32_t nchain;
	uint32_t blocks, forks;
	uint32_t ways;			/* blocks entered before the object was there */
	bool straight;			/* we went there without looking at the ways */
	uint32_t max_blocks;		/* of this search */
	void *judge;			/* see struct vfg_judge */
	struct walk_stats stats;
	VEC(struct sym_term) open;	/* what the judge is asked; see walk_sure.c */
	struct found found;		/* the path that the last search has found */
	uint64_t guesses;		/* on this path: WALK_GUESS_..., in three rows; see below */
	uint32_t cut;			/* the first `cut` assumptions of the path
					 * cannot hold together; 0: they can */
	struct origins origins;		/* of unknowns, by identity */
	bool gave_up;
	bool cut_round;			/* a path was left because of its loops */
	bool exact;			/* what is known of a value is not forgotten in later rounds */
	bool all_paths;			/* leaks end a path, but not the search */
	bool kept;			/* a path frees the object, or gives it to somebody who may */
	bool reached;			/* the call that makes the object, on some path */
	bool returned;			/* a path hands it to a caller of the outermost function */
	struct keyset returned_to;	/* by these calls */
};

/* Rows of guesses, by bits to shift: on the way to the source, which do not count
 * unless something leans on them; behind it, which do not count if nothing ever frees
 * the object; all others count. */
enum { WALK_BEFORE = 16, WALK_AFTER = 32, WALK_ROW = 0xffff };

enum go { GO, NO, YES };		/* on, no leak this way, a leak */

static inline enum go walk__leak(const struct walker *w)
{
	return w->all_paths ? NO : YES;
}

static inline enum go walk__kept(struct walker *w)
{
	w->kept = true;
	return NO;
}

/* What an instruction does to the object. */
struct deed {
	bool freed;		/* or kept by somebody */
	bool if_result;		/* ... unless the call returns null */
	uint8_t or_zero;	/* ... and this argument is not 0 */
	bool out;		/* handed out of the wrapper */
	bool outside;		/* handed to a caller of the outermost function */
	struct vnodes to, calls;
	VEC(struct vsite) outs;	/* outside: the calls that it is handed to */
	struct vnodes unless;	/* versions that hold it afterwards, unless the callee is entered */
};

struct saved {
	uint32_t mark, steps, nheld, nholders;
	uint64_t guesses;
	vnode *held;
	struct holder *holders;
};

static inline const struct ir_func *func_of(const struct walker *w, const struct frame *fr)
{
	return &w->g->m->funcs.v[fr->func];
}

/* walk_value.c */
struct sym walk__unknown(const struct walker *w, const struct frame *fr, uint32_t v, uint64_t which);
struct sym walk__eval(struct walker *w, const struct frame *fr, ir_ref r);
void walk__set(struct walker *w, const struct frame *fr, uint32_t value, struct sym v);
void walk__store_memory(struct walker *w, const struct frame *fr, ir_ref addr, struct sym a, struct sym v,
			bool written);
bool walk__go_through(struct walker *w, const struct frame *fr, ir_ref addr);
bool walk__do_load(struct walker *w, const struct spot *at, const struct ir_inst *in, struct deed *d);
void walk__clear(struct walker *w, const struct frame *fr, ir_ref root);
void walk__forget_others(struct walker *w, const struct spot *at, ir_ref addr);
void walk__forget_root(struct walker *w, const struct spot *at, ir_ref addr);
void walk__take_over(struct walker *w, const struct frame *fr);
void walk__copy_text(struct walker *w, const struct spot *at, const struct ir_inst *in);
void walk__do_copy(struct walker *w, const struct spot *at, const struct ir_inst *in);
void walk__do_fill(struct walker *w, const struct spot *at, const struct ir_inst *in);
void walk__see_latch(struct walker *w, const struct frame *fr, const struct ir_inst *in, struct sym v);
/* A function is entered: flags that are zero then. */
void walk__enter_latches(struct walker *w, const struct frame *fr);
void walk__do_call(struct walker *w, const struct spot *at, const struct ir_inst *in);
bool walk__is_holder(struct walker *w, const struct frame *fr, ir_ref r);

/* walk_sure.c */
bool walk__accepts(struct walker *w);
bool walk__is_cut(struct walker *w);
bool walk__is_environment(const struct walker *w, const struct ir_func *callee);
void walk__set_origin(struct walker *w, struct sym v, uint32_t guess);
void walk__guess_branch(struct walker *w, const struct spot *at, uint32_t first);
void walk__guess_decided(struct walker *w, const struct spot *at, ir_ref cond);
void walk__guess_made(struct walker *w, const struct spot *at, uint32_t obj, bool entered);
void walk__origins_of_parameters(struct walker *w, const struct frame *fr);

/* walk_object.c */
bool walk__holds(const struct walker *w, vnode n);
struct vedges walk__edges_of(struct walker *w, vnode n, uint32_t obj);
void walk__hold(struct walker *w, vnode n, uint32_t obj);
void walk__unhold(struct walker *w, vnode n);
void walk__unhold_region(struct walker *w, vnode n);
void walk__unhold_func(struct walker *w, uint32_t func);
bool walk__in_memory(const struct walker *w);
void walk__deed_release(struct deed *d);
void walk__find_deed(struct walker *w, const struct spot *at, struct deed *d);
void walk__define_anew(struct walker *w, const struct spot *at, const struct deed *d);
bool walk__matters(struct walker *w, vnode n, uint32_t obj);
void walk__find_deeds(struct walker *w);
struct relevant *walk__relevant_of(struct walker *w, const struct frame *fr);

/* walk_round.c */
/* Is the value, which a round hands to the phi, computed from the phi itself, by arithmetic? */
bool walk__is_counter(const struct ssa *s, uint32_t phi, ir_ref value);
/* The value of a loop header's phi after any number of rounds, v after this one. */
struct sym walk__widened(struct walker *w, const struct frame *fr, uint32_t phi, struct sym v,
			 uint32_t visits);
/* Is v, which a round hands to the phi, all that it can be then? */
bool walk__is_known(struct walker *w, const struct frame *fr, uint32_t phi, struct sym v);

/* walk_row.c */
void walk__know_row(struct walker *w, const struct spot *at, uint32_t made_by, uint32_t nth);

/* walk_told.c */
enum { WALK_MAX_TOLD = 4 };

struct walk_told {		/* numbers that a call leaves in variables of its caller's */
	uint32_t n;
	struct {
		uint32_t op;
		struct sym_range range;
	} v[WALK_MAX_TOLD];
};

/* Before the call is done, and behind it. */
void walk__ask_second(struct walker *w, const struct spot *at, const struct ir_inst *in,
		      struct walk_told *out);
void walk__believe_second(struct walker *w, const struct spot *at, const struct ir_inst *in,
			  uint64_t salt, const struct walk_told *told);

/* walk_call.c */
bool walk__within_wrapper(const struct frame *fr);
uint32_t walk__pointed_callee(struct walker *w, const struct frame *fr, uint32_t inst);
struct frame *walk__new_frame(struct walker *w, struct frame *parent, uint32_t call, uint32_t func,
			      uint32_t goal, bool wraps);
struct bits *walk__reach_of(struct walker *w, uint32_t func, uint32_t inst);
struct saved walk__save(const struct walker *w);
void walk__restore(struct walker *w, const struct saved *s);
void walk__saved_release(struct saved *s);
enum go walk__call_step(struct walker *w, struct spot *at, const struct ir_inst *in);
enum go walk__return_step(struct walker *w, struct spot *at);

/* walk.c */
void walk__note(struct walker *w, enum walk_kind kind, uint32_t func, uint32_t inst, uint32_t target);
bool walk__run(struct walker *w, struct spot at);

#endif
