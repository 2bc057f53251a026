/* u_near.c - what somebody may have meant. */
#include "unit.h"

#include "base/error.h"
#include "base/near.h"

TEST(distances)
{
	CHECK_EQ_INT(near_distance("check", "check", 9), 0);
	CHECK_EQ_INT(near_distance("chekc", "check", 9), 1);	/* swapped */
	CHECK_EQ_INT(near_distance("chck", "check", 9), 1);
	CHECK_EQ_INT(near_distance("chhheck", "check", 9), 2);
	CHECK_EQ_INT(near_distance("CHECK", "check", 9), 0);
	CHECK_EQ_INT(near_distance("", "check", 9), 5);
	CHECK_EQ_INT(near_distance("abcdef", "fedcba", 3), 3);
	CHECK_EQ_INT(near_distance("a word that is far longer than any name that we have", "check", 7), 7);
}

static const char *hint(struct near *n, const char *word, const char *a, const char *b)
{
	*n = near_to(word);
	near_try(n, a);
	near_try(n, b);
	return near_hint(n);
}

TEST(hints)
{
	struct near n;

	CHECK_EQ_STR(hint(&n, "chekc", "check", "cc"), ": did you mean 'check'?");
	CHECK_EQ_STR(hint(&n, "jsno", "text", "json"), ": did you mean 'json'?");
	CHECK_EQ_STR(hint(&n, "JSON", "text", "json"), ": did you mean 'json'?");
	CHECK_EQ_STR(hint(&n, "xml", "html", "json"), "");
	CHECK_EQ_STR(hint(&n, "frobnicate", "check", "fix"), "");
	CHECK_EQ_STR(hint(&n, "", "a", "b"), "");
	CHECK_EQ_STR(hint(&n, "x", "a", "b"), "");	/* a letter is near to nothing */
	CHECK_EQ_STR(hint(&n, "rnu", "run", "ran"), ": did you mean 'run'?");
}

static const char *name(unsigned i)
{
	static const char *const names[] = { "one", "three", NULL };

	return names[i];
}

TEST(choices)
{
	CHECK_EQ_INT(near_choice("number", "one", name), 0);
	CHECK_EQ_INT(near_choice("number", "three", name), 1);
	CHECK(near_choice("number", "thre", name) < 0);
	CHECK_EQ_STR(error_last(), "unknown number 'thre' (known: one, three): did you mean 'three'?");
	CHECK(near_choice("number", "five", name) < 0);
	CHECK_EQ_STR(error_last(), "unknown number 'five' (known: one, three)");
}
