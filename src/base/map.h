/*
 * map.h - the hash map, as a template.
 *
 *	#define MAP_NAME symmap
 *	#define MAP_KEY const char *
 *	#define MAP_VAL uint32_t
 *	#define MAP_HASH(k) hash_str(k)
 *	#define MAP_EQ(a, b) str_eq(a, b)
 *	#include "base/map.h"
 *
 * gives `struct symmap` and static functions
 *
 *	void symmap_release(struct symmap *m);
 *	void symmap_clear(struct symmap *m);
 *	MAP_VAL *symmap_get(const struct symmap *m, KEY k);	NULL if absent
 *	MAP_VAL *symmap_put(struct symmap *m, KEY k, bool *is_new);
 *		the slot of k, made (value zeroed) if absent; is_new may be NULL
 *	void symmap_set(struct symmap *m, KEY k, VAL v);	v as the value of k
 *	bool symmap_del(struct symmap *m, KEY k);
 *	bool symmap_next(const struct symmap *m, uint32_t *it, KEY *k, VAL **v);
 *		*it starts at 0; false when done
 *
 * A zeroed struct is an empty map.  Iteration is in order of insertion (the
 * entries are a dense array beside the index), so that whatever is printed from
 * a map is the same in every run.  Deleting fills the hole with the last entry.
 * Pointers to values are valid until the next put or del; with PLUMB_DEBUG nearly
 * each put or del that changes the map moves the values (mem.h).  `*symmap_put(m, k, NULL) = f(x)`
 * may call f() before or after the slot is made: that is what symmap_set() is for.
 * The hash of a key, and what the key is equal to, must not change while it is in a map.
 */
#include "base/hash.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

#define MAP__CAT2(a, b) a##b
#define MAP__CAT(a, b) MAP__CAT2(a, b)
#define MAP__F(f) MAP__CAT(MAP_NAME, f)

struct MAP_NAME {
	struct MAP__F(_entry) {
		MAP_KEY key;
		MAP_VAL val;
		uint32_t hash;
	} *e;
	uint32_t *index;	/* entry number + 1; 0 is free */
	uint32_t n;		/* entries */
	uint32_t room;		/* entries that fit in e */
	uint32_t cap;		/* entries that fit in index */
	uint32_t mask;		/* index has mask + 1 slots, a power of two */
};

static inline __attribute__((unused)) void MAP__F(_release)(struct MAP_NAME *m)
{
	free(m->e);
	free(m->index);
	memset(m, 0, sizeof(*m));
}

static inline __attribute__((unused)) void MAP__F(_clear)(struct MAP_NAME *m)
{
	m->n = 0;
	if (MEM_MOVES) {
		free(m->e);
		m->e = NULL;
		m->room = 0;
	}
	if (m->index)
		memset(m->index, 0, sizeof(*m->index) * ((size_t)m->mask + 1));
}

/* Asserts all invariants: the index and the entries name each other, and no key has changed. */
static inline __attribute__((unused)) void MAP__F(__check)(const struct MAP_NAME *m)
{
	uint32_t used = 0;

	assert(m->n <= m->room && m->n <= m->cap && (m->index != NULL) == (m->cap > 0));
	assert(m->cap <= m->mask && (m->mask & (m->mask + 1)) == 0);
	for (uint32_t i = 0; m->index && i <= m->mask; i++)
		used += m->index[i] != 0;
	assert(used == m->n);
	for (uint32_t j = 0; j < m->n; j++) {
		uint32_t i = m->e[j].hash & m->mask;

		assert(m->e[j].hash == (uint32_t)MAP_HASH(m->e[j].key));
		while (m->index[i] && m->index[i] != j + 1)
			i = (i + 1) & m->mask;
		assert(m->index[i] == j + 1);
	}
}

/* The index slot that holds k, or the free slot where k belongs. */
static inline uint32_t MAP__F(__slot)(const struct MAP_NAME *m, MAP_KEY k, uint32_t h)
{
	uint32_t i = h & m->mask;

	while (m->index[i]) {
		const struct MAP__F(_entry) *e = &m->e[m->index[i] - 1];

		if (e->hash == h && MAP_EQ(e->key, k))
			break;
		i = (i + 1) & m->mask;
	}
	return i;
}

static inline __attribute__((unused)) MAP_VAL *MAP__F(_get)(const struct MAP_NAME *m, MAP_KEY k)
{
	uint32_t i;

	if (!m->n)
		return NULL;
	i = MAP__F(__slot)(m, k, (uint32_t)MAP_HASH(k));
	return m->index[i] ? &m->e[m->index[i] - 1].val : NULL;
}

static inline void MAP__F(__grow)(struct MAP_NAME *m)
{
	uint32_t slots = m->index ? (m->mask + 1) * 2 : 16;

	assert(slots);	/* else 2^32 slots: more than 32 bits can name */
#ifdef PLUMB_DEBUG
	MAP__F(__check)(m);
#endif
	free(m->index);
	m->index = xcalloc(slots, sizeof(*m->index));
	m->mask = slots - 1;
	m->cap = slots / 4 * 3;
	for (uint32_t j = 0; j < m->n; j++) {
		uint32_t i = m->e[j].hash & m->mask;

		while (m->index[i])
			i = (i + 1) & m->mask;
		m->index[i] = j + 1;
	}
}

static inline void MAP__F(__make_room)(struct MAP_NAME *m)
{
	if (m->n < m->room)
		return;
	assert(m->n < m->cap);
	m->room = (uint32_t)mem_room((uint64_t)m->n + 1, m->cap);
	m->e = xreallocarray(m->e, m->room, sizeof(*m->e));
}

static inline __attribute__((unused)) MAP_VAL *MAP__F(_put)(struct MAP_NAME *m, MAP_KEY k, bool *is_new)
{
	uint32_t h = (uint32_t)MAP_HASH(k), i;

	if (m->n == m->cap)
		MAP__F(__grow)(m);
	i = MAP__F(__slot)(m, k, h);
	if (is_new)
		*is_new = !m->index[i];
	if (!m->index[i]) {
		struct MAP__F(_entry) *e;

		MAP__F(__make_room)(m);
		e = &m->e[m->n++];
		memset(e, 0, sizeof(*e));
		e->key = k;
		e->hash = h;
		m->index[i] = m->n;
	}
	return &m->e[m->index[i] - 1].val;
}

static inline __attribute__((unused)) void MAP__F(_set)(struct MAP_NAME *m, MAP_KEY k, MAP_VAL v)
{
	MAP_VAL *at = MAP__F(_put)(m, k, NULL);

	*at = v;
}

static inline __attribute__((unused)) bool MAP__F(_del)(struct MAP_NAME *m, MAP_KEY k)
{
	uint32_t i, j, dead, last;

	if (!m->n)
		return false;
	i = MAP__F(__slot)(m, k, (uint32_t)MAP_HASH(k));
	if (!m->index[i])
		return false;
	dead = m->index[i] - 1;
	/* Close the gap in the probe sequence (Knuth 6.4, algorithm R). */
	for (j = i;;) {
		uint32_t home;

		j = (j + 1) & m->mask;
		if (!m->index[j])
			break;
		home = m->e[m->index[j] - 1].hash & m->mask;
		if (((j - home) & m->mask) >= ((j - i) & m->mask)) {
			m->index[i] = m->index[j];
			i = j;
		}
	}
	m->index[i] = 0;
	last = --m->n;
	if (dead != last) {
		for (i = m->e[last].hash & m->mask; m->index[i] != last + 1;)
			i = (i + 1) & m->mask;
		m->index[i] = dead + 1;
		m->e[dead] = m->e[last];
	}
	if (MEM_MOVES) {
		m->room = (uint32_t)mem_room((uint64_t)m->n + 1, m->room);
		m->e = xreallocarray(m->e, m->room, sizeof(*m->e));
	}
	return true;
}

static inline __attribute__((unused)) bool MAP__F(_next)(const struct MAP_NAME *m, uint32_t *it,
							 MAP_KEY *k, MAP_VAL **v)
{
	if (*it >= m->n)
		return false;
	if (k)
		*k = m->e[*it].key;
	if (v)
		*v = &m->e[*it].val;
	++*it;
	return true;
}

#undef MAP_NAME
#undef MAP_KEY
#undef MAP_VAL
#undef MAP_HASH
#undef MAP_EQ
#undef MAP__CAT2
#undef MAP__CAT
#undef MAP__F
