// x_free(&x) frees and nulls; calling it twice is right.
#include <stdlib.h>
#include <string.h>

struct ctx { char *work; int depth; };

static struct ctx *ctx_new(void)
{
	struct ctx *c = malloc(sizeof(*c));

	if (!c)
		return NULL;
	c->work = malloc(256);
	c->depth = 0;
	if (!c->work) {
		free(c);
		return NULL;
	}
	return c;
}

static void ctx_free(struct ctx **pc)
{
	struct ctx *c = *pc;

	if (!c)
		return;
	free(c->work);
	free(c);
	*pc = NULL;
}

int walk_ok(int n)
{
	struct ctx *c = ctx_new();

	if (!c)
		return -1;
	if (n < 0)
		ctx_free(&c);
	else
		c->depth = n;
	ctx_free(&c);
	return 0;
}

int walk_bad(int n)
{
	struct ctx *c = ctx_new(); // LEAK

	if (!c)
		return -1;
	if (n < 0) {
		c = NULL;
		ctx_free(&c);
		return -1;
	}
	ctx_free(&c);
	return 0;
}
