// A connection keeps what it could not send; the rest is freed at once.
#include <stdlib.h>
#include <string.h>

struct conn { char *pending; int fd, closed; };

int raw_send(int fd, int n);

int conn_send_ok(struct conn *c, const char *s)
{
	char *copy = strdup(s);
	int n;

	if (!copy)
		return -1;
	if (c->closed) {
		free(copy);
		return -1;
	}
	n = raw_send(c->fd, (int)strlen(copy));
	if (n < 0) {
		free(copy);
		return -1;
	}
	if (!c->pending && n < (int)strlen(copy)) {
		c->pending = copy;
		return 1;
	}
	free(copy);
	return 0;
}

int conn_send_bad(struct conn *c, const char *s)
{
	char *copy = strdup(s); // LEAK(conditional)
	int n;

	if (!copy)
		return -1;
	if (c->closed) {
		free(copy);
		return -1;
	}
	n = raw_send(c->fd, (int)strlen(copy));
	if (n < 0)
		return -1;
	if (!c->pending && n < (int)strlen(copy)) {
		c->pending = copy;
		return 1;
	}
	free(copy);
	return 0;
}
