/*
 * u_unit.c - can a test fail?  Runs its own hidden tests, which must, in another
 * process and reads what they say.
 */
#include "unit.h"

#include "base/mem.h"
#include "base/proc.h"

#include <sys/wait.h>

static void helper(int x)
{
	CHECK_EQ_INT(x, 3);
}

TEST(hidden_true)
{
	CHECK(1 + 1 == 2);
}

TEST(hidden_cond)
{
	CHECK(1 + 1 == 3);
	printf("must not go on\n");
}

TEST(hidden_int)
{
	helper(4);
	printf("must not go on\n");
}

TEST(hidden_str)
{
	CHECK_EQ_STR("a", NULL);
}

TEST(hidden_child)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		CHECK(!"in the child");
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ_INT(WEXITSTATUS(status), 0);
}

/* Runs the test in a fresh copy of this program. */
static void expect(const char *test, int code, const char *text)
{
	char *argv[] = { (char *)"/proc/self/exe", (char *)test, NULL };
	struct proc_result r;

	CHECK_EQ_INT(proc_run(&r, argv, NULL, PROC_OUT), 0);
	CHECK(WIFEXITED(r.status));
	CHECK_EQ_INT(WEXITSTATUS(r.status), code);
	if (!strstr(r.out, text))
		FAIL("%s said: %s", test, r.out);
	CHECK(!strstr(r.out, "must not go on"));
	proc_result_release(&r);
}

TEST(passes)
{
	expect("hidden_true", 0, "ok hidden_true\n");
}

TEST(fails_by_condition)
{
	expect("hidden_cond", 1, "not ok hidden_cond: ");
	expect("hidden_cond", 1, ": not true: 1 + 1 == 3\n");
}

TEST(fails_in_a_called_function)
{
	expect("hidden_int", 1, ": x is 4, expected 3\n");
}

TEST(fails_by_string)
{
	expect("hidden_str", 1, ": \"a\" is \"a\", expected \"(null)\"\n");
}

TEST(fails_in_a_child)
{
	expect("hidden_child", 1, "in the child");
	expect("hidden_child", 1, ": WEXITSTATUS(status) is 77, expected 0\n");
}

TEST(unknown_test_is_a_failure)
{
	expect("hidden_nothing", 1, "not ok");
}
