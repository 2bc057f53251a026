/*
 * summary.c - cases of a function: collected, compared, joined.
 *
 * Paths that do the same to the heap and return values of the same kind are
 * one case to a caller.  "The same kind" keeps apart what callers test: zero,
 * negative, positive, null, not null.  This is the meet of section 5.1 of the
 * paper, done per kind of return value instead of over all paths.
 */
#include "path/summary.h"

#include "base/bits.h"
#include "base/hash.h"

enum { FEW_CASES = 6, MANY_CASES = 10, MAX_CASES = 16, MAX_COLLECTED = 80, MAX_EFFECTS = 48 };

void scase_release(struct scase *c)
{
	vec_release(&c->conds);
	for (uint32_t i = 0; i < c->terms.n; i++)
		vec_release(&c->terms.v[i].nodes);
	vec_release(&c->terms);
	vec_release(&c->effects);
	vec_release(&c->news);
	vec_release(&c->parts);
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

bool place_is_any(const struct place *p)
{
	for (unsigned i = 0; i < p->nsteps; i++)
		if (p->step[i].any)
			return true;
	return false;
}

bool sval_equal(const struct sval *a, const struct sval *b)
{
	if (a->kind != b->kind)
		return false;
	switch ((enum sval_kind)a->kind) {
	case SVAL_ANY:
		return a->lo == b->lo && a->hi == b->hi && a->not_zero == b->not_zero;
	case SVAL_PLACE:
	case SVAL_SUM:
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

static bool is_nonzero(const struct sval *v)
{
	return v->not_zero || v->lo > 0 || v->hi < 0;
}

static bool is_zero(const struct sval *v)
{
	return v->lo == 0 && v->hi == 0;
}

bool sval_is_known(const struct sval *v)
{
	return v->kind != SVAL_ANY || v->lo == v->hi || is_nonzero(v);
}

/* What is known of both numbers. */
static void join_ranges(struct sval *a, const struct sval *b)
{
	a->not_zero = is_nonzero(a) && is_nonzero(b);
	a->lo = MIN(a->lo, b->lo);
	a->hi = MAX(a->hi, b->hi);
	a->not_zero &= a->lo <= 0 && a->hi >= 0;
}

/* ---- which cases may be one ------------------------------------------ */

/* Is the effect one that a leak depends on?  So is a pointer of the caller's that is put
 * somewhere else. */
static bool is_heap(const struct seffect *e)
{
	if (e->kind == SEFF_SET)
		return e->v.kind == SVAL_NEW ||
		       ((e->v.kind == SVAL_PLACE || e->v.kind == SVAL_INTO) && !e->v.place.bits);
	return e->kind == SEFF_FREE || e->kind == SEFF_KEEP || e->kind == SEFF_COPY;
}

static const struct seffect *find_effect(const struct scase *c, const struct seffect *e)
{
	for (uint32_t i = 0; i < c->effects.n; i++) {
		const struct seffect *x = &c->effects.v[i];

		if (x->kind == e->kind && place_equal(&x->place, &e->place) &&
		    ((e->kind != SEFF_SET && e->kind != SEFF_COPY) || sval_equal(&x->v, &e->v)))
			return x;
	}
	return NULL;
}

static uint64_t place_hash(const struct place *p)
{
	uint64_t h = hash_join(hash_join(p->base, p->index), p->nsteps);

	for (unsigned i = 0; i < p->nsteps; i++)
		h = hash_join(hash_join(h, (uint64_t)p->step[i].off), p->step[i].any);
	return h;
}

static uint64_t heap_hash(const struct scase *c)
{
	uint64_t h = 0;

	for (uint32_t i = 0; i < c->effects.n; i++) {
		const struct seffect *e = &c->effects.v[i];
		/* each once: one that is there twice says nothing more */
		bool seen = is_heap(e) && find_effect(c, e) != e;
		if (is_heap(e) && !seen)
			h += hash_join(hash_join(e->kind, place_hash(&e->place)),
				       e->kind == SEFF_SET ? hash_join(e->v.kind, e->v.index) : 0);
	}
	return h;
}

static bool heap_within(const struct scase *a, const struct scase *b)
{
	if (a->heap != b->heap)
		return false;
	for (uint32_t i = 0; i < a->effects.n; i++)
		if (is_heap(&a->effects.v[i]) && !find_effect(b, &a->effects.v[i]))
			return false;
	return true;
}

/* What a caller's test can tell of a value: null or zero, negative, positive; a
 * mixture is a kind of its own. */
static unsigned kind_of_range(const struct sval *v)
{
	return (v->lo < 0) | (v->lo <= 0 && v->hi >= 0 && !v->not_zero) << 1 | (v->hi > 0) << 2;
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

static bool same_parts(const struct scase *a, const struct scase *b)
{
	if (a->parts.n != b->parts.n)
		return false;
	for (uint32_t i = 0; i < a->parts.n; i++) {
		const struct sval *x = &a->parts.v[i], *y = &b->parts.v[i];

		if (x->kind != y->kind || (x->kind != SVAL_ANY && !sval_equal(x, y)))
			return false;
	}
	return true;
}

static bool same_effects_on_heap(const struct scase *a, const struct scase *b)
{
	return heap_within(a, b) && heap_within(b, a);
}

static bool may_join(const struct scase *a, const struct scase *b)
{
	if (!same_parts(a, b) || a->noreturn != b->noreturn || a->news.n != b->news.n)
		return false;
	return same_return(a, b) && same_effects_on_heap(a, b);
}

/* ---- joining --------------------------------------------------------- */

const struct scond *scase_cond(const struct scase *c, const struct place *p)
{
	for (uint32_t i = 0; i < c->conds.n; i++)
		if (place_equal(&c->conds.v[i].place, p))
			return &c->conds.v[i];
	return NULL;
}

static bool same_bits(const struct scond *a, const struct scond *b)
{
	return a->zeros == b->zeros && a->ones == b->ones && a->some == b->some;
}

static bool asks_bits(const struct scond *k)
{
	return k->zeros || k->ones || k->some;
}

static bool same_range(const struct scond *a, const struct scond *b)
{
	return a->lo == b->lo && a->hi == b->hi && a->not_zero == b->not_zero;
}

static bool cond_equal(const struct scond *a, const struct scond *b)
{
	return same_range(a, b) && same_bits(a, b);
}

static bool cond_is_trivial(const struct scond *k)
{
	bool all = k->place.bits ? k->lo == INT64_MIN : k->lo <= 0;

	return all && k->hi == INT64_MAX && !k->not_zero && !asks_bits(k);
}

static bool is_only_zero(const struct scond *k)
{
	return k->lo == 0 && k->hi == 0;
}

static bool is_nonzero_cond(const struct scond *k)
{
	return k->not_zero || k->lo > 0 || k->hi < 0 || k->ones || k->some;
}

/* Is one of these bits set, for sure? */
static bool has_some(const struct scond *k, uint64_t some)
{
	return !some || k->ones & some || (k->some && !(k->some & ~some));
}

/* Is everything that b allows allowed by a? */
static bool cond_covers(const struct scond *a, const struct scond *b)
{
	if (a->lo > b->lo || a->hi < b->hi || (a->not_zero && !is_nonzero_cond(b)))
		return false;
	return !(a->zeros & ~b->zeros) && !(a->ones & ~b->ones) && has_some(b, a->some);
}

static bool cond_excludes(const struct scond *a, const struct scond *b)
{
	if (a->lo > b->hi || b->lo > a->hi)
		return true;
	if ((is_nonzero_cond(a) && is_only_zero(b)) || (is_nonzero_cond(b) && is_only_zero(a)))
		return true;
	if (a->ones & b->zeros || b->ones & a->zeros)
		return true;
	return (a->some && !(a->some & ~b->zeros)) || (b->some && !(b->some & ~a->zeros));
}

static struct scond cond_hull(const struct scond *a, const struct scond *b)
{
	struct scond r = { .place = a->place, .lo = MIN(a->lo, b->lo), .hi = MAX(a->hi, b->hi),
			   .zeros = a->zeros & b->zeros, .ones = a->ones & b->ones };

	assert(a->place.base == b->place.base && a->place.nsteps == b->place.nsteps);
	r.not_zero = is_nonzero_cond(a) && is_nonzero_cond(b) && r.lo <= 0 && r.hi >= 0;
	if (has_some(b, a->some))
		r.some = a->some;
	else if (has_some(a, b->some))
		r.some = b->some;
	r.not_zero &= !r.ones && !r.some;
	return r;
}

/* Is it one bit that is set in one of them and zero in the other, and all else the same? */
static bool differ_in_a_bit(const struct scond *a, const struct scond *b)
{
	uint64_t bit = a->zeros ^ b->zeros;

	return bits_is_one(bit) && (a->ones ^ b->ones) == bit && same_range(a, b) && a->some == b->some;
}

static bool is_any_number(const struct scond *k)
{
	return k->lo == INT64_MIN && k->hi == INT64_MAX && !k->not_zero;
}

/* Does one ask that some of these bits are set, and the other that none of them is? */
static bool asks_opposite(const struct scond *some, const struct scond *none)
{
	return some->some == none->zeros && !none->some && !some->zeros;
}

/* Is the hull no more than the two? */
static bool cond_hull_is_exact(const struct scond *a, const struct scond *b)
{
	bool plain = !asks_bits(a) && !asks_bits(b);

	if (cond_covers(a, b) || cond_covers(b, a))
		return true;
	if ((a->not_zero && is_only_zero(b)) || (b->not_zero && is_only_zero(a)))
		return plain && MIN(a->lo, b->lo) == INT64_MIN && MAX(a->hi, b->hi) == INT64_MAX;
	if (differ_in_a_bit(a, b))
		return true;
	if ((a->some || b->some) && (a->some ? asks_opposite(a, b) : asks_opposite(b, a)))
		return is_any_number(a) && is_any_number(b) && a->ones == b->ones;
	if (a->not_zero || b->not_zero || !plain)
		return false;
	return (a->hi == INT64_MAX || a->hi + 1 >= b->lo) && (b->hi == INT64_MAX || b->hi + 1 >= a->lo);
}

bool scase_add_cond(struct scase *c, const struct scond *k)
{
	struct scond *o = (struct scond *)scase_cond(c, &k->place);

	if (!o) {
		if (!cond_is_trivial(k))
			vec_push(&c->conds, *k);
		return true;
	}
	if (cond_excludes(o, k))
		return false;
	o->lo = MAX(o->lo, k->lo);
	o->hi = MIN(o->hi, k->hi);
	o->not_zero |= k->not_zero;
	o->zeros |= k->zeros;
	o->ones |= k->ones;
	o->some = o->some ? o->some : k->some;
	if (o->not_zero) {
		o->lo += o->lo == 0;
		o->hi -= o->hi == 0;
		o->not_zero = o->lo < 0 && o->hi > 0;
	}
	return o->lo <= o->hi;
}

static bool term_equal(const struct sterm *a, const struct sterm *b)
{
	if (a->nodes.n != b->nodes.n)
		return false;
	for (uint32_t i = 0; i < a->nodes.n; i++) {
		const struct snode *x = &a->nodes.v[i], *y = &b->nodes.v[i];

		if (x->op != y->op || x->sub != y->sub || x->bits != y->bits || x->value != y->value)
			return false;
		if (x->a != y->a || x->b != y->b || !place_equal(&x->place, &y->place))
			return false;
	}
	return true;
}

static const struct sterm *find_term(const struct scase *c, const struct sterm *t)
{
	for (uint32_t i = 0; i < c->terms.n; i++)
		if (term_equal(&c->terms.v[i], t))
			return &c->terms.v[i];
	return NULL;
}

/* Can no caller be in both? */
static bool excludes(const struct scase *a, const struct scase *b)
{
	for (uint32_t i = 0; i < a->conds.n; i++) {
		const struct scond *y = scase_cond(b, &a->conds.v[i].place);

		if (y && cond_excludes(&a->conds.v[i], y))
			return true;
	}
	for (uint32_t i = 0; i < a->terms.n; i++) {
		const struct sterm *y = find_term(b, &a->terms.v[i]);

		if (y && y->truth != a->terms.v[i].truth)
			return true;
	}
	return false;
}

/* Where b can be, can a? */
static bool covers(const struct scase *a, const struct scase *b)
{
	for (uint32_t i = 0; i < a->conds.n; i++) {
		const struct scond *y = scase_cond(b, &a->conds.v[i].place);

		if (!y || !cond_covers(&a->conds.v[i], y))
			return false;
	}
	for (uint32_t i = 0; i < a->terms.n; i++) {
		const struct sterm *y = find_term(b, &a->terms.v[i]);

		if (!y || y->truth != a->terms.v[i].truth)
			return false;
	}
	return true;
}

/* Would the join of their conditions allow no more than the two do?  They must differ in one
 * thing only, and there be complements. */
static bool join_is_exact(const struct scase *a, const struct scase *b)
{
	uint32_t n = 0;

	if (covers(a, b) || covers(b, a))
		return true;
	if (a->conds.n != b->conds.n || a->terms.n != b->terms.n)
		return false;
	for (uint32_t i = 0; i < a->conds.n; i++) {
		const struct scond *y = scase_cond(b, &a->conds.v[i].place);

		if (!y)
			return false;
		if (cond_equal(&a->conds.v[i], y))
			continue;
		n++;
		if (!cond_hull_is_exact(&a->conds.v[i], y))
			return false;
	}
	for (uint32_t i = 0; i < a->terms.n; i++) {
		const struct sterm *y = find_term(b, &a->terms.v[i]);

		if (!y)
			return false;
		n += y->truth != a->terms.v[i].truth;
	}
	return n <= 1;
}

/* Only what both need is still needed. */
static void join_conds(struct scase *a, const struct scase *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->conds.n; i++) {
		const struct scond *y = scase_cond(b, &a->conds.v[i].place);
		struct scond k;

		if (!y)
			continue;
		k = cond_hull(&a->conds.v[i], y);
		if (!cond_is_trivial(&k))
			a->conds.v[n++] = k;
	}
	a->conds.n = n;
	n = 0;
	for (uint32_t i = 0; i < a->terms.n; i++) {
		const struct sterm *y = find_term(b, &a->terms.v[i]);

		if (y && y->truth == a->terms.v[i].truth)
			a->terms.v[n++] = a->terms.v[i];
		else
			vec_release(&a->terms.v[i].nodes);
	}
	a->terms.n = n;
}

static struct seffect *find_set(struct scase *c, const struct place *p)
{
	for (uint32_t i = 0; i < c->effects.n; i++) {
		struct seffect *e = &c->effects.v[i];

		if ((e->kind == SEFF_SET || e->kind == SEFF_WRITE) && place_equal(&e->place, p))
			return e;
	}
	return NULL;
}

/* Is there no such place in this case, since a pointer on the way to it is null? */
static bool is_nowhere(const struct scase *c, const struct place *p)
{
	struct place way = *p;
	const struct scond *k;

	for (way.nsteps = 0; way.nsteps < p->nsteps; way.nsteps++) {
		k = scase_cond(c, &way);
		if (k && k->lo == 0 && k->hi == 0)
			return !place_is_any(&way);
	}
	return false;
}

/* What one of them writes is written; if both agree, or there is nothing to write to in one of them
 * (`if (count) *count = n;`), it is known with what. */
static void join_effects(struct scase *a, const struct scase *b)
{
	for (uint32_t i = 0; i < a->effects.n; i++) {
		struct seffect *x = &a->effects.v[i];
		const struct seffect *y;

		if (x->kind != SEFF_SET || is_heap(x))
			continue;
		y = find_set((struct scase *)b, &x->place);
		if (!y && is_nowhere(b, &x->place)) {
			x->if_there = true;
			continue;
		}
		x->if_there |= y && y->if_there;
		if (y && y->kind == SEFF_SET && x->v.kind == SVAL_ANY && y->v.kind == SVAL_ANY)
			join_ranges(&x->v, &y->v);
		bool same = y && y->kind == SEFF_SET &&
			    (x->v.kind == SVAL_ANY ? y->v.kind == SVAL_ANY : sval_equal(&x->v, &y->v));

		if (!same || !sval_is_known(&x->v))
			x->kind = SEFF_WRITE;
	}
	for (uint32_t i = 0; i < b->effects.n; i++) {
		struct seffect y = b->effects.v[i];

		if ((y.kind != SEFF_SET && y.kind != SEFF_WRITE) || is_heap(&y) || find_set(a, &y.place))
			continue;
		if (y.kind == SEFF_SET && is_nowhere(a, &y.place))
			y.if_there = true;
		else
			y.kind = SEFF_WRITE;
		vec_push(&a->effects, y);
	}
}

/* Does one of them change what both ask, and the other not?  `if (*status == 0) *status = f()`: the
 * join would say that it may change whatever it was. */
static bool hides_write(const struct scase *a, const struct scase *b)
{
	for (uint32_t i = 0; i < a->conds.n; i++) {
		const struct place *p = &a->conds.v[i].place;
		const struct scond *y = scase_cond(b, p);

		if (y && cond_excludes(&a->conds.v[i], y) &&
		    !find_set((struct scase *)a, p) != !find_set((struct scase *)b, p))
			return true;
	}
	return false;
}

/* Does one of them hand out zero, and the other, which callers can tell from it, some other number?
 * `*n = strlen(s)`: whoever knows that the text is not empty knows that there is something. */
static bool hides_count(const struct scase *a, const struct scase *b)
{
	for (uint32_t i = 0; i < a->effects.n; i++) {
		const struct seffect *x = &a->effects.v[i];
		bool is_number = x->kind == SEFF_SET && x->v.kind == SVAL_ANY && x->place.base == PLACE_ARG &&
				 x->place.nsteps == 1;
		const struct seffect *y = is_number ? find_set((struct scase *)b, &x->place) : NULL;

		if (!y || y->kind != SEFF_SET || y->v.kind != SVAL_ANY)
			continue;
		if ((is_zero(&x->v) && is_nonzero(&y->v)) || (is_nonzero(&x->v) && is_zero(&y->v)))
			return excludes(a, b);
	}
	return false;
}

/* Would callers lose something that they can tell the two apart by? */
static bool hides(const struct scase *a, const struct scase *b)
{
	return hides_write(a, b) || hides_count(a, b);
}

static void join(struct scase *a, const struct scase *b)
{
	a->asks |= b->asks;
	a->lossy |= b->lossy || (!a->noreturn && !join_is_exact(a, b));
	join_effects(a, b);
	join_conds(a, b);
	for (uint32_t i = 0; i < a->news.n; i++) {
		a->news.v[i].zeroed &= b->news.v[i].zeroed;
		a->news.v[i].nonnull &= b->news.v[i].nonnull;
		a->news.v[i].part |= b->news.v[i].part;
	}
	for (uint32_t i = 0; i < a->parts.n; i++)
		join_ranges(&a->parts.v[i], &b->parts.v[i]);
	if (!a->returns)
		return;
	if (!b->returns || a->ret.kind != b->ret.kind ||
	    (a->ret.kind != SVAL_ANY && !sval_equal(&a->ret, &b->ret)))
		a->ret.kind = SVAL_ANY;
	join_ranges(&a->ret, &b->ret);
}

static void drop(struct summary *s, uint32_t i)
{
	scase_release(&s->cases.v[i]);
	memmove(&s->cases.v[i], &s->cases.v[i + 1], (s->cases.n - i - 1) * sizeof(*s->cases.v));
	s->cases.n--;
}

static void copy_conds(struct scase *to, const struct scase *from)
{
	for (uint32_t i = 0; i < from->conds.n; i++)
		vec_push(&to->conds, from->conds.v[i]);
	for (uint32_t i = 0; i < from->terms.n; i++) {
		struct sterm t = { .truth = from->terms.v[i].truth };

		for (uint32_t k = 0; k < from->terms.v[i].nodes.n; k++)
			vec_push(&t.nodes, from->terms.v[i].nodes.v[k]);
		vec_push(&to->terms, t);
	}
}

/* Would a caller that can tell both from some other case still be able to? */
static bool join_is_harmless(const struct summary *s, uint32_t a, uint32_t b)
{
	const struct scase *x = &s->cases.v[a], *y = &s->cases.v[b];
	struct scase j = {0};
	bool ok = true;

	copy_conds(&j, x);
	join_conds(&j, y);
	for (uint32_t i = 0; i < s->cases.n && ok; i++) {
		const struct scase *c = &s->cases.v[i];

		if (i != a && i != b && excludes(x, c) && excludes(y, c))
			ok = excludes(&j, c) || may_join(x, c);
	}
	scase_release(&j);
	return ok;
}

static void join_harmless(struct summary *s, bool all)
{
	for (uint32_t i = 0; i < s->cases.n; i++)
		for (uint32_t k = s->cases.n; k-- > i + 1;)
			if (may_join(&s->cases.v[i], &s->cases.v[k]) &&
			    (all || (join_is_harmless(s, i, k) && !hides(&s->cases.v[i], &s->cases.v[k])))) {
				join(&s->cases.v[i], &s->cases.v[k]);
				drop(s, k);
			}
}

void summary_add(struct summary *s, struct scase *c)
{
	if (s->cut) {
		scase_release(c);
		return;
	}
	if (c->effects.n > MAX_EFFECTS) {
		uint32_t n = 0;

		s->wild = true;
		for (uint32_t i = 0; i < c->effects.n; i++)
			if (is_heap(&c->effects.v[i]))
				c->effects.v[n++] = c->effects.v[i];
		c->effects.n = n;
	}
	c->heap = heap_hash(c);
	for (uint32_t i = 0; i < s->cases.n; i++)
		if (may_join(&s->cases.v[i], c) &&
		    (c->noreturn || (join_is_exact(&s->cases.v[i], c) && !hides(&s->cases.v[i], c)))) {
			join(&s->cases.v[i], c);
			scase_release(c);
			return;
		}
	vec_push(&s->cases, *c);
	if (s->cases.n > MAX_COLLECTED) {
		s->vague = true;
		join_harmless(s, true);
		s->cut = s->cases.n > MAX_COLLECTED;
	}
}

/* ---- too many -------------------------------------------------------- */

/* Do they differ in what they return only? */
static bool same_heap(const struct scase *a, const struct scase *b)
{
	if (a->ret.kind == SVAL_NEW || b->ret.kind == SVAL_NEW)
		return false;
	return same_parts(a, b) && a->noreturn == b->noreturn && a->news.n == b->news.n &&
	       same_effects_on_heap(a, b);
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
	for (uint32_t i = 0; i < c->parts.n; i++)
		if (c->parts.v[i].kind == SVAL_NEW)
			return true;
	for (uint32_t i = 0; i < c->effects.n; i++)
		if (c->effects.v[i].kind == SEFF_SET && c->effects.v[i].v.kind == SVAL_NEW &&
		    c->effects.v[i].place.base == PLACE_ARG)
			return true;
	return false;
}

static bool names_global(const struct place *p)
{
	return p->base == PLACE_GLOBAL;
}

static bool goes_deep(const struct place *p)
{
	return p->nsteps > 0;
}

static void drop_terms(struct scase *c, bool (*which)(const struct place *p))
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->terms.n; i++) {
		bool drop = false;

		for (uint32_t k = 0; k < c->terms.v[i].nodes.n; k++) {
			const struct snode *node = &c->terms.v[i].nodes.v[k];

			drop |= node->op == SNODE_PLACE && which(&node->place);
		}
		c->lossy |= drop;
		if (drop)
			vec_release(&c->terms.v[i].nodes);
		else
			c->terms.v[n++] = c->terms.v[i];
	}
	c->terms.n = n;
}

/* What is done to globals becomes: they are written, and what they held may be kept by
 * somebody.  A function with a static buffer that grows would have a case for each size, which
 * its callers do not care for. */
static void blur_globals(struct scase *c)
{
	uint32_t n = 0, nconds = 0, old = c->effects.n;

	for (uint32_t i = 0; i < c->conds.n; i++)
		if (c->conds.v[i].place.base != PLACE_GLOBAL)
			c->conds.v[nconds++] = c->conds.v[i];
	c->lossy |= nconds < c->conds.n;
	c->conds.n = nconds;
	drop_terms(c, names_global);
	for (uint32_t i = 0; i < old; i++) {
		struct seffect e = c->effects.v[i];
		struct seffect kept = { .kind = SEFF_KEEP, .place = e.v.place, .func = e.func,
					.inst = e.inst };
		bool is_set = e.place.base == PLACE_GLOBAL && e.kind == SEFF_SET;

		if (e.v.kind == SVAL_NEW)
			kept.place = (struct place){ .base = PLACE_NEW, .index = e.v.index };
		if (is_set && e.v.kind == SVAL_NEW)
			vec_push(&c->effects, kept);
		if (is_set && (e.v.kind == SVAL_PLACE || e.v.kind == SVAL_INTO) && !e.v.place.bits)
			vec_push(&c->effects, kept);
		if (e.place.base == PLACE_GLOBAL)
			e.kind = e.kind == SEFF_SET || e.kind == SEFF_WRITE ? SEFF_WRITE : SEFF_KEEP;
		c->effects.v[n++] = e;
	}
	for (uint32_t i = 0; i < old; i++) {
		struct seffect e = c->effects.v[i];

		if (e.place.base != PLACE_GLOBAL || e.kind != SEFF_WRITE || e.place.nsteps > 1)
			continue;
		e.kind = SEFF_KEEP;
		if (!find_effect(c, &e))
			vec_push(&c->effects, e);
	}
}

/* What all cases have in common that do the same as this one does. */
static struct scase common_conds(const struct summary *s, uint32_t i)
{
	struct scase c = {0};

	copy_conds(&c, &s->cases.v[i]);
	for (uint32_t k = 0; k < s->cases.n; k++)
		if (k != i && may_join(&s->cases.v[i], &s->cases.v[k]))
			join_conds(&c, &s->cases.v[k]);
	return c;
}

/* Conditions on what lies behind pointers are dropped, but for flags that cases which hand out the
 * same have in common: `h->flags & DUP`, however it came to the allocation. */
static void drop_deep_conds(struct scase *c, const struct scase *common)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->conds.n; i++) {
		const struct scond *k = &c->conds.v[i];

		if (k->place.nsteps) {
			k = scase_cond(common, &k->place);
			k = k && (k->zeros || k->ones || k->some) ? k : NULL;
			c->lossy |= !k || !cond_equal(k, &c->conds.v[i]);
		}
		if (k)
			c->conds.v[n++] = *k;
	}
	c->conds.n = n;
	drop_terms(c, goes_deep);
}

/* Adds all cases anew, so that those that have become alike are joined. */
static void join_again(struct summary *s)
{
	struct scases old = s->cases;

	s->cases = (struct scases){0};
	for (uint32_t i = 0; i < old.n; i++)
		summary_add(s, &old.v[i]);
	vec_release(&old);
}

static void drop_deep_and_join(struct summary *s)
{
	struct scases common = {0};

	for (uint32_t i = 0; i < s->cases.n; i++)
		vec_push(&common, is_new_to_caller(&s->cases.v[i]) ? common_conds(s, i) : (struct scase){0});
	for (uint32_t i = 0; i < s->cases.n; i++) {
		drop_deep_conds(&s->cases.v[i], &common.v[i]);
		scase_release(&common.v[i]);
	}
	vec_release(&common);
	join_again(s);
}

static void blur_and_join(struct summary *s)
{
	for (uint32_t i = 0; i < s->cases.n; i++)
		blur_globals(&s->cases.v[i]);
	join_again(s);
}

void summary_finish(struct summary *s)
{
	bool any = false, all = true;

	if (s->cases.n > FEW_CASES)
		join_harmless(s, false);
	if (s->cases.n > FEW_CASES)
		blur_and_join(s);
	if (s->cases.n > MANY_CASES) {
		s->vague = true;
		drop_deep_and_join(s);
	}
	if (s->cases.n > MANY_CASES)
		join_harmless(s, true);
	if (s->cases.n > MANY_CASES)
		join_same_heap(s);
	if (s->cases.n > MAX_CASES)
		s->cut = true;
	for (uint32_t i = 0; i < s->cases.n; i++) {
		const struct scase *c = &s->cases.v[i];

		if (c->noreturn)
			continue;
		if (is_new_to_caller(c))
			any = true;
		else if (c->ret.kind != SVAL_ANY || is_nonzero(&c->ret))
			all = false;
	}
	s->wraps = any && all;
	s->done = true;
}

/* ---- digest ---------------------------------------------------------- */

static uint64_t value_hash(uint64_t h, const struct sval *v)
{
	h = hash_join(hash_join(h, v->kind), (uint64_t)v->off);
	if (v->kind == SVAL_ANY || v->kind == SVAL_NEW)
		h = hash_join(hash_join(hash_join(h, (uint64_t)v->lo), (uint64_t)v->hi), v->not_zero);
	return hash_join(hash_join(hash_join(h, v->index), v->symbol), place_hash(&v->place));
}

static uint64_t terms_hash(uint64_t h, const struct scase *c)
{
	for (uint32_t i = 0; i < c->conds.n; i++) {
		const struct scond *k = &c->conds.v[i];

		h = hash_join(hash_join(h, place_hash(&k->place)), (uint64_t)k->lo);
		h = hash_join(h, (uint64_t)k->hi);
		h = hash_join(hash_join(hash_join(h, k->not_zero), k->zeros), hash_join(k->ones, k->some));
	}
	for (uint32_t i = 0; i < c->terms.n; i++) {
		h = hash_join(h, c->terms.v[i].truth);
		for (uint32_t k = 0; k < c->terms.v[i].nodes.n; k++) {
			const struct snode *n = &c->terms.v[i].nodes.v[k];

			h = hash_join(h, (uint64_t)n->op << 32 | n->sub << 16 | n->bits);
			h = hash_join(hash_join(h, (uint64_t)n->a << 8 | n->b),
				      hash_join((uint64_t)n->value, place_hash(&n->place)));
		}
	}
	return h;
}

static uint64_t case_hash(uint64_t h, const struct scase *c)
{
	uint64_t flags = (uint64_t)c->noreturn << 3 | c->asks << 2 | c->returns << 1 | c->lossy;

	h = terms_hash(hash_join(h, flags), c);
	for (uint32_t i = 0; i < c->effects.n; i++) {
		const struct seffect *e = &c->effects.v[i];

		h = hash_join(hash_join(h, e->kind), place_hash(&e->place));
		if (e->kind == SEFF_SET || e->kind == SEFF_COPY)
			h = value_hash(hash_join(h, e->if_there), &e->v);
	}
	for (uint32_t i = 0; i < c->news.n; i++) {
		const struct snew *n = &c->news.v[i];

		h = hash_join(hash_join(hash_join(h, n->func), n->inst),
			      (uint64_t)n->part << 2 | (uint64_t)n->zeroed << 1 | n->nonnull);
	}
	for (uint32_t i = 0; i < c->parts.n; i++)
		h = value_hash(h, &c->parts.v[i]);
	return value_hash(h, &c->ret);
}

uint64_t summary_digest(const struct summary *s)
{
	uint64_t h = (uint64_t)s->cut << 3 | s->wild << 2 | s->vague << 1 | s->wraps;

	if (!s->done)
		return 0;
	for (uint32_t i = 0; i < s->cases.n; i++)
		h = case_hash(h, &s->cases.v[i]);
	return h | 1;
}
