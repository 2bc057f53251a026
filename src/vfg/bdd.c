/*
 * bdd.c - reduced ordered binary decision diagrams.
 *
 * Bryant, "Graph-Based Algorithms for Boolean Function Manipulation" (1986):
 * nodes are unique (a hash table finds an equal one), so that equality is
 * equality of numbers, and if-then-else, memoised, makes all the others.
 * Debian has no BDD package without global state, and guards are small: a few
 * dozen variables, seldom more than a thousand nodes.
 */
#include "vfg/bdd.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"

#include <assert.h>

struct node {
	uint32_t var;
	bdd low, high;
	uint32_t next;		/* in the chain of the unique table */
};

struct memo {
	bdd a, b, c, result;
	uint32_t age;		/* of another age: empty */
};

enum { MEMO_BITS = 15, SMALL_TABLE = 1 << 12, NO_VAR = 0x7fffffff };

struct bdd_manager {
	VEC(struct node) nodes;
	uint32_t *table, mask;	/* heads of chains; 0 ends one (node 0 is never in it) */
	struct memo *memo;
	uint32_t max_nodes, age;
	bool overflow;
};

void bdd_manager_clear(struct bdd_manager *m)
{
	if (m->mask >= SMALL_TABLE) {	/* a large one was the exception */
		free(m->table);
		m->mask = SMALL_TABLE - 1;
		m->table = xmalloc(SMALL_TABLE * sizeof(*m->table));
	}
	memset(m->table, 0, SMALL_TABLE * sizeof(*m->table));
	m->age++;
	vec_clear(&m->nodes);
	vec_push(&m->nodes, ((struct node){ NO_VAR, 0, 0, 0 }));
	vec_push(&m->nodes, ((struct node){ NO_VAR, 1, 1, 0 }));
	m->overflow = false;
}

struct bdd_manager *bdd_manager_new(uint32_t max_nodes)
{
	struct bdd_manager *m = xcalloc(1, sizeof(*m));

	m->mask = SMALL_TABLE - 1;
	m->table = xcalloc((size_t)m->mask + 1, sizeof(*m->table));
	m->memo = xcalloc((size_t)1 << MEMO_BITS, sizeof(*m->memo));
	m->max_nodes = max_nodes;
	bdd_manager_clear(m);
	return m;
}

void bdd_manager_free(struct bdd_manager *m)
{
	if (!m)
		return;
	vec_release(&m->nodes);
	free(m->table);
	free(m->memo);
	free(m);
}

bool bdd_overflow(const struct bdd_manager *m)
{
	return m->overflow;
}

uint32_t bdd_nodes(const struct bdd_manager *m)
{
	return m->nodes.n;
}

static uint32_t key(uint32_t a, uint32_t b, uint32_t c)
{
	return (uint32_t)hash_join(hash_join(a, b), c);
}

static void grow_table(struct bdd_manager *m)
{
	free(m->table);
	m->mask = m->mask * 4 + 3;
	m->table = xcalloc((size_t)m->mask + 1, sizeof(*m->table));
	for (uint32_t i = 2; i < m->nodes.n; i++) {
		struct node *n = &m->nodes.v[i];
		uint32_t *head = &m->table[key(n->var, n->low, n->high) & m->mask];

		n->next = *head;
		*head = i;
	}
}

static bdd make(struct bdd_manager *m, uint32_t var, bdd low, bdd high)
{
	uint32_t h, i;

	if (low == high)
		return low;
	assert(var < m->nodes.v[low].var && var < m->nodes.v[high].var);
	h = key(var, low, high);
	for (i = m->table[h & m->mask]; i; i = m->nodes.v[i].next) {
		const struct node *n = &m->nodes.v[i];

		if (n->var == var && n->low == low && n->high == high)
			return i;
	}
	if (m->nodes.n >= m->max_nodes) {
		m->overflow = true;
		return BDD_TRUE;
	}
	if (m->nodes.n > m->mask)
		grow_table(m);
	vec_push(&m->nodes, ((struct node){ var, low, high, m->table[h & m->mask] }));
	m->table[h & m->mask] = m->nodes.n - 1;
	return m->nodes.n - 1;
}

bdd bdd_var(struct bdd_manager *m, uint32_t var)
{
	assert(var < NO_VAR);
	return make(m, var, BDD_FALSE, BDD_TRUE);
}

void bdd_top(const struct bdd_manager *m, bdd f, uint32_t *var, bdd *low, bdd *high)
{
	assert(f > BDD_TRUE);
	*var = m->nodes.v[f].var;
	*low = m->nodes.v[f].low;
	*high = m->nodes.v[f].high;
}

/* The branch of f for a variable at or above its top. */
static bdd branch(const struct bdd_manager *m, bdd f, uint32_t var, bool high)
{
	const struct node *n = &m->nodes.v[f];

	assert(var <= n->var);
	return n->var != var ? f :
	       high ? n->high : n->low;
}

/* The depth of the recursion is at most the number of variables. */
bdd bdd_ite(struct bdd_manager *m, bdd c, bdd f, bdd g)
{
	struct memo *e;
	uint32_t var;
	bdd low, high, r;

	if (c == BDD_TRUE || f == g)
		return f;
	if (c == BDD_FALSE)
		return g;
	if (f == BDD_TRUE && g == BDD_FALSE)
		return c;
	if (m->overflow)
		return BDD_TRUE;
	e = &m->memo[key(c, f, g) >> (32 - MEMO_BITS)];
	if (e->a == c && e->b == f && e->c == g && e->age == m->age)
		return e->result;
	var = MIN(m->nodes.v[c].var, MIN(m->nodes.v[f].var, m->nodes.v[g].var));
	low = bdd_ite(m, branch(m, c, var, false), branch(m, f, var, false), branch(m, g, var, false));
	high = bdd_ite(m, branch(m, c, var, true), branch(m, f, var, true), branch(m, g, var, true));
	r = make(m, var, low, high);
	*e = (struct memo){ c, f, g, r, m->age };
	return r;
}

bdd bdd_not(struct bdd_manager *m, bdd f)
{
	return bdd_ite(m, f, BDD_FALSE, BDD_TRUE);
}

bdd bdd_and(struct bdd_manager *m, bdd f, bdd g)
{
	return bdd_ite(m, f, g, BDD_FALSE);
}

bdd bdd_or(struct bdd_manager *m, bdd f, bdd g)
{
	return bdd_ite(m, f, BDD_TRUE, g);
}

bdd bdd_restrict(struct bdd_manager *m, bdd f, uint32_t var, bool value)
{
	const struct node n = m->nodes.v[f];
	uint32_t what = var * 2 + value;
	struct memo *e;
	bdd r, high, low;

	if (n.var > var || m->overflow)
		return f;
	if (n.var == var)
		return value ? n.high : n.low;
	/* shares the memo: no diagram has the number UINT32_MAX */
	e = &m->memo[key(f, what, UINT32_MAX) >> (32 - MEMO_BITS)];
	if (e->a == f && e->b == what && e->c == UINT32_MAX && e->age == m->age)
		return e->result;
	high = bdd_restrict(m, n.high, var, value);
	low = bdd_restrict(m, n.low, var, value);
	r = make(m, n.var, low, high);
	*e = (struct memo){ f, what, UINT32_MAX, r, m->age };
	return r;
}

bdd bdd_exists(struct bdd_manager *m, bdd f, uint32_t var)
{
	return bdd_or(m, bdd_restrict(m, f, var, false), bdd_restrict(m, f, var, true));
}
