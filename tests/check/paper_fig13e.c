// Figure 13e (icecast): an entry that is not inserted because an equal one is there.
#include <stdlib.h>
#include <string.h>

struct user { char *name; };
struct node { void *key; struct node *next; };
struct set { struct node *head; int (*cmp)(const void *, const void *); };

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct user *)a)->name, ((const struct user *)b)->name);
}

static int set_insert(struct set *s, void *key)
{
	struct node *n;

	for (n = s->head; n; n = n->next)
		if (s->cmp(n->key, key) == 0)
			return 0;
	n = malloc(sizeof(*n));
	if (!n)
		return -1;
	n->key = key;
	n->next = s->head;
	s->head = n;
	return 0;
}

static struct set users = { NULL, by_name };

void add_user(const char *name)
{
	struct user *entry = calloc(1, sizeof(*entry)); // LEAK(conditional,medium) via 0 +2 +5 -16 -15 +6

	if (!entry)
		return;
	entry->name = strdup(name);
	set_insert(&users, entry);
}
