// Buckets of a hash table, each a list: two nested loops free them.
#include <stdlib.h>
#include <string.h>

#define NB 8

struct ent { struct ent *next; char *key; int val; };
struct hash { struct ent *b[NB]; };

static void hash_init(struct hash *h)
{
	memset(h, 0, sizeof(*h));
}

static int hash_set(struct hash *h, const char *key, int val)
{
	unsigned i = (unsigned char)key[0] % NB;
	struct ent *e = malloc(sizeof(*e)); // LEAK@ent: by tally_bad()

	if (!e)
		return -1;
	e->key = strdup(key);
	e->val = val;
	e->next = h->b[i];
	h->b[i] = e;
	return 0;
}

static void hash_release(struct hash *h)
{
	int i;

	for (i = 0; i < NB; i++) {
		struct ent *e = h->b[i], *next;

		for (; e; e = next) {
			next = e->next;
			free(e->key);
			free(e);
		}
	}
}

int tally_ok(char *const *w, int n)
{
	struct hash h;
	int i;

	hash_init(&h);
	for (i = 0; i < n; i++)
		if (hash_set(&h, w[i], i) < 0)
			break;
	hash_release(&h);
	return i;
}

int tally_bad(char *const *w, int n)
{
	struct hash h;
	int i;

	hash_init(&h);
	for (i = 0; i < n; i++)
		if (hash_set(&h, w[i], i) < 0) // LEAK@ent
			return -1;
	hash_release(&h);
	return i;
}
