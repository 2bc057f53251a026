// A hash table of the program's own, on the heap, with chains.
#include <stdlib.h>
#include <string.h>

struct ent { struct ent *next; char *key; void *val; };
struct hash { struct ent **b; unsigned n; };

static struct hash *hash_new(unsigned n)
{
	struct hash *h = malloc(sizeof(*h));

	if (!h)
		return NULL;
	h->n = n;
	h->b = calloc(n, sizeof(*h->b));
	if (!h->b) {
		free(h);
		return NULL;
	}
	return h;
}

static void hash_put(struct hash *h, const char *key, void *val)
{
	unsigned k = (unsigned char)key[0] % h->n;
	struct ent *e = malloc(sizeof(*e));

	if (!e)
		abort();
	e->key = strdup(key);
	e->val = val;
	e->next = h->b[k];
	h->b[k] = e;
}

static void hash_free(struct hash *h)
{
	for (unsigned k = 0; k < h->n; k++) {
		struct ent *e = h->b[k], *next;

		for (; e; e = next) {
			next = e->next;
			free(e->key);
			free(e->val);
			free(e);
		}
	}
	free(h->b);
	free(h);
}

int whole_life_ok(char **v, int n)
{
	struct hash *h = hash_new(16);

	if (!h)
		return -1;
	for (int i = 0; i < n; i++)
		hash_put(h, v[i], strdup(v[i]));
	hash_free(h);
	return 0;
}

void callers_table_ok(struct hash *h, const char *key)
{
	hash_put(h, key, malloc(8));
}

int table_dropped_bad(void)
{
	struct hash *h = hash_new(16); // LEAK(never-freed)

	return h ? (int)h->n : -1;
}
