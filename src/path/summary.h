/*
 * summary.h - what a function does to memory, as its callers see it.
 *
 * Section 5.1 of Xu and Zhang (QSIC 2008) sorts functions into None,
 * ReturnHeapObj, MallocGlobal, MallocArg, FreeGlobal and FreeArg, with a
 * return value or a precondition beside some of them.  Ours is a list of
 * cases instead: under these conditions on what it is given, the function
 * does these things and returns such a value.  A caller tries each case that
 * its own path allows.  The paper's categories are cases with one effect; what
 * real code needs besides (frees its argument only if it returns 0, frees a
 * member, returns an object whose members are new) needs nothing more.
 *
 * Vocabulary:
 *
 *   place    a value that caller and callee both know: an argument, then loads.
 *            `arg1->name` is argument 0 and one step with the offset of name.
 *            A global's place begins with its address, so that its value is
 *            one step further on
 *   new      an object that the function made and that is the caller's now
 *   effect   place = value; place is freed; kept by somebody; written with
 *            something that is not known
 *
 * Which way this errs: conditions on anything but places are dropped, so a case
 * may be taken where the function would not take it; cases beyond a limit are
 * joined.  A function
 * that was not looked at to its end is `cut`: callers treat it as unknown.
 */
#ifndef PATH_SUMMARY_H
#define PATH_SUMMARY_H

#include "ir/ir.h"
#include "model/model.h"
#include "sym/sym.h"

enum { PLACE_STEPS = 4 };

enum place_base {
	PLACE_ARG, PLACE_GLOBAL, PLACE_NEW,
	PLACE_VARARGS,		/* the memory of the variable arguments; index: of the first of them */
};

struct place_step {
	int64_t off;
	bool any;		/* of any element */
};

struct place {
	uint8_t base, nsteps;
	uint8_t bits;		/* of the number that is there; 0: a pointer.  Comparisons ignore it */
	uint32_t index;		/* argument from 0; global; new object of the case */
	struct place_step step[PLACE_STEPS];
};

enum sval_kind {
	SVAL_ANY,		/* nothing is known of it but its range */
	SVAL_PLACE,		/* what was there before the call, and off bytes more */
	SVAL_SUM,		/* a number: what was there before the call, plus off */
	SVAL_INTO,		/* somewhere in what that points to */
	SVAL_NEW,		/* new object `index`, and off bytes more */
	SVAL_SYMBOL,		/* the address of a global or function, and off bytes more */
};

struct sval {
	uint8_t kind;
	uint32_t index;		/* NEW */
	ir_ref symbol;		/* SYMBOL */
	struct place place;
	int64_t off;
	int64_t lo, hi;		/* of a number; a pointer has lo 1 if it is not null, hi 0 if it is */
	bool not_zero;		/* ANY: though the range has zero in it */
};

struct scond {
	struct place place;
	int64_t lo, hi;
	bool not_zero;
	uint64_t zeros, ones;	/* bits that are zero, and those that are set */
	uint64_t some;		/* of these bits at least one is set; 0: none said */
};

/* A condition that is more than a range: an expression over places, in nodes of which the last
 * is the whole, and whether it is true. */
enum { SNODE_PLACE = 250, SNODE_CONST = 251, SNODE_SYMBOL = 252 };

struct snode {
	uint8_t op, sub;		/* those of struct sym_expr, or one of the above */
	uint16_t bits;
	uint8_t a, b;			/* nodes before this one */
	int64_t value;			/* CONST; SYMBOL: the ir_ref of a global or function */
	struct place place;		/* PLACE */
};

VEC_TYPE(snodes, struct snode);

struct sterm {
	struct snodes nodes;
	bool truth;
};

enum seffect_kind {
	SEFF_SET, SEFF_FREE, SEFF_KEEP, SEFF_WRITE,
	SEFF_COPY,		/* v.hi bytes (-1: all) of what v.place points to, from v.off on, to what
				 * place points to, from v.lo on */
};

struct seffect {
	uint8_t kind;
	bool if_there;				/* SET: only if the way there is not through null */
	struct place place;
	struct sval v;				/* SET */
	const struct resource *resource;	/* FREE */
	uint32_t func, inst;			/* where it happens */
};

struct snew {
	uint32_t func, inst;		/* the call that made it */
	const char *allocator;
	const struct model_effect *effect;	/* of the library function below */
	uint32_t nth;			/* of those that the call made */
	bool zeroed, nonnull;
	bool part;			/* came from a callee inside another object */
};

VEC_TYPE(svals, struct sval);
VEC_TYPE(sconds, struct scond);
VEC_TYPE(sterms, struct sterm);
VEC_TYPE(seffects, struct seffect);
VEC_TYPE(snews, struct snew);

struct scase {
	struct sconds conds;
	struct sterms terms;
	struct seffects effects;
	struct snews news;
	bool noreturn, returns;		/* returns: a value */
	uint64_t heap;			/* hash of the effects that a leak depends on, in any order */
	bool lossy;			/* there are conditions that the case does not tell */
	bool asks;			/* it goes by what a library function says of memory: strcmp() */
	struct sval ret;
	struct svals parts;		/* of a struct that is returned: the values behind the first */
};

VEC_TYPE(scases, struct scase);

struct summary {
	bool done;
	bool cut;			/* not all of its paths were looked at */
	bool wild;			/* writes more than effects can tell: what its arguments lead to is
					 * unknown afterwards */
	bool vague;			/* conditions of its cases were dropped: there were too many */
	bool wraps;			/* every returning case hands out a new object: an allocator of the
					 * program */
	struct scases cases;
};

void scase_release(struct scase *c);
/* Adds what is known of a place to what was known before.  False: both cannot be. */
bool scase_add_cond(struct scase *c, const struct scond *k);
void summary_release(struct summary *s);

/* The condition on a place, or NULL. */
const struct scond *scase_cond(const struct scase *c, const struct place *p);

bool place_equal(const struct place *a, const struct place *b);
bool place_is_any(const struct place *p);	/* of some element */
bool sval_equal(const struct sval *a, const struct sval *b);
bool sval_is_known(const struct sval *v);	/* is anything known of it that a test could tell? */

/* Adds a case, which becomes the summary's; joins it with one that does the same to
 * the heap, if the two are no more than the join. */
void summary_add(struct summary *s, struct scase *c);
/* After the last: joins what callers need not tell apart, and what is too much; sets `wraps`. */
void summary_finish(struct summary *s);

/* Two summaries that callers can tell apart have different ones; 0: there is none. */
uint64_t summary_digest(const struct summary *s);

/* In the model language.  Nothing is printed for a function that is cut. */
void summary_print(const struct summary *s, const struct ir_module *m, const struct ir_func *f, FILE *out);

/* The number that is where the argument points to, after a call of a function with this summary.  False if
 * that is not known. */
bool summary_leaves(const struct summary *s, uint32_t param, sym_at_fn *at, void *arg, struct sym_range *out);

/* Does it do anything to memory that callers must know of? */
bool summary_is_plain(const struct summary *s);

#endif
