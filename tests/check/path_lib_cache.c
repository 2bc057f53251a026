// A unit with a cache in statics: filled on demand, emptied on request.
#include <stdlib.h>
#include <string.h>

static struct { char *key, *val; } slot[16];

static unsigned hash(const char *s)
{
	unsigned h = 5381;

	while (*s)
		h = h * 33 + (unsigned char)*s++;
	return h % 16;
}

const char *cache_get(const char *key)
{
	unsigned h = hash(key);

	if (slot[h].key && strcmp(slot[h].key, key) == 0)
		return slot[h].val;
	return NULL;
}

int cache_put(const char *key, const char *val)
{
	unsigned h = hash(key);
	char *k = strdup(key), *v = strdup(val);

	if (!k || !v) {
		free(k);
		free(v);
		return -1;
	}
	free(slot[h].key);
	free(slot[h].val);
	slot[h].key = k;
	slot[h].val = v;
	return 0;
}

int cache_put_bad(const char *key, const char *val)
{
	unsigned h = hash(key);
	char *k = strdup(key), *v; // LEAK(conditional)

	if (!k)
		return -1;
	v = strdup(val);
	if (!v)
		return -1;
	free(slot[h].key);
	free(slot[h].val);
	slot[h].key = k;
	slot[h].val = v;
	return 0;
}

void cache_clear(void)
{
	int i;

	for (i = 0; i < 16; i++) {
		free(slot[i].key);
		free(slot[i].val);
		slot[i].key = slot[i].val = NULL;
	}
}
