// The member is freed by its setter, which is given null before the holder goes.
#include <stdlib.h>
#include <string.h>

struct conn {
	char *host;
	struct conn *next;
};

static void conn_set_host(struct conn *c, const char *host)
{
	free(c->host);
	c->host = host ? strdup(host) : NULL;
}

static struct conn *conn_new(const char *host)
{
	struct conn *c = calloc(1, sizeof(*c));

	if (c)
		conn_set_host(c, host);
	return c;
}

static void conn_free(struct conn *c)
{
	conn_set_host(c, NULL);
	free(c);
}

int main(int argc, char **argv)
{
	struct conn *all = NULL;

	for (int i = 0; i < argc; i++) {
		struct conn *c = conn_new(argv[i]);

		if (!c)
			break;
		c->next = all;
		all = c;
	}
	while (all) {
		struct conn *c = all;

		all = c->next;
		conn_free(c);
	}
	return 0;
}
