// Constructors and destructors: the pair that most real leaks are about.
#include <stdlib.h>
#include <string.h>

struct conn {
	char *host, *user;
	unsigned char *buf;
};

void conn_free(struct conn *c)
{
	if (!c)
		return;
	free(c->host);
	free(c->user);
	free(c->buf);
	free(c);
}

struct conn *conn_new(const char *host, const char *user)
{
	struct conn *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->host = strdup(host);
	c->user = strdup(user);
	c->buf = malloc(512);
	if (!c->host || !c->user || !c->buf) {
		conn_free(c);
		return NULL;
	}
	return c;
}

int session_ok(const char *host)
{
	struct conn *c = conn_new(host, "nobody");

	if (!c)
		return -1;
	c->buf[0] = 0;
	conn_free(c);
	return 0;
}

int session_bad(const char *host, int n)
{
	struct conn *c = conn_new(host, "nobody"); // LEAK(conditional)

	if (!c)
		return -1;
	if (n > 3)
		return -2;
	conn_free(c);
	return 0;
}

int never_bad(const char *host)
{
	struct conn *c = conn_new(host, "nobody"); // LEAK(never-freed)

	return c ? c->buf[0] : -1;
}
