/*
 * words [N] - a table of strings that grow.
 *
 * Like what interpreters do: keys and values of mixed lengths in a hash table, values
 * grown with realloc, a share of them deleted and made again; a tree beside it that is
 * built and thrown away.  Holds some 60 MB.  Prints a checksum.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	struct entry *next;
	char *key, *value;
	size_t len, cap;
};

struct node {
	struct node *left, *right;
	uint64_t key;
};

#define BUCKETS 65536
static struct entry *table[BUCKETS];
static uint64_t seed = 88172645463325252u;

static uint64_t random64(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static struct entry **find(const char *key)
{
	uint64_t h = 14695981039346656037u;
	struct entry **e;

	for (const char *p = key; *p; p++)
		h = (h ^ (unsigned char)*p) * 1099511628211u;
	for (e = &table[h % BUCKETS]; *e && strcmp((*e)->key, key) != 0; e = &(*e)->next)
		;
	return e;
}

static void append(struct entry *e, const char *s)
{
	size_t n = strlen(s);

	if (e->len + n + 1 > e->cap) {
		e->cap = e->len + n + 1 + e->cap / 2;
		e->value = realloc(e->value, e->cap);
	}
	memcpy(e->value + e->len, s, n + 1);
	e->len += n;
}

static struct node *insert(struct node *t, uint64_t key)
{
	struct node **p = &t;

	while (*p != NULL)
		p = key < (*p)->key ? &(*p)->left : &(*p)->right;
	*p = calloc(1, sizeof(**p));
	(*p)->key = key;
	return t;
}

static void destroy(struct node *t)
{
	if (t == NULL)
		return;
	destroy(t->left);
	destroy(t->right);
	free(t);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2000000;
	uint64_t sum = 0;
	struct node *tree = NULL;

	for (int i = 0; i < n; i++) {
		char key[64];
		struct entry **p, *e;

		snprintf(key, sizeof(key), "key-%lu", random64() % 300000);
		p = find(key);
		e = *p;
		if (e != NULL && random64() % 8 == 0) {
			sum += e->len;
			*p = e->next;
			free(e->key);
			free(e->value);
			free(e);
			continue;
		}
		if (e == NULL) {
			e = *p = calloc(1, sizeof(*e));
			e->key = strdup(key);
		}
		append(e, key);
		tree = insert(tree, random64());
		if (i % 20000 == 19999) {
			destroy(tree);
			tree = NULL;
		}
	}
	destroy(tree);
	printf("%lu\n", sum);
	return 0;
}
