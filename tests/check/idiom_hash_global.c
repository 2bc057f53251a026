// A global hash table keeps what is put in; gcc -fanalyzer reports these in wget.
#include <stdlib.h>
#include <string.h>

struct ent { struct ent *next; char *key; char *val; };

static struct ent *buckets[32];

static struct ent **slot(const char *key)
{
	return &buckets[(unsigned char)key[0] % 32];
}

void put_ok(const char *key, const char *val)
{
	struct ent *e = malloc(sizeof(*e));

	if (!e)
		return;
	e->key = strdup(key);
	e->val = strdup(val);
	e->next = *slot(key);
	*slot(key) = e;
}

void put_unless_there_bad(const char *key, const char *val)
{
	struct ent *e = malloc(sizeof(*e)); // LEAK(conditional)
	struct ent *o;

	if (!e)
		return;
	e->key = strdup(key);
	e->val = strdup(val);
	for (o = *slot(key); o; o = o->next)
		if (!strcmp(o->key, key))
			return;
	e->next = *slot(key);
	*slot(key) = e;
}

int remove_ok(const char *key)
{
	struct ent **p, *e;

	for (p = slot(key); (e = *p); p = &e->next)
		if (!strcmp(e->key, key)) {
			*p = e->next;
			free(e->key);
			free(e->val);
			free(e);
			return 1;
		}
	return 0;
}
