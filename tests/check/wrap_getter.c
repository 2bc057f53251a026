// A function that returns what somebody else holds is no allocator.
#include <stdlib.h>
#include <string.h>

struct ctx { char *cached; };

static char *ctx_text(struct ctx *c)
{
	if (!c->cached)
		c->cached = strdup("text");
	return c->cached;
}

int borrowed_ok(struct ctx *c)
{
	char *t = ctx_text(c);

	return t ? t[0] : 0;
}

int borrowed_from_local_ok(void)
{
	struct ctx c = {0};
	char *t = ctx_text(&c);
	int r = t ? t[0] : 0;

	free(c.cached);
	return r;
}

static char *global_text;

static char *shared(void)
{
	if (!global_text)
		global_text = strdup("shared");
	return global_text;
}

int borrowed_from_global_ok(void)
{
	return shared()[0] + shared()[1];
}
