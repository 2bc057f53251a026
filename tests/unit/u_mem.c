/* u_mem.c - allocation that cannot fail, the string tests of mem.h, error.h. */
#include "unit.h"

#include "base/error.h"
#include "base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>

/* AddressSanitizer would end the program in malloc instead of giving NULL. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

TEST(zero_bytes_is_a_pointer)
{
	void *a = xmalloc(0), *b = xcalloc(0, 8), *c = xrealloc(NULL, 0), *d = xcalloc(8, 0);

	CHECK(a && b && c && d);
	c = xrealloc(c, 100);
	c = xrealloc(c, 0);
	CHECK(c);
	free(a);
	free(b);
	free(c);
	free(d);
}

TEST(calloc_is_zeroed)
{
	char *p = xcalloc(100, 7);

	for (int i = 0; i < 700; i++)
		CHECK_EQ_INT(p[i], 0);
	free(p);
}

TEST(realloc_keeps)
{
	char *p = memcpy(xmalloc(4), "abc", 4);

	p = xreallocarray(p, 1000, 100);
	CHECK_EQ_STR(p, "abc");
	free(p);
}

TEST(strings)
{
	char *a = xstrdup("hello"), *b = xstrndup("hello", 2), *c = xstrndup("hi", 99);
	char *d = xasprintf("%s-%d", a, 7), *e = xstrdup("");

	CHECK_EQ_STR(a, "hello");
	CHECK_EQ_STR(b, "he");
	CHECK_EQ_STR(c, "hi");
	CHECK_EQ_STR(d, "hello-7");
	CHECK_EQ_STR(e, "");
	free(a);
	free(b);
	free(c);
	free(d);
	free(e);
}

TEST(strndup_reads_no_further)
{
	char *exact = memcpy(xmalloc(3), "abc", 3), *s = xstrndup(exact, 3);

	CHECK_EQ_STR(s, "abc");
	free(s);
	free(exact);
}

TEST(prefix_and_suffix)
{
	CHECK(str_starts("plumb-ignore", "plumb"));
	CHECK(!str_starts("plu", "plumb"));
	CHECK(str_starts("x", ""));
	CHECK(str_ends("a.c", ".c"));
	CHECK(!str_ends("c", ".c"));
	CHECK(str_ends("x", ""));
	CHECK(str_eq("", ""));
	CHECK(!str_eq("a", "b"));
}

/* Runs f in a child that must exit with 2 and one line on standard error. */
static void expect_exhausted(void (*f)(void))
{
	char line[200] = "";
	int fd[2], status;
	ssize_t n;
	pid_t pid;

	CHECK(pipe(fd) == 0);
	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		dup2(fd[1], 2);
		f();
		_exit(0);
	}
	close(fd[1]);
	CHECK(waitpid(pid, &status, 0) == pid);
	n = read(fd[0], line, sizeof(line) - 1);
	CHECK(n > 0);
	close(fd[0]);
	CHECK(WIFEXITED(status));
	CHECK_EQ_INT(WEXITSTATUS(status), 2);
	/* a sanitizer may have warned before */
	CHECK(strstr(line, "plumb: error: out of memory") || strstr(line, "WARNING: "));
}

static volatile size_t huge = SIZE_MAX / 4;

static void huge_malloc(void)
{
	free(xmalloc(huge));
}

static void huge_calloc(void)
{
	free(xcalloc(huge, 16));
}

static void huge_realloc(void)
{
	free(xrealloc(NULL, huge));
}

static void huge_reallocarray(void)
{
	free(xreallocarray(NULL, huge, 16));
}

TEST(out_of_memory_exits_with_2)
{
	expect_exhausted(huge_malloc);
	expect_exhausted(huge_calloc);
	expect_exhausted(huge_realloc);
	expect_exhausted(huge_reallocarray);
}

TEST(error_messages)
{
	CHECK(error_last() != NULL);
	CHECK_EQ_INT(error_set("bad %s at %d", "magic", 4), -1);
	CHECK_EQ_STR(error_last(), "bad magic at 4");
	CHECK_EQ_INT(error_prefix("%s: ", "x.bc"), -1);
	CHECK_EQ_STR(error_last(), "x.bc: bad magic at 4");
	errno = ENOENT;
	CHECK_EQ_INT(error_sys("%s", "x.c"), -1);
	CHECK_EQ_STR(error_last(), "x.c: No such file or directory");
	CHECK_EQ_INT(errno, ENOENT);
}

TEST(error_of_itself)
{
	error_set("inner");
	error_set("outer: %s", error_last());
	CHECK_EQ_STR(error_last(), "outer: inner");
	error_prefix("%s / ", error_last());
	CHECK_EQ_STR(error_last(), "outer: inner / outer: inner");
}

TEST(error_too_long)
{
	char *big = xmalloc(100000);

	memset(big, 'x', 99999);
	big[99999] = '\0';
	error_set("%s", big);
	CHECK(strlen(error_last()) > 8000);
	CHECK(str_ends(error_last(), "xxx..."));
	error_prefix("file: ");
	CHECK(str_starts(error_last(), "file: xxx"));
	CHECK(str_ends(error_last(), "..."));
	errno = EIO;
	error_sys("%s", big);
	CHECK(str_ends(error_last(), "..."));
	error_prefix("%s", big);
	CHECK(str_ends(error_last(), "..."));
	error_set("short");
	CHECK_EQ_STR(error_last(), "short");
	free(big);
}

static void *other_thread(void *arg)
{
	UNUSED(arg);
	error_set("of the other thread");
	return NULL;
}

TEST(error_one_per_thread)
{
	pthread_t t;

	error_set("mine");
	CHECK(pthread_create(&t, NULL, other_thread, NULL) == 0);
	pthread_join(t, NULL);
	CHECK_EQ_STR(error_last(), "mine");
}
