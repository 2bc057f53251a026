/* a table is made and freed by one flag, with loops and uses in between */
#include <stdlib.h>
#include <string.h>

struct word { struct word *next, *chain; const char *s; int matched; };
struct table { struct word **v; size_t size; };

static void table_init(struct table *t, size_t n)
{
	t->size = n * 2 + 1;
	t->v = calloc(t->size, sizeof(*t->v));
	if (!t->v)
		abort();
}

static struct word **slot(struct table *t, const char *s)
{
	return &t->v[(size_t)(unsigned char)s[0] % t->size];
}

static struct word *insert(struct table *t, struct word *w)
{
	struct word **p = slot(t, w->s), *old = *p;

	*p = w;
	return old;
}

static void table_free(struct table *t)
{
	free(t->v);
	t->v = NULL;
}

void filter(struct word *head, char **pattern, int n)
{
	struct table t;
	struct word *w;
	int words = 0, literals = 0, hashing;

	for (w = head; w; w = w->next)
		words++;
	for (int i = 0; i < n; i++)
		literals += strchr(pattern[i], '%') == NULL;
	hashing = literals >= 2 && literals * words >= 10;
	if (hashing) {
		table_init(&t, (size_t)words);
		for (w = head; w != 0; w = w->next) {
			struct word *old = insert(&t, w);

			if (old)
				w->chain = old;
		}
	}
	if (words) {
		for (int i = 0; i < n; i++) {
			if (strchr(pattern[i], '%')) {
				for (w = head; w; w = w->next)
					w->matched = 1;
			} else if (hashing) {
				for (w = *slot(&t, pattern[i]); w; w = w->chain)
					w->matched |= 1;
			} else {
				for (w = head; w; w = w->next)
					w->matched |= strcmp(w->s, pattern[i]) == 0;
			}
		}
	}
	if (hashing)
		table_free(&t);
}
