/*
 * coverage.c - counting which allocations were judged, stored or cut, and naming what was left out.
 *
 * needs: who counts calls coverage_add() once for each allocation of the program.
 * gives: the numbers and lists of coverage.h; coverage_finish() orders them.
 */
#include "finding/coverage.h"

#include "finding/finding.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { THIN = 20 };		/* one in so many may be cut */

static void check_names(const struct coverage_names *names)
{
	for (uint32_t i = 0; i < names->n; i++)
		for (uint32_t k = 0; k < i; k++)
			assert(!str_eq(names->v[k], names->v[i]));
}

void coverage_check(const struct coverage *c)
{
	unsigned cut = 0;

	assert(c->judged + c->stored + c->cut == c->allocations);
	for (uint32_t i = 0; i < c->cut_reasons.n; i++) {
		assert(c->cut_reasons.v[i].reason);
		cut += c->cut_reasons.v[i].count;
	}
	assert(cut == c->cut);
	check_names(&c->functions_incomplete);
	check_names(&c->units_left_out);
	check_names(&c->not_c);
	check_names(&c->libraries_not_given);
	check_names(&c->excluded);
}

static void add_reason(struct findings *fs, const char *reason, unsigned count)
{
	struct coverage *c = &fs->coverage;

	for (uint32_t i = 0; i < c->cut_reasons.n; i++)
		if (str_eq(c->cut_reasons.v[i].reason, reason)) {
			c->cut_reasons.v[i].count += count;
			return;
		}
	vec_push(&c->cut_reasons, ((struct coverage_reason){ arena_strdup(&fs->arena, reason), count }));
}

void coverage_add(struct findings *fs, enum coverage_class class, const char *reason)
{
	struct coverage *c = &fs->coverage;

	assert((unsigned)class <= COVERAGE_CUT);
	assert(class != COVERAGE_CUT || reason);
	c->known = true;
	c->allocations++;
	c->judged += class == COVERAGE_JUDGED;
	c->stored += class == COVERAGE_STORED;
	c->cut += class == COVERAGE_CUT;
	if (class == COVERAGE_CUT)
		add_reason(fs, reason, 1);
}

void coverage_name(struct findings *fs, struct coverage_names *to, const char *name)
{
	for (uint32_t i = 0; i < to->n; i++)
		if (str_eq(to->v[i], name))
			return;
	vec_push(to, arena_strdup(&fs->arena, name));
}

static void merge_names(struct findings *fs, struct coverage_names *to, const struct coverage_names *from)
{
	for (uint32_t i = 0; i < from->n; i++)
		coverage_name(fs, to, from->v[i]);
}

void coverage_merge(struct findings *fs, const struct coverage *more)
{
	struct coverage *c = &fs->coverage;

	assert(c != more);
	c->known |= more->known;
	c->allocations += more->allocations;
	c->judged += more->judged;
	c->stored += more->stored;
	c->cut += more->cut;
	for (uint32_t i = 0; i < more->cut_reasons.n; i++)
		add_reason(fs, more->cut_reasons.v[i].reason, more->cut_reasons.v[i].count);
	merge_names(fs, &c->functions_incomplete, &more->functions_incomplete);
	merge_names(fs, &c->units_left_out, &more->units_left_out);
	merge_names(fs, &c->not_c, &more->not_c);
	merge_names(fs, &c->libraries_not_given, &more->libraries_not_given);
	merge_names(fs, &c->excluded, &more->excluded);
	c->findings_excluded += more->findings_excluded;
	c->allocations_excluded += more->allocations_excluded;
}

static int by_count(const void *a, const void *b)
{
	const struct coverage_reason *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return strcmp(x->reason, y->reason);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_names(struct coverage_names *n)
{
	if (n->n)
		qsort(n->v, n->n, sizeof(*n->v), by_name);
}

void coverage_finish(struct coverage *c)
{
	if (c->cut_reasons.n)
		qsort(c->cut_reasons.v, c->cut_reasons.n, sizeof(*c->cut_reasons.v), by_count);
	sort_names(&c->functions_incomplete);
	sort_names(&c->units_left_out);
	sort_names(&c->not_c);
	sort_names(&c->libraries_not_given);
	sort_names(&c->excluded);
#ifdef PLUMB_DEBUG
	coverage_check(c);
#endif
}

void coverage_release(struct coverage *c)
{
	vec_release(&c->cut_reasons);
	vec_release(&c->functions_incomplete);
	vec_release(&c->units_left_out);
	vec_release(&c->not_c);
	vec_release(&c->libraries_not_given);
	vec_release(&c->excluded);
	memset(c, 0, sizeof(*c));
}

bool coverage_is_thin(const struct coverage *c)
{
	return (unsigned long long)c->cut * THIN > c->allocations;
}
