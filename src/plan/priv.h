/*
 * priv.h - the inside of the planner.
 *
 * The planner follows one object through one function, on all paths at once
 * (sim.c), and then asks at which places a release may be put (select.c).
 *
 * Vocabulary:
 *
 *   source    a call that makes an object of the plan's set M, or a parameter
 *   the object   one instance: what one execution of a source made.  Which execution is
 *             chosen freely, so that what holds for the object holds for each of them;
 *             objects of other rounds of a loop are other objects
 *   cell      something that can hold a pointer: a slot, a vreg, a loc of memory
 *   held      a cell holds the object's start for sure (MUST), or may hold a pointer to
 *             somewhere in it (MAY)
 *   touched   the program looks at the object, frees it, compares, returns or hands it on:
 *             all that must not happen behind a release
 *   node      a position in the function and a state there; the nodes and the steps
 *             between them are the graph that select.c walks
 */
#ifndef PLAN_PRIV_H
#define PLAN_PRIV_H

#include "plan/plan.h"

#include "base/sbuf.h"

enum plan_hold { HOLD_NO, HOLD_MAY, HOLD_MUST };

enum plan_vkind {
	PVAL_ANY,
	PVAL_RANGE, /* lo .. hi; a pointer: 0 is null, from 1 on is not */
	PVAL_NOT,   /* anything but lo */
	PVAL_FRESH, /* what this source made, or null */
	PVAL_INNER, /* into what this source made, hi bytes from its start */
	PVAL_UNDEF, /* not initialised */
	PVAL_ECHO,  /* the argument of this source, which returned that as it is (plan_echo.c) */
	PVAL_OTHER, /* the address of something that is no heap object; of what, if birth is not 0 */
};

struct plan_val {
	uint32_t kind;
	uint32_t birth; /* FRESH, INNER, ECHO: number of the source.  OTHER: a loc and 1, with lo a function
			   and 1 */
	int64_t lo, hi;		/* RANGE; FRESH: lo is 1 if it is not null */
};

struct plan_cell {
	uint32_t key;
	uint32_t hold;
	struct plan_val val;
	uint64_t via; /* a loc: the key of the path by a store to which alone it holds the object; 0: unknown
		       */
};

enum plan_phase {
	PHASE_BEFORE,		/* no object is followed */
	PHASE_ALIVE,
	PHASE_FREED,
};

enum {	/* what may have happened to the object before */
	DOUBT_FREED   = 1,
	DOUBT_ESCAPED = 2,
};

struct plan_state {
	uint32_t phase;
	uint32_t nonnull;	/* the object is there for sure: its source did not fail */
	uint32_t doubt;		/* DOUBT_... */
	uint64_t shown; /* sources some object of which others may have got; bit 63: all from there on */
	uint32_t n, cap;
	struct plan_cell *cells;	/* by key; what is not listed is not held and may be anything */
};

enum plan_end {
	END_NOT,
	END_LOST,		/* the last pointer to the object is gone, at `inst` */
	END_RETURN,		/* the function ends and it is neither freed nor handed on */
};

struct plan_step {
	uint32_t to;		/* node */
	uint32_t from_block, to_block;	/* the edge of the CFG; IR_NONE within a block */
};

struct plan_node {
	uint32_t pos;		/* instruction it is before */
	struct plan_state s;
	bool done;
	bool touches;		/* the object, before the next node */
	bool dirty;		/* it is touched here or later on */
	uint8_t end;		/* enum plan_end */
	uint32_t end_inst;
	VEC(struct plan_step) steps;
};

enum { PLAN_MAX_OUTS = 4, PLAN_MAX_OUTCOMES = 12, PLAN_MAX_ROWS = 12 };

/* What a function does with an object that it is given: one row for each way to end. */
struct plan_outcome {
	uint8_t phase;		/* ALIVE, FREED; BEFORE: it was null */
	uint8_t doubt;
	uint8_t ret_hold;	/* does the result hold it? */
	bool returned;		/* the result leads to it, somehow */
	uint8_t absent;		/* by number of the outs: the parameter was null */
	struct plan_val ret;
	struct plan_cell outs[PLAN_MAX_OUTS];	/* what is stored through parameters; key is not used */
};

struct plan_summary {
	bool done, busy;
	bool known;		/* else: as bad as can be */
	uint32_t n;
	struct plan_outcome out[PLAN_MAX_OUTCOMES];
	struct plan_context *contexts;	/* of a parameter: with more that is known */
};

/* What a function does with an object that is in memory which a parameter points to: `*item`, `v->data`.
 * outs[0] of an outcome is that memory.  The others are not used: an object that gets there has escaped. */
struct plan_cell_summary {
	uint32_t func, param;
	int64_t off;
	bool busy;
	struct plan_summary sum;
};

enum { PLAN_MAX_CONTEXT = 4 };

/* The same where parameters are constants: a function, a flag. */
struct plan_given {
	uint32_t param;
	struct plan_val val;
};

struct plan_context {
	struct plan_context *next;	/* of the same parameter */
	bool strict; /* to touch the object, otherwise than to compare its address, counts as to keep it */
	uint32_t n;
	struct plan_given given[PLAN_MAX_CONTEXT];
	struct plan_summary sum;
};

/* What a call leaves in memory that it was given the address of, depending on its result. */
enum plan_left {
	LEFT_ANY,
	LEFT_ABSENT,		/* the address was null: there is no such memory */
	LEFT_KEPT, LEFT_NUMBER, LEFT_NULL, LEFT_FRESH, LEFT_FRESH_SURE
};

enum { PLAN_RESULT = IR_NONE - 1 };	/* a `param`: the result itself, which is not always new */

struct plan_out {
	uint32_t param; /* from 0; IR_NONE: a member of the new object that is the result; or PLAN_RESULT */
	int64_t off;
	const struct model_effect *effect;	/* of what is FRESH there; NULL if nothing ever is */
	struct finding_site origin;	/* the innermost call that makes it */
	bool result;		/* the result is the same object */
	uint32_t echo; /* PLAN_RESULT: if that is neither new nor null, it is this argument, from 1; 0: it
			  may be anything */
};

struct plan_row {
	struct plan_val ret;
	uint8_t left[PLAN_MAX_OUTS];	/* enum plan_left */
	int64_t number[PLAN_MAX_OUTS];	/* LEFT_NUMBER */
};

struct plan_rows {
	uint32_t arg; /* row 0: this operand of the call is not zero; row 1: it is.  0: by the result */
	uint32_t nouts, n;
	bool number[PLAN_MAX_OUTS];	/* no pointer is stored there */
	struct plan_out out[PLAN_MAX_OUTS];
	struct plan_row row[PLAN_MAX_ROWS];
};

/* How a function makes objects for its callers. */
struct plan_maker {
	bool done, busy;
	struct plan_rows *rows;	/* NULL: it stores nothing fresh through its parameters */
	struct plan_rows *nulls;	/* ... but null, sometimes; else NULL */
	struct plan_rows *apart; /* as rows, if the parameter apart_param points to no unknown memory; NULL:
				    that makes no difference */
	uint32_t apart_param;
	bool members_known;	/* whatever it stores in members of its result is new or null */
	bool fresh;		/* its result is always an object that nobody else has, or null */
	bool nonnull;
	uint32_t part;		/* of the struct that it returns: its number and 1; 0: no struct */
	int64_t inner; /* the result is so many bytes behind the start of the object: a header is before it
			*/
	int64_t none;		/* what it returns if there is no object */
	const struct model_effect *effect;	/* of the allocator below; NULL if they differ */
	struct finding_site origin;
};

/* The bytes, from where a parameter points to, that a function touches. */
enum { PLAN_MAX_SPANS = 8 };

struct plan_reach {
	bool done, shallow;		/* shallow: no others through it */
	uint32_t n;
	struct {
		int64_t lo, hi;
	} span[PLAN_MAX_SPANS];
};

/* What one function, with all it calls, may do to objects (pta): section III-B. */
struct plan_effects {
	struct sbits freed;		/* objects; handing one to a callee is a use in any case */
	struct sbits mod;		/* locs stored to */
	struct sbits read;		/* locs looked at: what is in others it does not get at */
	struct sbits sunk; /* objects that a pointer to which it may store where it is not found again: in
			    * memory of unknown code, or by a copy that is taken for one of text */
	struct sbits gave; /* objects that it may hand to unknown code, or have kept by a library */
};

struct plan_birth {
	uint32_t inst;
	const struct plan_rows *rows;	/* NULL: its result; else stored through an argument: */
	uint32_t out;			/* which of the rows' outs */
	bool nonnull;
	int64_t none; /* what the result is if there is no object; not 0: then nonnull is true */
	bool follow;			/* its objects are in the set M */
	uint32_t part; /* of a struct that is the result: its number and 1; 0: it is the result */
	bool several;			/* one of several functions makes it: `callee` is the first */
	int64_t inner; /* all that is seen of them is so many bytes behind their start: only who knows that
			  may release them */
	uint32_t callee;
	const struct model_effect *effect;
	struct finding_site origin;	/* the innermost call that makes it */
	struct sbits objs;		/* what it is for the points-to analysis */
};
VEC_TYPE(plan_births, struct plan_birth);

/* `keeper = slot;` before this instruction; without a slot `(keeper = call())`, and pos is the call. */
struct plan_keep {
	uint32_t pos, slot, birth;
};

/* `keeper = NULL;` at the start of nodes there, or on an edge. */
struct plan_clear {
	uint32_t pos;			/* IR_NONE: an edge */
	uint32_t from, to;
};
VEC_TYPE(plan_clears, struct plan_clear);

/* A cell that is reached through a variable: *(slot + off). */
struct plan_path {
	uint32_t slot;
	int64_t off;
	uint32_t param;		/* that the slot always holds; IR_NONE */
	uint32_t out;		/* stored through a parameter for the caller: its number; else IR_NONE */
	uint32_t member;	/* of what may be the result: its number; else IR_NONE */
	bool number;		/* no pointer is there */
	bool lent;		/* memory of others that the object is followed in until they may have looked
				   (plan_lent.c) */
	struct sbits locs;	/* where it may be */
};

/* A call that may release an argument, by the sets of what functions free. */
struct plan_release {
	uint32_t func, inst, callee, arg;
};

/* What releases that which a function makes, to which a pointer of this type points (plan_release.c). */
struct plan_usual {
	uint32_t maker, type;
	uint32_t best, more;	/* more: one that wants more than the object; each may be IR_NONE */
};

/* Calls of a function that free their only argument, and whom it may call (plan_member.c). */
struct plan_freers {
	bool done, listed;
	VEC(uint32_t) insts;
	struct sbits callees;
};

/* A variable that a plan adds to a function, for what is first made at an instruction. */
struct plan_name {
	uint32_t func, pos;
	const char *name;
};

/* A member of a struct: does the program put nothing but functions there? */
struct plan_slot_of {
	uint32_t type;
	int64_t off;
	bool functions;
};

/* Is what a library shows given to this releaser (plan_release.c)? */
struct plan_shown {
	const char *releaser;
	bool given;
};

/* Does a function that remembers an argument go on with it only for who gave it that (plan_remember.c)? */
struct plan_memory {
	uint32_t func;
	bool is_private;
};

/* A simulation that had too many states (plan.c). */
struct plan_overflow {
	uint64_t set;		/* a digest of the function and the set M */
	uint32_t ways;
};

/* A function that another insertion of the plan makes release what is in a member of an object, before it
 * frees that. */
struct plan_mend {
	uint32_t func;
	int64_t off;
	struct bits above;	/* functions that can lead to it, with itself */
};

/* The sources of a function, with all that its callees are known to do. */
struct plan_sources {
	struct plan_births births;	/* none of them followed */
	struct bits *slots;		/* by source: variables that its object gets into */
};

/* A function that drops a reference to what it is given (plan_counted.c). */
struct plan_drop {
	bool asked, is;
	int64_t off;		/* of the counter */
};

/* What planning may cost, in instructions that simulations execute: for one leak, and for all of them
 * together.  Counted, not timed: the same program gets the same plans on every machine. */
struct plan_budget {
	uint64_t spent, of_leak, all;	/* spent so far; where this leak's part ends, and everything */
	bool over; /* a simulation for this leak was broken off: what it would have told is not known, and
		      not kept */
};

/* What a function writes to that is not its own and is looked at elsewhere (plan_acts.c). */
struct plan_writes {
	struct bits below;	/* the functions that may run when it is called */
	struct sbits mem;
};

struct fix_planner {
	const struct ir_module *m;
	const struct model_set *models;
	const struct pta *p;
	struct arena arena;
	bool usable;
	struct plan_closure *closure;
	struct sbits blobs;		/* locs of memory that is not told apart */
	struct bits outlives;		/* objects that can be reached from globals or unknown code */
	struct plan_effects *fx;	/* by function */
	struct plan_summary **params;	/* by function and parameter */
	VEC(struct plan_overflow) overflows;
	struct bits crowded;		/* functions that have too many states whatever is followed */
	struct plan_maker *makers;	/* by function */
	struct plan_sources **sources;	/* by function; NULL: not asked for yet */
	VEC(struct plan_sim *)
	sims; /* that plans were made by: findings that are alike ask for the same again */
	uint32_t nnodes;		/* of all of them */
	struct plan_reach **reach;	/* by function and parameter */
	uint8_t **looks;		/* by function, parameter and kind (plan_looks.c) */
	VEC(struct plan_freed *) freed;	/* by destructors (plan_counted.c) */
	struct plan_drop *drops;	/* by function; NULL: not asked for yet */
	uint8_t *zeroed; /* by function: does it return memory full of zeros (plan_inst.c)?  NULL: not asked
			    for yet */
	ir_ref *constants; /* by function: what it always returns (plan_summary.c); 0: not asked for yet */
	struct plan_writes **writes;	/* by function; NULL: not asked for yet */
	uint8_t *errnos;		/* by function: what it does first with errno (plan_errno.c) */
	VEC(struct plan_cell_summary *) cells;
	unsigned depth;			/* of simulations inside simulations */
	struct plan_budget budget;
	VEC(struct plan_name) names;	/* of variables that plans made */
	bool has_releases;
	VEC(struct plan_release) releases;
	VEC(struct plan_usual) usual;
	struct plan_freers *freers;	/* by function */
	VEC(struct plan_slot_of) slots_of;	/* members that calls go through */
	struct bits by_name; /* functions that are only called by their names; empty: not asked for yet */
	VEC(struct plan_shown) shown;
	VEC(struct plan_memory) memories;	/* functions of libraries that remember something */
};

/* Counts what planning costs.  False: that is too much, and whoever asks ends with what errs on the side of
 * refusing. */
static inline bool plan_pay(struct fix_planner *pl, uint64_t n)
{
	struct plan_budget *b = &pl->budget;

	b->over |= b->spent + n > MIN(b->of_leak, b->all);
	b->spent += b->over ? 0 : n;
	return !b->over;
}

/* Is it one of these names, of which the last is NULL? */
static inline bool plan_is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (str_eq(name, *names))
			return true;
	return false;
}

/* ---- callees.c ---------------------------------------------------------- */

/* As pta_callees(); of members, what the program ever puts there is known. */
void callees_of(struct fix_planner *pl, uint32_t func, uint32_t inst, struct pta_callees *to);
/* Fills *above, which the caller releases, with the functions that can lead to this one, by calls that are
 * seen, and with itself. */
void callees_above(const struct fix_planner *pl, uint32_t func, struct bits *above);
/* Does the instruction call one of them? */
bool callees_lead_into(const struct fix_planner *pl, const struct bits *above, uint32_t func, uint32_t inst);

/* ---- sim.c: one function, all paths ----------------------------------- */

enum { PLAN_MAX_NODES = 40000 };

struct plan_sim {
	struct fix_planner *pl;
	uint32_t func;
	const struct ir_func *f;
	const struct ssa *ssa;
	uint32_t first_loc, first_path;	/* keys of cells: slots, vregs, locs, paths */
	uint32_t *slot_obj;		/* by slot that is in memory: its object, or IR_NONE */
	uint32_t param;			/* the object is this parameter's, or IR_NONE */
	uint32_t cell;			/* ... or in memory that this one points to, or IR_NONE */
	int64_t cell_off;
	const struct plan_context *context;	/* what is known of the others, or NULL */
	struct plan_births births;	/* else the sources */
	bool borrowed;			/* what is in them is the planner's */
	bool outs;			/* what is stored through parameters is the caller's, not escaped */
	bool lent;	/* what is stored where others see it is followed there until they may have looked */
	uint32_t apart; /* a parameter that points to no unknown memory, though for some callers it does;
			   IR_NONE */
	VEC(struct plan_path) paths;
	bool alone;			/* one source is followed, even if others make such objects */
	bool untold;   /* what a callee may have kept counts as kept, where the result does not tell */
	uint32_t from; /* the instruction, a source, that it begins with; IR_NONE: the function is followed
			  from its start */
	bool guarded;  /* what variables of `flags` hold is kept in mind, for places that ask for it */
	struct bits flags;
	bool answers;			/* ... and so is what is returned */
	bool keeper;			/* as if a variable of the plan kept what sources make */
	bool numbers;			/* a number that is no address may lead to the object: fileno(f) */
	bool zeroed; /* as if variables that calls fill through their address began as null */
	const struct plan_mend *mend;	/* as if this was done; or NULL */
	VEC(struct plan_keep) keeps;
	struct plan_clears clears;	/* where others have the object, or freed it: the keeper forgets it */
	struct plan_echo *echoes;	/* by source; NULL: none returns what it was given (plan_echo.c) */
	struct sbits objs;		/* what the object may be for the points-to analysis */
	struct sbits holders;		/* locs that may hold a pointer to them; see has_holders */
	bool has_holders;
	struct plan_spots *spots;	/* where callees may store the object (plan_call.c) */
	struct bits outside;		/* objects that others than this activation may reach */
	struct bits split;		/* instructions that get nodes of their own */
	struct bits wide;		/* vregs that are used in other blocks */
	uint32_t *last_use; /* by vreg: the last instruction that reads it, and 1; 0 if there is none */
	struct bits cand;		/* slots that may hold what a source made */
	struct bits wholes; /* structs that are released as a whole: to look at any member is to look at the
			       object */
	struct bits asked;		/* slots that branches ask for */
	struct bits brief; /* temporaries that are read only in the block in which they were set */
	struct bits bases;		/* sources whose objects paths may lead through */
	struct plan_own *own;		/* what pointers lead to of them */
	struct sbits results; /* what such sources make that return it: it gets into memory only by stores of
				 this function, until others see it */
	struct sbits puts;		/* objects whose memory those stores are to */
	struct bits ours;		/* paths that what sources of M make may be stored to */
	struct bits *live; /* by block: slots of `asked` and `cand`, and vregs by their wide_bit, that are
			      read from its start on */
	uint32_t *wide_bit;		/* by vreg; 0: it is not wide */
	VEC(struct plan_node) nodes;
	struct nodemap *map;
	uint32_t now;			/* the node whose instructions are being executed */
	uint32_t *per_block;		/* nodes at the start of each block */
	bool overflow;
	const char *odd;		/* why this function cannot be followed, or NULL */
	/* for messages: the first instruction that may have freed, that handed it on */
	uint32_t freed_at, escaped_at;
	VEC(struct plan_outcome) outcomes;
};

/* Births that the function's own sources are; then sim_run(). */
void sim_init(struct plan_sim *s, struct fix_planner *pl, uint32_t func);
/* All sources of the function, none of them followed yet. */
void sim_find_births(struct plan_sim *s);
/* The same, found once; outside of simulations alone, where callees are asked without a limit. */
const struct plan_sources *sim_sources(struct fix_planner *pl, uint32_t func);
void sim_sources_free(struct plan_sources *x);
void sim_release(struct plan_sim *s);
void sim_run(struct plan_sim *s);

/* ---- state.c ----------------------------------------------------------- */

void pstate_init(struct plan_state *s);
void pstate_release(struct plan_state *s);
void pstate_copy(struct plan_state *to, const struct plan_state *from);
bool pstate_equal(const struct plan_state *a, const struct plan_state *b);
uint64_t pstate_hash(const struct plan_state *s);
const struct plan_cell *pstate_find(const struct plan_state *s, uint32_t key);
enum plan_hold pstate_hold(const struct plan_state *s, uint32_t key);
struct plan_val pstate_val(const struct plan_state *s, uint32_t key);
void pstate_set(struct plan_state *s, uint32_t key, enum plan_hold hold, struct plan_val val);
/* A loc that got the object by a store to a path's memory, and in no other way. */
void pstate_set_via(struct plan_state *s, uint32_t key, uint32_t path);
bool pstate_holds_any(const struct plan_state *s);
/* The object turns out to be null: there is none. */
void pstate_no_object(struct plan_state *s);

/* ---- value.c ----------------------------------------------------------- */

struct plan_val pval_any(void);
struct plan_val pval_int(int64_t c);
struct plan_val pval_range(int64_t lo, int64_t hi);
struct plan_val pval_join(struct plan_val a, struct plan_val b);
/* -1: unknown; else does `a pred c` hold? */
int pval_decide(struct plan_val a, enum ir_pred pred, int64_t c);
/* a becomes what is in both.  False: nothing is. */
bool pval_meet(struct plan_val *a, struct plan_val b);
/* False: cannot be. */
bool pval_refine(struct plan_val *a, enum ir_pred pred, int64_t c);
enum ir_pred pval_negate(enum ir_pred p);

/* ---- closure.c --- */

struct plan_closure *closure_new(const struct pta *p);
void closure_free(struct plan_closure *c);
/* The objects that these locs are of, and all that they lead to.  locs is a set of the points-to analysis
 * itself (pta_points_to(), pta_cell()): it is known by its address. */
const struct bits *closure_of(struct plan_closure *c, const struct sbits *locs);
const struct sbits *closure_objs(struct plan_closure *c, const struct sbits *locs);	/* the same, sparse */
const struct sbits *closure_locs(struct plan_closure *c, const struct sbits *locs);	/* all their locs */
/* All locs of the objects that the set itself points to. */
const struct sbits *closure_whole(struct plan_closure *c, const struct sbits *locs);
/* Is a variable of a function among them that may have a pointer in it, where the set points to? */
bool closure_has_variable(struct plan_closure *c, const struct sbits *locs);
/* The objects that there is a pointer to in those that these are in: one step further, not all. */
const struct sbits *closure_step(struct plan_closure *c, const struct sbits *locs);
/* The locs that may hold a pointer to an object. */
const struct sbits *closure_holders(struct plan_closure *c, uint32_t obj);

/* ---- effects.c ---------------------------------------------------------- */

void effects_build(struct fix_planner *pl);
void effects_release(struct fix_planner *pl);
/* Adds what a library's function, by its model, may free in a call. */
void effects_freed(struct fix_planner *pl, uint32_t func, const struct ir_inst *in, const struct model *md,
		   struct sbits *freed);
/* What one call does, added to *fx, which is the caller's: effects_free(). */
void effects_of_call(struct fix_planner *pl, uint32_t func, uint32_t inst, struct plan_effects *fx);
void effects_free(struct plan_effects *fx);
/* If one byte is read, perhaps of a variable that has a pointer in it: the pointer to that; else IR_UNDEF. */
ir_ref effects_bytes(const struct fix_planner *pl, uint32_t func, const struct ir_inst *in);

/* ---- summary.c ---------------------------------------------------------- */

const struct plan_summary *summary_of_param(struct fix_planner *pl, uint32_t func, uint32_t param);
/* For one call, with what is given to the other parameters. */
const struct plan_summary *summary_in_context(struct fix_planner *pl, uint32_t func, uint32_t param,
					      const struct plan_given *given, uint32_t n);
/* The same, but to touch the object counts as to keep it, if its address is not just compared: on the ways
 * without a doubt it was left as it was.  NULL: not known. */
const struct plan_summary *summary_untouched(struct fix_planner *pl, uint32_t func, uint32_t param,
					     const struct plan_given *given, uint32_t n);
const struct plan_maker *summary_of_maker(struct fix_planner *pl, uint32_t func);
/* The constant that a function, of the program, always returns if it does; IR_UNDEF: it is not always the
 * same. */
ir_ref summary_constant(struct fix_planner *pl, uint32_t func);
/* NULL: it may do anything. */
const struct plan_summary *summary_of_cell(struct fix_planner *pl, uint32_t func, uint32_t param,
					   int64_t off);
/* What a function that is known to do no more leaves behind its parameters; NULL: nothing is known. */
const struct plan_rows *summary_of_outs(struct fix_planner *pl, uint32_t func);
/* Are they released by the same call? */
bool summary_same_releaser(const struct model_effect *a, const struct model_effect *b);
/* Adds what this call makes.  apart: as in struct plan_sim, of the function. */
void summary_births(struct fix_planner *pl, uint32_t func, uint32_t inst, uint32_t apart,
		    struct plan_births *out);

/* ---- reach.c --- */

/* NULL: it may touch anything that the parameter leads to. */
const struct plan_reach *reach_of_param(struct fix_planner *pl, uint32_t func, uint32_t param);
/* Is it certain that a call does not get at the cell, which may hold the object, through an argument?
 * Another argument may lead there. */
bool reach_misses(const struct plan_sim *sim, const struct plan_state *s, uint32_t inst, uint32_t callee,
		  uint32_t arg, const struct plan_cell *c);

/* ---- looks.c --- */

enum plan_look { LOOK_OBJ, LOOK_SAVE, LOOK_LIST, LOOK_READ, LOOK__KINDS };

/* Does the function do no more with its argument (from 0; one of the variable ones, too) than to look at
 * what it points to, or write there?  Nobody keeps it or frees it then.  *returned: the result may be a
 * pointer to it. */
bool looks_only(struct fix_planner *pl, uint32_t func, uint32_t arg, bool *returned);
/* The same for an argument (from 1) of a call, whatever it calls; nor is it in the result. */
bool looks_only_call(struct fix_planner *pl, uint32_t func, uint32_t inst, uint32_t arg);
/* Does it only read there?  Then nobody keeps it, frees it, or returns it, and what is there stays as it is.
 */
bool looks_reads(struct fix_planner *pl, uint32_t func, uint32_t arg);
/* The same for the pointers that are in the memory that the argument points to. */
bool looks_only_within(struct fix_planner *pl, uint32_t func, uint32_t arg);

/* ---- call.c -------------------------------------------------------------- */

/* Executes a call in *s.  The states after it are pushed to out; s is used up. */
VEC_TYPE(plan_states, struct plan_state);
void call_spots_free(struct plan_spots *x);
void call_run(struct plan_sim *sim, struct plan_node *node, uint32_t inst, struct plan_state *s,
	      struct plan_states *out);

/* ---- acts.c --- */

/* Why a function does more than to release what the maker makes, which `user` has; NULL: it does not. Either
 * may be IR_NONE. */
const char *acts_besides(struct fix_planner *pl, uint32_t func, uint32_t maker, uint32_t user,
			 struct arena *arena);
void acts_release(struct fix_planner *pl);

/* ---- remember.c --- */

/* Does a function of a library (its number) that remembers an argument look at it only when it is called
 * once more by who gave it that? */
bool remember_is_private(struct fix_planner *pl, uint32_t func);
/* Does this call, in this state, go on with what it may remember the object by? */
bool remember_is_used(const struct plan_sim *sim, const struct plan_state *s, uint32_t inst,
		      const struct model *md);

/* ---- shared by sim.c and call.c ------------------------------------------ */

static inline uint32_t sim_vreg_key(const struct plan_sim *s, uint32_t vreg)
{
	return s->f->nslots + vreg;
}
uint32_t sim_loc_key(const struct plan_sim *s, uint32_t loc);
enum plan_hold sim_hold(const struct plan_sim *sim, const struct plan_state *s, ir_ref r);
struct plan_val sim_val(const struct plan_sim *sim, const struct plan_state *s, ir_ref r);
/* Can memory that holds the object be reached through this pointer? */
bool sim_reaches(const struct plan_sim *sim, const struct plan_state *s, ir_ref r);
/* Others get at the object: it must not be released any more, nor have been released before. */
void sim_escape(struct plan_sim *sim, struct plan_state *s, uint32_t inst);
/* What a write of unknown values to these locs leaves. */
void sim_blur(struct plan_sim *sim, struct plan_state *s, const struct sbits *locs);
/* The exact cell at an address and so many bytes on, or IR_NONE. */
uint32_t sim_exact(const struct plan_sim *sim, ir_ref addr, int64_t off);
/* The same for what an address is in a state: `*pp` where pp is known to be &a. */
uint32_t sim_exact_now(const struct plan_sim *sim, const struct plan_state *s, ir_ref addr);
/* What is known of memory behind pointers, if these objects are freed. */
void sim_drop_freed(struct plan_sim *sim, struct plan_state *s, const struct sbits *objs, uint32_t inst);
uint32_t sim_path_key(const struct plan_sim *sim, uint32_t path);
/* Is what the path holds there alone, so that it escapes when that memory may have changed? */
static inline bool sim_is_alone(const struct plan_path *q)
{
	return q->out != IR_NONE || q->lent;
}
/* The path that a key is of, or NULL. */
static inline const struct plan_path *sim_key_path(const struct plan_sim *sim, uint32_t key)
{
	return key >= sim->first_path && key - sim->first_path < sim->paths.n
		       ? &sim->paths.v[key - sim->first_path]
		       : NULL;
}

/* ---- cells.c ---- */
static inline uint32_t sim_first_loc(const struct plan_sim *s)
{
	return s->first_loc;
}
static inline uint32_t sim_first_path(const struct plan_sim *s)
{
	return s->first_path;
}
bool sim_is_scalar(const struct plan_sim *s, uint32_t slot);
/* The object of the points-to analysis that a cell of memory is in, or IR_NONE. */
uint32_t sim_key_object(const struct plan_sim *s, uint32_t key);
/* Can others than this activation reach the object? */
bool sim_is_outside(const struct plan_sim *s, uint32_t obj);
/* The base that members are taken of; *off grows by where they are. */
ir_ref plan_base(const struct ir_func *f, ir_ref addr, int64_t *off);
/* Do two pointers come from the same variable, or the same member of what that points to? */
bool plan_same_place(const struct ir_func *f, ir_ref a, ir_ref b);
/* What a value may be, whichever way control came: the phis behind it taken apart, casts left out.  The
 * number of them, 0 if there are too many. */
enum { PLAN_MAX_ORIGINS = 32 };
uint32_t plan_origins(const struct fix_planner *pl, uint32_t func, ir_ref r, ir_ref out[PLAN_MAX_ORIGINS]);
/* Is it the value of the variable, as it was read? */
bool plan_is_value_of(const struct ir_func *f, ir_ref r, uint32_t slot);
/* Does one of these objects have pointers to some of a set? */
bool plan_leads_to(const struct pta *p, const struct sbits *objs, const struct sbits *to);
/* Does it only stand for what calls of a wrapper get, inside it?  Each of them has an object of its own. */
bool plan_stands_in(const struct pta *p, const struct pta_obj *o);
/* Adds the objects that a call makes. */
void plan_add_made(const struct fix_planner *pl, uint32_t func, uint32_t inst, struct sbits *objs);
/* Does the source of a function make what is made there, by the call itself or further down? */
bool plan_is_made_by(const struct finding_site *made, uint32_t func, const struct plan_birth *b);
/* What a pointer was taken of: through members, elements and casts.  NULL if that is no instruction. */
const struct ir_inst *plan_root(const struct ir_func *f, ir_ref r);
/* Is the first instruction on every way to the other? */
bool plan_comes_first(const struct ir_func *f, const struct ssa *s, uint32_t first, uint32_t then);
ir_ref sim_base(const struct plan_sim *s, ir_ref addr, int64_t *off);
/* The path that an address, used by an instruction, is of; IR_NONE. */
uint32_t sim_path_at(const struct plan_sim *s, ir_ref addr, uint32_t inst);
uint32_t sim_path_beyond(const struct plan_sim *s, ir_ref addr, int64_t off,
			 uint32_t inst); /* so many bytes on */
void sim_set_vreg(const struct plan_sim *sim, struct plan_state *s, const struct ir_inst *in,
		  enum plan_hold h, struct plan_val v);
/* What is known of the memory of a path no longer holds; of all paths whose memory a write to
 * these locs may change, but for those through the variable of `but`. */
void sim_drop_path(struct plan_sim *sim, struct plan_state *s, uint32_t key, uint32_t inst);
void sim_drop_paths(struct plan_sim *sim, struct plan_state *s, const struct sbits *locs, uint32_t but,
		    uint32_t inst);
/* Does a load or store touch all of a cell? */
bool sim_is_whole(const struct plan_sim *sim, uint32_t key, const struct ir_inst *in);
/* Is the value the object, or does it lead to memory that holds it? */
bool sim_leads_to(const struct plan_sim *sim, const struct plan_state *s, ir_ref v);
/* Is it worth knowing what this cell holds? */
bool sim_keeps(const struct plan_sim *sim, uint32_t key);
void sim_touch(struct plan_node *n, const struct plan_state *s);

/* The cell for a member of a new object that a call returned, before that is in a variable. */
uint32_t sim_member_key(const struct plan_sim *sim, uint32_t birth);
/* The cell of the plan's own variable. */
uint32_t sim_keeper_key(const struct plan_sim *sim);

/* ---- own.c ---- */
/* For a simulation whose sources are known, and which of them are bases. */
struct plan_own *own_new(const struct plan_sim *sim);
void own_free(struct plan_own *own);
/* Others may get at what this value leads to: at the object, and at those of other sources. */
void sim_show(struct plan_sim *sim, struct plan_state *s, ir_ref v, uint32_t inst);
/* Does that change anything? */
bool sim_would_show(const struct plan_sim *sim, const struct plan_state *s, ir_ref v);
/* The source is about to make another object.  If no cell is known to hold an older one, whoever has seen
 * those does not matter any more. */
void sim_unshow(struct plan_state *s, uint32_t birth);
/* The same for all sources, where ways part or meet: states that differ in nothing else are equal. */
void sim_unshow_lost(const struct plan_sim *sim, struct plan_state *s);
/* Is what the variable holds an object that this activation made and nobody else has seen? */
bool sim_is_own(const struct plan_sim *sim, const struct plan_state *s, uint32_t slot);
/* Does the pointer lead to what a variable points to, which nobody has been shown (sim_is_own)? */
bool sim_reaches_own(const struct plan_sim *sim, const struct plan_state *s, ir_ref r, uint32_t slot);
/* Does it lead, through such memory, to one that nobody has been shown yet? */
bool sim_leads_to_own(const struct plan_sim *sim, const struct plan_state *s, ir_ref r);
/* Is there still such an object, of those that paths may lead through? */
bool sim_owns_any(const struct plan_sim *sim, const struct plan_state *s);

/* ---- compare.c ---- */

/* Is the value, which an instruction uses, known not to be 0 by the comparisons that led there? */
bool compare_not_null(const struct plan_sim *sim, uint32_t inst, ir_ref value);

/* ---- echo.c ---- */

struct plan_place;

/* For a simulation whose sources are known. */
void echo_build(struct plan_sim *sim);
void echo_free(struct plan_sim *sim);
/* What the result of a source is if it is what that was given. */
struct plan_val echo_value(const struct plan_sim *sim, uint32_t birth);
/* An instruction is executed: what it may change is not known to be the same any more. */
void echo_pass(const struct plan_sim *sim, struct plan_state *s, uint32_t inst);
/* Is one of the two the object, which such a source has made, and the other no pointer to it? */
bool echo_differs(const struct plan_sim *sim, const struct plan_state *s, ir_ref a, ir_ref b);
/* What a variable must not be at a place to be released: "argv[0]"; "" if it can be nothing of the kind.
 * NULL: that cannot be asked there.  *slot: the variable in it, or IR_NONE. */
const char *echo_question(const struct plan_sim *sim, const struct plan_place *at, uint32_t key,
			  uint32_t *slot);

/* ---- sole.c ---- */

/* Is the variable, which is set to something else by this store, the only way to what it points to? */
bool sole_is_lost(const struct plan_sim *sim, const struct plan_state *s, uint32_t store, uint32_t slot);

/* ---- lent.c ---- */

/* Marks the paths that are lent, if the simulation is. */
void lent_find(struct plan_sim *sim);
bool lent_any(const struct plan_sim *sim);
/* May the object be in one? */
bool lent_is_held(const struct plan_sim *sim, const struct plan_state *s);
/* An instruction is about to be executed: may others see the object where it is lent? */
void lent_step(struct plan_sim *sim, struct plan_state *s, uint32_t inst);

/* ---- inst.c, branch.c, scan.c ---- */
/* The operand of a RET that counts: the only one, or the first pointer of a struct; nops if there is none. */
uint32_t plan_returned(const struct ir_func *f, const struct ir_inst *ret);
/* Adds the vregs and slots that a value gets into by copies. */
void plan_spread(const struct ir_func *f, struct bits *vregs, struct bits *slots);
void sim_execute(struct plan_sim *sim, struct plan_node *n, uint32_t inst, struct plan_state *s);
/* Leaves the block by target number t.  False: that way cannot be taken. */
bool sim_leave(struct plan_sim *sim, struct plan_state *s, const struct ir_inst *in, uint32_t t);
/* The condition has this outcome at an instruction.  False: it cannot. */
/* `v pred c` holds from the instruction `at` on.  False: it cannot. */
bool sim_assume_value(struct plan_sim *sim, struct plan_state *s, uint32_t at, ir_ref v, enum ir_pred pred,
		      int64_t c);
bool sim_assume(struct plan_sim *sim, struct plan_state *s, uint32_t at, ir_ref cond, bool taken);
void sim_cross(struct plan_sim *sim, struct plan_state *s, uint32_t from, uint32_t to);
void sim_scan(struct plan_sim *sim);
/* The path of the cell that the object is in when the function begins; IR_NONE: there is none that can be
 * followed. */
uint32_t sim_cell_path(const struct plan_sim *sim);
/* Does a plan give this variable, which a source fills through its address, null to begin with? */
bool sim_is_zeroed(const struct plan_sim *sim, uint32_t slot);

/* ---- select.c ------------------------------------------------------------- */

struct plan_request {
	struct plan_sim *sim;
	uint32_t birth;			/* the source that the finding is of */
	struct finding *finding;
	struct arena *arena;
	struct fix_plan *plan;
	bool plain;			/* only places that the text is sure to have */
	bool nulled; /* the variable is set to null behind the release: what is only released later may be
			released now */
	bool awkward;			/* result: the plan has others */
	const struct plan_mend *mend;	/* what else the plan does; or NULL */
	bool own;			/* only if the object is lost where the finding says so */
	bool untold;			/* as in struct plan_sim */
	bool foreign;			/* result: it is not, and there is no plan */
	bool never_lost;		/* result: there is no way on which it is lost */
};

/* Why a place will not do, from the least to the most promising. */
enum plan_verdict {
	NO_HOLDER,		/* no variable holds it */
	NO_FRESH,		/* the variable may hold something else */
	NO_INIT,		/* ... or nothing */
	NO_SCOPE,		/* the variable is not known there */
	NO_FREED,		/* may be freed already */
	NO_ESCAPED,		/* others have it */
	NO_OWNER,		/* the program asks whose it is */
	NO_USED,		/* used afterwards */
	NO_RELEASER,
	SAFE,
};

struct plan_place {
	enum fix_where where;
	uint32_t from, to; /* RESULT: from is the number of the question; EDGE; with from IR_NONE: all edges
			      to `to` by which the function falls off its end */
	uint32_t inst;		/* BEFORE, AFTER, RESULT */
	uint32_t guard,
		question; /* a cell, or IR_NONE: only if that variable, or what is returned, answers yes */
	uint32_t pos;		/* for the order: its block's number in reverse post-order, then within */
	uint32_t sub;
	VEC(uint32_t) nodes;
};

struct plan_option {			/* a release at a place */
	const struct plan_place *at;
	uint32_t key;
	bool errno_wanted;		/* behind it */
};

struct plan_chooser {
	struct plan_request *r;
	const struct plan_sim *sim;
	VEC(struct plan_place) places;
	VEC(struct plan_option) options;
	VEC(struct plan_option) chosen;
	enum plan_verdict best;	/* of places that do not do */
	uint32_t best_key;
	const struct ir_func *asked;	/* whether the object is somebody else's */
	const char *why;	/* of the releaser */
	uint32_t index;		/* a second variable that the text names, or IR_NONE */
	uint32_t guard;		/* and one that it asks */
	uint32_t echo;		/* and one that it compares with */
	bool may_be_null;	/* a variable in `p->x` may be null: that will be asked */
};

void select_places(struct plan_request *r);
/* Can control get, with the object alive, from behind one option to the other, or to itself again? */
bool select_follows(const struct plan_chooser *c, const struct plan_option *a, const struct plan_option *b);
/* Where the keeper must forget the object, by a simulation without that. */
void select_clears(const struct plan_sim *sim, struct plan_clears *out);

/* ---- place.c --- */

/* "p", "ctx.name", "ctx->name", "*out"; NULL if it has no such form.  *of: its type. */
const char *place_text(const struct plan_sim *sim, uint32_t key, struct arena *a, uint32_t *slot,
		       uint32_t *of);
/* Appends the names that lead to a pointer at an offset of a struct: "name", "in.name". */
struct sbuf;
bool place_member(const struct ir_module *m, uint32_t *type, uint64_t off, struct sbuf *b);
/* Is there an object at the place, whatever way led there? */
bool place_never_null(const struct plan_chooser *c, const struct plan_place *at, uint32_t key);
/* Does the value say that there is no object: null, or what sources return if they fail? */
bool place_is_none(const struct plan_sim *sim, struct plan_val v);
bool place_in_scope(const struct plan_sim *sim, uint32_t slot, const struct plan_place *at);
/* The instruction that a place is before, or on the way out of. */
uint32_t place_inst(const struct plan_sim *sim, const struct plan_place *at);
/* Is all that can happen at the place in the simulation?  If it begins with a source, only what comes behind
 * that is. */
bool place_is_followed(const struct plan_sim *sim, const struct plan_place *at);
/* Is the variable declared where every execution of the function passes, before it branches? */
bool place_declared_first(const struct plan_sim *sim, uint32_t slot);
/* May what the cell holds be released there? */
enum plan_verdict place_judge(const struct plan_chooser *c, const struct plan_place *at, uint32_t key);
void places_find(struct plan_chooser *c);
/* RESULT: what is asked of the result, "< 0"; guarded: "%s < 0" of the name; else NULL. */
const char *place_question(const struct plan_place *at);
/* Is what the place asks for certain to be so in a state? */
bool place_is_sure(const struct plan_chooser *c, const struct plan_place *at, uint32_t node);
/* Does a step pass the place? */
bool place_is_passed(const struct plan_chooser *c, const struct plan_place *at, const struct plan_step *st);
/* Does the block end in a `return` of its own? */
bool place_ends_in_return(const struct plan_sim *sim, uint32_t b);

/* ---- null.c --- */

/* If the variable is released where the node begins, and set to null: does that change nothing but that? */
bool null_is_harmless(const struct plan_sim *sim, uint32_t node, uint32_t key);

/* ---- write.c --- */

/* Adds what releases the object by an option; all that a plan with a variable of its own needs.
 * False: c->why says why not. */
bool write_release(struct plan_chooser *c, const struct plan_option *o);
bool write_keeper(struct plan_chooser *c);

/* ---- fields.c --- */

/* The statements that release what members of the object own, before it is released itself.  there: it is
 * known not to be null. */
const char *fields_text(struct plan_chooser *c, const struct plan_option *o, bool there);
/* Control goes on with this instruction behind a place. */
uint32_t fields_behind(const struct plan_sim *sim, const struct plan_place *at);
/* May a function that frees members, too, be given the object?  They must all be its own. */
bool fields_are_owned(struct plan_chooser *c, const struct plan_option *o, uint32_t slot,
		      uint32_t destructor);
/* Is each member that it looks at set? */
bool fields_are_set(struct plan_chooser *c, const struct plan_option *o, uint32_t destructor);

/* ---- unset.c --- */

/* May a member of what the call `made` of a function makes (objs) be without a value at a place, behind
 * which control goes on with `inst`, that the destructor looks at?  given: what it is given in the program.
 */
bool unset_may_be(struct fix_planner *pl, uint32_t func, uint32_t made, const struct sbits *objs,
		  uint32_t destructor, const struct sbits *given, const struct plan_place *at,
		  uint32_t inst);

/* ---- stale.c --- */

/* May a call that gets one of these, before an instruction, have freed what the destructor frees below them,
 * and left a pointer to it? */
bool stale_may_be(struct fix_planner *pl, uint32_t func, uint32_t at, const struct sbits *roots,
		  uint32_t destructor, const struct sbits *freed);

/* ---- grown.c --- */

/* May one of the objects of the set be what realloc() made of something that others may still have a pointer
 * to? */
bool grown_is_shared(const struct plan_sim *sim);

/* ---- asks.c --- */

/* Does the program ask, before the place, whether an object of the set M is somebody else's?  The function
 * that says so, or NULL. */
const struct ir_func *asks_owner(const struct plan_sim *sim, const struct plan_place *at);

/* ---- errno.c --- */

/* Is what a call before the place left in errno asked for behind it? */
bool errno_is_wanted(const struct plan_sim *sim, const struct plan_place *at);
/* The same, of what came before an instruction. */
bool errno_is_asked(struct fix_planner *pl, const struct ir_func *f, uint32_t inst);

/* ---- example.c --- */

/* The statements that release what a variable holds, with all that hangs on it, as the function itself does
 * on its other ways, where that takes more than the object; NULL if it does not, or that is not known to be
 * right there.  at: control goes on with this instruction behind the place.  There must be an object. *name:
 * the function that is called, *more: a variable that is named besides, or IR_NONE. */
const char *example_text(const struct plan_chooser *c, const struct plan_option *o, uint32_t at,
			 const char **name, uint32_t *more);

/* ---- counted.c --- */

/* What the destructor may free, without what it drops references to that are these objects' own, at an
 * instruction of a function where `made` makes one of them.  False: there is no such thing, and all that it
 * may free counts.  *own: all of it is in members that only ever got what was their own. */
bool counted_frees(struct fix_planner *pl, const struct sbits *roots, uint32_t destructor, uint32_t func,
		   uint32_t at, uint32_t made, struct sbits *freed, bool *own);
void counted_release(struct fix_planner *pl);

/* ---- owned.c --- */

/* freed: all that the destructor may free. */
/* Is what the destructor frees below these objects theirs alone, and not needed in a function behind
 * an instruction?  made: the call there that makes one of them. */
bool owned_alone(struct fix_planner *pl, const struct sbits *roots, const struct sbits *freed, uint32_t func,
		 uint32_t at, uint32_t made);

/* May a function that was given one of the objects before an instruction, and another of its kind, have put
 * what the destructor frees below it somewhere else? */
bool owned_passed_on(struct fix_planner *pl, const struct sbits *roots, const struct sbits *freed,
		     uint32_t func, uint32_t at);

/* Is what is stored there new, and stored in memory only this once? */
bool owned_new_once(struct fix_planner *pl, uint32_t func, uint32_t store);

/* Is what the program puts into this member of a struct always null or just made by a call? */
bool owned_member_new(struct fix_planner *pl, uint32_t type, uint64_t off);

/* Is the value null, or what a call has just made? */
bool owned_is_new(struct fix_planner *pl, uint32_t func, ir_ref r);
/* The call that made what is stored, by its own value or that of a variable; NULL if there are several, or
 * none. */
const struct ir_inst *owned_maker(const struct fix_planner *pl, uint32_t func, ir_ref r);

/* ---- array.c --- */

/* Is what the call makes put into an array by an index? */
bool array_is_element(struct fix_planner *pl, uint32_t func, uint32_t call);

/* The statement that releases what a loop has put into an array, which is in the variable or is it, before
 * control gets on to an instruction; NULL if that is not known to be safe.  *more: an index that it names, or
 * IR_NONE.  at: the place, for what names mean there. */
const char *array_text(struct fix_planner *pl, uint32_t func, uint32_t slot, const struct plan_place *at,
		       uint32_t inst, struct arena *arena, uint32_t *more);
/* The object is an element of an array that is freed, or ends with the function. */
bool array_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan);

/* ---- alone.c -------------------------------------------------------------- */

/* Does all that the function calls, and that may free something, free what the function is given? */
bool alone_is_all(const struct fix_planner *pl, uint32_t func);
/* The function that releases the object alone, which the destructor calls for it; or IR_NONE. */
uint32_t alone_releaser(struct fix_planner *pl, uint32_t destructor);
/* The function of the program whose result the function returns; or IR_NONE. */
uint32_t alone_allocator(const struct fix_planner *pl, uint32_t maker);
/* The functions below that have no other below them, of the program or not: those that may make what it
 * returns, or, out, what it stores through a parameter. */
void alone_allocators(const struct fix_planner *pl, uint32_t maker, bool out, struct sbits *found);

/* ---- release.c ------------------------------------------------------------ */

/* The function to be called with what the variable holds, or NULL; *why says why not.  type: that of the
 * pointer, or IR_NONE: no function that takes a pointer to another struct is called. *takes_null: it does
 * nothing if that is null; *func: it, if it is a function of the program, else IR_NONE. */
const char *release_name(struct fix_planner *pl, const struct plan_sim *sim, const struct plan_birth *b,
			 uint32_t slot, uint32_t type, struct arena *arena, const char **why,
			 bool *takes_null, uint32_t *func);
/* The one function of the program that is given the address of such a variable, releases what that holds,
 * and takes null there, if what the source makes is released so elsewhere; or IR_NONE. */
uint32_t release_by_address(struct fix_planner *pl, const struct plan_sim *sim, const struct plan_birth *b,
			    uint32_t slot);
/* What the releaser wants besides the object, which the sources were told: ", n"; mostly "".  NULL: that is
 * not at hand, *why.  *slot: the variable that it names, or IR_NONE. */
const char *release_more(const struct plan_sim *sim, const char *releaser, struct arena *arena,
			 const char **why, uint32_t *slot);
/* The one function that releases all these objects, which calls of the function make, and does nothing else,
 * nor anything to null; or NULL. */
const char *release_of_all(struct fix_planner *pl, uint32_t func, const struct sbits *objs,
			   struct arena *arena);
/* Does a function release this argument, whatever happens? */
bool release_always(struct fix_planner *pl, uint32_t func, uint32_t param);
/* May it do so?  One that drops a reference does not always. */
bool release_may(struct fix_planner *pl, uint32_t func, uint32_t param);
/* What the destructor itself calls, in the end, for the object alone; or NULL, *why. */
const char *release_alone(struct fix_planner *pl, const struct plan_sim *sim, const struct plan_birth *b,
			  uint32_t destructor, struct arena *arena, const char **why, bool *takes_null);
/* Why it is not taken whole. */
const char *release_is_too_much(struct arena *arena, const char *destructor);
/* Is what the source makes plain memory, so that its releaser takes the pointer alone? */
bool release_is_plain(const struct plan_birth *b);
/* Does a function of the program free more than what it is given? */
bool release_is_deep(const struct fix_planner *pl, uint32_t func);

/* ---- global.c --- */

/* The object is in a global that is set again.  False: plan->refused says why not. */
bool global_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan);

/* ---- param.c --- */

/* A callee that was given the object releases it on other ways.  False: plan->refused says why not. */
bool param_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan);

/* ---- local.c --- */

/* The object hangs on a struct on the stack.  False: plan->refused says why not. */
bool local_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan);

/* ---- member.c --------------------------------------------------------------- */

/* The object is in a member of what `lost` frees.  False: plan->refused says why not.  mend, if it is not
 * NULL: what was done, if that is one insertion; then its `above` is the caller's, else empty. */
bool member_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan,
		 struct plan_mend *mend);
/* May a function have a pointer to one of the objects in its hands, from before, when this call is over, or
 * one that leads to it?  What the call returns is none. */
bool member_in_hand(struct fix_planner *p, uint32_t func, uint32_t call, const struct sbits *objs);

#endif
