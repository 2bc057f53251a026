// facebook/infer 137: a destructor that closes a descriptor and frees several members; with enough
// members its summary was given up, and the object passed to it was reported.  One that returns before
// it frees must be reported.
#include <stdlib.h>
#include <unistd.h>

struct conn {
	char *in, *out, *err;
	int fd;
};

static struct conn *conn_new_ok(void)
{
	struct conn *c = calloc(1, sizeof(*c));

	if (c)
		c->fd = -1;
	return c;
}

static void conn_free(struct conn *c)
{
	if (c) {
		if (c->fd != -1)
			close(c->fd);
		free(c->in);
		free(c->out);
		free(c->err);
		free(c);
	}
}

static void conn_free_open(struct conn *c)
{
	if (!c || c->fd == -1)
		return;
	close(c->fd);
	free(c->in);
	free(c->out);
	free(c->err);
	free(c);
}

int freed_ok(int fd)
{
	struct conn *c = conn_new_ok();

	if (!c)
		return -1;
	c->fd = fd;
	c->in = malloc(16);
	c->err = malloc(16);
	conn_free(c);
	return 0;
}

int never_opened_ok(void)
{
	conn_free(conn_new_ok());
	return 0;
}

int only_if_open_bad(int fd)
{
	struct conn *c = conn_new_ok(); // FN(vfg): LEAK(conditional)

	if (!c)
		return -1;
	c->fd = fd;
	conn_free_open(c);
	return 0;
}
