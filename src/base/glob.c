/*
 * glob.c - see glob.h.
 *
 * For each beginning of the pattern in turn: the set of positions of the path at which a match of that
 * beginning can end.  So no pattern takes longer than its length times that of the path, however many
 * asterisks are in it.
 */
#include "base/glob.h"

#include "base/mem.h"

#include <stdlib.h>

struct reach {
	const char *path;
	size_t n;
	bool *at, *next;		/* by position, n + 1 of them; two sets in turn */
};

static bool begins_name(const struct reach *r, size_t i)
{
	return i == 0 || r->path[i - 1] == '/';
}

/* '*': any number of characters, with over_slashes any characters. */
static void spread(struct reach *r, bool over_slashes)
{
	for (size_t i = 1; i <= r->n; i++)
		r->at[i] |= r->at[i - 1] && (over_slashes || r->path[i - 1] != '/');
}

/* Two asterisks and a slash: any number of whole names, each with its slash. */
static void spread_names(struct reach *r)
{
	bool open = false;

	for (size_t i = 0; i <= r->n; i++) {
		bool here = r->at[i] && begins_name(r, i);

		r->at[i] = here || (open && i && begins_name(r, i));
		open |= here;
	}
}

/* One character. */
static void step(struct reach *r, char c)
{
	bool *was = r->at;

	r->next[0] = false;
	for (size_t i = 1; i <= r->n; i++)
		r->next[i] = was[i - 1] && (c == '?' ? r->path[i - 1] != '/' : r->path[i - 1] == c);
	r->at = r->next;
	r->next = was;
}

bool glob_fits(const char *pattern, const char *path)
{
	size_t n = strlen(path);
	struct reach r = { path, n, xcalloc(n + 1, sizeof(bool)), xcalloc(n + 1, sizeof(bool)) };
	bool fits = false;

	r.at[0] = true;
	while (*pattern) {
		if (pattern[0] == '*' && pattern[1] == '*' && pattern[2] == '/') {
			spread_names(&r);
			pattern += 3;
		} else if (pattern[0] == '*') {
			spread(&r, pattern[1] == '*');
			pattern += 1 + (pattern[1] == '*');
		} else if (pattern[0] == '/' && !pattern[1]) {
			break;		/* a folder: what is below fits anyway */
		} else {
			step(&r, *pattern++);
		}
	}
	for (size_t i = 0; i <= n; i++)
		fits |= r.at[i] && (i == n || (i && path[i] == '/'));
	free(r.at);
	free(r.next);
	return fits;
}
