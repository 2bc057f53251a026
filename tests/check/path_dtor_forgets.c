// The destructor of a connection was not told of the field that was added last.
#include <stdlib.h>
#include <string.h>

struct conn { char *host; char *rbuf; char *cookie; int fd; };

static void conn_free(struct conn *c)
{
	if (!c)
		return;
	free(c->host);
	free(c->rbuf);
	free(c);
}

static struct conn *conn_new(const char *host)
{
	struct conn *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->fd = -1;
	c->host = strdup(host);
	c->rbuf = malloc(512);
	if (!c->host || !c->rbuf) {
		conn_free(c);
		return NULL;
	}
	return c;
}

static int conn_login(struct conn *c, const char *cookie)
{
	c->cookie = strdup(cookie);
	return c->cookie ? 0 : -1;
}

int fetch(const char *host)
{
	struct conn *c = conn_new(host);
	int err;

	if (!c)
		return -1;
	err = conn_login(c, "guest"); // LEAK(never-freed)
	conn_free(c);
	return err;
}
