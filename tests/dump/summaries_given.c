// RUN: plumb dump summaries %s
// What becomes of what a function is given: by a loop to a null, by a loop over a counter in a struct, by a
// function with many paths.
#include <stdlib.h>
#include <string.h>

void free_terminated(char **v)
{
	for (int i = 0; v[i]; i++)
		free(v[i]);
}

struct item { struct item *next; };
static struct { void **data; int size, n; } cache;

void cache_init(void **data, int size)
{
	cache.data = data;
	cache.size = size;
}

void into_cache(struct item *l)
{
	while (l) {
		struct item *p = l;

		l = l->next;
		if (cache.n < cache.size)
			cache.data[cache.n++] = p;
		else
			free(p);
	}
}

struct word { int flags; };

struct word *mark(struct word *w, const char *s)
{
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '$' && i + 1 < n && s[i + 1] == '(' && i + 2 < n && s[i + 2] != ')')
			w->flags |= 1;
		if (s[i] == '#' && i + 1 < n && s[i + 1] == '(' && i + 2 < n && s[i + 2] != ')')
			w->flags |= 2;
		if (s[i] == '%' && i + 1 < n && s[i + 1] == '(' && i + 2 < n && s[i + 2] != ')')
			w->flags |= 4;
		if (s[i] == '&' && i + 1 < n && s[i + 1] == '(' && i + 2 < n && s[i + 2] != ')')
			w->flags |= 8;
	}
	return w;
}

const char *skip(const char *s, const char *end, int flags)
{
	for (; s < end && *s; s++) {
		if (*s == '$' && flags & 1 && s + 1 < end && s[1] == '(' && s + 2 < end && s[2] != ')')
			s++;
		if (*s == '#' && flags & 2 && s + 1 < end && s[1] == '(' && s + 2 < end && s[2] != ')')
			s++;
		if (*s == '%' && flags & 4 && s + 1 < end && s[1] == '(' && s + 2 < end && s[2] != ')')
			s++;
		if (*s == '&' && flags & 8 && s + 1 < end && s[1] == '(' && s + 2 < end && s[2] != ')')
			s++;
	}
	return s;
}
