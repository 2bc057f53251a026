// A part of something that will be everybody's, but is not yet.
#include <stdlib.h>
#include <string.h>

struct host {
	struct host *next;
	char *name, *addr;
	char **alias;
	int n;
};

static struct host *hosts;

void host_free(struct host *h)
{
	for (int i = 0; i < h->n; i++)
		free(h->alias[i]);
	free(h->alias);
	free(h->name);
	free(h->addr);
	free(h);
}

void hosts_free(void)
{
	while (hosts) {
		struct host *next = hosts->next;

		host_free(hosts);
		hosts = next;
	}
}

int add_bad(const char *name, const char *addr)
{
	struct host *h = calloc(1, sizeof(*h));

	if (!h)
		return -1;
	h->name = strdup(name); // LEAK(conditional)
	if (!addr) {
		free(h);
		return -1;
	}
	h->addr = strdup(addr);
	h->next = hosts;
	hosts = h;
	return 0;
}

int add_ok(const char *name, const char *addr)
{
	struct host *h = calloc(1, sizeof(*h));

	if (!h)
		return -1;
	h->name = strdup(name);
	if (!addr) {
		host_free(h);
		return -1;
	}
	h->addr = strdup(addr);
	h->next = hosts;
	hosts = h;
	return 0;
}

static void link_host(struct host *h)
{
	h->next = hosts;
	hosts = h;
}

int add_sometimes_named_ok(const char *name, const char *addr)
{
	struct host *h = calloc(1, sizeof(*h));

	if (!h)
		return -1;
	if (name)
		h->name = strdup(name);
	if (!addr) {
		free(h->name);
		free(h);
		return -1;
	}
	link_host(h);
	return 0;
}

int add_sometimes_named_bad(const char *name, const char *addr)
{
	struct host *h = calloc(1, sizeof(*h));

	if (!h)
		return -1;
	if (name)
		h->name = strdup(name); // LEAK(conditional)
	if (!addr) {
		free(h);
		return -1;
	}
	link_host(h);
	return 0;
}

int linked_first_ok(const char *name)
{
	struct host *h = calloc(1, sizeof(*h));

	if (!h)
		return -1;
	link_host(h);
	h->name = strdup(name);
	return h->name ? 0 : -1;
}

static int set_name(struct host *h, const char *name)
{
	h->name = strdup(name);
	return h->name ? 0 : -1;
}

int by_setter_bad(const char *name, const char *addr)
{
	struct host *h = calloc(1, sizeof(*h));

	if (!h)
		return -1;
	set_name(h, name); // LEAK(conditional)
	if (!addr) {
		free(h);
		return -1;
	}
	link_host(h);
	return 0;
}

int by_setter_ok(const char *name, const char *addr)
{
	struct host *h = calloc(1, sizeof(*h));

	if (!h)
		return -1;
	set_name(h, name);
	if (!addr) {
		host_free(h);
		return -1;
	}
	link_host(h);
	return 0;
}

int elements_ok(const char *const *alias, int n)
{
	struct host *h = calloc(1, sizeof(*h));

	if (!h)
		return -1;
	h->alias = calloc((size_t)n, sizeof(*h->alias));
	if (!h->alias) {
		free(h);
		return -1;
	}
	for (h->n = 0; h->n < n; h->n++) {
		h->alias[h->n] = strdup(alias[h->n]);
		if (!h->alias[h->n]) {
			host_free(h);
			return -1;
		}
	}
	link_host(h);
	return 0;
}

static struct host *make(const char *name)
{
	struct host *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->name = strdup(name);
	if (!h->name) {
		free(h);
		return NULL;
	}
	return h;
}

int made_ok(const char *name)
{
	struct host *h = make(name);

	if (!h)
		return -1;
	link_host(h);
	return 0;
}

int each_round_bad(const char *const *names, int n)
{
	for (int i = 0; i < n; i++) {
		struct host *h = calloc(1, sizeof(*h));

		if (!h)
			return -1;
		h->name = strdup(names[i]); // LEAK(conditional)
		if (names[i][0] == '#') {
			free(h);
			continue;
		}
		h->next = hosts;
		hosts = h;
	}
	return 0;
}
