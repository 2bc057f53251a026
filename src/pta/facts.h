/*
 * facts.h - what those who judge one allocation ask of a whole program's
 * analyses, one kind for each question: see base/trace.h for why it is noted,
 * vfg/keep.c for what an answer is.
 *
 * The functions of pta.h and mssa.h note what they are asked; whoever reads
 * tables of the value-flow engine itself notes it there.
 */
#ifndef PTA_FACTS_H
#define PTA_FACTS_H

#include "base/trace.h"

enum fact {
	FACT_INSIDE = 16,	/* a: function.  Body, control flow, callees, what these do with arguments */
	FACT_HEAD,		/* a: function.  What its callers know of it */
	FACT_MEMORY,		/* a: function.  Its memory in SSA form */
	FACT_CALLED,		/* a: function.  Is it, in the program?  And what it returns, if not */
	FACT_CALLERS,		/* a: function.  By whom, in order */
	FACT_POINTS_TO,		/* a: function, b: value */
	FACT_HOLDS,		/* a: function, b: object.  Values and regions that may hold a pointer to b */
	FACT_HEAP,		/* a: function.  Which of its values may point to any heap object */
	FACT_HOLDER_LOCS,	/* a: function, b: region.  Where pointers to holders of its memory point */
	FACT_VISIBLE,		/* a: function, b: call.  Memory that its callees can get at */
	FACT_WRITES,		/* a: function, b: global.  Does it, or a callee, store there by name? */
	FACT_OBJECT,		/* a: object */
	FACT_HOLDERS,		/* a: object.  Heap objects that may hold it */
	FACT_GLOBAL,		/* a: global */
	FACT_LOOKED,		/* a: object.  What of it anybody in the program looks at */
	FACT_NULL,		/* a: function, b: parameter.  May it be null? */
	FACT_OTHER,		/* something that no answer is kept of */
	FACT__END
};

#endif
