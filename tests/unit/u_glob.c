/* u_glob.c - patterns of file names. */
#include "unit.h"

#include "base/glob.h"
#include "base/mem.h"

TEST(names)
{
	CHECK(glob_fits("a.c", "a.c"));
	CHECK(!glob_fits("a.c", "b.c"));
	CHECK(!glob_fits("a.c", "a.cc"));
	CHECK(!glob_fits("a.c", "src/a.c"));
	CHECK(glob_fits("*.c", "a.c"));
	CHECK(!glob_fits("*.c", "src/a.c"));
	CHECK(glob_fits("?.c", "a.c"));
	CHECK(!glob_fits("?.c", "ab.c"));
	CHECK(!glob_fits("a?b", "a/b"));
	CHECK(glob_fits("*", ""));
	CHECK(!glob_fits("?", ""));
	CHECK(!glob_fits("", "a"));
}

TEST(folders)
{
	CHECK(glob_fits("third_party/**", "third_party/x/y.c"));
	CHECK(glob_fits("third_party/**", "third_party/y.c"));
	CHECK(!glob_fits("third_party/**", "third_party.c"));
	CHECK(!glob_fits("third_party/**", "src/third_party/y.c"));
	CHECK(glob_fits("third_party", "third_party/x/y.c"));
	CHECK(glob_fits("third_party/", "third_party/x/y.c"));
	CHECK(!glob_fits("third", "third_party/x/y.c"));
	CHECK(glob_fits("third_party/*", "third_party/x/y.c"));	/* the folder x */
	CHECK(!glob_fits("third_party/*.c", "third_party/x/y.c"));
	CHECK(glob_fits("**/third_party/**", "src/third_party/y.c"));
	CHECK(glob_fits("**/third_party/**", "third_party/y.c"));
	CHECK(!glob_fits("**/third_party/**", "src/my_third_party/y.c"));
	CHECK(glob_fits("src/**/gen_*.c", "src/gen_a.c"));
	CHECK(glob_fits("src/**/gen_*.c", "src/a/b/gen_a.c"));
	CHECK(!glob_fits("src/**/gen_*.c", "src/a/b/agen_a.c"));
	CHECK(glob_fits("src/**gen_*.c", "src/a/b/agen_a.c"));
	CHECK(glob_fits("/usr/**", "/usr/include/x.h"));
	CHECK(!glob_fits("/usr/**", "usr/include/x.h"));
	CHECK(!glob_fits("", "/usr"));
	CHECK(glob_fits("**", "/usr/include/x.h"));
	CHECK(glob_fits("**/*.h", "x.h"));
}

TEST(many_asterisks_take_no_time)
{
	char pattern[4001], path[4001];

	for (unsigned i = 0; i < 4000; i++)
		pattern[i] = i % 2 ? 'a' : '*';
	pattern[4000] = '\0';
	memset(path, 'a', 4000);
	path[4000] = '\0';
	CHECK(glob_fits(pattern, path));
	path[3999] = 'b';
	CHECK(!glob_fits(pattern, path));
}
