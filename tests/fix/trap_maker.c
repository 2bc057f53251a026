// What a library puts into the objects that it makes is released with them: behind the last look at it, or not at all.
// LEAKS: 7
// EXPECT: either
// PATCH: ^\+.*puts\(path\);.*globfree\(&g\);
// PATCH: ^\+.*puts\(word\);.*wordfree\(&w\);
#include <glob.h>
#include <stdio.h>
#include <wordexp.h>

static const char *first;

static int show_path(const char *pattern, int more)
{
	glob_t g;
	const char *path;

	if (glob(pattern, 0, NULL, &g))
		return -1;
	path = g.gl_pathv[0];
	if (more) { puts(path); return 1; }
	globfree(&g);
	return 0;
}

static int keep_path(const char *pattern)
{
	glob_t g;

	if (glob(pattern, 0, NULL, &g))
		return -1;
	first = g.gl_pathv[0];
	return 0;
}

static int show_word(const char *words, int more)
{
	wordexp_t w;
	const char *word;

	if (wordexp(words, &w, WRDE_NOCMD))
		return -1;
	word = w.we_wordv[0];
	if (more) { puts(word); return 1; }
	wordfree(&w);
	return 0;
}

int main(void)
{
	printf("%d %d\n", show_path("/", 0), show_path("/", 1));
	printf("%d %s\n", keep_path("/"), first);
	printf("%d %d\n", show_word("one two", 0), show_word("one two", 1));
	return 0;
}
