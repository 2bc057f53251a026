/*
 * cold_cache.c - a cache that is filled with every answer and never asked: a hash table, so
 * that adding an entry touches only the table and the entry.
 *
 * LEAK cache_put
 * FINE hot_start
 */
#include "leaks.h"

enum { SLOTS = 4096 };

struct entry {
	struct entry *next;
	unsigned key;
	char answer[200];
};

static struct entry *cache[SLOTS];

NOINLINE static void cache_put(unsigned key)
{
	struct entry *e = checked(malloc(sizeof(*e)));

	e->key = key;
	snprintf(e->answer, sizeof(e->answer), "answer to %u", key);
	e->next = cache[key % SLOTS];
	cache[key % SLOTS] = e;
}

int main(int argc, char **argv)
{
	double end = work_until(argc, argv);
	unsigned n = 0;

	for (hot_start(); now() < end; end_round())
		for (int i = 0; i < 20; i++)
			cache_put(n++ * 2654435761u + (hot_use() & 1));
	hot_end();
	return 0;
}
