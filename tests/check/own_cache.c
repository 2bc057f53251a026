// A cache of one entry in a static.
#include <stdlib.h>
#include <string.h>

static char *key, *val;

const char *cached_ok(const char *k)
{
	if (key && !strcmp(key, k))
		return val;
	free(key);
	free(val);
	key = strdup(k);
	val = strdup(k);
	return val;
}

const char *fresh_bad(const char *k)
{
	char *v = strdup(k); // LEAK(conditional)

	if (key && !strcmp(key, k))
		return val;
	free(key);
	free(val);
	key = strdup(k);
	val = v;
	return val;
}
