/* u_worklist.c - the worklist, against an array that is shifted. */
#include "unit.h"

#include "base/mem.h"
#include "base/worklist.h"

TEST(empty)
{
	struct worklist w;
	uint32_t x;

	worklist_init(&w, 0);
	CHECK(!worklist_pop(&w, &x));
	worklist_release(&w);
	worklist_init(&w, 10);
	CHECK(!worklist_pop(&w, &x));
	worklist_release(&w);
}

TEST(first_in_first_out_and_once)
{
	struct worklist w;
	uint32_t x;

	worklist_init(&w, 10);
	CHECK(worklist_push(&w, 9));
	CHECK(worklist_push(&w, 0));
	CHECK(!worklist_push(&w, 9));
	CHECK(worklist_pop(&w, &x) && x == 9);
	CHECK(worklist_push(&w, 9));
	CHECK(worklist_pop(&w, &x) && x == 0);
	CHECK(worklist_pop(&w, &x) && x == 9);
	CHECK(!worklist_pop(&w, &x));
	worklist_release(&w);
}

TEST(all_of_the_universe)
{
	struct worklist w;
	uint32_t x;

	worklist_init(&w, 1000);
	for (uint32_t round = 0; round < 5; round++) {
		for (uint32_t i = 0; i < 1000; i++)
			CHECK(worklist_push(&w, (i * 7 + round) % 1000));
		for (uint32_t i = 0; i < 1000; i++)
			CHECK(!worklist_push(&w, i));
		for (uint32_t i = 0; i < 1000; i++)
			CHECK(worklist_pop(&w, &x) && x == (i * 7 + round) % 1000);
		CHECK(!worklist_pop(&w, &x));
	}
	worklist_release(&w);
}

TEST(random)
{
	static uint32_t model[3000];
	struct unit_rng rng = { 21 };
	struct worklist w;
	uint32_t n = 0, universe = 1, x;

	worklist_init(&w, universe);
	for (int round = 0; round < 100000; round++) {
		uint32_t op = unit_below(&rng, 100), bias = round / 5000 % 2 ? 70 : 40;

		if (op == 0 && universe < 3000) {
			universe += unit_below(&rng, 100);
			universe = MIN(universe, 3000);
			worklist_grow(&w, universe);
			worklist_grow(&w, universe / 2);	/* never shrinks */
			CHECK_EQ_INT(w.universe, universe);
		} else if (op < bias) {
			uint32_t i = 0;

			x = unit_below(&rng, universe);
			while (i < n && model[i] != x)
				i++;
			CHECK_EQ_INT(worklist_push(&w, x), i == n);
			if (i == n)
				model[n++] = x;
		} else {
			CHECK_EQ_INT(worklist_pop(&w, &x), n > 0);
			if (n) {
				CHECK_EQ_INT(x, model[0]);
				memmove(model, model + 1, --n * sizeof(*model));
			}
		}
		CHECK_EQ_INT(w.n, n);
	}
	worklist_release(&w);
}
