/*
 * keep.h - what the path engine found out in earlier runs.
 *
 * A function's summary and result follow from its body and from what the walk
 * asks of others: their summaries, globals that never change, where a pointer
 * leads.  While a function is walked all that it asks of others is noted
 * (base/trace.h), and both are kept with the list of what the answers were.  In
 * the next run the function is not walked if its body is the same and all these
 * would be answered alike.  Since callees come first, a change goes up the call
 * graph for as long as it changes summaries, and no further.
 *
 * The key:	the function's identity, its body without positions (ir/ident.h), what
 *		points-to analysis and enumerations say of its instructions
 *		(a callee by pointer, the range of a value), the options, the
 *		solver's version and all models
 * The trace:	of functions: head, summary, whether it is quiet or an allocator;
 *		of globals: contents, whether the program never changes it; what
 *		a name that a model speaks of means
 *
 * Whoever adds a question to the engine that is answered by another function's
 * or the program's state must note it: sums[] is read through keep_summary().
 */
#ifndef PATH_KEEP_H
#define PATH_KEEP_H

#include "base/trace.h"
#include "path/exec.h"

enum path_trace {
	TRACE_FUNC,		/* a: function */
	TRACE_GLOBAL,		/* a: global */
	TRACE_NAME,		/* a, b: the two halves of a name's hash */
	TRACE__COUNT
};

struct store;

/* The store outlives it.  After order_find(), which gives some functions their summaries. */
struct keep *keep_new(struct engine *e, struct store *s);
void keep_free(struct keep *k);

/* Has the function been walked before, in this surrounding?  Then its results are these, and
 * what else the walk does to the engine is done. */
bool keep_take(struct keep *k, uint32_t func, struct summary *sum, struct result *r);
/* Around a walk of the function that keep_take() did not know. */
void keep_begin(struct keep *k, uint32_t func);
void keep_end(struct keep *k, uint32_t func, const struct summary *sum, const struct result *r);
/* The function has this summary now. */
void keep_set(struct keep *k, uint32_t func, const struct summary *sum);

uint32_t keep_taken(const struct keep *k);	/* functions that were not walked */

/* What another function's walk may ask. */
static inline const struct summary *keep_summary(const struct engine *e, uint32_t func)
{
	trace_note(TRACE_FUNC, func, 0);
	bits_set(e->asked, func);
	return &e->sums[func];
}
uint32_t keep_global(const struct ir_module *m, const char *name);	/* ir_find_global() */

#endif
