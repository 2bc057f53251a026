/*
 * unit.h - the whole of our unit test framework.
 *
 *	#include "unit.h"
 *
 *	TEST(push_and_pop)
 *	{
 *		VEC(int) v = {0};
 *
 *		vec_push(&v, 3);
 *		CHECK_EQ_INT(vec_pop(&v), 3);
 *		vec_release(&v);
 *	}
 *
 * is a complete program: main is here.  It prints one line for each test, in
 * the order of the file,
 *
 *	ok push_and_pop
 *	not ok push_and_pop: tests/unit/u_vec.c:8: vec_pop(&v) is 4, expected 3
 *
 * and exits with 1 if any failed.  Arguments are the names of the tests to run.
 * A test whose name starts with "hidden_" runs only when named.
 *
 * The first check that fails leaves the test (longjmp), also from a function it
 * called.  In a process that a test has forked it ends that process with code
 * UNIT_CHILD_FAILED after printing the reason; the test must look at the code.
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNIT_MAX = 500, UNIT_CHILD_FAILED = 77 };

static struct unit_test {
	const char *name;
	int line;
	void (*run)(void);
} unit_tests[UNIT_MAX];
static unsigned unit_count;
static jmp_buf unit_leave;
static pid_t unit_pid;
static const char *unit_current = "";

/* Keeps the table in the order of the file: constructors run in any. */
static inline void unit_add(const char *name, int line, void (*run)(void))
{
	unsigned i = unit_count++;

	if (unit_count > UNIT_MAX)
		abort();
	for (; i > 0 && unit_tests[i - 1].line > line; i--)
		unit_tests[i] = unit_tests[i - 1];
	unit_tests[i] = (struct unit_test){ name, line, run };
}

#define TEST(name) \
	static void test_##name(void); \
	__attribute__((constructor)) static void unit_add_##name(void) \
	{ \
		unit_add(#name, __LINE__, test_##name); \
	} \
	static void test_##name(void)

static inline __attribute__((noreturn, format(printf, 3, 4)))
void unit_fail(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("not ok %s: %s:%d: ", unit_current, file, line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	if (getpid() != unit_pid)
		_exit(UNIT_CHILD_FAILED);
	longjmp(unit_leave, 1);
}

static inline void unit_eq_int(const char *file, int line, const char *expr,
			       long long got, long long want)
{
	if (got != want)
		unit_fail(file, line, "%s is %lld, expected %lld", expr, got, want);
}

static inline void unit_eq_str(const char *file, int line, const char *expr,
			       const char *got, const char *want)
{
	if (got && want ? strcmp(got, want) != 0 : got != want)
		unit_fail(file, line, "%s is \"%s\", expected \"%s\"", expr,
			  got ? got : "(null)", want ? want : "(null)");
}

#define FAIL(...) unit_fail(__FILE__, __LINE__, __VA_ARGS__)
#define CHECK(cond) ((cond) ? (void)0 : unit_fail(__FILE__, __LINE__, "%s", "not true: " #cond))
/* got, then expected; both as long long, so unsigned 64-bit values compare by bits. */
#define CHECK_EQ_INT(got, want) \
	unit_eq_int(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))
#define CHECK_EQ_STR(got, want) unit_eq_str(__FILE__, __LINE__, #got, (got), (want))

/* Random numbers from a seed that the test gives: the same in every run. */
struct unit_rng {
	uint64_t s;
};

static inline __attribute__((unused)) uint64_t unit_rand(struct unit_rng *r)
{
	uint64_t x;

	r->s += 0x9e3779b97f4a7c15ull;
	x = r->s;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

/* 0 .. n-1 */
static inline __attribute__((unused)) uint32_t unit_below(struct unit_rng *r, uint32_t n)
{
	return (uint32_t)((unit_rand(r) >> 32) * n >> 32);
}

static inline bool unit_chosen(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc == 1 && strncmp(name, "hidden_", 7) != 0;
}

int main(int argc, char **argv)
{
	volatile unsigned ran = 0, failed = 0;

	unit_pid = getpid();
	for (volatile unsigned i = 0; i < unit_count; i++) {
		if (!unit_chosen(unit_tests[i].name, argc, argv))
			continue;
		unit_current = unit_tests[i].name;
		ran++;
		if (setjmp(unit_leave)) {
			failed++;
			continue;
		}
		unit_tests[i].run();
		printf("ok %s\n", unit_current);
		fflush(stdout);		/* a crash in the next test must not lose it */
	}
	if (!ran) {
		printf("not ok (no such test)\n");
		return 1;
	}
	return failed > 0;
}

#endif
