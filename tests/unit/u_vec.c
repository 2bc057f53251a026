/* u_vec.c - growing arrays. */
#include "unit.h"

#include "base/vec.h"

#include <sys/wait.h>

VEC_TYPE(numbers, int);

TEST(zeroed_is_empty)
{
	struct numbers v = {0};

	CHECK_EQ_INT(v.n, 0);
	vec_clear(&v);
	vec_release(&v);
	vec_release(&v);
	CHECK(!v.v);
}

TEST(push_pop_last)
{
	VEC(int) v = {0};

	for (int i = 0; i < 100000; i++)
		vec_push(&v, i * 3);
	CHECK_EQ_INT(v.n, 100000);
	CHECK(v.cap >= v.n);
	for (int i = 0; i < 100000; i++)
		CHECK_EQ_INT(v.v[i], i * 3);
	vec_last(&v) = 7;
	CHECK_EQ_INT(vec_last(&v), 7);
	CHECK_EQ_INT(vec_pop(&v), 7);
	CHECK_EQ_INT(vec_last(&v), 99998 * 3);
	CHECK_EQ_INT(v.n, 99999);
	vec_release(&v);
}

TEST(push_of_its_own_element)
{
	VEC(int) v = {0};

	vec_push(&v, 5);
	for (int i = 0; i < 1000; i++)
		vec_push(&v, v.v[0] + (int)v.n);
	CHECK_EQ_INT(v.v[1000], 1005);
	vec_release(&v);
}

TEST(structs)
{
	struct pair { const char *a; double b; };
	VEC(struct pair) v = {0};

	for (int i = 0; i < 50; i++)
		vec_push(&v, ((struct pair){ "x", i }));
	CHECK(v.v[49].b == 49.0);
	CHECK_EQ_STR(vec_pop(&v).a, "x");
	vec_release(&v);
}

TEST(reserve)
{
	VEC(char) v = {0};

	vec_reserve(&v, 1000);
	CHECK(v.cap >= 1000);
	CHECK_EQ_INT(v.n, 0);
	vec_reserve(&v, 10);
	CHECK(v.cap >= 1000);
	vec_release(&v);
}

TEST(add_is_zeroed)
{
	VEC(int) v = {0};
	int calls = 0;
	int *p;

	CHECK(vec_add(&v, 0) != NULL);
	CHECK_EQ_INT(v.n, 0);
	for (int round = 0; round < 100; round++) {
		p = vec_add(&v, (calls++, 7));
		for (int i = 0; i < 7; i++) {
			CHECK_EQ_INT(p[i], 0);
			p[i] = -1;
		}
		CHECK(p + 7 == v.v + v.n);
	}
	CHECK_EQ_INT(calls, 100);
	CHECK_EQ_INT(v.n, 700);
	vec_clear(&v);
	p = vec_add(&v, 3);
	CHECK_EQ_INT(p[2], 0);
	vec_release(&v);
}

static int push_twice(struct numbers *v)
{
	vec_push(v, 1);
	vec_push(v, 2);
	return 3;
}

TEST(push_of_what_pushes_itself)
{
	struct numbers v = {0};

	for (int i = 0; i < 100; i++)
		vec_push(&v, push_twice(&v));
	CHECK_EQ_INT(v.n, 300);
	for (uint32_t i = 0; i < v.n; i++)
		CHECK_EQ_INT(v.v[i], (int)i % 3 + 1);
	vec_release(&v);
}

/* A pointer that was kept across a push is wrong, though there would be room. */
TEST(every_push_moves_while_debugging)
{
	struct numbers v = {0};
	uintptr_t before;

	for (int i = 0; MEM_MOVES && i < 50; i++) {
		before = (uintptr_t)v.v;
		vec_push(&v, i);
		CHECK((uintptr_t)v.v != before);
	}
	vec_clear(&v);
	CHECK(!MEM_MOVES || !v.v);
	vec_reserve(&v, 10);
	before = (uintptr_t)v.v;
	for (int i = 0; i < 10; i++)	/* what was asked for is there */
		vec_push(&v, i);
	CHECK((uintptr_t)v.v == before);
	vec_release(&v);
}

/* 2^32 - 2 elements is the end; the capacity of a vector that says it is there
 * must not let another one in. */
TEST(too_many_elements)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct { char *v; uint32_t n, cap; } v = { NULL, UINT32_MAX - 1, UINT32_MAX - 1 };

		close(2);
		vec_push(&v, 'x');
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status));
	CHECK_EQ_INT(WEXITSTATUS(status), 2);
}
