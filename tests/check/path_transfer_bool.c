// true: stored; false: it was there already, and the caller keeps his.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct set { char *key[64]; };

static bool set_insert(struct set *s, char *key)
{
	unsigned i = (unsigned char)key[0] % 64;

	if (s->key[i] && strcmp(s->key[i], key) == 0)
		return false;
	free(s->key[i]);
	s->key[i] = key;
	return true;
}

bool note_ok(struct set *s, const char *word)
{
	char *k = strdup(word);
	bool fresh;

	if (!k)
		return false;
	fresh = set_insert(s, k);
	if (!fresh)
		free(k);
	return fresh;
}

bool note_bad(struct set *s, const char *word)
{
	char *k = strdup(word); // FN(vfg): LEAK(conditional)

	return k && set_insert(s, k);
}
