// Constructor and destructor in one unit, their users in others.
#include "conf.h"

#include <stdlib.h>
#include <string.h>

struct conf *conf_new(const char *name)
{
	struct conf *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->name = strdup(name);
	if (!c->name) {
		free(c);
		return NULL;
	}
	return c;
}

void conf_set(struct conf *c, const char *val)
{
	free(c->val);
	c->val = strdup(val);
}

void conf_free(struct conf *c)
{
	if (!c)
		return;
	free(c->name);
	free(c->val);
	free(c);
}
