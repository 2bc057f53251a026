/*
 * told.c - what summaries tell the other engine.
 *
 * The value-flow engine follows one object, and of the calls that the object does
 * not go into it knows little: what they write is anything.  A summary may know
 * better: `*len` is not zero, unless the text that the function was given is
 * empty.  So where the cases that a call can take are all known, the number that
 * it leaves behind is one of theirs.
 *
 * Which way this errs: a case that needs more rounds of a loop than are walked is
 * not among them, and a leak behind it is not told.
 */
#include "path/summary.h"

struct asker {
	sym_at_fn *at;
	void *arg;
};

static bool is_empty(const struct sym_range *a, int64_t lo, int64_t hi, bool not_zero)
{
	lo = MAX(lo, a->lo);
	hi = MIN(hi, a->hi);
	return lo > hi || (lo == 0 && hi == 0 && (not_zero || a->not_zero));
}

/* Can the call take this case, by what is there before it? */
static bool may_take(const struct scase *c, const struct asker *who)
{
	for (uint32_t i = 0; i < c->conds.n; i++) {
		const struct scond *k = &c->conds.v[i];
		int64_t off[PLACE_STEPS];
		struct sym_range n;

		if (k->place.base != PLACE_ARG || place_is_any(&k->place))
			continue;
		for (uint32_t s = 0; s < k->place.nsteps; s++)
			off[s] = k->place.step[s].off;
		if (who->at(who->arg, k->place.index, off, k->place.nsteps, &n) &&
		    is_empty(&n, k->lo, k->hi, k->not_zero))
			return false;
	}
	return true;
}

/* Is the place what the argument itself points to? */
static bool is_directly_behind(const struct place *p)
{
	return p->nsteps == 1 && !p->step[0].any && p->step[0].off == 0;
}

/* The number that the case leaves where the argument points to; false if that is not known. */
static bool find_left(const struct scase *c, uint32_t param, struct sym_range *out)
{
	bool known = false;

	for (uint32_t i = 0; i < c->effects.n; i++) {
		const struct seffect *e = &c->effects.v[i];

		if (e->place.base != PLACE_ARG || e->place.index != param)
			continue;
		known = e->kind == SEFF_SET && e->v.kind == SVAL_ANY && !e->if_there &&
			is_directly_behind(&e->place);
		if (!known)
			return false;
		*out = (struct sym_range){ e->v.lo, e->v.hi, e->v.not_zero };
	}
	return known;
}

bool summary_leaves(const struct summary *s, uint32_t param, sym_at_fn *at, void *arg, struct sym_range *out)
{
	const struct asker who = { at, arg };

	*out = (struct sym_range){ INT64_MAX, INT64_MIN, true };
	if (!s->done || s->cut || s->wild)
		return false;
	for (uint32_t i = 0; i < s->cases.n; i++) {
		const struct scase *c = &s->cases.v[i];
		struct sym_range n;

		if (c->noreturn || !may_take(c, &who))
			continue;
		if (!find_left(c, param, &n))
			return false;
		out->lo = MIN(out->lo, n.lo);
		out->hi = MAX(out->hi, n.hi);
		out->not_zero &= n.not_zero || n.lo > 0 || n.hi < 0;
	}
	return out->lo <= out->hi;
}
