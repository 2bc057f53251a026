// The member belongs to an object that a callee keeps: it must not be freed behind that.
// LEAKS: 1
// NEVER: link_host\(h\);.*free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host { struct host *next; char *name; };

static struct host *hosts;

static void link_host(struct host *h)
{
	h->next = hosts;
	hosts = h;
}

static int add(const char *name, int keep)
{
	struct host *h = calloc(1, sizeof(*h));

	if (!h)
		return -1;
	if (name)
		h->name = strdup(name);
	if (!keep) {
		free(h);
		return -1;
	}
	link_host(h);
	return 0;
}

int main(void)
{
	printf("%d %d %d\n", add("x", 1), add("y", 0), add(NULL, 1));
	while (hosts) {
		struct host *next = hosts->next;

		puts(hosts->name ? hosts->name : "?");
		free(hosts->name);
		free(hosts);
		hosts = next;
	}
	return 0;
}
