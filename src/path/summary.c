/*
 * summary.c - cases of a function: collected, compared, joined.
 *
 * Paths that do the same to the heap and return values of the same kind are
 * one case to a caller.  "The same kind" keeps apart what callers test: zero,
 * negative, positive, null, not null.  This is the meet of section 5.1 of the
 * paper, done per kind of return value instead of over all paths.
 */
#include "path/summary.h"

#include "base/hash.h"

enum { MAX_CASES = 12, MAX_EFFECTS = 48 };

void scase_release(struct scase *c)
{
	vec_release(&c->conds);
	vec_release(&c->effects);
	vec_release(&c->news);
}

void summary_release(struct summary *s)
{
	for (uint32_t i = 0; i < s->cases.n; i++)
		scase_release(&s->cases.v[i]);
	vec_release(&s->cases);
	memset(s, 0, sizeof(*s));
}

bool place_equal(const struct place *a, const struct place *b)
{
	if (a->base != b->base || a->index != b->index || a->nsteps != b->nsteps)
		return false;
	for (unsigned i = 0; i < a->nsteps; i++)
		if (a->step[i].any != b->step[i].any || a->step[i].off != b->step[i].off)
			return false;
	return true;
}

bool sval_equal(const struct sval *a, const struct sval *b)
{
	if (a->kind != b->kind || a->lo != b->lo || a->hi != b->hi)
		return false;
	switch ((enum sval_kind)a->kind) {
	case SVAL_ANY:
		return true;
	case SVAL_PLACE:
		return a->off == b->off && place_equal(&a->place, &b->place);
	case SVAL_INTO:
		return place_equal(&a->place, &b->place);
	case SVAL_NEW:
		return a->off == b->off && a->index == b->index;
	case SVAL_SYMBOL:
		return a->off == b->off && a->symbol == b->symbol;
	}
	return false;
}

/* ---- which cases may be one ------------------------------------------ */

/* Is the effect one that a leak depends on? */
static bool is_heap(const struct seffect *e)
{
	return e->kind == SEFF_FREE || e->kind == SEFF_KEEP || (e->kind == SEFF_SET && e->v.kind == SVAL_NEW);
}

static const struct seffect *find_effect(const struct scase *c, const struct seffect *e)
{
	for (uint32_t i = 0; i < c->effects.n; i++) {
		const struct seffect *x = &c->effects.v[i];

		if (x->kind == e->kind && place_equal(&x->place, &e->place) &&
		    (e->kind != SEFF_SET || (x->v.kind == e->v.kind && x->v.index == e->v.index)))
			return x;
	}
	return NULL;
}

static bool heap_within(const struct scase *a, const struct scase *b)
{
	for (uint32_t i = 0; i < a->effects.n; i++)
		if (is_heap(&a->effects.v[i]) && !find_effect(b, &a->effects.v[i]))
			return false;
	return true;
}

/* What a caller's test can tell of a value: null or zero, negative, positive; a
 * mixture is a kind of its own. */
static unsigned kind_of_range(const struct sval *v)
{
	return (v->lo < 0) | (v->lo <= 0 && v->hi >= 0) << 1 | (v->hi > 0) << 2;
}

static bool same_return(const struct scase *a, const struct scase *b)
{
	if (a->returns != b->returns)
		return false;
	if (!a->returns)
		return true;
	if (a->ret.kind != b->ret.kind || (a->ret.kind != SVAL_ANY && !sval_equal(&a->ret, &b->ret)))
		return false;
	return kind_of_range(&a->ret) == kind_of_range(&b->ret);
}

static bool may_join(const struct scase *a, const struct scase *b)
{
	return a->noreturn == b->noreturn && a->news.n == b->news.n && same_return(a, b) && heap_within(a, b) && heap_within(b, a);
}

/* ---- joining --------------------------------------------------------- */

static const struct scond *find_cond(const struct scase *c, const struct place *p)
{
	for (uint32_t i = 0; i < c->conds.n; i++)
		if (place_equal(&c->conds.v[i].place, p))
			return &c->conds.v[i];
	return NULL;
}

/* Only what both need is still needed. */
static void join_conds(struct scase *a, const struct scase *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->conds.n; i++) {
		struct scond *x = &a->conds.v[i];
		const struct scond *y = find_cond(b, &x->place);

		if (!y)
			continue;
		x->lo = MIN(x->lo, y->lo);
		x->hi = MAX(x->hi, y->hi);
		x->not_zero &= y->not_zero;
		if (x->not_zero || x->lo != INT64_MIN || x->hi != INT64_MAX)
			a->conds.v[n++] = *x;
	}
	a->conds.n = n;
}

static struct seffect *find_set(struct scase *c, const struct place *p)
{
	for (uint32_t i = 0; i < c->effects.n; i++)
		if ((c->effects.v[i].kind == SEFF_SET || c->effects.v[i].kind == SEFF_WRITE) && place_equal(&c->effects.v[i].place, p))
			return &c->effects.v[i];
	return NULL;
}

/* What one of them writes is written; if both agree, it is known with what. */
static void join_effects(struct scase *a, const struct scase *b)
{
	for (uint32_t i = 0; i < a->effects.n; i++) {
		struct seffect *x = &a->effects.v[i];
		const struct seffect *y;

		if (x->kind != SEFF_SET || is_heap(x))
			continue;
		y = find_set((struct scase *)b, &x->place);
		if (!y || y->kind != SEFF_SET || !sval_equal(&x->v, &y->v))
			x->kind = SEFF_WRITE;
	}
	for (uint32_t i = 0; i < b->effects.n; i++) {
		struct seffect y = b->effects.v[i];

		if ((y.kind != SEFF_SET && y.kind != SEFF_WRITE) || is_heap(&y) || find_set(a, &y.place))
			continue;
		y.kind = SEFF_WRITE;
		vec_push(&a->effects, y);
	}
}

static void join(struct scase *a, const struct scase *b)
{
	join_conds(a, b);
	join_effects(a, b);
	for (uint32_t i = 0; i < a->news.n; i++) {
		a->news.v[i].zeroed &= b->news.v[i].zeroed;
		a->news.v[i].nonnull &= b->news.v[i].nonnull;
	}
	if (!a->returns)
		return;
	if (!b->returns || a->ret.kind != b->ret.kind || (a->ret.kind != SVAL_ANY && !sval_equal(&a->ret, &b->ret)))
		a->ret.kind = SVAL_ANY;
	a->ret.lo = MIN(a->ret.lo, b->ret.lo);
	a->ret.hi = MAX(a->ret.hi, b->ret.hi);
}

void summary_add(struct summary *s, struct scase *c)
{
	if (c->effects.n > MAX_EFFECTS) {
		uint32_t n = 0;

		s->wild = true;
		for (uint32_t i = 0; i < c->effects.n; i++)
			if (is_heap(&c->effects.v[i]))
				c->effects.v[n++] = c->effects.v[i];
		c->effects.n = n;
	}
	for (uint32_t i = 0; i < s->cases.n; i++)
		if (may_join(&s->cases.v[i], c)) {
			join(&s->cases.v[i], c);
			scase_release(c);
			return;
		}
	vec_push(&s->cases, *c);
}

/* ---- too many -------------------------------------------------------- */

/* Do they differ in what they return only? */
static bool same_heap(const struct scase *a, const struct scase *b)
{
	return a->noreturn == b->noreturn && a->news.n == b->news.n && heap_within(a, b) && heap_within(b, a) &&
	       a->ret.kind != SVAL_NEW && b->ret.kind != SVAL_NEW;
}

static void drop(struct summary *s, uint32_t i)
{
	scase_release(&s->cases.v[i]);
	memmove(&s->cases.v[i], &s->cases.v[i + 1], (s->cases.n - i - 1) * sizeof(*s->cases.v));
	s->cases.n--;
}

static void join_same_heap(struct summary *s)
{
	for (uint32_t i = 0; i < s->cases.n; i++)
		for (uint32_t k = s->cases.n; k-- > i + 1;)
			if (same_heap(&s->cases.v[i], &s->cases.v[k])) {
				join(&s->cases.v[i], &s->cases.v[k]);
				drop(s, k);
			}
}

/* A function that does nothing to memory: one case for each kind of return value is
 * worth its price to callers only if it is told apart by the arguments, or always the same. */
bool summary_is_plain(const struct summary *s)
{
	for (uint32_t i = 0; i < s->cases.n; i++)
		if (s->cases.v[i].effects.n || s->cases.v[i].news.n || s->cases.v[i].noreturn)
			return false;
	return !s->cut && !s->wild;
}

static bool is_new_to_caller(const struct scase *c)
{
	if (c->returns && c->ret.kind == SVAL_NEW)
		return true;
	for (uint32_t i = 0; i < c->effects.n; i++)
		if (c->effects.v[i].kind == SEFF_SET && c->effects.v[i].v.kind == SVAL_NEW &&
		    c->effects.v[i].place.base == PLACE_ARG)
			return true;
	return false;
}

void summary_finish(struct summary *s)
{
	bool any = false, all = true;

	if (s->cases.n > MAX_CASES)
		join_same_heap(s);
	if (s->cases.n > MAX_CASES)
		s->cut = true;
	for (uint32_t i = 0; i < s->cases.n; i++) {
		const struct scase *c = &s->cases.v[i];

		if (c->noreturn)
			continue;
		if (is_new_to_caller(c))
			any = true;
		else if (c->ret.kind != SVAL_ANY || c->ret.lo > 0)
			all = false;
	}
	s->wraps = any && all;
	s->done = true;
}
