/*
 * thread.c - what the heap keeps for each thread.
 *
 * A thread's struct is made at its first allocation.  When the thread ends, the struct
 * waits for the next new thread, with its bins, spans and counters: memory that outlives
 * a thread needs no new home, and the number of structs is that of the threads at the
 * busiest time.  While it waits, whoever frees an object of its spans does its work.
 */
#include "pool.h"

#include "age.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

__thread struct thread *heap_self;
static __thread bool ended;	/* this thread's struct was given up */
struct lock threads_lock;
static struct thread *threads;
static _Atomic bool ready;	/* tables are filled */
static pthread_key_t end_key;
static _Atomic bool have_end_key;

static struct thread *thread_new(void)
{
	struct thread *t;

	for (t = threads; t != NULL; t = t->next)
		if (t->idle) {
			t->idle = false;
			t->epoch = 0;	/* chains are of another stack */
			t->stack = (struct unwind_stack){ 0, 0 };
			return t;
		}
	t = meta_alloc_lines(sizeof(*t));
	if (t == NULL)
		return NULL;
	for (unsigned i = 0; i < NCLASSES; i++)
		t->common[i] = (struct pool){ .current = NO_SPAN, .cls = i };
	t->countdown = AGE_COUNTDOWN;
	t->next = threads;
	threads = t;
	return t;
}

/* The calling thread's struct; NULL without memory. */
struct thread *thread_get(void)
{
	int saved = errno;
	struct thread *t;

	lock_take(&threads_lock);
	if (!ready) {
		bool ok;

		os_keep_spare();
		pool_start();
		lock_take(&site_lock);
		ok = run_reserve();
		lock_give(&site_lock);
		if (!ok) {
			lock_give(&threads_lock);
			errno = saved;
			return NULL;
		}
		ready = true;
	}
	t = thread_new();
	lock_give(&threads_lock);
	heap_self = t;
	if (t != NULL && !ended && have_end_key)
		pthread_setspecific(end_key, t);
	errno = saved;
	return t;
}

/* A thread that allocates after it has given its struct up (in destructors of
 * thread data that run late) gets one for this call only. */
void thread_put_back(void)
{
	struct thread *t = heap_self;

	if (!ended || t == NULL)
		return;
	lock_take(&threads_lock);
	heap_self = NULL;
	t->idle = true;
	lock_give(&threads_lock);
}

void heap_thread_end(void)
{
	struct thread *t = heap_self;

	ended = true;
	if (t == NULL)
		return;
	pool_drain(t);
	for (unsigned i = 0; i < NCLASSES; i++)
		pool_retire(t, &t->common[i]);
	for (uint32_t i = 0; i < t->bins_cap; i++)
		if (t->bins[i] != NULL)
			pool_retire(t, &t->bins[i]->own);
	while (t->ncached > 0)
		span_free(t->cached[--t->ncached]);
	heap_drop_kept(t);
	thread_put_back();
}

static void at_thread_end(void *arg)
{
	(void)arg;
	heap_thread_end();
}

void heap_start(void)
{
	if (pthread_key_create(&end_key, at_thread_end) == 0)
		have_end_key = true;
}

static void rebuild_pool(struct pool *p)
{
	*p = (struct pool){ .current = NO_SPAN, .cls = p->cls };
}

/* Only the bits of a span can be trusted, if other threads were there. */
static void rebuild_span(struct span *s, void *self)
{
	struct thread *t = s->owner;

	if (s->kind != SPAN_SMALL || t == NULL)
		return;
	span_collect(s);
	if (t == self) {
		s->queued = 0;
		s->remote_done = s->collected;
		if (!span_is_kept(s))
			span_relax(self, s);
		return;
	}
	s->nfree = 0;
	for (unsigned i = 0; i < s->words; i++)
		s->nfree += (uint16_t)__builtin_popcountll(counter_get(&s->bits[i]));
	s->queued = 0;
	s->remote_done = s->collected = 0;
	span_leave(s);
	s->next = s->prev = NULL;
	pool_of(t, s)->nspans++;
	span_sort_in(t, s);
}

void heap_fork_child(bool had_threads)
{
	struct thread *self = heap_self;

	if (!had_threads)
		return;
	/* The other threads may have stopped in the midst of anything: their lists are
	 * made anew from the spans. */
	while (self != NULL && self->ncached > 0)
		span_free(self->cached[--self->ncached]);
	for (struct thread *t = threads; t != NULL; t = t->next) {
		t->pending = NULL;
		if (t == self)
			continue;
		t->ncached = t->nkept = t->kept_pages = 0;
		for (unsigned i = 0; i < NCLASSES; i++)
			rebuild_pool(&t->common[i]);
		for (uint32_t i = 0; i < t->bins_cap; i++)
			if (t->bins[i] != NULL)
				rebuild_pool(&t->bins[i]->own);
		t->idle = true;
	}
	pages_each(rebuild_span, self);
}
