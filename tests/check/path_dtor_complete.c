// The twin: every field that some function fills is freed, be it filled or null.
#include <stdlib.h>
#include <string.h>

struct conn { char *host; char *rbuf; char *cookie; int fd; };

static void conn_free(struct conn *c)
{
	if (!c)
		return;
	free(c->host);
	free(c->rbuf);
	free(c->cookie);
	free(c);
}

static struct conn *conn_new(const char *host)
{
	struct conn *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
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
	free(c->cookie);
	c->cookie = strdup(cookie);
	return c->cookie ? 0 : -1;
}

int fetch(const char *host, int n)
{
	struct conn *c = conn_new(host);
	int err = 0;

	if (!c)
		return -1;
	while (n-- > 0 && !err)
		err = conn_login(c, "guest");
	conn_free(c);
	return err;
}
