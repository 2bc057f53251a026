/*
 * plan_state.c - what is known at one point of one path: where the object is, and what
 * variables hold.
 *
 * A state is a short list of cells.  What is not listed is not held, and may have any
 * value, so that forgetting a value is always right, and forgetting who holds the object
 * never.
 */
#include "plan/priv.h"

#include "base/hash.h"

void pstate_init(struct plan_state *s)
{
	memset(s, 0, sizeof(*s));
}

void pstate_release(struct plan_state *s)
{
	free(s->cells);
	pstate_init(s);
}

void pstate_copy(struct plan_state *to, const struct plan_state *from)
{
	enum { MORE = 4 };		/* most copies grow a little */

	*to = *from;
	to->cap = from->n + MORE;
	to->cells = xmalloc(to->cap * sizeof(*to->cells));
	if (from->n)
		memcpy(to->cells, from->cells, from->n * sizeof(*to->cells));
}

bool pstate_equal(const struct plan_state *a, const struct plan_state *b)
{
	return a->phase == b->phase && a->nonnull == b->nonnull && a->doubt == b->doubt &&
	       a->shown == b->shown && a->n == b->n &&
	       (!a->n || memcmp(a->cells, b->cells, a->n * sizeof(*a->cells)) == 0);
}

/* Asked of every state at every node: one multiplication each is enough to tell them apart, mostly. */
uint64_t pstate_hash(const struct plan_state *s)
{
	uint64_t h = s->shown ^ (uint64_t)(s->phase << 8 | s->nonnull << 4 | s->doubt) << 32;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct plan_cell *c = &s->cells[i];
		uint64_t who = (uint64_t)c->key << 32 | c->hold << 8 | c->val.kind;
		uint64_t what = c->val.birth ^ c->via << 32 ^ (uint64_t)c->val.lo * 0xd6e8feb86659fd93ull ^
				(uint64_t)c->val.hi * 0xa0761d6478bd642full;

		h = ((h << 23 | h >> 41) ^ who * 0xe7037ed1a0b428dbull ^ what) * 0x9e3779b97f4a7c15ull;
	}
	return hash_mix(h);
}

static uint32_t position(const struct plan_state *s, uint32_t key)
{
	uint32_t lo = 0, hi = s->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (s->cells[mid].key < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct plan_cell *pstate_find(const struct plan_state *s, uint32_t key)
{
	uint32_t i = position(s, key);

	return i < s->n && s->cells[i].key == key ? &s->cells[i] : NULL;
}

enum plan_hold pstate_hold(const struct plan_state *s, uint32_t key)
{
	const struct plan_cell *c = pstate_find(s, key);

	return c ? (enum plan_hold)c->hold : HOLD_NO;
}

struct plan_val pstate_val(const struct plan_state *s, uint32_t key)
{
	const struct plan_cell *c = pstate_find(s, key);

	return c ? c->val : pval_any();
}

void pstate_set(struct plan_state *s, uint32_t key, enum plan_hold hold, struct plan_val val)
{
	uint32_t i = position(s, key);
	bool there = i < s->n && s->cells[i].key == key;

	if (hold == HOLD_NO && val.kind == PVAL_ANY) {
		if (there) {
			memmove(s->cells + i, s->cells + i + 1, (s->n - i - 1) * sizeof(*s->cells));
			s->n--;
		}
		return;
	}
	if (!there) {
		if (s->n == s->cap) {
			s->cap = (uint32_t)mem_room(s->n + 1, MAX(2 * s->cap, 8));
			s->cells = xrealloc(s->cells, s->cap * sizeof(*s->cells));
		}
		memmove(s->cells + i + 1, s->cells + i, (s->n - i) * sizeof(*s->cells));
		memset(&s->cells[i], 0, sizeof(*s->cells));
		s->cells[i].key = key;
		s->n++;
	}
	s->cells[i].hold = hold;
	s->cells[i].val = val;
	s->cells[i].via = 0;
}

void pstate_set_via(struct plan_state *s, uint32_t key, uint32_t path)
{
	uint32_t i = position(s, key);

	assert(i < s->n && s->cells[i].key == key && s->cells[i].hold != HOLD_NO);
	s->cells[i].via = path;
}

bool pstate_holds_any(const struct plan_state *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->cells[i].hold != HOLD_NO)
			return true;
	return false;
}

void pstate_no_object(struct plan_state *s)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		struct plan_cell c = s->cells[i];

		if (c.hold == HOLD_MUST)
			c.val = pval_int(0);
		c.hold = HOLD_NO;
		c.via = 0;
		if (c.val.kind != PVAL_ANY)
			s->cells[kept++] = c;
	}
	s->n = kept;
	s->phase = PHASE_BEFORE;
	s->nonnull = 0;
	s->doubt = 0;
}
