// A struct filled by a parser: its fields are owned when the parser says so.
#include <stdlib.h>
#include <string.h>

struct url { char *host, *path; int port; };

static void url_release(struct url *u)
{
	free(u->host);
	free(u->path);
}

static int url_parse(struct url *u, const char *s)
{
	const char *slash = strchr(s, '/');

	memset(u, 0, sizeof(*u));
	if (!slash || slash == s)
		return -1;
	u->host = strndup(s, slash - s);
	u->path = strdup(slash);
	u->port = 80;
	if (!u->host || !u->path) {
		url_release(u);
		return -1;
	}
	return 0;
}

int port_ok(const char *s)
{
	struct url u;
	int port;

	if (url_parse(&u, s) < 0) // FP(conditional,vfg,all)
		return -1;
	port = u.host[0] == '[' ? 6 : u.port;
	url_release(&u);
	return port;
}

int port_bad(const char *s)
{
	struct url u;
	int port;

	if (url_parse(&u, s) < 0) // LEAK(conditional)
		return -1;
	if (u.host[0] == '[')
		return -1;
	port = u.port;
	url_release(&u);
	return port;
}
