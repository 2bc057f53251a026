// The caller frees the object with plain free() and not with its destructor: the fields are lost.
#include <stdlib.h>
#include <string.h>

struct conn {
	char *host;
	unsigned char *buf;
};

static struct conn *conn_new(const char *host)
{
	struct conn *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->host = strdup(host); // LEAK(never-freed)
	c->buf = malloc(512); // LEAK(never-freed)
	return c;
}

int plain_free_bad(const char *host)
{
	struct conn *c = conn_new(host);

	if (!c)
		return -1;
	free(c);
	return 0;
}
