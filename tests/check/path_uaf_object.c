// The object is closed on an error, and its field read for the report.
#include <stdlib.h>
#include <string.h>

struct sock { int fd, err; char *peer; };

static void sock_free(struct sock *s)
{
	free(s->peer);
	free(s);
}

int do_connect(int fd);

int dial_ok(const char *peer)
{
	struct sock *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return -1;
	s->peer = strdup(peer);
	s->err = do_connect(s->fd);
	err = s->err;
	sock_free(s);
	return err;
}

int dial_bad(const char *peer)
{
	struct sock *s = calloc(1, sizeof(*s));

	if (!s)
		return -1;
	s->peer = strdup(peer);
	s->err = do_connect(s->fd);
	sock_free(s);
	return s->err; // FN(vfg): USE-AFTER-FREE
}
