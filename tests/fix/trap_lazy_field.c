// The object belongs to the argument from some point on.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conn {
	char *peer;
	int state;
};

static int conn_set(struct conn *c, const char *peer)
{
	char *p = strdup(peer);

	if (!p)
		return -1;
	if (c->state != 0)
		return -2;
	c->peer = p;
	c->state = 1;
	if (strlen(p) > 5)
		return 1;
	return 0;
}

int main(void)
{
	struct conn c = { NULL, 0 };

	printf("%d\n", conn_set(&c, "long name"));
	printf("%d\n", conn_set(&c, "x"));
	printf("%s\n", c.peer);
	free(c.peer);
	return 0;
}
