/* a function that takes another type of object is not what such a call reaches */
#include <stdlib.h>
#include <string.h>

typedef void any(void);
struct tree { const char *word; };
struct entry { int vi; };

static void *word(struct tree *t)
{
	return strdup(t->word);
}

static const char *table(struct entry *e)
{
	return e->vi ? "vi" : "emacs";
}

static any *const ops[] = { (any *)word, (any *)table };

size_t key(int vi, const char *s)
{
	struct entry e = { .vi = vi };
	struct tree t = { .word = s };
	char *w = ((void *(*)(struct tree *))ops[0])(&t);
	size_t n = strlen(((const char *(*)(struct entry *))ops[1])(&e));

	free(w);
	return n;
}
