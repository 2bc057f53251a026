/*
 * regions.c - a function's memory divided into regions.
 *
 * The paper makes one region of every set of locations that an access may
 * touch, and drops those contained in others.  We take the coarsest division
 * into disjoint classes that can still express every access: two locs are in
 * one region exactly if every access touches both or neither.  There are no
 * overlaps to reason about, and no more regions than distinct accesses need.
 *
 * Partition refinement: each set splits the classes it cuts.  The time is the
 * sum of the sizes of the sets.
 */
#include "mssa/priv.h"

/* The rank of a loc among all; *at is the word of the loc before, since locs come in rising order. */
static uint32_t rank_of(const struct sbits *all, const uint32_t *base, uint32_t loc, uint32_t *at)
{
	while (all->v[*at].at != loc >> 6)
		++*at;
	assert(*at < all->n && all->v[*at].w >> (loc & 63) & 1);
	return base[*at] + (uint32_t)__builtin_popcountll(all->v[*at].w & ((1ull << (loc & 63)) - 1));
}

void mssa__classes(struct mssa_classes *c, const struct sbits *const *sets, uint32_t nsets)
{
	uint32_t *size, *cut, *fresh, *base, total, members = 0;
	VEC(uint32_t) touched = {0};

	memset(c, 0, sizeof(*c));
	for (uint32_t i = 0; i < nsets; i++)
		sbits_or(&c->all, sets[i]);
	total = sbits_count(&c->all);
	c->class_of = xcalloc(MAX(total, 1), sizeof(*c->class_of));
	size = xcalloc((size_t)total + 1, sizeof(*size));	/* by class: members */
	cut = xcalloc((size_t)total + 1, sizeof(*cut));		/* ... that the set at hand has */
	fresh = xcalloc((size_t)total + 1, sizeof(*fresh));	/* ... where those go */
	base = xcalloc((size_t)c->all.n + 1, sizeof(*base));	/* rank of each word's first */
	for (uint32_t i = 0; i < c->all.n; i++) {
		base[i] = members;
		members += (uint32_t)__builtin_popcountll(c->all.v[i].w);
	}
	size[0] = total;
	c->n = total ? 1 : 0;
	for (uint32_t i = 0; i < nsets; i++) {
		uint32_t at = 0;

		vec_clear(&touched);
		SBITS_FOREACH(loc, sets[i]) {
			uint32_t k = c->class_of[rank_of(&c->all, base, loc, &at)];

			if (!cut[k]++)
				vec_push(&touched, k);
		}
		for (uint32_t t = 0; t < touched.n; t++) {
			uint32_t k = touched.v[t];

			fresh[k] = k;
			if (cut[k] < size[k]) {
				fresh[k] = c->n++;
				size[fresh[k]] = cut[k];
				size[k] -= cut[k];
			}
			cut[k] = 0;
		}
		at = 0;
		SBITS_FOREACH(loc, sets[i]) {
			uint32_t *k = &c->class_of[rank_of(&c->all, base, loc, &at)];

			*k = fresh[*k];
		}
	}
	assert(c->n <= total);
	free(size);
	free(cut);
	free(fresh);
	free(base);
	vec_release(&touched);
}

void mssa__classes_release(struct mssa_classes *c)
{
	sbits_release(&c->all);
	free(c->class_of);
	memset(c, 0, sizeof(*c));
}
