/*
 * near.c - see near.h.
 *
 * The distance is that of optimal string alignment: Levenshtein's, but two swapped neighbours are one change,
 * since people often mistype that way.  A name is near if at most a third of the longer word is wrong, or one
 * letter: "jbos" may mean "jobs", "xml" does not mean "html".  Words longer than LONGEST are near to none.
 */
#include "base/near.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/sbuf.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>

enum { LONGEST = 40 };		/* near.hint has room for such a name */

static unsigned lower(char c)
{
	return (unsigned)tolower((unsigned char)c);
}

unsigned near_distance(const char *a, const char *b, unsigned limit)
{
	unsigned rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *now = rows[2], *free_row;
	size_t n = strlen(a), m = strlen(b);

	if (n > LONGEST || m > LONGEST)
		return limit;
	for (size_t j = 0; j <= m; j++)
		last[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		now[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			bool same = lower(a[i - 1]) == lower(b[j - 1]);
			bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
				       lower(a[i - 2]) == lower(b[j - 1]);

			now[j] = MIN(MIN(last[j], now[j - 1]) + 1, last[j - 1] + !same);
			if (swapped)
				now[j] = MIN(now[j], before[j - 2] + 1);
		}
		free_row = before;
		before = last;
		last = now;
		now = free_row;
	}
	return MIN(last[m], limit);
}

struct near near_to(const char *word)
{
	return (struct near){ .word = word };
}

void near_try(struct near *n, const char *name)
{
	size_t longer = MAX(strlen(n->word), strlen(name));
	unsigned most = (unsigned)MAX(longer / 3, 1), d = near_distance(n->word, name, most + 1);

	if (d <= most && strlen(n->word) > 1 && (!n->best || d < n->distance)) {
		n->best = name;
		n->distance = d;
	}
}

const char *near_hint(struct near *n)
{
	assert(!n->best || strlen(n->best) <= LONGEST);
	if (n->best)
		snprintf(n->hint, sizeof(n->hint), ": did you mean '%s'?", n->best);
	else
		n->hint[0] = '\0';
	return n->hint;
}

int near_choice(const char *what, const char *word, const char *(*name)(unsigned i))
{
	struct near near = near_to(word);
	struct sbuf all = {0};
	int found = -1;

	for (unsigned i = 0; found < 0 && name(i); i++) {
		if (str_eq(name(i), word))
			found = (int)i;
		near_try(&near, name(i));
		sbuf_printf(&all, "%s%s", i ? ", " : "", name(i));
	}
	if (found < 0)
		error_set("unknown %s '%s' (known: %s)%s", what, word, sbuf_str(&all), near_hint(&near));
	sbuf_release(&all);
	return found;
}
