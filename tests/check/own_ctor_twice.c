// A field set twice inside one constructor.
#include <stdlib.h>
#include <string.h>

struct rec { char *key; };

struct rec *set_twice_bad(const char *s)
{
	struct rec *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->key = strdup("none"); // LEAK(overwritten)
	if (!s)
		return r;
	r->key = strdup(s);
	return r;
}

struct rec *set_once_ok(const char *s)
{
	struct rec *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	if (s)
		r->key = strdup(s);
	else
		r->key = strdup("none");
	return r;
}

struct rec *set_twice_ok(const char *s)
{
	struct rec *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->key = strdup("none");
	if (s) {
		free(r->key);
		r->key = strdup(s);
	}
	return r;
}
