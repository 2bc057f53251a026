/*
 * trace.c - the facts that a computation has asked for, each once: see trace.h.
 */
#include "base/trace.h"

#include "base/mem.h"

#define MAP_NAME trace_set
#define MAP_KEY struct trace_item
#define MAP_VAL bool
#define MAP_HASH(k) hash_join(hash_join((k).kind, (k).a), (k).b)
#define MAP_EQ(x, y) ((x).kind == (y).kind && (x).a == (y).a && (x).b == (y).b)
#include "base/map.h"

_Thread_local struct trace *trace_now;

void trace_init(struct trace *t)
{
	memset(t, 0, sizeof(*t));
	t->set = xcalloc(1, sizeof(*t->set));
}

void trace_release(struct trace *t)
{
	trace_set_release(t->set);
	free(t->set);
	t->set = NULL;
}

void trace_clear(struct trace *t)
{
	trace_set_clear(t->set);
	memset(t->last, 0, sizeof(t->last));
}

uint32_t trace_count(const struct trace *t)
{
	return t->set->n;
}

struct trace_item trace_at(const struct trace *t, uint32_t i)
{
	assert(i < t->set->n && t->set->e[i].key.kind < TRACE_KINDS);
	return t->set->e[i].key;
}

void trace__note(struct trace *t, struct trace_item i)
{
	assert(i.kind < TRACE_KINDS);
	trace_set_put(t->set, i, NULL);
	t->last[i.kind] = (struct trace_item){ i.kind + 1, i.a, i.b };
}
