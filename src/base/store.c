/*
 * store.c - see store.h.
 *
 * The file: magic, sum of all that follows, version, number of entries; then of
 * each key, length, bytes.  Words of 8 bytes, little-endian, except the length,
 * which is LEB128.
 *
 * Invariants (store_check): entries of one key are a chain from by_key, each to an
 * older one, and all new entries are used.
 */
#include "base/store.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"

#define MAGIC "plumbres"
enum { STORE_VERSION = 7 };

#define MAP_NAME firsts
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct store {
	VEC(struct store_entry) entries;
	struct firsts by_key;		/* number + 1 of the newest entry */
	struct arena arena;
	uint32_t added;
};

struct store *store_new(void)
{
	struct store *s = xcalloc(1, sizeof(*s));

	arena_init(&s->arena);
	return s;
}

void store_free(struct store *s)
{
	if (!s)
		return;
	vec_release(&s->entries);
	firsts_release(&s->by_key);
	arena_release(&s->arena);
	free(s);
}

void store_check(const struct store *s)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < s->entries.n; i++) {
		const struct store_entry *e = &s->entries.v[i];
		const uint32_t *newest = firsts_get(&s->by_key, e->key);

		assert(newest && *newest > i && *newest <= s->entries.n);
		assert(e->next <= i && (!e->next || s->entries.v[e->next - 1].key == e->key));
		used += e->used;
	}
	assert(s->by_key.n <= s->entries.n && s->added <= used);
}

static struct store_entry *add(struct store *s, uint64_t key, const char *p, size_t n)
{
	uint32_t *first = firsts_put(&s->by_key, key, NULL);

	vec_push(&s->entries, ((struct store_entry){ .key = key, .p = p, .n = n, .next = *first }));
	*first = s->entries.n;
	return &vec_last(&s->entries);
}

int store_parse(struct store *s, const char *p, size_t n)
{
	struct bytes r = { p, p + n, false };
	const char *magic = get_bytes(&r, 8);
	uint64_t sum = get_u64(&r), count;

	assert(!s->entries.n);
	if (r.bad || memcmp(magic, MAGIC, 8) != 0)
		return error_set("not a file of results");
	if (sum != hash_bytes(r.p, (size_t)(r.end - r.p), 0))
		return error_set("the sum is wrong");
	if (get_u64(&r) != STORE_VERSION)
		return error_set("another version");
	count = get_u64(&r);
	for (uint64_t i = 0; i < count && !r.bad; i++) {
		uint64_t key = get_u64(&r), len = get_num(&r);
		const char *bytes = get_bytes(&r, len);

		if (!r.bad)
			add(s, key, bytes, len);
	}
	if (r.bad || r.p != r.end) {
		vec_clear(&s->entries);
		firsts_clear(&s->by_key);
		return error_set("damaged");
	}
	return 0;
}

struct store_entry *store_find(struct store *s, uint64_t key)
{
	const uint32_t *first = firsts_get(&s->by_key, key);

	assert(!first || *first <= s->entries.n);
	return first && *first ? &s->entries.v[*first - 1] : NULL;
}

struct store_entry *store_next(struct store *s, const struct store_entry *e)
{
	assert(e->next <= (uint32_t)(e - s->entries.v));	/* to an older one: chains end */
	return e->next ? &s->entries.v[e->next - 1] : NULL;
}

const char *store_add(struct store *s, uint64_t key, const void *p, size_t n)
{
	struct store_entry *e = add(s, key, arena_copy(&s->arena, p, n), n);

	e->used = true;
	s->added++;
	return e->p;
}

bool store_has_new(const struct store *s)
{
	return s->added > 0;
}

void store_print(const struct store *s, struct sbuf *out)
{
	struct sbuf b = {0};
	uint64_t n = 0;

#ifdef PLUMB_DEBUG
	store_check(s);
#endif
	for (uint32_t i = 0; i < s->entries.n; i++)
		n += s->entries.v[i].used;
	put_u64(&b, STORE_VERSION);
	put_u64(&b, n);
	for (uint32_t i = 0; i < s->entries.n; i++) {
		const struct store_entry *e = &s->entries.v[i];

		if (!e->used)
			continue;
		put_u64(&b, e->key);
		put_num(&b, e->n);
		sbuf_add(&b, e->p, e->n);
	}
	sbuf_adds(out, MAGIC);
	put_u64(out, hash_bytes(b.s, b.n, 0));
	sbuf_add(out, b.s, b.n);
	sbuf_release(&b);
}
