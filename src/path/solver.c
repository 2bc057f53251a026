/*
 * solver.c - can these branch decisions be made together?
 *
 * Most decisions of a path have nothing to do with each other.  Terms that share
 * no unknown are independent: each group of terms that hang together is a question
 * of its own (as in KLEE, OSDI 2008, section 3.3), and most such questions were
 * asked before, on a path that differs elsewhere.  Answers are kept by a digest of
 * the set of terms, in which the ranges of all values count.  Of those that were not,
 * most are about a single unknown, and need no solver (one.c).
 *
 * A function that asks questions which are too hard asks many that are alike, and each costs
 * half a second: after some of them, the solver is not asked again for this function.  Its
 * paths are neither refuted nor sure then.
 */
#include "path/solver.h"
#include "path/one.h"
#include "path/smt.h"

#include "base/clock.h"

enum {
	MAX_NODES = 5000,	/* of the expressions of one query */
	MAX_DEPTH = 300,
	MAX_HARD = 3,		/* questions of one function that the solver does not get done with */
};

struct looked_at {
	uint64_t digest;
	uint32_t term;		/* that it was met in first */
};

#define MAP_NAME nodemap
#define MAP_KEY uint64_t
#define MAP_VAL struct looked_at
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME owners
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME answers
#define MAP_KEY uint64_t
#define MAP_VAL enum solver_answer
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct solver {
	struct smt *smt;		/* made when first needed */
	unsigned hard;			/* questions of this function that it did not get done with */
	struct answers known;
	struct nodemap nodes;		/* of this query: by identity and range */
	struct owners owners;		/* unknown -> a term that has it */
	VEC(struct smt_term) terms;
	VEC(struct smt_term) part;
	VEC(uint32_t) group;		/* of a term: another one of its group, itself if it is the first */
	bool too_big;
	struct solver_stats stats;
};

const char *solver_name(void)
{
	return smt_name();
}

struct solver *solver_new(void)
{
	return xcalloc(1, sizeof(struct solver));
}

void solver_reset(struct solver *s)
{
	smt_free(s->smt);
	s->smt = NULL;
	s->hard = 0;
	answers_clear(&s->known);
}

void solver_free(struct solver *s)
{
	if (!s)
		return;
	solver_reset(s);
	answers_release(&s->known);
	nodemap_release(&s->nodes);
	owners_release(&s->owners);
	vec_release(&s->terms);
	vec_release(&s->part);
	vec_release(&s->group);
	free(s);
}

const struct solver_stats *solver_stats(const struct solver *s)
{
	return &s->stats;
}

/* ---- groups ---------------------------------------------------------- */

static uint32_t group_of(struct solver *s, uint32_t term)
{
	while (s->group.v[term] != term)
		term = s->group.v[term] = s->group.v[s->group.v[term]];
	return term;
}

static void unite(struct solver *s, uint32_t a, uint32_t b)
{
	a = group_of(s, a);
	b = group_of(s, b);
	s->group.v[MAX(a, b)] = MIN(a, b);
}

static void own(struct solver *s, uint64_t unknown, uint32_t term)
{
	bool is_new;
	uint32_t *owner = owners_put(&s->owners, unknown, &is_new);

	if (is_new)
		*owner = term;
	else
		unite(s, *owner, term);
}

/* Puts the term into the group of all that have an unknown of this value; gives
 * the value's digest. */
static uint64_t look_at(struct solver *s, const struct syms *syms, struct sym v, uint32_t term, int depth)
{
	uint64_t key = hash_join(hash_join(v.id, (uint64_t)v.lo), (uint64_t)v.hi), h = key;
	const struct sym_expr *e;
	struct looked_at *known;
	unsigned parts;
	bool is_new;

	if (sym_tag(v) == SYM_T_CONST)
		return key;
	known = nodemap_put(&s->nodes, key, &is_new);
	if (!is_new) {
		unite(s, known->term, term);
		return known->digest;
	}
	if (s->nodes.n > MAX_NODES || depth > MAX_DEPTH) {
		s->too_big = true;
		return key;
	}
	known->term = term;
	known->digest = key;
	e = symexprs_get(&syms->exprs, v.id);
	parts = smt_parts(e);
	if (!parts)
		own(s, v.id, term);
	if (e && e->op == SYM_TEXT)
		own(s, smt_text_of(e), term);
	if (parts > 0)
		h = hash_join(h, look_at(s, syms, e->a, term, depth + 1));
	if (parts > 1)
		h = hash_join(h, look_at(s, syms, e->b, term, depth + 1));
	nodemap_get(&s->nodes, key)->digest = h;
	return h;
}

/* ---- questions ------------------------------------------------------- */

static enum solver_answer check_part(struct solver *s, const struct syms *syms)
{
	enum solver_answer *known;
	uint64_t key = s->part.n;
	enum solver_answer own;
	bool is_new;

	s->stats.parts++;
	if (one_decide(syms, s->part.v, s->part.n, &own))
		return own;
	for (uint32_t i = 0; i < s->part.n; i++)
		key += hash_mix(s->part.v[i].digest);
	known = answers_put(&s->known, key, &is_new);
	if (is_new && s->hard >= MAX_HARD) {
		*known = SOLVER_UNKNOWN;
		s->stats.unknown++;
	} else if (is_new) {
		if (!s->smt)
			s->smt = smt_new();
		*known = smt_check(s->smt, syms, s->part.v, s->part.n);
		/* to take back what it did not get done with can cost the solver minutes */
		if (*known == SOLVER_UNKNOWN) {
			s->stats.unknown++;
			s->hard++;
			smt_free(s->smt);
			s->smt = NULL;
		}
	} else {
		s->stats.cached++;
	}
	return *known;
}

static enum solver_answer check_parts(struct solver *s, const struct syms *syms)
{
	enum solver_answer all = SOLVER_SAT;

	for (uint32_t g = 0; g < s->terms.n; g++) {
		enum solver_answer a;

		if (group_of(s, g) != g)
			continue;
		vec_clear(&s->part);
		for (uint32_t i = g; i < s->terms.n; i++)
			if (group_of(s, i) == g)
				vec_push(&s->part, s->terms.v[i]);
		a = check_part(s, syms);
		if (a == SOLVER_UNSAT)
			return a;
		if (a == SOLVER_UNKNOWN)
			all = a;
	}
	return all;
}

enum solver_answer solver_check(struct solver *s, const struct syms *syms, const struct sym_term *terms,
				uint32_t n)
{
	double start = clock_now();
	enum solver_answer a;

	s->stats.queries++;
	if (!smt_name())
		return SOLVER_UNKNOWN;
	nodemap_clear(&s->nodes);
	owners_clear(&s->owners);
	vec_clear(&s->terms);
	vec_clear(&s->group);
	s->too_big = false;
	for (uint32_t i = 0; i < n; i++)
		vec_push(&s->group, i);
	for (uint32_t i = 0; i < n && !s->too_big; i++) {
		uint64_t id = hash_join(look_at(s, syms, terms[i].v, i, 0), terms[i].truth);

		vec_push(&s->terms, ((struct smt_term){ terms[i], id }));
	}
	a = s->too_big ? SOLVER_UNKNOWN : check_parts(s, syms);
	s->stats.seconds += clock_now() - start;
	return a;
}
