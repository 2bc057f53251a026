/*
 * trace.h - what a computation has looked at.
 *
 * To keep a result for the next run one must know what it depends on.  Listing
 * beforehand all that a computation might look at is either wrong or everything;
 * so those who hand out facts note each that was asked for, and the result is
 * kept with the list.  It holds for as long as all these facts are what they
 * were (a build system calls it a verifying trace).
 *
 * A thread has one trace at a time; without one nothing is noted.  What the
 * numbers mean is between those who note and those who read.
 */
#ifndef BASE_TRACE_H
#define BASE_TRACE_H

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
	struct trace_item last[TRACE_KINDS];	/* noted last: questions come in swarms */
};

extern _Thread_local struct trace *trace_now;

void trace_init(struct trace *t);
void trace_release(struct trace *t);
void trace_clear(struct trace *t);
uint32_t trace_count(const struct trace *t);
struct trace_item trace_at(const struct trace *t, uint32_t i);	/* in the order in which they were noted first */

void trace__note(struct trace *t, struct trace_item i);

static inline void trace_note(uint32_t kind, uint32_t a, uint32_t b)
{
	const struct trace_item *last;

	if (!trace_now)
		return;
	last = &trace_now->last[kind];
	if (last->kind != kind + 1 || last->a != a || last->b != b)
		trace__note(trace_now, (struct trace_item){ kind, a, b });
}

/* What follows is not noted, because something is that says as much. */
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
