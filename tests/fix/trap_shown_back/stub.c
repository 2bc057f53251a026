#include <stdlib.h>

struct ctx {
	int refs;
};

struct conn {
	struct ctx *ctx;
};

struct ctx *SSL_CTX_new(const void *method)
{
	struct ctx *c = malloc(sizeof(*c));

	(void)method;
	if (c)
		c->refs = 1;
	return c;
}

void SSL_CTX_free(struct ctx *c)
{
	if (c && !--c->refs)
		free(c);
}

struct conn *SSL_new(struct ctx *c)
{
	struct conn *s = malloc(sizeof(*s));

	if (!s)
		return NULL;
	s->ctx = c;
	c->refs++;
	return s;
}

void SSL_free(struct conn *s)
{
	if (!s)
		return;
	SSL_CTX_free(s->ctx);
	free(s);
}

struct ctx *SSL_get_SSL_CTX(const struct conn *s)
{
	return s->ctx;
}

int SSL_connect(struct conn *s)
{
	return s->ctx != NULL;
}
