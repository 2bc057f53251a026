/* What is no longer needed goes into a cache, as long as there is room: a counter in a struct
 * says how far it is full, and what is put there stays there. */
#include <stdlib.h>
#include <string.h>

struct word { struct word *next; char *text; };

static struct { void **data; int size, n; } cache;

void cache_grow(void)
{
	void **p = realloc(cache.data, sizeof(*p) * ((size_t)cache.size + 10));

	if (p) {
		cache.data = p;
		cache.size += 10;
	}
}

static void words_dispose(struct word *l)
{
	while (l) {
		struct word *w = l;

		l = l->next;
		free(w->text);
		if (cache.n < cache.size) {
			memset(w, 0xdf, sizeof(*w));
			cache.data[cache.n++] = w;
		} else {
			free(w);
		}
	}
}

static void words_clear(struct word *l)
{
	for (; l; l = l->next)
		free(l->text);
}

int print(const char *s);

int trace_ok(const char *s)
{
	struct word *w = malloc(sizeof(*w));
	int ret;

	if (!w)
		return -1;
	w->text = strdup(s);
	w->next = NULL;
	ret = w->text ? print(w->text) : -1;
	words_dispose(w);
	return ret;
}

int trace_bad(const char *s)
{
	struct word *w = malloc(sizeof(*w)); // LEAK(never-freed)
	int ret;

	if (!w)
		return -1;
	w->text = strdup(s);
	w->next = NULL;
	ret = w->text ? print(w->text) : -1;
	words_clear(w);
	return ret;
}
