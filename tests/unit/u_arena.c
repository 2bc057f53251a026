/* u_arena.c - arenas; built a second time with PLUMB_ARENA_MALLOC. */
#include "unit.h"

#include "base/arena.h"
#include "base/mem.h"

#include <sys/wait.h>

TEST(empty)
{
	struct arena a;

	arena_init(&a);
	CHECK_EQ_INT(a.used, 0);
	arena_release(&a);
	arena_release(&a);
}

TEST(pieces_are_zeroed_aligned_and_apart)
{
	enum { N = 5000 };
	static struct { unsigned char *p; size_t n; } piece[N];
	struct unit_rng rng = { 1 };
	struct arena a;
	size_t sum = 0;

	arena_init(&a);
	for (int i = 0; i < N; i++) {
		size_t n = unit_below(&rng, 10) ? unit_below(&rng, 60) : unit_below(&rng, 20000);

		piece[i].p = arena_alloc(&a, n);
		piece[i].n = n;
		sum += n;
		CHECK_EQ_INT((uintptr_t)piece[i].p % _Alignof(max_align_t), 0);
		for (size_t k = 0; k < n; k++)
			CHECK_EQ_INT(piece[i].p[k], 0);
		memset(piece[i].p, i % 255 + 1, n);
	}
	for (int i = 0; i < N; i++)
		for (size_t k = 0; k < piece[i].n; k++)
			CHECK_EQ_INT(piece[i].p[k], i % 255 + 1);
	CHECK_EQ_INT(a.used, sum);
	arena_release(&a);
	CHECK_EQ_INT(a.used, 0);
	CHECK(!a.head);
}

/* Sizes around those of the first chunks, as the first and as the second piece. */
TEST(every_size)
{
	for (size_t n = 1; n < 20000; n += n < 5000 ? 1 : 97) {
		struct arena a;
		char *p, *q;

		arena_init(&a);
		if (n & 1)
			arena_alloc(&a, 1);
		p = arena_alloc(&a, n);
		memset(p, 1, n);
		q = arena_alloc(&a, 1);
		CHECK_EQ_INT(*q, 0);
		arena_release(&a);
	}
}

TEST(zero_bytes)
{
	struct arena a;
	void *p, *q;

	arena_init(&a);
	p = arena_alloc(&a, 0);
	q = arena_alloc(&a, 0);
	CHECK(p && q && p != q);
	CHECK(arena_copy(&a, NULL, 0));
	arena_release(&a);
}

TEST(big_first_then_small)
{
	struct arena a;
	char *big, *small;

	arena_init(&a);
	big = arena_alloc(&a, 10 << 20);
	small = arena_alloc(&a, 3);
	memset(big, 1, 10 << 20);
	CHECK_EQ_INT(small[0], 0);
	big = arena_alloc(&a, 5000);
	memset(big, 1, 5000);
	CHECK_EQ_INT(small[2], 0);
	arena_release(&a);
	/* and again after release */
	CHECK_EQ_STR(arena_strdup(&a, "again"), "again");
	arena_release(&a);
}

TEST(strings)
{
	struct arena a;
	struct point { int x, y; } *p, *array;
	const struct point at = { 3, 4 };
	char *s;

	arena_init(&a);
	CHECK_EQ_STR(arena_strdup(&a, "hello"), "hello");
	CHECK_EQ_STR(arena_strdup(&a, ""), "");
	CHECK_EQ_STR(arena_strndup(&a, "hello", 2), "he");
	CHECK_EQ_STR(arena_strndup(&a, "hi", 100), "hi");
	CHECK_EQ_STR(arena_printf(&a, "%s:%d", "x.c", 41), "x.c:41");
	CHECK_EQ_STR(arena_printf(&a, "%s", ""), "");
	s = arena_printf(&a, "%0100000d", 7);
	CHECK_EQ_INT(strlen(s), 100000);
	p = arena_copy(&a, &at, sizeof(at));
	CHECK_EQ_INT(p->y, 4);
	p = arena_new(&a, struct point);
	CHECK_EQ_INT(p->x, 0);
	array = arena_array(&a, struct point, 100);
	CHECK_EQ_INT(array[99].y, 0);
	arena_release(&a);
}

static volatile size_t huge = SIZE_MAX / 4 + 2;	/* times 8 is 8: must not pass for small */

TEST(overflow_is_out_of_memory)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct arena a;

		close(2);
		arena_init(&a);
		arena_array(&a, uint64_t, huge);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status));
	CHECK_EQ_INT(WEXITSTATUS(status), 2);
}

#ifdef __SANITIZE_ADDRESS__

/* How a child ends that writes one byte beyond the first of two pieces, or into one that is gone. */
static int status_of_wrong_write(size_t n, bool gone)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct arena a;
		volatile char *p;

		close(2);
		arena_init(&a);
		p = arena_alloc(&a, n);
		arena_alloc(&a, 100);
		if (gone)
			arena_release(&a);
		p[gone ? 0 : n] = 1;
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	return status;
}

TEST(wrong_writes_are_seen)
{
	static const size_t sizes[] = { 1, 8, 15, 16, 17, 100, 3000, 5000 };

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		CHECK(status_of_wrong_write(sizes[i], false) != 0);
		CHECK(status_of_wrong_write(sizes[i], true) != 0);
	}
}

#endif
