/* u_sbuf.c - the growing string. */
#include "unit.h"

#include "base/mem.h"
#include "base/sbuf.h"

TEST(zeroed_is_empty)
{
	struct sbuf b = {0};
	char *s;

	CHECK_EQ_STR(sbuf_str(&b), "");
	sbuf_clear(&b);
	s = sbuf_detach(&b);
	CHECK_EQ_STR(s, "");
	free(s);
	sbuf_release(&b);
	sbuf_release(&b);
}

TEST(adding_nothing_still_terminates)
{
	struct sbuf b = {0};

	sbuf_add(&b, NULL, 0);
	CHECK(b.s && b.s[0] == '\0');
	sbuf_adds(&b, "");
	sbuf_printf(&b, "%s", "");
	CHECK_EQ_INT(b.n, 0);
	CHECK_EQ_STR(b.s, "");
	sbuf_release(&b);
}

TEST(all_ways_to_add)
{
	struct sbuf b = {0};
	char *s;

	sbuf_addc(&b, 'a');
	sbuf_add(&b, "bcd", 2);
	sbuf_adds(&b, "-");
	sbuf_printf(&b, "%d:%s", 41, "x");
	CHECK_EQ_STR(b.s, "abc-41:x");
	CHECK_EQ_INT(b.n, 8);
	sbuf_clear(&b);
	CHECK_EQ_STR(sbuf_str(&b), "");
	sbuf_addc(&b, '\0');
	sbuf_addc(&b, 'z');
	CHECK_EQ_INT(b.n, 2);
	s = sbuf_detach(&b);
	CHECK(memcmp(s, "\0z", 3) == 0);
	CHECK_EQ_INT(b.n, 0);
	free(s);
	sbuf_release(&b);
}

/* Text of every length up to where the buffer has grown a few times. */
TEST(printf_of_every_length)
{
	char want[600];

	for (int n = 0; n < 600; n++) {
		struct sbuf b = {0};

		memset(want, 'x', sizeof(want));
		want[n] = '\0';
		sbuf_printf(&b, "%s", want);
		CHECK_EQ_INT(b.n, n);
		CHECK_EQ_STR(b.s, want);
		sbuf_printf(&b, "%s", want);
		CHECK_EQ_INT(strlen(b.s), 2 * n);
		CHECK(b.cap > b.n);
		sbuf_release(&b);
	}
}

TEST(random_against_plain_array)
{
	static char model[200000];
	struct unit_rng rng = { 31 };
	struct sbuf b = {0};
	size_t n = 0;

	while (n < sizeof(model) - 2000) {
		uint32_t op = unit_below(&rng, 4), len = unit_below(&rng, 1000);
		char piece[1001];

		for (uint32_t i = 0; i < len; i++)
			piece[i] = (char)('a' + unit_below(&rng, 26));
		piece[len] = '\0';
		if (op == 0) {
			sbuf_addc(&b, 'Z');
			model[n++] = 'Z';
			continue;
		}
		if (op == 1)
			sbuf_add(&b, piece, len);
		else if (op == 2)
			sbuf_adds(&b, piece);
		else
			sbuf_printf(&b, "%.*s", (int)len, piece);
		memcpy(model + n, piece, len);
		n += len;
		CHECK_EQ_INT(b.n, n);
		CHECK(b.cap > b.n && b.s[b.n] == '\0');
	}
	CHECK(memcmp(b.s, model, n) == 0);
	sbuf_release(&b);
}
