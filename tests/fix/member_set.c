// Members that callees set: by the address of the member, and by that of the object.
// LEAKS: 4
// ONCE: ^\+\s*free\(j\.in\);$
// ONCE: ^\+\s*free\(j->in\);$
// PATCH: ^\+\s*free\(h->name\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job { char *in, *out; };
struct host { struct host *next; char *name; };

static struct host *hosts;

static int fill(char **where, int n)
{
	if (n < 0)
		return -1;
	*where = malloc((size_t)n + 1);
	return *where ? 0 : -1;
}

static int on_stack(int a, int b)
{
	struct job j = {0};

	if (fill(&j.in, a) < 0)
		return -1;
	if (fill(&j.out, b) < 0)
		return -2;
	free(j.in);
	free(j.out);
	return 0;
}

static int on_heap(int n)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return -1;
	if (fill(&j->in, n) < 0) {
		free(j);
		return -1;
	}
	j->in[0] = 'x';
	free(j);
	return 0;
}

static int set_name(struct host *h, const char *name)
{
	h->name = strdup(name);
	return h->name ? 0 : -1;
}

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
	set_name(h, name);
	if (!keep) {
		free(h);
		return -1;
	}
	link_host(h);
	return 0;
}

static int add_all(const char *const *v, int n)
{
	for (int i = 0; i < n; i++) {
		struct host *h = calloc(1, sizeof(*h));

		if (!h)
			return -1;
		h->name = strdup(v[i]);
		if (v[i][0] == '#') {
			free(h);
			continue;
		}
		h->next = hosts;
		hosts = h;
	}
	return 0;
}

int main(void)
{
	static const char *const v[] = { "a", "#b", "c" };

	printf("%d %d %d\n", on_stack(1, 1), on_stack(-1, 1), on_stack(1, -1));
	printf("%d %d\n", on_heap(1), on_heap(-1));
	printf("%d %d\n", add("x", 1), add("y", 0));
	printf("%d\n", add_all(v, 3));
	while (hosts) {
		struct host *next = hosts->next;

		puts(hosts->name ? hosts->name : "?");
		free(hosts->name);
		free(hosts);
		hosts = next;
	}
	return 0;
}
