/*
 * u_map.c - the hash map: random work against a plain array that is searched
 * from end to end, with a good hash and with ones that make every probe
 * sequence long.
 */
#include "unit.h"

#include "base/mem.h"

#define MAP_NAME symmap
#define MAP_KEY const char *
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

#define MAP_NAME good
#define MAP_KEY uint32_t
#define MAP_VAL uint64_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* Clusters that overlap and, with 0xf..., wrap around the end of the index. */
#define MAP_NAME bad
#define MAP_KEY uint32_t
#define MAP_VAL uint64_t
#define MAP_HASH(k) ((k) % 3 + 0xfffffffeu)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME same
#define MAP_KEY uint32_t
#define MAP_VAL uint64_t
#define MAP_HASH(k) (UNUSED(k), 7)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

TEST(empty)
{
	struct symmap m = {0};
	uint32_t it = 0;

	CHECK(!symmap_get(&m, "x"));
	CHECK(!symmap_del(&m, "x"));
	CHECK(!symmap_next(&m, &it, NULL, NULL));
	symmap_clear(&m);
	symmap_release(&m);
	symmap_release(&m);
}

TEST(strings)
{
	struct symmap m = {0};
	char *names[1000];
	const char *key;
	uint32_t it = 0, n = 0, *v;
	bool is_new;

	for (uint32_t i = 0; i < 1000; i++) {
		names[i] = xasprintf("name%u", i);
		v = symmap_put(&m, names[i], &is_new);
		CHECK(is_new);
		CHECK_EQ_INT(*v, 0);
		*v = i;
	}
	*symmap_put(&m, "name7", &is_new) += 100;
	CHECK(!is_new);
	CHECK_EQ_INT(*symmap_get(&m, "name7"), 107);
	CHECK(!symmap_get(&m, "name1000"));
	CHECK_EQ_INT(m.n, 1000);
	/* in order of insertion */
	while (symmap_next(&m, &it, &key, &v)) {
		CHECK(key == names[n]);
		CHECK_EQ_INT(*v, n == 7 ? 107 : n);
		n++;
	}
	CHECK_EQ_INT(n, 1000);
	symmap_clear(&m);
	CHECK_EQ_INT(m.n, 0);
	CHECK(!symmap_get(&m, "name7"));
	CHECK_EQ_INT(*symmap_put(&m, "name7", NULL), 0);
	symmap_release(&m);
	for (uint32_t i = 0; i < 1000; i++)
		free(names[i]);
}

static uint64_t fill(struct good *m, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		good_set(m, 1000 + i, 1);
	return n;
}

/* A value that is made by adding to the map; and with PLUMB_DEBUG each addition moves the values. */
TEST(set_after_its_value_is_made)
{
	struct good m = {0};
	uint64_t *v, got;
	uintptr_t before;

	for (uint32_t i = 1; i < 100; i++)
		good_set(&m, i, fill(&m, i));
	for (uint32_t i = 1; i < 100; i++)
		CHECK_EQ_INT(*good_get(&m, i), i);
	good_clear(&m);
	good_set(&m, 1, 1);
	for (uint32_t i = 2; MEM_MOVES && i < 50; i++) {
		before = (uintptr_t)good_get(&m, 1);
		good_set(&m, i, i);
		CHECK((uintptr_t)good_get(&m, 1) != before);
	}
	v = good_get(&m, 1);
	good_set(&m, 1, 7);	/* it is there: nothing moves */
	got = *v;
	CHECK_EQ_INT(got, 7);
	good_release(&m);
}

TEST(delete_fills_with_the_last)
{
	struct good m = {0};
	uint32_t it = 0, k;

	for (uint32_t i = 0; i < 5; i++)
		good_set(&m, i, i * 10);
	CHECK(good_del(&m, 1));
	CHECK(!good_del(&m, 1));
	CHECK_EQ_INT(m.n, 4);
	CHECK(good_next(&m, &it, &k, NULL) && k == 0);
	CHECK(good_next(&m, &it, &k, NULL) && k == 4);
	CHECK(good_next(&m, &it, &k, NULL) && k == 2);
	CHECK(good_next(&m, &it, &k, NULL) && k == 3);
	CHECK(!good_next(&m, &it, &k, NULL));
	CHECK_EQ_INT(*good_get(&m, 4), 40);
	good_release(&m);
}

/* The model: entries in the order that map.h promises. */
struct model {
	uint32_t key[4096];
	uint64_t val[4096];
	uint32_t n;
};

static uint32_t model_find(const struct model *o, uint32_t key)
{
	uint32_t i = 0;

	while (i < o->n && o->key[i] != key)
		i++;
	return i;
}

static bool model_del(struct model *o, uint32_t key)
{
	uint32_t i = model_find(o, key);

	if (i == o->n)
		return false;
	o->n--;
	o->key[i] = o->key[o->n];
	o->val[i] = o->val[o->n];
	return true;
}

#define RANDOM_WORK(map, keys, rounds, seed) do { \
	static struct model o; \
	struct unit_rng rng = { seed }; \
	struct map m = {0}; \
	\
	o.n = 0; \
	for (int round = 0; round < (rounds); round++) { \
		uint32_t key = unit_below(&rng, keys), op = unit_below(&rng, 1000); \
		/* phases of growth and of decay */ \
		uint32_t del_below = round / 3000 % 2 ? 550 : 350; \
		uint32_t at = model_find(&o, key); \
		uint64_t *v; \
		bool is_new; \
		\
		if (op == 0 && round % 7 == 0) { \
			map##_clear(&m); \
			o.n = 0; \
		} else if (op < del_below) { \
			CHECK_EQ_INT(map##_del(&m, key), model_del(&o, key)); \
		} else if (op < 900) { \
			v = map##_put(&m, key, &is_new); \
			CHECK_EQ_INT(is_new, at == o.n); \
			CHECK_EQ_INT(*v, is_new ? 0 : o.val[at]); \
			o.n += is_new; \
			o.key[at] = key; \
			*v = o.val[at] = unit_rand(&rng); \
		} else { \
			v = map##_get(&m, key); \
			CHECK_EQ_INT(v != NULL, at < o.n); \
			if (v) \
				CHECK_EQ_INT(*v, o.val[at]); \
		} \
		CHECK_EQ_INT(m.n, o.n); \
		if (round % 500 == 0) { \
			uint32_t it = 0, k; \
			\
			while (map##_next(&m, &it, &k, &v)) { \
				CHECK_EQ_INT(k, o.key[it - 1]); \
				CHECK_EQ_INT(*v, o.val[it - 1]); \
				CHECK(map##_get(&m, k) == v); \
			} \
			CHECK_EQ_INT(it, o.n); \
		} \
	} \
	map##_release(&m); \
} while (0)

TEST(random_good_hash)
{
	RANDOM_WORK(good, 2000, 60000, 11);
	RANDOM_WORK(good, 20, 20000, 12);
}

TEST(random_clustering_hash)
{
	RANDOM_WORK(bad, 200, 30000, 13);
	RANDOM_WORK(bad, 12, 20000, 14);
}

TEST(random_equal_hash)
{
	RANDOM_WORK(same, 100, 20000, 15);
}
