/*
 * trace.h - the facts that a computation has asked for.
 *
 * A result can be used in the next run only if it is known what it depends on.  A
 * list that is made beforehand, of all facts that a computation might ask for, is
 * either wrong or has everything.  So each module that hands out facts notes those
 * that are asked for, and the result is stored with the list.  It holds for as long
 * as none of these facts changes (in a build system: a verifying trace).
 *
 * A thread has one trace at a time; without one nothing is noted.  The numbers
 * have a meaning only for the modules that note and read them.
 */
#ifndef BASE_TRACE_H
#define BASE_TRACE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_item {
	uint32_t kind, a, b;
};

struct trace_set;

enum { TRACE_KINDS = 40 };

struct trace {
	struct trace_set *set;
	struct trace_item last[TRACE_KINDS];	/* by kind; kind + 1 in there, 0: none */
};

extern _Thread_local struct trace *trace_now;

void trace_init(struct trace *t);
void trace_release(struct trace *t);
void trace_clear(struct trace *t);
uint32_t trace_count(const struct trace *t);
struct trace_item trace_at(const struct trace *t, uint32_t i);	/* in the order of the first note */

void trace__note(struct trace *t, struct trace_item i);

static inline void trace_note(uint32_t kind, uint32_t a, uint32_t b)
{
	const struct trace_item *last;

	assert(kind < TRACE_KINDS);
	if (!trace_now)
		return;
	last = &trace_now->last[kind];
	if (last->kind != kind + 1 || last->a != a || last->b != b)
		trace__note(trace_now, (struct trace_item){ kind, a, b });
}

/* What follows is not noted, because another fact is that covers it. */
static inline struct trace *trace_pause(void)
{
	struct trace *t = trace_now;

	trace_now = NULL;
	return t;
}

static inline void trace_resume(struct trace *t)
{
	trace_now = t;
}

#endif
