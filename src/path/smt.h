/*
 * smt.h - the SMT solver as the outside world has it, for solver.c only.
 *
 * One of smt_z3.c and smt_none.c is compiled (see Makefile, Z3=no).
 */
#ifndef PATH_SMT_H
#define PATH_SMT_H

#include "path/solver.h"
#include "sym/text.h"

struct smt_term {
	struct sym_term t;
	uint64_t digest;	/* of the expression, the ranges in it, and the truth */
};

struct smt;

const char *smt_name(void);		/* NULL if there is none; smt_new() must not be called then */
struct smt *smt_new(void);
void smt_free(struct smt *m);

/* Terms are asserted on a stack: what the last query began with, too, stays. */
enum solver_answer smt_check(struct smt *m, const struct syms *syms, const struct smt_term *t, uint32_t n);

/* How many parts of an expression the solver is told of; 0: it is an unknown. */
static inline unsigned smt_parts(const struct sym_expr *e)
{
	if (!e)
		return 0;
	switch (e->op) {
	case IR_BIN:
		return e->bits >= 1 && e->bits <= 64 ? 2 : 0;
	case IR_CMP:
	case IR_INDEX:
	case SYM_OFFSET:
		return 2;
	case IR_CAST:
		return e->bits >= 1 && e->bits <= 64 ? 1 : 0;
	case SYM_NOT:
		return 1;
	default:
		return 0;
	}
}

/* The identity of the text, as this comparison looks at it, that a pointer points to. */
static inline uint64_t smt_text_of(const struct sym_expr *e)
{
	return hash_join(hash_join(e->a.id, 0x7e87), text_kind((uint64_t)e->b.lo)) >> 2;
}

#endif
