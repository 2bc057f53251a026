/*
 * u_store.c - results of earlier runs: bytes, the store, traces.
 */
#include "unit.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/store.h"
#include "base/trace.h"

TEST(numbers_come_back)
{
	static const uint64_t nums[] = { 0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX };
	static const int64_t ints[] = { 0, -1, 63, -64, 64, INT64_MIN, INT64_MAX };
	struct sbuf b = {0};
	struct bytes r;

	for (size_t i = 0; i < ARRAY_LEN(nums); i++) {
		put_num(&b, nums[i]);
		put_int(&b, ints[i]);
		put_u64(&b, nums[i]);
		put_str(&b, i ? "text" : "");
	}
	r = (struct bytes){ b.s, b.s + b.n, false };
	for (size_t i = 0; i < ARRAY_LEN(nums); i++) {
		CHECK(get_num(&r) == nums[i]);
		CHECK(get_int(&r) == ints[i]);
		CHECK(get_u64(&r) == nums[i]);
		CHECK_EQ_STR(get_str(&r), i ? "text" : "");
	}
	CHECK(!r.bad && r.p == r.end);
	CHECK_EQ_INT((int)get_num(&r), 0);
	CHECK(r.bad);
	sbuf_release(&b);
}

TEST(what_is_too_long_or_too_large_is_bad)
{
	static const char endless[12] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
	struct bytes r = { endless, endless + sizeof(endless), false };

	get_num(&r);
	CHECK(r.bad);
	r = (struct bytes){ "\x05", NULL, false };
	r.end = r.p + 1;
	CHECK_EQ_INT((int)get_below(&r, 5), 0);
	CHECK(r.bad);
	r = (struct bytes){ "\x05", NULL, false };
	r.end = r.p + 1;
	CHECK_EQ_INT((int)get_count(&r), 0);	/* five things, and no byte left */
	CHECK(r.bad);
	r = (struct bytes){ "abc", NULL, false };
	r.end = r.p + 3;
	CHECK_EQ_STR(get_str(&r), "");
	CHECK(r.bad);
}

static void print(struct sbuf *out, const struct store *s)
{
	sbuf_clear(out);
	store_print(s, out);
}

TEST(entries_come_back_if_they_are_used)
{
	struct store *s = store_new(), *t = store_new(), *u = store_new();
	struct sbuf b = {0}, c = {0};
	struct store_entry *e;

	store_add(s, 7, "first", 5);
	store_add(s, 7, "second", 6);
	store_add(s, 8, "", 0);
	CHECK(store_has_new(s));
	print(&b, s);
	CHECK_EQ_INT(store_parse(t, b.s, b.n), 0);
	CHECK(!store_has_new(t));
	CHECK(!store_find(t, 9));
	CHECK(store_find(t, 8) && !store_find(t, 8)->n);
	e = store_find(t, 7);
	CHECK(e && e->n == 6 && !memcmp(e->p, "second", 6));
	e = store_next(t, e);
	CHECK(e && e->n == 5 && !memcmp(e->p, "first", 5));
	CHECK(!store_next(t, e));
	e->used = true;
	store_add(t, 10, "new", 3);
	print(&c, t);
	CHECK_EQ_INT(store_parse(u, c.s, c.n), 0);
	CHECK(store_find(u, 10) && store_find(u, 7) && !store_find(u, 8));
	CHECK(!store_next(u, store_find(u, 7)));
	store_free(s);
	store_free(t);
	store_free(u);
	sbuf_release(&b);
	sbuf_release(&c);
}

TEST(damage_is_found)
{
	struct store *s = store_new();
	struct sbuf b = {0};

	store_add(s, 1, "some bytes", 10);
	store_add(s, 2, "others", 6);
	print(&b, s);
	for (size_t i = 0; i < b.n; i++) {
		struct store *t = store_new();

		b.s[i] ^= 4;
		CHECK(store_parse(t, b.s, b.n) < 0);
		CHECK(!store_find(t, 1) && !store_find(t, 2));
		b.s[i] ^= 4;
		CHECK(store_parse(t, b.s, i) < 0);
		store_free(t);
	}
	store_free(s);
	sbuf_release(&b);
}

TEST(a_trace_has_each_thing_once)
{
	struct trace t, *was;

	trace_note(1, 2, 3);	/* nobody listens */
	trace_init(&t);
	trace_now = &t;
	trace_note(1, 2, 3);
	trace_note(1, 2, 3);
	trace_note(1, 3, 3);
	trace_note(1, 2, 3);
	trace_note(0, 2, 3);
	was = trace_pause();
	trace_note(5, 5, 5);
	trace_resume(was);
	CHECK_EQ_INT((int)trace_count(&t), 3);
	CHECK(trace_at(&t, 0).kind == 1 && trace_at(&t, 0).a == 2 && trace_at(&t, 0).b == 3);
	CHECK(trace_at(&t, 2).kind == 0);
	trace_clear(&t);
	trace_note(1, 2, 3);
	CHECK_EQ_INT((int)trace_count(&t), 1);
	trace_now = NULL;
	trace_release(&t);
}
