/* words and lists come from a store of used ones or from malloc(): two from the store are two */
#include <stdlib.h>
#include <string.h>

struct word { char *text; int flags; };
struct list { struct list *next; struct word *word; };
struct store { void **data; int n; };

struct store words, lists;

static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

static struct word *word_make(void)
{
	struct word *w;

	if (words.n > 0)
		w = words.data[--words.n];
	else
		w = xmalloc(sizeof(*w));
	w->text = NULL;
	w->flags = 0;
	return w;
}

static struct list *list_make(struct word *w, struct list *next)
{
	struct list *l;

	if (lists.n > 0)
		l = lists.data[--lists.n];
	else
		l = xmalloc(sizeof(*l));
	l->word = w;
	l->next = next;
	return l;
}

struct list *transform_ok(struct list *in)
{
	struct list *out = NULL;
	struct word *w;
	char *t;

	for (; in; in = in->next) {
		t = strdup(in->word->text);
		w = word_make();
		w->text = t ? t : strcpy(xmalloc(1), "");
		out = list_make(w, out);
	}
	return out;
}

struct list *transform_bad(struct list *in, int flags)
{
	struct list *out = NULL;
	struct word *w;
	char *t;

	for (; in; in = in->next) {
		t = strdup(in->word->text); // LEAK(conditional)
		if (t && *t == flags)
			continue;
		w = word_make();
		w->text = t;
		out = list_make(w, out);
	}
	return out;
}
